//! Which vertices are one.
//!
//! Files repeat a vertex for each face that uses it (STL), and programs that write them round each
//! copy on its own. So vertices within a length of each other are joined, and named by the lowest
//! number among them. Nothing is moved: a joined vertex stands where the input has that number.
//!
//! Joining is transitive. The first vertex that is near no earlier one leads; leaders are more than
//! the length apart, so a cell of the grid holds few of them however dense the vertices are, and
//! each vertex is compared with few. Vertices that merely follow may link two leaders, so they are
//! compared with the followers of leaders nearby, too.

use std::collections::BTreeMap;

use glam::DVec3;
use rustc_hash::FxHashMap;

use super::forest::{join, root};
use super::inspect::Sample;
use super::plane::{extent, mean_plane};
use super::polygons::{MeshError, Polygons};

/// The default length, as a share of the largest side of the bounding box: far above the rounding
/// of coordinates (1e-16), far below the smallest features that files have on purpose (1e-7).
const DEFAULT_SHARE: f64 = 1e-12;

/// Cells of the grid in weld lengths. With 8, four vertices in five look into one or two cells.
const CELL: f64 = 8.0;

/// How many followers of a leader are compared. So many different places within two lengths are
/// seen only if the length is far above the edges, and then joining them collapses edges.
const MOST_FOLLOWERS: usize = 64;

/// How often faces are asked again whether they collapse, after a join at one of them was undone.
const MOST_ROUNDS: usize = 8;

const NONE: u32 = u32::MAX;

/// Which vertices were joined when a mesh was built.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weld {
    /// Vertices no farther apart than this are one, but for those that are kept apart, and for some
    /// where more than 64 others are as near: no length that is meant to join copies has as many.
    pub length: f64,
    /// Vertices that became one with an earlier vertex at another place, by input number.
    pub joined: Sample<u32>,
    /// Vertices that are as near to another and yet apart, by input number: one vertex in their
    /// stead would collapse an edge or a face, or be two corners of a face.
    pub kept_apart: Sample<u32>,
}

impl Polygons {
    /// The same with the lowest number of each vertex wherever it is named.
    ///
    /// *Accepts* what [`Polyhedron::welded`](super::Polyhedron::welded) does. *Guarantees* the same
    /// vertices and faces, in the same order, and that meshes made of them join what `weld` joins.
    /// *Cost* expected linear. *Fails* as it does, but for faces that are too large.
    ///
    /// ```
    /// let near = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [1., 1e-9, 0.], [1., 1., 0.]];
    /// let two = chasles::Polygons::new(near, [[0, 1, 2], [2, 3, 4]]);
    /// assert_eq!(two.welded(1e-8)?.faces, [[0, 1, 2], [2, 1, 4]]);
    /// # Ok::<(), chasles::mesh::MeshError>(())
    /// ```
    pub fn welded(&self, weld: f64) -> Result<Self, MeshError> {
        self.check_weld(weld)?;
        let Welded { numbers, .. } = self::weld(self, &self.vertices, weld);
        let mut welded = self.clone();
        let segments = welded.segments.iter_mut().flatten();
        for vertex in welded.faces.iter_mut().flatten().chain(segments).chain(&mut welded.points) {
            *vertex = numbers[*vertex as usize];
        }
        Ok(welded)
    }

    /// The same with the length that [`Polyhedron::new`](super::Polyhedron::new) takes.
    pub(crate) fn welded_by_default(&self) -> Result<Self, MeshError> {
        self.check()?;
        self.welded(self.default_weld())
    }

    /// The length within which vertices are joined if nobody says otherwise.
    pub(super) fn default_weld(&self) -> f64 {
        DEFAULT_SHARE * extent(&self.vertices)
    }

    pub(super) fn check_weld(&self, weld: f64) -> Result<(), MeshError> {
        match weld >= 0.0 && weld.is_finite() {
            true => self.check(),
            false => Err(MeshError::BadWeld { weld }),
        }
    }
}

