//! Whether a placement is free, decided exactly for the positions as they are rounded.

use glam::DVec3;
use robust::{Coord, orient2d};

use super::body::Body;
use super::broad::{Index, Pending};
use super::grid::Landmark;
use super::model::{Model, is_over};
use super::pierce::{Meet, Placed};
use super::query::Workspace;
use super::world::World;
use crate::bounds::Aabb;
use crate::mesh::Polyhedron;
use crate::motion::Pose;

/// What a placement of a body meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Nothing.
    Free,
    /// The body's surface crosses a face.
    Crossing {
        /// Whose face, from 0.
        fixture: u32,
        /// Its number there.
        face: u32,
        /// Its tag.
        tag: u32,
    },
    /// A piece of the body lies within the solid world, without crossing it.
    Inside,
    /// A piece of the world lies within the body, without crossing it.
    Around,
}

impl World {
    /// Whether a body may stand at a pose.
    ///
    /// *Accepts* any pose. *Guarantees* an answer without tolerance for the rounded positions of
    /// the body's vertices: touching is free, crossing is not. Closed parts of the world are solid
    /// behind their faces. What passes exactly through an edge or a vertex of a face counts as
    /// crossing unless a plane keeps the faces there from those of the body.
    /// *Cost* the faces near the body. *Fails* never.
    pub fn contents(&self, body: &Body, pose: &Pose, workspace: &mut Workspace) -> Contents {
        let (crossed, is_touching) = self.crossed_face(body, pose, workspace);
        if let Some(face) = crossed {
            let (fixture, face, tag) = self.face(face);
            return Contents::Crossing { fixture, face, tag };
        }
        let Workspace { pending, near, .. } = workspace;
        if self.is_any_piece_inside(body, pose, pending) {
            return Contents::Inside;
        }
        if self.is_around(body, pose, near) {
            return Contents::Around;
        }
        match is_touching {
            true => self.overlap(body, pose, workspace),
            false => Contents::Free,
        }
    }

    /// Whether a body that touches the world, and of which no edge passes through a face or the
    /// reverse, is partly within it or has a part of it within.
    ///
    /// Surfaces may pass through each other at vertices and along edges only: a ball whose
    /// equator lies in the floor. Then each face is on one side, and a point of it tells which.
    pub(super) fn overlap(&self, body: &Body, pose: &Pose, workspace: &mut Workspace) -> Contents {
        let Workspace { pending, near, places, .. } = workspace;
        let mut own = surface(&body.model.mesh, |_| true).map(|p| pose.point(p));
        if own.any(|p| self.is_solid(p, pending) == Some(true)) {
            return Contents::Inside;
        }
        let around = Aabb::around(places.iter().copied());
        near.clear();
        self.index.overlapping(&self.boxes, &around, pending, |face| near.push(face));
        let back = pose.inverse();
        let rounding = self.rounding(pose.position().abs().max_element() + body.radius);
        let is_held = |p: DVec3| is_within(&body.model.mesh, back.point(p), rounding) == Some(true);
        let is_any_held =
            near.drain(..).any(|face| face_points(&self.model.mesh, face).any(is_held));
        if is_any_held { Contents::Around } else { Contents::Free }
    }

    /// Whether a piece of a body that crosses nothing lies within the solid world.
    pub(super) fn is_any_piece_inside(
        &self,
        body: &Body,
        pose: &Pose,
        pending: &mut Pending,
    ) -> bool {
        let pieces = 0..body.model.pieces.len() as u32;
        { pieces }.any(|piece| {
            let mut samples = samples(&body.model, piece).map(|p| pose.point(p));
            samples.find_map(|p| self.is_solid(p, pending)).unwrap_or(false)
        })
    }

    /// Whether a body has one of these pieces of the world within it.
    pub(super) fn is_around(&self, body: &Body, pose: &Pose, near: &mut Vec<u32>) -> bool {
        near.sort_unstable();
        near.dedup();
        let back = pose.inverse();
        let rounding = self.rounding(pose.position().abs().max_element() + body.radius);
        let is_within = |piece: u32| {
            let mut samples = samples(&self.model, piece).map(|p| back.point(p));
            let within = samples.find_map(|p| is_within(&body.model.mesh, p, rounding));
            within.unwrap_or(false)
        };
        near.drain(..).any(is_within)
    }

    /// The piece of the world that a face belongs to.
    pub(super) fn piece(&self, face: u32) -> u32 {
        self.model.piece_of[self.model.mesh.face(face)[0] as usize]
    }

