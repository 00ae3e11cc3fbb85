//! The word that a user may have meant.
//!
//! ```
//! use chasles_scene::spelling::nearest;
//! assert_eq!(nearest("restituton", ["friction", "restitution"]), Some("restitution"));
//! assert_eq!(nearest("colour", ["friction", "restitution"]), None);
//! ```

/// Longer words are no words: comparing takes the square of their letters.
const LONGEST: usize = 64;

/// The word that is most like this one, if one is: of words that are equally so the first.
///
/// A third of the letters may be wrong: "torri" is still tori, "banana" is nothing. Short words
/// may have one wrong letter.
pub fn nearest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let is_short = |word: &str| word.len() <= LONGEST;
    let word = Some(word.to_lowercase()).filter(|word| is_short(word))?;
    let distance = |other: &'w str| (edits(&word, &other.to_lowercase()), other);
    let (edits, best) = known
        .into_iter()
        .filter(|word| is_short(word))
        .map(distance)
        .min_by_key(|(edits, _)| *edits)?;
    let letters = word.chars().count();
    (edits <= letters / 3 || (edits == 1 && letters > 1)).then_some(best)
}

/// How many letters must be put in, left out, changed or swapped with the next to make one word
/// of another.
pub fn edits(from: &str, to: &str) -> usize {
    let [from, to] = [from, to].map(|word| word.chars().collect::<Vec<char>>());
    let mut older: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for i in 0..from.len() {
        let mut next = vec![i + 1];
        for j in 0..to.len() {
            let changed = row[j] + usize::from(from[i] != to[j]);
            let mut least = changed.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j] {
                least = least.min(older[j - 1] + 1);
            }
            next.push(least);
        }
        older = std::mem::replace(&mut row, next);
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_differ_by_the_letters_that_must_change() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!([edits("", "abc"), edits("abc", ""), edits("abc", "abc")], [3, 3, 0]);
        assert_eq!([edits("naem", "name"), edits("ab", "ba")], [1, 1], "two letters are swapped");
    }

    #[test]
    fn a_word_is_found_if_most_of_it_is_right() {
        let keys = ["name", "shape", "start", "end", "self_collision"];
        for (written, meant) in [
            ("nmae", Some("name")),
            ("Shape", Some("shape")),
            ("strat", Some("start")),
            ("ned", Some("end")),
            ("selfcollision", Some("self_collision")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(written, keys), meant, "{written}");
        }
        let long = "a".repeat(LONGEST + 1);
        assert_eq!(nearest(&long, [long.as_str()]), None, "too long to be compared");
    }
}
