//! What pages say: the data in them, as the browser gets it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::Folder;

/// The most bytes that the page of any scene may have.
pub(crate) const MOST: usize = 1_550_000;

/// Runs the program and gives the page that it wrote.
pub(crate) fn page(folder: &Folder, arguments: &[&str]) -> String {
    let run = folder.run(&[arguments, &["--report", "out.html", "--quiet"]].concat());
    assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (0, "", ""), "{arguments:?}");
    std::fs::read_to_string(folder.path().join("out.html")).expect("the page is text")
}

/// What a page is told.
pub(crate) fn data(page: &str) -> Value {
    let (_, after) =
        page.split_once("<script id=\"data\" type=\"application/json\">").expect("data");
    let (json, _) = after.split_once("</script>").expect("the script ends");
    serde_json::from_str(json).expect("JSON")
}

pub(crate) fn bytes(value: &Value) -> Vec<u8> {
    STANDARD.decode(value.as_str().expect("text")).expect("base64")
}

pub(crate) fn doubles(value: &Value) -> Vec<f64> {
    let number = |chunk: &[u8]| f64::from_le_bytes(chunk.try_into().expect("eight bytes"));
    bytes(value).chunks_exact(8).map(number).collect()
}

/// The words of a column, row by row.
pub(crate) fn words(column: &Value) -> Vec<String> {
    let number = |chunk: &[u8]| u16::from_le_bytes(chunk.try_into().expect("two bytes"));
    let numbers: Vec<u16> = bytes(&column["rows"]).chunks_exact(2).map(number).collect();
    let word =
        |number: u16| column["list"][usize::from(number)].as_str().expect("text").to_string();
    numbers.into_iter().map(word).collect()
}

/// Everything that the page says it leaves out.
pub(crate) fn notes(data: &Value) -> String {
    let notes = data["notes"].as_array().expect("a list");
    notes.iter().map(|note| note.as_str().expect("text").to_string() + "\n").collect()
}

pub(crate) fn singles(value: &Value) -> Vec<f32> {
    let number = |chunk: &[u8]| f32::from_le_bytes(chunk.try_into().expect("four bytes"));
    bytes(value).chunks_exact(4).map(number).collect()
}