    /// A face that the body crosses, and whether it touches one; collects the pieces of the world
    /// that may be within the body.
    fn crossed_face(
        &self,
        body: &Body,
        pose: &Pose,
        workspace: &mut Workspace,
    ) -> (Option<u32>, bool) {
        let Workspace { places, part_boxes, tree_boxes, pending, waiting, near, .. } = workspace;
        let Model { mesh, parts, .. } = &body.model;
        places.clear();
        places.extend(mesh.positions().iter().map(|&p| pose.point(p)));
        part_boxes.clear();
        let around = |part| Aabb::around(parts.vertices(part).iter().map(|&v| places[v as usize]));
        part_boxes.extend((0..parts.count()).map(around));
        if let Some(tree) = &body.tree {
            tree.fit(part_boxes, tree_boxes);
        }
        let all = part_boxes.iter().fold(Aabb::EMPTY, |all, one| all.join(one));
        near.clear();
        let (mut found, mut is_touching) = (None, false);
        self.index.overlapping(&self.boxes, &all, pending, |face| {
            let place = &self.boxes[face as usize];
            if found.is_some_and(|found| found < face) {
                return;
            }
            if all.contains(place) {
                near.push(self.piece(face));
            }
            let mut meet = |part: u32| {
                if part_boxes[part as usize].overlaps(place) {
                    match self.meet(face, (&body.model, places, part)) {
                        Meet::Apart => {}
                        Meet::Touching => is_touching = true,
                        Meet::Crossing => found = Some(face),
                    }
                }
            };
            match &body.tree {
                None => (0..part_boxes.len() as u32).for_each(meet),
                Some(tree) => tree.overlapping(tree_boxes, waiting, place, &mut meet),
            }
        });
        (found, is_touching)
    }

    /// How a part of a body, with its vertices at these places, meets a face.
    pub(super) fn meet(&self, face: u32, (model, places, part): (&Model, &[DVec3], u32)) -> Meet {
        let world = Placed { mesh: &self.model.mesh, places: self.model.mesh.positions() };
        let body = Placed { mesh: &model.mesh, places };
        match model.parts.vertices(part).len() {
            1 => Meet::Apart,
            2 => world.meet_edge(face, &body, model.parts.edges(part)[0]),
            _ => world.meet(face, &body, part),
        }
    }

    /// Whether a point lies behind the faces of the world's closed parts; none where it touches
    /// one.
    pub(super) fn is_solid(&self, point: DVec3, pending: &mut Pending) -> Option<bool> {
        let Landmark { at, axis, winding } = self.grid.landmark(point);
        let mut turns = winding;
        let mut is_touching = false;
        if at != point {
            let rounding = self.rounding(point.abs().max_element());
            let way = Aabb::around([point, at]).grown(DVec3::splat(rounding));
            self.index.overlapping(&self.boxes, &way, pending, |face| {
                let depths = Crossing::new(&self.model.mesh, face, point, axis);
                turns += depths.ahead(point) - depths.ahead(at);
                is_touching |= is_touched(&self.model.mesh, face, point, rounding);
            });
        }
        (!is_touching).then_some(if self.is_inside_out { turns >= 0 } else { turns > 0 })
    }
}

/// Points of a connected piece: its first vertex, the others, middles of faces and of edges, and a
/// point within it.
///
/// A piece that crosses nothing is on one side of everything, except where it touches; one of
/// these points tells which. Where all of its surface touches, the point within does.
fn samples(model: &Model, piece: u32) -> impl Iterator<Item = DVec3> + '_ {
    let Model { mesh, pieces, piece_of, .. } = model;
    let first = mesh.position(pieces[piece as usize]);
    std::iter::once(first)
        .chain(surface(mesh, move |v| piece_of[v as usize] == piece))
        .chain(std::iter::once_with(move || point_within(model, piece)).flatten())
}

/// Vertices, and middles of faces and of edges, of what begins at vertices that are asked for.
fn surface(mesh: &Polyhedron, is_own: impl Fn(u32) -> bool + Copy) -> impl Iterator<Item = DVec3> {
    let vertices = (0..mesh.vertex_count() as u32).filter(move |&v| is_own(v));
    let faces = (0..mesh.face_count() as u32).filter(move |&f| is_own(mesh.face(f)[0]));
    let edges = (0..mesh.edge_count() as u32).map(|e| mesh.edge(e)).filter(move |e| is_own(e[0]));
    vertices
        .map(|v| mesh.position(v))
        .chain(faces.map(|f| mesh.face_point(f)))
        .chain(edges.map(|ends| middle(mesh, ends)))
}

