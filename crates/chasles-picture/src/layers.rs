//! Turns bodies and curves into faces and lines as the camera sees them.

use chasles::glam::{DVec2, DVec3};

use crate::camera::{Camera, clipped_polygon, clipped_segment};
use crate::colour::{Colour, Theme};
use crate::look::{Body, Curve, Drawing, Look};
use crate::raster::{Face, Layer, Line, SAMPLES};

/// Towards the key light in the camera's frame: over the viewer's left shoulder, so that every view
/// is lit alike and the three sides of a box differ.
const KEY_LIGHT: DVec3 = DVec3::new(-0.42, 0.74, -0.52);

/// How far the soft light reaches around a body, as a cosine.
const WRAP: f64 = 0.35;

/// Builds layers for one camera; faces are numbered through all bodies.
pub(crate) struct Draughtsman<'a> {
    camera: &'a Camera,
    theme: Theme,
    drawing: Drawing,
    /// Pixels per unit of line width.
    unit: f64,
    next_face: u32,
}

impl<'a> Draughtsman<'a> {
    pub(crate) fn new(camera: &'a Camera, (theme, drawing): (Theme, Drawing), unit: f64) -> Self {
        Self { camera, theme, drawing, unit, next_face: 0 }
    }

    /// Everything opaque in one layer, and each translucent body as a layer of its own, the
    /// farthest first.
    pub(crate) fn layers(mut self, bodies: &[Body], curves: &[Curve]) -> (Layer, Vec<Layer>) {
        let mut solid = Layer { opacity: 1.0, ..Layer::default() };
        let mut ghosts = Vec::new();
        for body in bodies {
            let opacity = body.look.opacity;
            if opacity >= 1.0 {
                self.add_body(body, &mut solid);
            } else if opacity > 0.0 {
                let mut layer = Layer { opacity, ..Layer::default() };
                self.add_body(body, &mut layer);
                ghosts.push((self.distance(body), layer));
            }
        }
        for curve in curves {
            self.add_curve(curve, &mut solid);
        }
        ghosts.sort_by(|p, q| q.0.total_cmp(&p.0));
        (solid, ghosts.into_iter().map(|(_, layer)| layer).collect())
    }

    fn distance(&self, body: &Body) -> f64 {
        let [low, high] = body.mesh.bounds();
        self.camera.point(body.pose.point(low * 0.5 + high * 0.5)).length()
    }

    fn add_body(&mut self, body: &Body, layer: &mut Layer) {
        let mesh = body.mesh;
        let seen: Vec<DVec3> =
            mesh.positions().iter().map(|&p| self.camera.point(body.pose.point(p))).collect();
        let first = self.next_face;
        for face in 0..mesh.face_count() as u32 {
            let corners: Vec<DVec3> = mesh.face(face).iter().map(|&v| seen[v as usize]).collect();
            let normal = self.camera.direction(body.pose.vector(mesh.normal(face)));
            layer.faces.extend(self.face(&corners, normal, body.look.colour));
            self.next_face += 1;
        }
        let (colour, width) = (self.edge_colour(&body.look), self.edge_width());
        for edge in (0..mesh.edge_count() as u32).filter(|&e| body.shows_edge(e)) {
            let mut sides = mesh.edge_sides(edge).iter().map(|side| first + side.face);
            let faces = [sides.next(), sides.next()];
            let ends = mesh.edge(edge).map(|v| seen[v as usize]);
            layer.lines.extend(self.line(ends, width, colour).map(|l| Line { faces, ..l }));
        }
        for v in (0..mesh.vertex_count() as u32).filter(|&v| mesh.vertex_edges(v).is_empty()) {
            let ends = [seen[v as usize]; 2];
            layer.lines.extend(self.line(ends, LONE_POINT_WIDTH, body.look.colour));
        }
    }

