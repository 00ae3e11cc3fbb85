//! Which faces of a body are drawn: those that face the other body, and are in its reach.
//!
//! Every face is a tile with bounds on the screen. Tiles beyond the bounds of the other body's
//! tiles can meet nothing; leaving them out makes the bounds of what is left smaller, so the two
//! bodies take turns.

use std::ops::Range;

use crate::screen::drawing::body::{Body, Ramp};
use crate::screen::drawing::facing::Class;
use crate::screen::place::axes::Dot;
use crate::screen::place::extent::Extent;
use crate::screen::place::lanes::Spot;

/// One face on the screen.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Tile {
    pub(in crate::screen) class: Class,
    /// Whether it reaches the cut behind the axis, and is drawn apart from its edges.
    pub(in crate::screen) awkward: bool,
    extent: Extent,
    /// How far times inside may exceed those of the border.
    pub(in crate::screen) time_pad: f32,
    /// How far it may depart from what its corners say, in pixels.
    pub(in crate::screen) bend: f32,
    /// How its times go with the place, where that is nearly linear and was asked for.
    pub(in crate::screen) ramp: Ramp,
}

impl Tile {
    const AWAY: Self = Self {
        class: Class::Away,
        awkward: false,
        extent: Extent::EMPTY,
        time_pad: 0.0,
        bend: 0.0,
        ramp: Ramp::NONE,
    };
}

/// The faces and vertices of one body on the screen. Memory is kept between queries, and what a
/// query does not look at is not touched.
#[derive(Clone, Debug, Default)]
pub(in crate::screen) struct Tiles {
    /// For each vertex, its place; valid for those that are listed.
    pub(in crate::screen) spots: Vec<Spot>,
    pub(in crate::screen) dots: Vec<Dot>,
    /// For each vertex, what is known of it.
    corners: Vec<Corner>,
    /// The vertices of faces that were looked at, and lone ones.
    vertices: Vec<u32>,
    /// For each face, its tile; away unless listed.
    pub(in crate::screen) tiles: Vec<Tile>,
    /// The faces that are drawn.
    pub(in crate::screen) listed: Vec<u32>,
    /// Bounds of edges and vertices without faces.
    lone: Extent,
    listed_spots: Vec<Spot>,
    listed_dots: Vec<Dot>,
}

/// How far a vertex has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Corner {
    #[default]
    Unseen,
    Listed,
    /// A vertex of what is drawn.
    Kept,
}

/// What of the other body a face must reach to be drawn.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Reach {
    pub(in crate::screen) other: Extent,
    /// Collision times that count.
    pub(in crate::screen) window: [f32; 2],
    /// Whether the faces are A's.
    pub(in crate::screen) is_a: bool,
}

impl Reach {
    #[inline]
    fn holds(&self, extent: &Extent) -> bool {
        if self.is_a {
            extent.meets_in(&self.other, self.window)
        } else {
            self.other.meets_in(extent, self.window)
        }
    }
}

impl Tiles {
    /// Asks which of some faces face the other body, and projects their vertices; returns bounds.
    /// With a mask, only faces that it marks.
    pub(in crate::screen) fn prepare(
        &mut self,
        body: &Body<'_>,
        faces: &[Range<u32>],
        mask: Option<&[bool]>,
    ) -> Extent {
        self.forget(body);
        let Self { tiles, listed, vertices, corners, .. } = self;
        let mesh = body.facing.collider.mesh();
        let mut list = |v: u32| {
            if corners[v as usize] == Corner::Unseen {
                corners[v as usize] = Corner::Listed;
                vertices.push(v);
            }
        };
        for f in faces.iter().cloned().flatten() {
            if mask.is_some_and(|mask| !mask[f as usize]) {
                continue;
            }
            let class = body.facing.class(f);
            if class != Class::Away {
                tiles[f as usize].class = class;
                listed.push(f);
                mesh.face(f).iter().for_each(|&v| list(v));
            }
        }
        body.lone_edges().flat_map(|e| mesh.edge(e)).for_each(&mut list);
        body.lone_vertices().for_each(list);
        self.project(body);
        let Self { tiles, listed, dots, lone, .. } = self;
        *lone = Extent::EMPTY;
        body.lone_vertices().for_each(|v| lone.add(dots[v as usize]));
        for e in body.lone_edges() {
            let mut edge = Extent::EMPTY;
            mesh.edge(e).iter().for_each(|&v| edge.add(dots[v as usize]));
            if body.bend.is_finite() {
                let (pixels, time) = body.edge_pad(e);
                edge = edge.widened(pixels, time);
            }
            lone.join(&edge);
        }
        let mut extent = *lone;
        for &f in &*listed {
            let tile = &mut tiles[f as usize];
            *tile = Tile { class: tile.class, ..placed(body, dots, f) };
            extent.join(&tile.extent);
        }
        if body.bend.is_finite() { extent } else { extent.all_around(body.axes.rho_of_axis()) }
    }

    /// Clears what the last query wrote, and makes room for this body.
    fn forget(&mut self, body: &Body<'_>) {
        let Self { tiles, listed, vertices, corners, .. } = self;
        listed.drain(..).for_each(|f| tiles[f as usize].class = Class::Away);
        vertices.drain(..).for_each(|v| corners[v as usize] = Corner::Unseen);
        let mesh = body.facing.collider.mesh();
        if tiles.len() != mesh.face_count() {
            tiles.resize(mesh.face_count(), Tile::AWAY);
        }
        if corners.len() < mesh.vertex_count() {
            corners.resize(mesh.vertex_count(), Corner::Unseen);
            self.spots.resize(mesh.vertex_count(), Spot::default());
            self.dots.resize(mesh.vertex_count(), Dot::default());
        }
    }