/// What vertices are one with.
pub(super) struct Welded {
    /// For each vertex the lowest-numbered vertex that it is one with, of those that are in use.
    pub(super) numbers: Vec<u32>,
    /// The edges that are named otherwise in the input: the numbers of their ends, and the lowest
    /// two that an edge of the input has there.
    pub(super) edge_names: BTreeMap<[u32; 2], [u32; 2]>,
    pub(super) report: Weld,
}

/// Joins vertices within a length of each other.
pub(super) fn weld(polygons: &Polygons, vertices: &[DVec3], length: f64) -> Welded {
    let equal = equal(vertices);
    let mut report = Weld { length, ..Weld::default() };
    let Some(groups) = Groups::near(vertices, &equal, length) else {
        return Welded { numbers: equal, edge_names: BTreeMap::new(), report };
    };
    let apart = collapsing(polygons, vertices, &equal, &groups);
    let first = first_in_use(polygons, &equal, &groups);
    let mut numbers = equal.clone();
    for (vertex, number) in numbers.iter_mut().enumerate() {
        let root = groups.root[*number as usize];
        let name = first[root as usize];
        if apart[root as usize] {
            report.kept_apart.push(vertex as u32);
        } else if name != *number && name != UNUSED {
            report.joined.push(vertex as u32);
            *number = name;
        }
    }
    let edge_names = edge_names(polygons, &equal, &numbers);
    Welded { numbers, edge_names, report }
}

/// The name of a group of which no vertex is in use.
const UNUSED: u32 = u32::MAX;

/// For the root of each group the lowest number in it that faces, segments or points have; all
/// are in use where there are none of these.
fn first_in_use(polygons: &Polygons, equal: &[u32], groups: &Groups) -> Vec<u32> {
    let mut first = vec![UNUSED; equal.len()];
    let mut take = |v: u32| {
        let number = equal[v as usize];
        let name = &mut first[groups.root[number as usize] as usize];
        *name = number.min(*name);
    };
    polygons.faces.iter().flatten().copied().for_each(&mut take);
    polygons.segments.iter().flatten().copied().for_each(&mut take);
    polygons.points.iter().copied().for_each(&mut take);
    let is_cloud =
        polygons.faces.is_empty() && polygons.segments.is_empty() && polygons.points.is_empty();
    (0..equal.len() as u32).filter(|_| is_cloud).for_each(take);
    first
}

/// Edges whose ends, as they are joined, are those of no edge of the input.
fn edge_names(polygons: &Polygons, equal: &[u32], numbers: &[u32]) -> BTreeMap<[u32; 2], [u32; 2]> {
    let mut names = BTreeMap::new();
    let mut look = |p: u32, q: u32| {
        let sorted = |of: &[u32]| {
            let [p, q] = [of[p as usize], of[q as usize]];
            [p.min(q), p.max(q)]
        };
        let (joined, stated) = (sorted(numbers), sorted(equal));
        let is_moved = [p, q].iter().any(|&v| is_joined(v, equal, numbers));
        if is_moved || names.contains_key(&joined) {
            let name = names.entry(joined).or_insert(stated);
            *name = stated.min(*name);
        }
    };
    let turns = || polygons.faces.iter().map(|face| (face, face.iter().cycle().skip(1)));
    turns().for_each(|(face, next)| face.iter().zip(next).for_each(|(&p, &q)| look(p, q)));
    polygons.segments.iter().for_each(|&[p, q]| look(p, q));
    // Edges that came before those with joined ends.
    turns().for_each(|(face, next)| face.iter().zip(next).for_each(|(&p, &q)| look(p, q)));
    names.retain(|joined, name| joined != name);
    names
}

/// Whether a vertex is one with another at another place.
fn is_joined(v: u32, equal: &[u32], numbers: &[u32]) -> bool {
    equal[v as usize] != numbers[v as usize]
}

