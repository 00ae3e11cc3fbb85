//! All pairs of features that come near each other in a step, for those who answer before contact.

use glam::DVec3;

use super::broad::{BroadPhase, Candidate, Search};
use super::find::Workspace;
use super::pair::Kind;
use super::surface::Moving;

/// Two features that come as close as a separation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closing {
    /// What kind of features.
    pub kind: Kind,
    /// For each feature the surface that it belongs to: 0 for A, 1 for B.
    pub surfaces: [usize; 2],
    /// The vertices of the first feature, then those of the second, as in [`super::Pair`].
    pub vertices: [u32; 4],
    /// How much each vertex weighs, in its feature, at the points that are closest at the time.
    pub weights: [f64; 4],
    /// When, as a fraction of the step: 0 for features that are near from the start.
    pub time: f64,
    /// Unit, from the second feature to the first at that time.
    pub normal: DVec3,
}

impl Closing {
    /// How many of the vertices are the first feature's.
    pub fn vertices_of_first(&self) -> usize {
        match self.kind {
            Kind::VertexTriangle => 1,
            Kind::EdgeEdge => 2,
        }
    }
}

/// Every pair of features of two surfaces that comes as close as `separation` in a step.
///
/// *Accepts* any two surfaces; a separation that is not positive is taken as the smallest positive
/// number. *Guarantees* that a step without such pairs keeps more than the separation, as
/// [`super::free_fraction`] does, which is 1 exactly then; pairs are sorted by their features, and
/// those that touch at the start, where no direction leads from one to the other, have the normal
/// of the triangle or of both edges, on any side. *Cost* as [`super::contacts`]. *Fails* never.
pub fn closings(
    a: &Moving<'_>,
    b: &Moving<'_>,
    separation: f64,
    workspace: &mut Workspace,
) -> Vec<Closing> {
    within([a, b], false, separation, workspace)
}

/// As [`closings`], of one surface with itself.
///
/// *Accepts*, *Guarantees*, *Cost* and *Fails* as there; features that share a vertex are left out.
pub fn self_closings(
    surface: &Moving<'_>,
    separation: f64,
    workspace: &mut Workspace,
) -> Vec<Closing> {
    within([surface, surface], true, separation, workspace)
}

fn within(
    surfaces: [&Moving<'_>; 2],
    with_itself: bool,
    separation: f64,
    workspace: &mut Workspace,
) -> Vec<Closing> {
    let search = Search { surfaces, with_itself, edges: true, margin: separation.max(0.0) };
    let mut found = Vec::new();
    search.run(BroadPhase::Boxes, &mut workspace.memory, |candidate| {
        let time = search.features(candidate).first_within(separation);
        found.extend(time.map(|time| search.closing(candidate, time)));
    });
    sorted(found)
}

fn sorted(mut found: Vec<Closing>) -> Vec<Closing> {
    found.sort_unstable_by_key(|closing| (closing.surfaces, closing.vertices));
    found
}

/// The pairs of features that come as close as a separation on one way, to be asked for other ways
/// nearby: a search through all pairs for many questions.
///
/// Ways on which each vertex of A is at all times within `d` of where it was on the first, and each
/// of B within `e`, bring no other pairs as close as the separation less `d + e`.
///
/// ```
/// # use chasles::Polygons;
/// # use chasles::deform::{Neighbours, Surface, Workspace, closings};
/// # use chasles::glam::DVec3;
/// let floor = Polygons::new([[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]], [[0, 1, 2]]);
/// let small = Polygons::new([[1., 1., 2.], [1.5, 1., 3.], [1., 1.5, 3.]], [[0, 1, 2]]);
/// let [below, above] = [Surface::new(&floor)?, Surface::new(&small)?];
/// let rest = below.at_rest(&floor.vertices)?;
/// let sunk = |by: f64| small.vertices.iter().map(|p| *p - by * DVec3::Z).collect::<Vec<_>>();
/// let [ends, others] = [sunk(1.7), sunk(1.8)];
/// let workspace = &mut Workspace::default();
/// let near = Neighbours::of(&rest, &above.moving(&small.vertices, &ends)?, 0.4, workspace);
/// let other = above.moving(&small.vertices, &others)?;
/// assert_eq!(near.closings([&rest, &other], 0.3), closings(&rest, &other, 0.3, workspace));
/// # Ok::<(), chasles::deform::SurfaceError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Neighbours {
    candidates: Vec<Candidate>,
    with_itself: bool,
}

impl Neighbours {
    /// The pairs of two surfaces.
    ///
    /// *Accepts*, *Guarantees*, *Cost* and *Fails* as [`closings`].
    pub fn of(a: &Moving<'_>, b: &Moving<'_>, separation: f64, workspace: &mut Workspace) -> Self {
        Self::between([a, b], false, separation, workspace)
    }