    /// Finds the places of all listed vertices.
    fn project(&mut self, body: &Body<'_>) {
        let Self { spots, dots, vertices, listed_spots, listed_dots, .. } = self;
        listed_spots.clear();
        listed_spots.extend(vertices.iter().map(|&v| body.axes.spot(body.at(v))));
        listed_dots.clear();
        body.lanes.project(listed_spots, listed_dots);
        for ((&v, &spot), &dot) in vertices.iter().zip(&*listed_spots).zip(&*listed_dots) {
            spots[v as usize] = spot;
            dots[v as usize] = dot;
        }
    }

    /// Leaves out faces beyond the other body's reach; returns bounds of what is left.
    pub(in crate::screen) fn cull(&mut self, body: &Body<'_>, reach: &Reach) -> Extent {
        let bounded = body.bend.is_finite();
        let mut extent = self.lone;
        let Self { tiles, listed, .. } = self;
        listed.retain(|&f| {
            let tile = &mut tiles[f as usize];
            let keep = !bounded || reach.holds(&tile.extent);
            if keep {
                extent.join(&tile.extent);
            } else {
                tile.class = Class::Away;
            }
            keep
        });
        if bounded { extent } else { extent.all_around(body.axes.rho_of_axis()) }
    }

    /// Finds the vertices of what is left.
    pub(in crate::screen) fn keep_vertices(&mut self, body: &Body<'_>) {
        let Self { tiles, listed, corners, .. } = self;
        let mesh = body.facing.collider.mesh();
        for &f in &*listed {
            if tiles[f as usize].class == Class::Whole {
                mesh.face(f).iter().for_each(|&v| corners[v as usize] = Corner::Kept);
                continue;
            }
            let slope = body.facing.slope(f);
            for &v in mesh.face(f) {
                if slope.at(body.facing.collider.local(v)) >= 0.0 {
                    corners[v as usize] = Corner::Kept;
                }
            }
        }
        let ends = body.lone_edges().flat_map(|e| mesh.edge(e));
        ends.chain(body.lone_vertices()).for_each(|v| corners[v as usize] = Corner::Kept);
    }

    /// Finds how times go with places on the faces that are left; where a face is folded, a place
    /// has two.
    pub(in crate::screen) fn ramp(&mut self, body: &Body<'_>) {
        let Self { tiles, listed, dots, .. } = self;
        for &f in listed.iter().filter(|f| !body.facing.is_folded(**f)) {
            let corners = body.facing.collider.mesh().face(f);
            let at_corners = corners.iter().map(|&v| dots[v as usize]);
            let third = |i: usize| dots[corners[i * corners.len() / 3] as usize];
            let tile = &mut tiles[f as usize];
            let ramp = Ramp::new([third(0), third(1), third(2)]);
            tile.ramp = ramp.over(at_corners, (tile.bend, tile.time_pad));
        }
    }

    /// Bounds of a face that is left.
    #[inline]
    pub(in crate::screen) fn extent(&self, face: u32) -> &Extent {
        &self.tiles[face as usize].extent
    }

    /// How many corners the faces that are left have, and ends the edges without faces.
    pub(in crate::screen) fn corner_count(&self, body: &Body<'_>) -> usize {
        let mesh = body.facing.collider.mesh();
        let of_faces: usize = self.listed.iter().map(|&f| mesh.face(f).len()).sum();
        of_faces + 2 * body.lone_edges().count() + body.lone_vertices().count()
    }

    /// Whether all faces that are left have an outside.
    pub(in crate::screen) fn have_outside(&self, body: &Body<'_>) -> bool {
        let mesh = body.facing.collider.mesh();
        !self.listed.iter().any(|&f| mesh.is_two_sided(f))
    }

    /// Whether a vertex is one of what is left, and not turned away.
    #[inline]
    pub(in crate::screen) fn is_kept(&self, vertex: u32) -> bool {
        self.corners[vertex as usize] == Corner::Kept
    }

    /// The vertices of what is left.
    pub(in crate::screen) fn kept_vertices(&self) -> impl Iterator<Item = u32> {
        self.vertices.iter().copied().filter(|&v| self.is_kept(v))
    }

    #[inline]
    pub(in crate::screen) fn class(&self, face: u32) -> Class {
        self.tiles[face as usize].class
    }
}

/// The tile of a face, given the places of its corners; its class is not looked at.
#[inline]
fn placed(body: &Body<'_>, dots: &[Dot], face: u32) -> Tile {
    let corners = body.facing.collider.mesh().face(face);
    let mut extent = Extent::EMPTY;
    corners.iter().for_each(|&v| extent.add(dots[v as usize]));
    let (bend, time_pad) = body.wide_pad(face);
    if body.bend.is_finite() {
        // What is folded reaches beyond its border.
        let pad = if body.facing.is_folded(face) { bend } else { body.pad(face) };
        extent = extent.widened(pad, time_pad);
    }
    let at = |&v: &u32| body.at(v);
    let awkward = body.sectors.as_ref().is_some_and(|s| !s.is_plain(corners.iter().map(at)));
    Tile { class: Class::Away, awkward, extent, time_pad, bend, ramp: Ramp::NONE }
}