/// For each vertex the lowest-numbered vertex at the same place.
fn equal(vertices: &[DVec3]) -> Vec<u32> {
    let mut first = FxHashMap::with_capacity_and_hasher(vertices.len(), Default::default());
    // Adding 0.0 turns -0.0 into 0.0, so that equal coordinates have equal bits.
    let bits = |p: &DVec3| p.to_array().map(|c| (c + 0.0).to_bits());
    let number = |(i, p)| *first.entry(bits(p)).or_insert(i as u32);
    vertices.iter().enumerate().map(number).collect()
}

/// Vertices in groups, each with a root: its lowest number.
pub(super) struct Groups {
    pub(super) root: Vec<u32>,
}

impl Groups {
    /// Groups of vertices linked by distances of at most `length`, or none if each is alone.
    ///
    /// Only vertices that are their own number in `numbers` count. *Cost* expected linear.
    pub(super) fn near(vertices: &[DVec3], numbers: &[u32], length: f64) -> Option<Self> {
        if length <= 0.0 {
            return None;
        }
        let mut search = Search::new(vertices, length);
        for (vertex, &number) in numbers.iter().enumerate() {
            if number as usize == vertex {
                search.add(number);
            }
        }
        search.link_followers();
        let Search { mut parent, followers, .. } = search;
        let root = |parent: &mut Vec<u32>, v| root(parent, v);
        (!followers.is_empty()).then(|| Self {
            root: (0..vertices.len() as u32).map(|v| root(&mut parent, v)).collect(),
        })
    }
}

/// Leaders in a grid, and what follows each.
struct Search<'v> {
    vertices: &'v [DVec3],
    length: f64,
    grid: Grid,
    /// The latest leader of each cell, and for each vertex the one before it in its cell.
    latest: FxHashMap<[u64; 3], u32>,
    before: Vec<u32>,
    parent: Vec<u32>,
    /// Followers with their leaders, and each leader's followers.
    followers: Vec<(u32, u32)>,
    following: FxHashMap<u32, Vec<u32>>,
}

impl<'v> Search<'v> {
    fn new(vertices: &'v [DVec3], length: f64) -> Self {
        Self {
            vertices,
            length,
            grid: Grid::new(vertices, length),
            latest: FxHashMap::default(),
            before: vec![NONE; vertices.len()],
            parent: (0..vertices.len() as u32).collect(),
            followers: Vec::new(),
            following: FxHashMap::default(),
        }
    }

    fn is_near(&self, p: u32, q: u32) -> bool {
        let apart = self.vertices[p as usize] - self.vertices[q as usize];
        apart.length_squared() <= self.length * self.length
    }

    /// The leaders in the cells around a vertex.
    fn leaders(&self, vertex: u32, reach: f64) -> impl Iterator<Item = u32> + '_ {
        let cells = self.grid.cells(self.vertices[vertex as usize], reach);
        let latest = cells.filter_map(|cell| self.latest.get(&cell).copied());
        let before = |leader: &u32| Some(self.before[*leader as usize]).filter(|&v| v != NONE);
        latest.flat_map(move |leader| std::iter::successors(Some(leader), before))
    }

    /// Makes a vertex follow the leaders that are near it, or lead.
    fn add(&mut self, vertex: u32) {
        let near = |leader: &u32| self.is_near(vertex, *leader);
        let near: Vec<u32> = self.leaders(vertex, self.length).filter(near).collect();
        let Some(&first) = near.iter().min() else {
            let cell = self.grid.cell(self.vertices[vertex as usize]);
            self.before[vertex as usize] = self.latest.insert(cell, vertex).unwrap_or(NONE);
            return;
        };
        for &leader in &near {
            join(&mut self.parent, vertex, leader);
        }
        self.followers.push((vertex, first));
        self.following.entry(first).or_default().push(vertex);
    }

    /// Joins followers with leaders that came later, and with followers of other leaders.
    fn link_followers(&mut self) {
        for &(vertex, _) in &self.followers {
            let leaders: Vec<u32> = self.leaders(vertex, 2.0 * self.length).collect();
            for leader in leaders {
                if root(&mut self.parent, vertex) == root(&mut self.parent, leader) {
                    continue;
                }
                let followers = self.following.get(&leader).map_or(&[][..], Vec::as_slice);
                let mut others = followers.iter().take(MOST_FOLLOWERS);
                if self.is_near(vertex, leader) || others.any(|&v| self.is_near(vertex, v)) {
                    join(&mut self.parent, vertex, leader);
                }
            }
        }
    }
}

