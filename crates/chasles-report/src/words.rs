//! Names and numbers in sentences.

use chasles::Screw;
use chasles::glam::DVec3;

/// The text as it is, but for characters that would move the cursor or turn the line around.
pub fn plain(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let shown = |c: char| {
        if c.is_control() || turns(c) { c.escape_debug().collect() } else { String::from(c) }
    };
    text.chars().map(shown).collect()
}

/// Words as a sentence of its own, with what moves the cursor spelt out.
pub fn sentence(words: &str) -> String {
    let words = plain(words);
    let mut letters = words.chars();
    let first = letters.next().map(char::to_uppercase).into_iter().flatten();
    first.chain(letters).chain(['.']).collect()
}

/// A number of things, in words: `1 contact`, `2 bodies`.
pub fn plural(count: usize, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if count == 1 => format!("1 {noun}"),
        Some(stem) => format!("{count} {stem}ies"),
        None => format!("{count} {noun}s"),
    }
}

/// Names in a sentence: a few of them, and how many more there are.
pub fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if names.len() <= 4 => format!("{} and {last}", first.join(", ")),
        _ => format!("{} and {} more", names[..3].join(", "), names.len() - 3),
    }
}

/// A number of a scene whose sizes are about 1: what is below rounding there is zero.
pub fn short(x: f64) -> String {
    length(if x.abs() < 1e-15 { 0.0 } else { x })
}

/// A number of any scale.
pub fn length(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_string()
    } else if (1e-3..1e6).contains(&size) {
        format!("{x:.4}")
    } else {
        format!("{x:.3e}")
    }
}

/// Whether a motion is none.
pub fn rests(screw: &Screw) -> bool {
    screw.angular() == DVec3::ZERO && screw.linear() == DVec3::ZERO
}

/// Whether a motion turns, for words: poses that are turned alike differ by some 1e-16, about any
/// axis.
pub fn turns(screw: &Screw) -> bool {
    screw.angle() > 1e-9
}
