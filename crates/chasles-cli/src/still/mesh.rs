//! The picture of a mesh: its faces, and in colour what is odd about it.

use std::path::Path;

use chasles::glam::DVec3;
use chasles::mesh::inspect::{EdgeKind, is_pinched};
use chasles::{Polyhedron, Pose};
use chasles_picture::{Colour, Look, Still, palette};

use super::choice::{Sight, view};
use super::{Canvas, diameter};
use crate::inspect::Report;

/// The colour of faces: none of those that mark something.
const FACES: Colour = Colour::hex(0xb4_bd_c9);

/// Faces let odd edges behind them shine through, if there are any.
const THROUGH: f64 = 0.72;

/// Widths of odd edges and diameters of odd vertices: well above those of sound ones.
const EDGE_WIDTH: f64 = 4.5;
const VERTEX_WIDTH: f64 = 12.0;

/// What is marked, in the order of the legend; the colours are far apart for colour-blind eyes too.
struct Marks {
    edges: [(EdgeKind, &'static str, Colour, Vec<[DVec3; 2]>); 4],
    vertices: [(&'static str, Colour, Vec<DVec3>); 2],
}

impl Marks {
    fn of(mesh: &Polyhedron) -> Self {
        let edges = |kind| -> Vec<[DVec3; 2]> {
            (0..mesh.edge_count() as u32)
                .filter(|&edge| EdgeKind::of(mesh, edge) == kind)
                .map(|edge| mesh.edge(edge).map(|v| mesh.position(v)))
                .collect()
        };
        let vertices = |is_odd: &dyn Fn(u32) -> bool| -> Vec<DVec3> {
            let odd = (0..mesh.vertex_count() as u32).filter(|&v| is_odd(v));
            odd.map(|v| mesh.position(v)).collect()
        };
        let kinds = [
            (EdgeKind::Border, "with one face", palette(3)),
            (EdgeKind::Crowded, "with more than two faces", palette(0)),
            (EdgeKind::Twisted, "whose faces disagree", palette(2)),
            (EdgeKind::Lone, "without a face", palette(1)),
        ];
        Self {
            edges: kinds.map(|(kind, text, colour)| (kind, text, colour, edges(kind))),
            vertices: [
                ("where parts meet", palette(4), vertices(&|v| is_pinched(mesh, v))),
                ("alone", palette(1), vertices(&|v| mesh.vertex_edges(v).is_empty())),
            ],
        }
    }

    fn points(&self) -> impl Iterator<Item = DVec3> {
        let edges = self.edges.iter().flat_map(|(_, _, _, edges)| edges.iter().flatten());
        edges.chain(self.vertices.iter().flat_map(|(_, _, points)| points)).copied()
    }

    fn draw(&self, still: &mut Still) {
        for (_, text, colour, edges) in self.edges.iter().filter(|mark| !mark.3.is_empty()) {
            edges.iter().for_each(|ends| {
                still.curve(ends, *colour, EDGE_WIDTH);
            });
            still.curve_key(*colour, &format!("{} {text}", count(edges.len(), ["edge", "edges"])));
        }
        for (text, colour, points) in self.vertices.iter().filter(|mark| !mark.2.is_empty()) {
            points.iter().for_each(|&point| {
                still.curve(&[point; 2], *colour, VERTEX_WIDTH);
            });
            let vertices = count(points.len(), ["vertex", "vertices"]);
            still.point_key(*colour, &format!("{vertices} {text}"));
        }
    }
}

/// Draws a mesh from the side on which most is odd about it.
///
/// *Accepts* any mesh and the report on it. *Guarantees* the same bytes for the same input: SVG if
/// `path` ends so, and PNG otherwise. Nothing is written. *Cost* of the pixels and of all edges.
pub fn draw_mesh(report: &Report, mesh: &Polyhedron, path: &Path) -> Vec<u8> {
    draw_mesh_on(report, mesh, &Canvas::default(), path)
}

/// The same on a canvas.
pub fn draw_mesh_on(report: &Report, mesh: &Polyhedron, canvas: &Canvas, path: &Path) -> Vec<u8> {
    let marks = Marks::of(mesh);
    let is_sound = marks.points().next().is_none();
    let mut still = canvas.still();
    let name = Path::new(&report.file).file_name();
    still.title(&name.map_or_else(|| report.file.clone().into(), |name| name.to_string_lossy()));
    still.caption(&caption(report));
    let opacity = if is_sound { 1.0 } else { THROUGH };
    still.body(mesh, &Pose::IDENTITY, Look { colour: FACES, opacity, ..Look::default() });
    marks.draw(&mut still);
    still.view(view((!is_sound).then(|| sight(mesh, &marks))));
    canvas.bytes(path, || still.to_svg(), || still.render())
}

fn caption(report: &Report) -> String {
    let found = &report.inspection;
    let is =
        |holds: bool, word: &'static str, other: &'static str| if holds { word } else { other };
    format!(
        "{}, {}, {}; {}, {}, {}, {}",
        count(found.counts.vertices, ["vertex", "vertices"]),
        count(found.counts.edges, ["edge", "edges"]),
        count(found.counts.faces, ["face", "faces"]),
        is(found.closed, "closed", "not closed"),
        is(found.manifold, "manifold", "not manifold"),
        is(found.oriented, "oriented", "not oriented"),
        is(found.planar, "planar", "not planar"),
    )
}

fn count(count: usize, [one, many]: [&str; 2]) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

/// The middle of all marks as a view looks at it; there is no normal.
fn sight(mesh: &Polyhedron, marks: &Marks) -> Sight {
    let [low, high] = mesh.bounds();
    let middle = low * 0.5 + high * 0.5;
    let number = marks.points().count().max(1) as f64;
    // Divided first: a sum of many large coordinates could overflow.
    let place: DVec3 = marks.points().map(|p| (p - middle) / number).sum();
    Sight { place: place / diameter(mesh).max(f64::MIN_POSITIVE), normal: DVec3::ZERO }
}