/// Cubes of some weld lengths; numbers of cells are whole, and kept as the bits of doubles.
struct Grid {
    low: DVec3,
    side: f64,
}

impl Grid {
    fn new(vertices: &[DVec3], length: f64) -> Self {
        let low = vertices.iter().copied().reduce(DVec3::min).unwrap_or(DVec3::ZERO);
        let high = vertices.iter().copied().reduce(DVec3::max).unwrap_or(DVec3::ZERO);
        // So that numbers of cells are finite; coordinates this near to each other are equal.
        let least = 1e-200 * (high - low).max_element();
        Self { low, side: (CELL * length).max(least) }
    }

    /// Monotonic in each coordinate, rounding included.
    fn cell(&self, point: DVec3) -> [u64; 3] {
        ((point - self.low) / self.side).floor().to_array().map(|c| (c + 0.0).to_bits())
    }

    /// The cells that a cube around a point reaches: at most eight if `reach` is at most half a
    /// side.
    fn cells(&self, point: DVec3, reach: f64) -> impl Iterator<Item = [u64; 3]> + use<> {
        let [low, high] = [point - reach, point + reach].map(|corner| self.cell(corner));
        let picked =
            move |i: usize| [0, 1, 2].map(|k| if (i >> k) & 1 == 0 { low[k] } else { high[k] });
        let is_new = move |i: &usize| (0..3).all(|k| (i >> k) & 1 == 0 || low[k] != high[k]);
        (0..8).filter(is_new).map(picked)
    }
}

/// For each root whether its group would collapse an edge or a face or be two corners of one, and
/// so is not joined.
fn collapsing(
    polygons: &Polygons,
    vertices: &[DVec3],
    numbers: &[u32],
    groups: &Groups,
) -> Vec<bool> {
    let mut apart = vec![false; vertices.len()];
    let loops = polygons.faces.iter().map(|face| (face.as_slice(), true));
    let segments = polygons.segments.iter().map(|segment| (segment.as_slice(), false));
    for (corners, is_closed) in loops.chain(segments) {
        let next = corners.iter().cycle().skip(1).take(corners.len() - usize::from(!is_closed));
        for (&p, &q) in corners.iter().zip(next) {
            let [p, q] = [p, q].map(|v| numbers[v as usize]);
            let group = groups.root[p as usize];
            if p != q && group == groups.root[q as usize] {
                apart[group as usize] = true;
            }
        }
    }
    let faces = Faces { polygons, vertices, numbers, groups };
    let is_settled = (0..MOST_ROUNDS).any(|_| !faces.refuse(&mut apart));
    if !is_settled {
        apart = groups.root.iter().enumerate().map(|(v, &root)| v as u32 == root).collect();
    }
    apart
}

/// Faces and where their corners are before and after joining.
struct Faces<'f> {
    polygons: &'f Polygons,
    vertices: &'f [DVec3],
    numbers: &'f [u32],
    groups: &'f Groups,
}

impl Faces<'_> {
    /// Keeps the corners of faces apart that would lose their area or a corner; whether there was
    /// one.
    fn refuse(&self, apart: &mut [bool]) -> bool {
        let mut any = false;
        for face in self.polygons.faces.iter().filter(|face| face.len() > 2) {
            let before: Vec<u32> = face.iter().map(|&v| self.numbers[v as usize]).collect();
            let joined =
                |v: u32| Some(self.groups.root[v as usize]).filter(|&r| !apart[r as usize]);
            let after: Vec<u32> = before.iter().map(|&v| joined(v).unwrap_or(v)).collect();
            if after == before {
                continue;
            }
            for root in merged(&before, &after) {
                any |= !std::mem::replace(&mut apart[root as usize], true);
            }
            if !self.has_area(&before) || self.has_area(&after) {
                continue;
            }
            any = true;
            let moved = before.iter().zip(&after).filter(|(v, w)| v != w);
            moved.for_each(|(_, &root)| apart[root as usize] = true);
        }
        any
    }

    fn has_area(&self, corners: &[u32]) -> bool {
        let places: Vec<DVec3> = corners.iter().map(|&v| self.vertices[v as usize]).collect();
        mean_plane(&places).is_some()
    }
}