    /// The pairs of one surface.
    ///
    /// *Accepts*, *Guarantees*, *Cost* and *Fails* as [`self_closings`].
    pub fn of_one(surface: &Moving<'_>, separation: f64, workspace: &mut Workspace) -> Self {
        Self::between([surface, surface], true, separation, workspace)
    }

    fn between(
        surfaces: [&Moving<'_>; 2],
        with_itself: bool,
        separation: f64,
        workspace: &mut Workspace,
    ) -> Self {
        let search = Search { surfaces, with_itself, edges: true, margin: separation.max(0.0) };
        let mut candidates = Vec::new();
        search.run(BroadPhase::Boxes, &mut workspace.memory, |candidate| {
            let is_near = search.features(candidate).first_within(separation).is_some();
            candidates.extend(is_near.then_some(candidate));
        });
        Self { candidates, with_itself }
    }

    /// As [`closings`], of these pairs alone, on a way of the same surfaces; one surface is given
    /// twice.
    ///
    /// *Accepts* moving surfaces with the triangles of those that the pairs are of. *Guarantees* as
    /// [`closings`], for ways as near as the type says. *Cost* linear in the pairs. *Fails* never.
    ///
    /// # Panics
    ///
    /// If the surfaces have fewer triangles than those that the pairs are of.
    pub fn closings(&self, surfaces: [&Moving<'_>; 2], separation: f64) -> Vec<Closing> {
        let search = self.search(surfaces, separation);
        let closing = |&candidate: &Candidate| {
            let time = search.features(candidate).first_within(separation);
            time.map(|time| search.closing(candidate, time))
        };
        sorted(self.candidates.iter().filter_map(closing).collect())
    }

    /// As [`super::free_fraction`], of these pairs alone, on a way of the same surfaces; one
    /// surface is given twice.
    ///
    /// *Accepts*, *Guarantees*, *Cost*, *Fails* and panics as [`Neighbours::closings`].
    pub fn free_fraction(&self, surfaces: [&Moving<'_>; 2], separation: f64) -> f64 {
        let search = self.search(surfaces, separation);
        let times = self.candidates.iter().map(|&c| search.end_of_free(c, separation));
        times.flatten().fold(1.0, f64::min)
    }

    fn search<'s>(&self, surfaces: [&'s Moving<'s>; 2], separation: f64) -> Search<'s> {
        let margin = separation.max(0.0);
        Search { surfaces, with_itself: self.with_itself, edges: true, margin }
    }
}

impl Search<'_> {
    fn closing(&self, candidate: Candidate, time: f64) -> Closing {
        let (kind, surfaces, vertices) = match candidate {
            Candidate::Vertex { of, vertex, triangle } => {
                let [p, q, r] = self.surfaces[1 - of].surface.triangles[triangle as usize];
                (Kind::VertexTriangle, [of, 1 - of], [vertex, p, q, r])
            }
            Candidate::Edges([p, q]) => {
                let [p, q] =
                    [(0, p), (1, q)].map(|(of, e)| self.surfaces[of].surface.edges[e as usize]);
                (Kind::EdgeEdge, [0, 1], [p[0], p[1], q[0], q[1]])
            }
        };
        let (pair, _) = self.features(candidate).scaled();
        let places = pair.at(time);
        let weights = pair.closest(places);
        let (apart, _) = pair.between(&places, &weights);
        let normal = apart.try_normalize().or_else(|| pair.normal(&places)).unwrap_or(DVec3::Z);
        Closing { kind, surfaces, vertices, weights, time, normal }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deform::Surface;
    use crate::mesh::Polygons;

    #[test]
    fn a_sheet_that_sinks_close_names_who_comes_near() {
        let corners = [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]];
        let floor = Polygons::new(corners, [[0, 1, 2]]);
        let small = Polygons::new([[1., 1., 2.], [1.5, 1., 3.], [1., 1.5, 3.]], [[0, 1, 2]]);
        let [below, above] = [&floor, &small].map(|mesh| Surface::new(mesh).expect("a mesh"));
        let sunk: Vec<_> = small.vertices.iter().map(|p| *p - 1.75 * DVec3::Z).collect();
        let rest = below.at_rest(&floor.vertices).expect("finite");
        let sinking = above.moving(&small.vertices, &sunk).expect("finite");
        let found = closings(&rest, &sinking, 0.5, &mut Workspace::default());
        let [closing] = found.as_slice() else { panic!("one vertex comes near, not {found:?}") };
        assert_eq!((closing.kind, closing.surfaces), (Kind::VertexTriangle, [1, 0]));
        assert_eq!((closing.vertices, closing.normal), ([0, 0, 1, 2], DVec3::Z));
        assert!((closing.time - 1.5 / 1.75).abs() < 1e-3, "{}", closing.time);
        assert!(closings(&rest, &sinking, 0.2, &mut Workspace::default()).is_empty());
    }
}
