//! Sets of numbers that are joined: a forest in which each number has a parent, and roots their
//! own.

/// The root of a number's set: the lowest number in it, if sets are joined by [`join`] alone.
pub(super) fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        parent[i as usize] = parent[parent[i as usize] as usize];
        i = parent[i as usize];
    }
    i
}

/// Makes one of two sets; whether they were two.
pub(super) fn join(parent: &mut [u32], p: u32, q: u32) -> bool {
    let [p, q] = [root(parent, p), root(parent, q)];
    parent[p.max(q) as usize] = p.min(q);
    p != q
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_sets_have_their_lowest_number_as_root() {
        let mut parent: Vec<u32> = (0..6).collect();
        assert!(join(&mut parent, 5, 3) && join(&mut parent, 4, 5) && join(&mut parent, 2, 4));
        assert!(!join(&mut parent, 3, 2));
        assert_eq!([0, 1, 2, 3, 4, 5].map(|i| root(&mut parent, i)), [0, 1, 2, 2, 2, 2]);
    }
}