    fn add_curve(&self, curve: &Curve, layer: &mut Layer) {
        let seen: Vec<DVec3> = curve.points.iter().map(|&p| self.camera.point(p)).collect();
        for pair in seen.windows(2) {
            layer.lines.extend(self.line([pair[0], pair[1]], curve.width, curve.colour));
        }
    }

    fn edge_width(&self) -> f64 {
        match self.drawing {
            Drawing::Shaded => EDGE_WIDTH,
            Drawing::Lines => LONE_EDGE_WIDTH,
        }
    }

    /// Of lines alone the body's own colour, a little darker. Otherwise darker than the faces, but
    /// lighter on a ghost that stands on a dark page.
    fn edge_colour(&self, look: &Look) -> Colour {
        if self.drawing == Drawing::Lines {
            return look.colour.mix(self.theme.ink(), 0.4);
        }
        match (self.theme, look.opacity < 1.0) {
            (Theme::Light, false) => look.colour.mix(self.theme.ink(), 0.72),
            (Theme::Dark, false) => look.colour.mix(self.theme.page(), 0.72),
            (_, true) => look.colour.mix(self.theme.ink(), 0.3),
        }
    }

    /// A face as seen, or nothing if it is behind the eye or edge-on.
    fn face(&self, corners: &[DVec3], normal: DVec3, colour: Colour) -> Option<Face> {
        let kept = clipped_polygon(corners);
        let offset = normal.dot(*corners.first()?);
        let [a, b, c] = self.camera.inverse_depth(normal, offset)?;
        let scale = SAMPLES as f64;
        let depths = || kept.iter().map(|p| 1.0 / p.z);
        let facing = if offset > 0.0 { -normal } else { normal };
        Some(Face {
            corners: kept.iter().map(|&p| self.camera.pixel(p) * scale).collect(),
            inverse_depth: [a / scale, b / scale, c],
            depth_range: [depths().fold(f64::MAX, f64::min), depths().fold(0.0, f64::max)],
            colour: match self.drawing {
                Drawing::Shaded => colour.lit(brightness(facing)),
                Drawing::Lines => self.theme.page(),
            },
            id: self.next_face,
        })
        .filter(|face| face.corners.len() > 2)
    }

    fn line(&self, ends: [DVec3; 2], width: f64, colour: Colour) -> Option<Line> {
        let ends = clipped_segment(ends)?;
        let scale = SAMPLES as f64;
        let pixels: [DVec2; 2] = ends.map(|p| self.camera.pixel(p) * scale);
        // Thinner than this, lines of a small picture would fade.
        let radius = 0.5 * (width * self.unit).max(0.8) * scale;
        let inverse_depths = ends.map(|p| 1.0 / p.z);
        Some(Line { ends: pixels, inverse_depths, radius, colour, faces: [None; 2] })
    }
}

/// Width of polygon edges, thin but darker than any face.
const EDGE_WIDTH: f64 = 1.2;

/// The same where faces are blank, so that it can be seen.
const LONE_EDGE_WIDTH: f64 = 1.7;

/// Diameter of a vertex without edges.
const LONE_POINT_WIDTH: f64 = 7.0;

/// Brightness of a face whose normal points to the viewer's side: a soft key light over an even
/// glow. The palette's own colour is reached at 1, about where the light falls at 45 degrees.
fn brightness(facing: DVec3) -> f64 {
    let towards = facing.dot(KEY_LIGHT.normalize());
    0.58 + 0.58 * ((towards + WRAP) / (1.0 + WRAP)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_sides_of_a_box_differ_in_brightness() {
        let [top, left, right] =
            [DVec3::new(0.0, 0.8, -0.6), DVec3::new(-0.7, -0.4, -0.6), DVec3::new(0.7, -0.4, -0.6)]
                .map(brightness);
        assert!(top > left + 0.1 && left > right + 0.1, "{top} {left} {right}");
        assert!(top < 1.3 && right > 0.5);
    }
}
