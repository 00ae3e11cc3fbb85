//! Lists of different lengths in one array: the adjacency of meshes.

/// Rows of different lengths in one array.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rows<T> {
    starts: Vec<u32>,
    entries: Vec<T>,
}

impl<T: Copy> Rows<T> {
    /// No room for rows.
    pub(super) const NO_ROOM: Self = Self { starts: Vec::new(), entries: Vec::new() };

    /// Rows from pairs of a row number and an entry; entries keep their order within a row.
    pub(crate) fn from_pairs(rows: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut starts = vec![0u32; rows + 1];
        for (row, _) in pairs.clone() {
            starts[row as usize + 1] += 1;
        }
        for i in 0..rows {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut entries: Vec<T> = pairs.clone().map(|(_, entry)| entry).collect();
        for (row, entry) in pairs {
            entries[next[row as usize] as usize] = entry;
            next[row as usize] += 1;
        }
        Self { starts, entries }
    }

    /// Rows as they are.
    pub(super) fn from_rows<R: AsRef<[T]>>(rows: impl Iterator<Item = R>) -> Self {
        let mut starts = vec![0];
        let mut entries = Vec::new();
        for row in rows {
            entries.extend_from_slice(row.as_ref());
            starts.push(entries.len() as u32);
        }
        Self { starts, entries }
    }

    /// Rows that `fill` appends, one call for each number below `count`.
    pub(crate) fn from_fn(count: usize, mut fill: impl FnMut(u32, &mut Vec<T>)) -> Self {
        let mut starts = Vec::with_capacity(count + 1);
        starts.push(0);
        let mut entries = Vec::new();
        for i in 0..count as u32 {
            fill(i, &mut entries);
            starts.push(entries.len() as u32);
        }
        Self { starts, entries }
    }

    /// Rows in another order with other entries, which fill `room` if that is large enough, and
    /// the room that they left.
    pub(super) fn moved(self, order: &[u32], room: Self, to: impl Fn(T) -> T) -> (Self, Self) {
        let mut starts = emptied(room.starts, order.len() + 1);
        let mut entries = emptied(room.entries, self.entries.len());
        starts.push(0);
        for &i in order {
            entries.extend(self.row(i).iter().map(|&entry| to(entry)));
            starts.push(entries.len() as u32);
        }
        (Self { starts, entries }, self)
    }

    #[inline]
    pub(crate) fn row(&self, i: u32) -> &[T] {
        let i = i as usize;
        &self.entries[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// Where a row is among all entries.
    #[inline]
    pub(super) fn place(&self, i: u32) -> std::ops::Range<usize> {
        let i = i as usize;
        self.starts[i] as usize..self.starts[i + 1] as usize
    }

    /// Several rows that follow each other as one.
    #[inline]
    pub(crate) fn rows(&self, range: std::ops::Range<u32>) -> &[T] {
        let [start, end] = [range.start, range.end].map(|i| self.starts[i as usize] as usize);
        &self.entries[start..end]
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }
}

/// Room for so many entries: what is there, unless it is too small or more than twice too large.
pub(super) fn emptied<T>(mut room: Vec<T>, count: usize) -> Vec<T> {
    if room.capacity() < count || room.capacity() > 2 * count {
        return Vec::with_capacity(count);
    }
    room.clear();
    room
}
