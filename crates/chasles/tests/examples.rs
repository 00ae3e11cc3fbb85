//! Every example is run by the tests, fits on a screen and is named on the front page.

use std::fs;

#[test]
fn examples_are_run_short_and_named() {
    let root = env!("CARGO_MANIFEST_DIR");
    let read = |name: &str| fs::read_to_string(format!("{root}/{name}")).expect("text");
    let [manifest, front] = ["Cargo.toml", "src/lib.rs"].map(read);
    let folder = fs::read_dir(format!("{root}/examples")).expect("a folder");
    let mut count = 0;
    for entry in folder {
        let name = entry.expect("a file").file_name().to_string_lossy().into_owned();
        let text = read(&format!("examples/{name}"));
        assert!(text.lines().count() < 60, "{name}");
        assert!(text.contains("#[test]\nfn runs()"), "{name} does not run itself");
        let stem = name.trim_end_matches(".rs");
        let entry = format!("name = \"{stem}\"\ntest = true");
        assert!(manifest.contains(&entry), "{name} is not tested");
        assert!(front.contains(&format!("`examples/{name}`")), "{name} is not on the front page");
        count += 1;
    }
    assert!(count > 5, "{count}");
}
