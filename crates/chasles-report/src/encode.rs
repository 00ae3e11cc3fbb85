//! Numbers as text that a page unpacks at once: base64 of their bytes, lowest first.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::words::plain;

/// Numbers with all their digits.
pub fn doubles(numbers: impl IntoIterator<Item = f64>) -> String {
    packed(numbers.into_iter().map(f64::to_le_bytes))
}

/// Numbers with seven digits: what is only drawn.
pub fn singles(numbers: impl IntoIterator<Item = f32>) -> String {
    packed(numbers.into_iter().map(f32::to_le_bytes))
}

/// Whole numbers of four bytes.
pub fn words(numbers: impl IntoIterator<Item = u32>) -> String {
    packed(numbers.into_iter().map(u32::to_le_bytes))
}

/// Whole numbers of two bytes.
pub fn shorts(numbers: impl IntoIterator<Item = u16>) -> String {
    packed(numbers.into_iter().map(u16::to_le_bytes))
}

/// Whole numbers of four bytes if `wide`, else of two; they must fit.
pub fn wholes(numbers: impl IntoIterator<Item = u32>, wide: bool) -> String {
    if wide { words(numbers) } else { shorts(numbers.into_iter().map(|number| number as u16)) }
}

/// A PNG as an address.
pub fn image(png: &[u8]) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(png))
}

fn packed<const N: usize>(numbers: impl Iterator<Item = [u8; N]>) -> String {
    STANDARD.encode(numbers.flatten().collect::<Vec<u8>>())
}

/// Text between the tags of a page.
pub fn escaped(text: &str) -> String {
    let sign = |c: char| match c {
        '&' => "&amp;".to_string(),
        '<' => "&lt;".to_string(),
        '>' => "&gt;".to_string(),
        '"' => "&quot;".to_string(),
        '\'' => "&#39;".to_string(),
        other => other.to_string(),
    };
    text.chars().map(sign).collect()
}

/// A name in a sentence: what turns its letters around ends with it, and what is not shown is spelt
/// out. Names of plain letters need nothing.
pub fn isolated(name: &str) -> String {
    let name = plain(name);
    // First strong isolate, and its end; signs of the name that would outlast it are spelt out.
    if name.is_ascii() { name } else { format!("\u{2068}{name}\u{2069}") }
}

/// JSON in whose texts nothing is obeyed that is not shown: control characters, and those that turn
/// lines around, are spelt out as in tables. Isolates stay, for pages put names into them.
pub fn spelt_out(json: &str) -> String {
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}');
    let is_odd = |c: char| c.is_control() || turns(c);
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find(|c: char| c == '\\' || is_odd(c)) {
        out.push_str(&rest[..at]);
        let (sign, length) = first_sign(&rest[at..]);
        match sign {
            // Line ends and tabs are white space on a page.
            Some(sign) if is_odd(sign) && !sign.is_ascii_whitespace() => {
                out.push_str(&format!("\\\\u{{{:x}}}", u32::from(sign)));
            }
            _ => out.push_str(&rest[at..at + length]),
        }
        rest = &rest[at + length..];
    }
    out + rest
}

/// The character that a JSON text begins with, escaped or not, if it is one that pages show as it
/// is or not at all; and how many bytes it takes.
fn first_sign(text: &str) -> (Option<char>, usize) {
    let mut signs = text.chars();
    let first = signs.next();
    if first != Some('\\') {
        return (first, first.map_or(0, char::len_utf8));
    }
    match signs.next() {
        Some('u') => {
            let code = text.get(2..6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
            (code.and_then(char::from_u32), text.len().min(6))
        }
        Some('b') => (Some('\u{8}'), 2),
        other => (None, 1 + other.map_or(0, char::len_utf8)),
    }
}

/// JSON inside a script: nothing in it ends the script or begins a comment, and it means the same.
pub fn inside_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_their_bytes_the_lowest_first() {
        assert_eq!(doubles([1.0]), "AAAAAAAA8D8=");
        assert_eq!(singles([1.0]), "AACAPw==");
        assert_eq!(wholes([1, 258], false), "AQACAQ==");
        assert_eq!(wholes([1], true), "AQAAAA==");
    }

    #[test]
    fn no_name_turns_the_words_around_it() {
        assert_eq!(isolated("torus A"), "torus A");
        assert_eq!(isolated("טורוס"), "\u{2068}טורוס\u{2069}");
        assert_eq!(isolated("a\u{202e}b\u{2069}\u{1b}"), "a\\u{202e}b\\u{2069}\\u{1b}");
    }

    #[test]
    fn what_is_not_shown_is_spelt_out() {
        let spelt = |text: &str| -> String {
            let json = serde_json::to_string(text).unwrap();
            serde_json::from_str(&spelt_out(&json)).unwrap()
        };
        assert_eq!(spelt("a\u{1b}[31m\u{7}\u{8}\u{9b}"), "a\\u{1b}[31m\\u{7}\\u{8}\\u{9b}");
        assert_eq!(spelt("\u{202e}ab"), "\\u{202e}ab");
        for kept in ["", "a\n\tb \\ \" / \\u001b", "\u{2068}טורוס\u{2069}", "\u{1f600}"] {
            assert_eq!(spelt(kept), kept);
        }
    }

    #[test]
    fn nothing_ends_a_script() {
        let text = serde_json::to_string("</script><!-- \u{2028}").unwrap();
        let inside = inside_script(&text);
        assert!(!inside.contains('<') && !inside.contains('\u{2028}'), "{inside}");
        assert_eq!(
            serde_json::from_str::<String>(&inside).unwrap(),
            serde_json::from_str::<String>(&text).unwrap()
        );
        assert_eq!(escaped("<b a='\"'>&"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;");
    }
}