/// The numbers that different corners of a face get.
fn merged(before: &[u32], after: &[u32]) -> Vec<u32> {
    let mut pairs: Vec<(u32, u32)> = after.iter().copied().zip(before.iter().copied()).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs.windows(2).filter(|two| two[0].0 == two[1].0).map(|two| two[0].0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Polyhedron;
    use crate::mesh::shapes::{Cuboid, Shape};

    /// For each of these places the number that it gets, as points on a line.
    fn on_a_line(places: &[f64], length: f64) -> Vec<u32> {
        let vertices: Vec<DVec3> = places.iter().map(|&x| DVec3::new(x, 0.0, 0.0)).collect();
        weld(&Polygons::default(), &vertices, length).numbers
    }

    #[test]
    fn chains_are_joined_in_any_order() {
        for places in [[0.0, 0.9, 1.8, 2.7], [0.0, 2.7, 0.9, 1.8], [1.8, 0.0, 2.7, 0.9]] {
            assert_eq!(on_a_line(&places, 1.0), [0; 4], "{places:?}");
            assert_eq!(on_a_line(&places, 0.8), [0, 1, 2, 3], "{places:?}");
        }
        assert_eq!(on_a_line(&[5.0, 0.0, -0.0, 1.0, 5.5], 0.5), [0, 1, 1, 3, 0]);
        assert_eq!(on_a_line(&[1.0, 1.0 + f64::EPSILON], 1e-200), [0, 1]);
        assert_eq!(on_a_line(&[1.0, 1.0 + f64::EPSILON, 2.0], 0.0), [0, 1, 2]);
    }

    #[test]
    fn all_pairs_within_the_length_are_joined_and_no_others() {
        let mut seed = 7_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        for count in [2, 10, 60, 300] {
            let vertices: Vec<DVec3> =
                (0..count).map(|_| DVec3::new(random(), random(), random())).collect();
            for length in [0.01, 0.1, 0.2, 0.5] {
                let found = weld(&Polygons::default(), &vertices, length).numbers;
                assert_eq!(found, by_all_pairs(&vertices, length), "{count} within {length}");
            }
        }
    }

    fn by_all_pairs(vertices: &[DVec3], length: f64) -> Vec<u32> {
        let count = vertices.len() as u32;
        let mut parent: Vec<u32> = (0..count).collect();
        for p in 0..count {
            for q in 0..p {
                if vertices[p as usize].distance_squared(vertices[q as usize]) <= length * length {
                    join(&mut parent, p, q);
                }
            }
        }
        (0..count).map(|v| root(&mut parent, v)).collect()
    }

    #[test]
    fn no_edge_and_no_face_collapses() {
        let polygons = Shape::Box(Cuboid { size: [1.0, 1.0, 1e-3] }).polygons().expect("a box");
        let plate = Polyhedron::welded(&polygons, 1e-2).expect("a mesh");
        assert_eq!((plate.vertex_count(), plate.is_closed()), (8, true));
        assert_eq!((plate.weld().joined.total, plate.weld().kept_apart.total), (0, 8));
        // No face knows of a segment.
        let vertices = vec![DVec3::ZERO, DVec3::X * 1e-9];
        let segment = Polygons { vertices, segments: vec![[0, 1]], ..Polygons::default() };
        let segment = Polyhedron::welded(&segment, 1e-8).expect("a mesh");
        assert_eq!((segment.edge_count(), segment.weld().kept_apart.total), (1, 2));
        // A sliver whose tip stands on its long side once the corners beside it are joined.
        let places = [[0., 0., 0.], [1., 0., 0.], [0.5, 0., 2e-12], [0.5, 0., 0.], [0.5, 1., 0.]];
        let sliver = Polygons::new(places, [[0, 1, 2], [3, 4, 0]]);
        let mesh = Polyhedron::welded(&Polygons { faces: sliver.faces.clone(), ..sliver }, 3e-12);
        assert_eq!(mesh.expect("a mesh").weld().joined.first, [3], "the tip has the lower number");
        let places = [[0.5, 0., 0.], [0.5, 1., 0.], [0., 0., 0.], [1., 0., 0.], [0.5, 0., 2e-12]];
        let sliver = Polygons::new(places, [[2, 3, 4], [0, 1, 2]]);
        let mesh = Polyhedron::welded(&sliver, 3e-12).expect("a mesh");
        assert_eq!((mesh.face_count(), mesh.weld().joined.total), (2, 0));
        assert_eq!(mesh.weld().kept_apart.first, [0, 4]);
    }

    #[test]
    fn no_vertex_becomes_two_corners_of_a_face() {
        // The outline of the polygon comes back to its first corner, and goes on to a tip.
        let places = [[0., 0., 0.], [1., 0., 0.], [0.5, 1., 0.], [0., 1e-9, 0.], [-1., 0.5, 0.]];
        let polygons = Polygons::new(places, [[0, 1, 2, 3, 4]]);
        let mesh = Polyhedron::welded(&polygons, 1e-8).expect("a mesh");
        assert_eq!((mesh.vertex_count(), mesh.weld().joined.total), (5, 0));
        assert_eq!(mesh.weld().kept_apart.first, [0, 3]);
        assert_eq!(polygons.welded(1e-8).expect("a weld").faces, [[0, 1, 2, 3, 4]]);
    }

    #[test]
    fn a_length_beyond_the_mesh_costs_no_more_and_joins_nothing() {
        let side = 300;
        let place = |i: u32| DVec3::new(f64::from(i % side), f64::from(i / side), 0.0);
        let vertices: Vec<DVec3> = (0..side * side).map(place).collect();
        let face = |i: u32| vec![i, i + 1, i + side + 1, i + side];
        let faces = (0..side * (side - 1)).filter(|i| (i + 1) % side != 0).map(face).collect();
        let polygons = Polygons { vertices, faces, ..Polygons::default() };
        for length in [1.0, 1.5, 20.0, 1e9] {
            let mesh = Polyhedron::welded(&polygons, length).expect("a mesh");
            assert_eq!(mesh.vertex_count(), (side * side) as usize);
            assert_eq!(mesh.weld().kept_apart.total, (side * side) as usize);
        }
    }

    #[test]
    fn a_length_that_is_none_is_refused() {
        let triangle = Polygons::new([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]], [[0, 1, 2]]);
        for weld in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(Polyhedron::welded(&triangle, weld), Err(MeshError::BadWeld { .. })));
        }
    }

    #[test]
    fn edges_between_joined_vertices_have_names_of_the_input() {
        let tiny = 1e-15;
        // Vertex 0 is next to vertex 1 and in no face; vertex 5 is next to vertex 2.
        let places = [
            [0.0, tiny, 0.0],
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [1.0, 1.0, 0.0],
            [1.0 + tiny, 0.0, 0.0],
        ];
        let mesh = Polyhedron::new(&Polygons::new(places, [[1, 2, 3], [3, 5, 4]])).expect("a mesh");
        let edges = 0..mesh.edge_count() as u32;
        let mut labels: Vec<[u32; 2]> = edges.map(|e| mesh.edge_label(e)).collect();
        labels.sort_unstable();
        assert_eq!(labels, [[1, 2], [1, 3], [2, 3], [3, 4], [4, 5]]);
        assert_eq!((mesh.vertex_count(), mesh.weld().joined.total), (4, 2));
    }
}
