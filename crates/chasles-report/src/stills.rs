//! What is seen where there is no WebGL2: a few pictures, as many as there is room for.

use super::data::StillData;
use super::encode::image;
use super::limits::STILLS;

/// The pictures that fit, in their order, of which the one of this number comes first; and a note
/// if some do not.
///
/// *Accepts* any pictures, as words and PNG. *Guarantees* that the first is there.
pub fn fitting(
    pictures: impl IntoIterator<Item = (String, Vec<u8>)>,
    first: usize,
) -> (Vec<StillData>, Option<String>) {
    let all: Vec<StillData> = pictures
        .into_iter()
        .map(|(caption, png)| StillData { caption, image: image(&png) })
        .collect();
    let count = all.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&number| number != first);
    let mut is_kept = vec![false; count];
    let mut room = STILLS;
    for number in order {
        let size = all[number].image.len();
        if number == first || size <= room {
            is_kept[number] = true;
            room = room.saturating_sub(size);
        }
    }
    let kept: Vec<StillData> = all
        .into_iter()
        .zip(is_kept)
        .filter_map(|(still, is_kept)| is_kept.then_some(still))
        .collect();
    let note = (kept.len() < count).then(|| {
        format!("Without WebGL2 this page shows {} of {count} still pictures.", kept.len())
    });
    (kept, note)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_picture_is_there_and_others_while_there_is_room() {
        let picture = |name: &str, bytes: usize| (name.to_string(), vec![0; bytes]);
        let names = |all: &[StillData]| all.iter().map(|s| s.caption.clone()).collect::<String>();
        let small = || ["a", "b", "c"].map(|name| picture(name, 1000));
        let (kept, note) = fitting(small(), 1);
        assert_eq!((names(&kept).as_str(), note), ("abc", None));
        let large = [picture("a", STILLS), picture("b", STILLS / 2), picture("c", 1000)];
        let (kept, note) = fitting(large, 1);
        assert_eq!(names(&kept), "bc");
        assert!(note.is_some_and(|note| note.contains("2 of 3")));
    }
}
