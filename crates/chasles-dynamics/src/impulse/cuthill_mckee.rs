//! The order of things in which those that depend on each other are near each other (Cuthill and
//! McKee's).

/// The place of each thing in that order, by its neighbours, which are sorted: from thing to thing,
/// each time from one at an end.
pub(crate) fn places(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let count = neighbours.len();
    let mut places = vec![usize::MAX; count];
    let mut next = 0;
    let [mut is_seen, mut is_there] = [vec![false; count], vec![false; count]];
    for thing in 0..count {
        if places[thing] == usize::MAX {
            // The last one from anywhere is at an end.
            let end = along(neighbours, thing, &mut is_seen).last().copied().unwrap_or(thing);
            for thing in along(neighbours, end, &mut is_there) {
                places[thing] = next;
                next += 1;
            }
        }
    }
    places
}

/// All that hangs together with something and is not there yet, the nearest first; of equally near
/// ones those with the fewest neighbours.
fn along(neighbours: &[Vec<usize>], start: usize, is_there: &mut [bool]) -> Vec<usize> {
    is_there[start] = true;
    let mut found = vec![start];
    let mut done = 0;
    while done < found.len() {
        let mut news: Vec<usize> =
            neighbours[found[done]].iter().copied().filter(|&other| !is_there[other]).collect();
        news.sort_by_key(|&other| neighbours[other].len());
        news.iter().for_each(|&other| is_there[other] = true);
        found.extend(news);
        done += 1;
    }
    found
}

/// The neighbours of each of so many things that these pairs join, sorted.
pub(crate) fn joined(count: usize, pairs: impl Iterator<Item = [usize; 2]>) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); count];
    for [a, b] in pairs {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    for others in &mut neighbours {
        others.sort_unstable();
        others.dedup();
    }
    neighbours
}
