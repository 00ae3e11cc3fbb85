//! Numbers as text that a page unpacks at once: base64 of their bytes, lowest first.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Numbers with all their digits.
pub(super) fn doubles(numbers: impl IntoIterator<Item = f64>) -> String {
    packed(numbers.into_iter().map(f64::to_le_bytes))
}

/// Numbers with seven digits: what is only drawn.
pub(super) fn singles(numbers: impl IntoIterator<Item = f32>) -> String {
    packed(numbers.into_iter().map(f32::to_le_bytes))
}

/// Whole numbers of four bytes.
pub(super) fn words(numbers: impl IntoIterator<Item = u32>) -> String {
    packed(numbers.into_iter().map(u32::to_le_bytes))
}

/// Whole numbers of two bytes.
pub(super) fn shorts(numbers: impl IntoIterator<Item = u16>) -> String {
    packed(numbers.into_iter().map(u16::to_le_bytes))
}

/// Whole numbers of four bytes if `wide`, else of two; they must fit.
pub(super) fn wholes(numbers: impl IntoIterator<Item = u32>, wide: bool) -> String {
    if wide { words(numbers) } else { shorts(numbers.into_iter().map(|number| number as u16)) }
}

/// A PNG as an address.
pub(super) fn image(png: &[u8]) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(png))
}

fn packed<const N: usize>(numbers: impl Iterator<Item = [u8; N]>) -> String {
    STANDARD.encode(numbers.flatten().collect::<Vec<u8>>())
}

/// Text between the tags of a page.
pub(super) fn escaped(text: &str) -> String {
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

/// A name in a sentence: what turns its letters around ends with it. Names of plain letters need nothing.
pub(super) fn isolated(name: &str) -> String {
    if name.is_ascii() {
        return name.to_string();
    }
    // First strong isolate, and its end: of the signs of the name those that would end it or outlast it are left out.
    let turns = |c: &char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let kept: String = name.chars().filter(|c| !turns(c)).collect();
    format!("\u{2068}{kept}\u{2069}")
}

/// JSON inside a script: nothing in it ends the script or begins a comment, and it means the same.
pub(super) fn inside_script(json: &str) -> String {
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
        assert_eq!(isolated("a\u{202e}b\u{2069}\u{2066}"), "\u{2068}ab\u{2069}");
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
