//! In which order joints are eliminated, so that few pairs of them get entangled.
//!
//! Two joints are neighbours if they share a body that answers impulses. Eliminating a joint makes
//! its neighbours neighbours of each other; the one with the fewest rows around it goes first.
//! Chains and trees are eaten from their ends, without any new neighbours.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What counts for the order: which bodies answer, and how many rows there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Link {
    /// The bodies, as far as they answer.
    pub(super) bodies: [Option<usize>; 2],
    /// How many rows, 0 if the joint is left out.
    pub(super) size: usize,
}

/// The joints in the order of elimination, and which rows have an entry with which.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    links: Vec<Link>,
    /// The numbers of the joints that have rows, in order.
    pub(super) sequence: Vec<usize>,
    /// For each row, in order, where its earlier neighbours are in `earlier`; one more at the end.
    starts: Vec<usize>,
    earlier: Vec<usize>,
    /// For each body, the rows which it has a part in.
    rows: Vec<Vec<usize>>,
    /// Whether bodies are joined in more than one way.
    pub(super) has_loops: bool,
}

impl Order {
    /// Whether these are its links.
    pub(super) fn is_of(&self, links: impl Iterator<Item = Link>) -> bool {
        links.eq(self.links.iter().copied())
    }

    /// Takes new links; whether that changed anything.
    pub(super) fn update(
        &mut self,
        links: impl Iterator<Item = Link> + Clone,
        bodies: usize,
    ) -> bool {
        if self.rows.len() == bodies && self.is_of(links.clone()) {
            return false;
        }
        self.links.clear();
        self.links.extend(links);
        let around = neighbours(&self.links, bodies);
        self.sequence = eliminated(&self.links, around.clone());
        self.spread(&around, bodies);
        self.has_loops = has_loops(&self.links, bodies);
        true
    }

    /// From joints to rows.
    fn spread(&mut self, around: &[Vec<usize>], bodies: usize) {
        let mut first = vec![usize::MAX; self.links.len()];
        self.starts.clear();
        self.earlier.clear();
        self.starts.push(0);
        self.rows = vec![Vec::new(); bodies];
        let mut row = 0;
        for &joint in &self.sequence {
            first[joint] = row;
            let Link { bodies, size } = self.links[joint];
            for own in 0..size {
                for &other in around[joint].iter().filter(|&&other| first[other] < row) {
                    self.earlier.extend(first[other]..first[other] + self.links[other].size);
                }
                self.earlier.extend(row..row + own);
                self.starts.push(self.earlier.len());
            }
            for body in bodies.into_iter().flatten() {
                self.rows[body].extend(row..row + size);
            }
            row += size;
        }
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The rows before this one that share a body with it.
    pub(super) fn earlier(&self, row: usize) -> &[usize] {
        &self.earlier[self.starts[row]..self.starts[row + 1]]
    }

    /// The rows that a body has a part in.
    pub(super) fn rows_of(&self, body: usize) -> &[usize] {
        &self.rows[body]
    }
}

/// Whether a joint connects what is connected already. All bodies that nothing moves are one.
fn has_loops(links: &[Link], bodies: usize) -> bool {
    let mut leaders: Vec<usize> = (0..=bodies).collect();
    for link in links.iter().filter(|link| link.size > 0) {
        let [a, b] = link.bodies.map(|body| {
            let mut at = body.unwrap_or(bodies);
            while leaders[at] != at {
                leaders[at] = leaders[leaders[at]];
                at = leaders[at];
            }
            at
        });
        if a == b {
            return true;
        }
        leaders[a] = b;
    }
    false
}

/// For each joint, those that share a body with it, in increasing order.
fn neighbours(links: &[Link], bodies: usize) -> Vec<Vec<usize>> {
    let mut joints = vec![Vec::new(); bodies];
    for (joint, link) in links.iter().enumerate().filter(|(_, link)| link.size > 0) {
        for body in link.bodies.into_iter().flatten() {
            joints[body].push(joint);
        }
    }
    let around = |(joint, link): (usize, &Link)| {
        let mut around: Vec<usize> = Vec::new();
        if link.size > 0 {
            around.extend(link.bodies.into_iter().flatten().flat_map(|body| &joints[body]));
            around.sort_unstable();
            around.dedup();
            around.retain(|&other| other != joint);
        }
        around
    };
    links.iter().enumerate().map(around).collect()
}

/// More neighbours than this are not looked at in pairs.
const MOST_PAIRED: usize = 32;

/// The joints on their way out.
struct Graph<'l> {
    links: &'l [Link],
    around: Vec<Vec<usize>>,
}

impl Graph<'_> {
    /// What is eliminated first: a joint whose neighbours are each other's already, so that a tree
    /// gets no new ones; then the fewest rows around it; then the lowest number.
    fn key(&self, joint: usize) -> Reverse<(bool, usize, usize)> {
        let around = &self.around[joint];
        let weight = around.iter().map(|&joint| self.links[joint].size).sum();
        let meets = |a: usize, b: usize| a == b || self.around[a].binary_search(&b).is_ok();
        let is_clique = around.len() <= MOST_PAIRED
            && around.iter().all(|&a| around.iter().all(|&b| meets(a, b)));
        Reverse((!is_clique, weight, joint))
    }

    fn remove(&mut self, joint: usize) -> Vec<usize> {
        let clique = std::mem::take(&mut self.around[joint]);
        for &other in &clique {
            let around = &mut self.around[other];
            around.extend(&clique);
            around.sort_unstable();
            around.dedup();
            around.retain(|&third| third != other && third != joint);
        }
        clique
    }
}

/// All joints with rows, in a greedy order of elimination.
fn eliminated(links: &[Link], around: Vec<Vec<usize>>) -> Vec<usize> {
    let mut graph = Graph { links, around };
    let with_rows = (0..links.len()).filter(|&joint| links[joint].size > 0);
    let mut keys: Vec<_> = (0..links.len()).map(|joint| graph.key(joint)).collect();
    let mut heap: BinaryHeap<_> = with_rows.map(|joint| keys[joint]).collect();
    let mut is_done = vec![false; links.len()];
    let mut sequence = Vec::with_capacity(links.len());
    while let Some(key) = heap.pop() {
        let Reverse((_, _, joint)) = key;
        if is_done[joint] || key != keys[joint] {
            continue;
        }
        is_done[joint] = true;
        sequence.push(joint);
        for other in graph.remove(joint) {
            keys[other] = graph.key(other);
            heap.push(keys[other]);
        }
    }
    sequence
}