/// The corners of a face, its middle, and those of its edges.
fn face_points(mesh: &Polyhedron, face: u32) -> impl Iterator<Item = DVec3> {
    let corners = mesh.face(face).iter().map(|&v| mesh.position(v));
    let edges = mesh.face_edges(face).iter().map(|&e| middle(mesh, mesh.edge(e)));
    corners.chain(std::iter::once(mesh.face_point(face))).chain(edges)
}

fn middle(mesh: &Polyhedron, [p, q]: [u32; 2]) -> DVec3 {
    (mesh.position(p) + mesh.position(q)) * 0.5
}

/// A point behind the first face of a closed piece, halfway to what is next behind it.
fn point_within(model: &Model, piece: u32) -> Option<DVec3> {
    let Model { mesh, piece_of, .. } = model;
    let is_own = |f: &u32| piece_of[mesh.face(*f)[0] as usize] == piece && !mesh.is_two_sided(*f);
    let mut faces = (0..mesh.face_count() as u32).filter(is_own);
    let first = faces.next()?;
    let [from, back] = [mesh.face_point(first), -mesh.normal(first)];
    let depth = |face: u32| {
        let normal = mesh.normal(face);
        let depth = normal.dot(mesh.face_point(face) - from) / normal.dot(back);
        (depth > 0.0 && is_over(mesh, face, from + back * depth, 1e-9 * depth)).then_some(depth)
    };
    let depth = faces.filter_map(depth).min_by(f64::total_cmp)?;
    Some(from + back * (0.5 * depth))
}

/// Whether a point is on a face, up to rounding.
fn is_touched(mesh: &Polyhedron, face: u32, point: DVec3, rounding: f64) -> bool {
    let height = mesh.normal(face).dot(point - mesh.position(mesh.face(face)[0]));
    !mesh.is_two_sided(face) && height.abs() <= rounding && is_over(mesh, face, point, rounding)
}

/// Whether a point is within a closed surface; none where it touches it.
fn is_within(mesh: &Polyhedron, point: DVec3, rounding: f64) -> Option<bool> {
    let faces = 0..mesh.face_count() as u32;
    if faces.clone().any(|face| is_touched(mesh, face, point, rounding)) {
        return None;
    }
    Some(faces.map(|face| Crossing::new(mesh, face, point, 0).ahead(point)).sum::<i32>() > 0)
}

/// How often the closed parts of a world wind around a point, by all faces on its right.
pub(super) fn full_winding(
    mesh: &Polyhedron,
    (index, boxes): (&Index, &[Aabb]),
    point: DVec3,
    pending: &mut Pending,
) -> i32 {
    let way = Aabb { low: point, high: DVec3 { x: f64::MAX, ..point } };
    let mut turns = 0;
    index.overlapping(boxes, &way, pending, |face| {
        turns += Crossing::new(mesh, face, point, 0).ahead(point);
    });
    turns
}

/// How a line along an axis crosses a face: it leaves what is behind the face (1), enters it (-1),
/// or misses it (0).
///
/// The face is looked at along the line; its loop winds around the line or does not, by the signs
/// of exact determinants and with half-open edges, so that a line through an edge or a vertex is
/// counted once.
struct Crossing {
    turns: i32,
    normal: DVec3,
    corner: DVec3,
}

impl Crossing {
    fn new(mesh: &Polyhedron, face: u32, point: DVec3, axis: usize) -> Self {
        let corners = mesh.face(face);
        let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        let coord = |p: DVec3| Coord { x: p[u], y: p[v] };
        let mut turns = 0;
        let count = if mesh.is_two_sided(face) { 0 } else { corners.len() };
        for i in 0..count {
            let [p, q] = [i, (i + 1) % count].map(|i| mesh.position(corners[i]));
            let rises = p[v] <= point[v] && point[v] < q[v];
            let falls = q[v] <= point[v] && point[v] < p[v];
            if rises || falls {
                let side = orient2d(coord(p), coord(q), coord(point));
                turns += i32::from(rises && side > 0.0) - i32::from(falls && side < 0.0);
            }
        }
        Self { turns, normal: mesh.normal(face), corner: mesh.position(corners[0]) }
    }

    fn depth(&self, point: DVec3) -> f64 {
        self.normal.dot(self.corner - point)
    }

    /// The turns of a face ahead of a point of the line: the point is behind a face that looks
    /// along the line.
    fn ahead(&self, point: DVec3) -> i32 {
        if f64::from(self.turns) * self.depth(point) > 0.0 { self.turns } else { 0 }
    }
}
