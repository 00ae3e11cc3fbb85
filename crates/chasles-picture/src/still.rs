//! A picture of bodies in space.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chasles::glam::{DVec2, DVec3};
use chasles::{Polyhedron, Pose};

use crate::camera::{Camera, View};
use crate::colour::{Colour, Theme};
use crate::hidden::hidden;
use crate::image::Image;
use crate::layers::Draughtsman;
use crate::legend::{Key, Swatch};
use crate::look::{Body, Curve, Drawing, Look, Marker};
use crate::overlay::{ARROW, Overlay};
use crate::raster;
use crate::size::Size;
use crate::svg::Svg;

/// How large the marker of the first contact is, and those of later ones: nobody takes one for
/// the other.
const FIRST: f64 = 1.75;
const LATER: f64 = 0.62;

/// A still picture of bodies, curves and contacts. The camera frames what is in it.
///
/// Faces are shaded flat and hide what is behind them; translucent bodies are seen through;
/// markers lie on top of everything. Lengths that are seen (line widths, text) are in pixels of a
/// picture whose shorter side has 800 and grow with the picture.
///
/// *Fails* to order translucent bodies that pass through each other: each is laid whole over those
/// farther away, by the distance of its middle. Lines count as 0.1 % nearer than they are, so they
/// show through a wall thinner than that part of its distance.
///
/// ```
/// use chasles::{Polygons, Polyhedron, Pose};
/// use chasles_picture::{Look, Size, Still};
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
/// let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let mesh = Polyhedron::new(&Polygons::new(corners, faces))?;
///
/// let mut still = Still::new(Size::new(120, 80)?);
/// still.title("A corner").body(&mesh, &Pose::IDENTITY, Look::of(0));
/// still.body_key(Look::of(0).colour, "corner");
/// let png: Vec<u8> = still.render().to_png();
/// let svg: String = still.to_svg();
/// # assert!(png.len() > 100 && svg.ends_with("</svg>\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Still<'a> {
    size: Size,
    theme: Theme,
    view: View,
    title: String,
    caption: String,
    keys: Vec<Key>,
    bodies: Vec<Body<'a>>,
    curves: Vec<Curve>,
    markers: Vec<Marker>,
    /// Lines on top of everything.
    outlines: Vec<Vec<DVec3>>,
    /// What else the camera shows.
    included: Vec<DVec3>,
    has_scale: bool,
    drawing: Drawing,
    /// Whether the camera shows what is included, and nothing else counts.
    is_steady: bool,
    is_plain: bool,
}

impl<'a> Still<'a> {
    /// An empty picture, light, seen from the default view.
    pub fn new(size: Size) -> Self {
        Self {
            size,
            theme: Theme::default(),
            view: View::default(),
            title: String::new(),
            caption: String::new(),
            keys: Vec::new(),
            bodies: Vec::new(),
            curves: Vec::new(),
            markers: Vec::new(),
            outlines: Vec::new(),
            included: Vec::new(),
            has_scale: true,
            drawing: Drawing::default(),
            is_steady: false,
            is_plain: false,
        }
    }

    /// Chooses how bodies are drawn.
    pub fn drawing(&mut self, drawing: Drawing) -> &mut Self {
        self.drawing = drawing;
        self
    }

    /// Leaves out title, caption and legend.
    pub fn plain(&mut self) -> &mut Self {
        self.is_plain = true;
        self
    }

    /// Lets the camera show these points whatever else is in the picture, and the legend have the
    /// scale of properness also without markers: pictures in a row then have one frame.
    pub fn steady(&mut self, points: &[DVec3]) -> &mut Self {
        self.is_steady = true;
        self.include(points)
    }

    /// Chooses the page's colours.
    pub fn theme(&mut self, theme: Theme) -> &mut Self {
        self.theme = theme;
        self
    }

    /// Chooses from where the content is seen; how far away follows from the content.
    pub fn view(&mut self, view: View) -> &mut Self {
        self.view = view;
        self
    }

    /// Sets the title; a long one is set smaller, and then cut.
    pub fn title(&mut self, title: &str) -> &mut Self {
        title.clone_into(&mut self.title);
        self
    }

    /// Sets a line of small print under the title; a long one is set smaller, and then cut.
    pub fn caption(&mut self, caption: &str) -> &mut Self {
        caption.clone_into(&mut self.caption);
        self
    }

    /// Adds a body's colour to the legend, which has room for a few rows and counts the rest. The
    /// scale of properness comes with the first marker.
    pub fn body_key(&mut self, colour: Colour, text: &str) -> &mut Self {
        self.keys.push(Key { swatch: Swatch::Square(colour), text: text.to_owned() });
        self
    }

    /// Adds a curve's colour to the legend.
    pub fn curve_key(&mut self, colour: Colour, text: &str) -> &mut Self {
        let swatch = Swatch::Line { colour, dashes: String::new(), dots: false };
        self.keys.push(Key { swatch, text: text.to_owned() });
        self
    }

    /// Adds a point's colour to the legend.
    pub fn point_key(&mut self, colour: Colour, text: &str) -> &mut Self {
        self.keys.push(Key { swatch: Swatch::Dot(colour), text: text.to_owned() });
        self
    }

    /// Adds a body at a pose in the world.
    pub fn body(&mut self, mesh: &'a Polyhedron, pose: &Pose, look: Look) -> &mut Self {
        self.bodies.push(Body { mesh, pose: *pose, look });
        self
    }

    /// Adds a polyline through points in the world, `width` wide; bodies hide it. It is broken at
    /// points that are not finite. Two equal points make a dot.
    pub fn curve(&mut self, points: &[DVec3], colour: Colour, width: f64) -> &mut Self {
        let width = if width.is_finite() { width.clamp(0.0, 1000.0) } else { 1.0 };
        for part in points.split(|p| !p.is_finite()).filter(|part| !part.is_empty()) {
            self.curves.push(Curve { points: part.to_vec(), colour, width });
        }
        self
    }

    /// Marks a contact by a disc in the colour of its properness and an arrow along its normal,
    /// both on top of everything; the disc is hollow where a body hides the contact. World frame;
    /// the normal is unit, or zero for no arrow. What is not finite is left out.
    pub fn marker(&mut self, point: DVec3, normal: DVec3, properness: f64) -> &mut Self {
        self.marker_of(point, normal, properness, 1.0)
    }

    /// The same for *the* contact of the picture: large.
    pub fn first_marker(&mut self, point: DVec3, normal: DVec3, properness: f64) -> &mut Self {
        self.marker_of(point, normal, properness, FIRST)
    }

    /// The same for contacts beside that one: small, without an arrow.
    pub fn later_marker(&mut self, point: DVec3, properness: f64) -> &mut Self {
        self.marker_of(point, DVec3::ZERO, properness, LATER)
    }

    fn marker_of(&mut self, point: DVec3, normal: DVec3, properness: f64, scale: f64) -> &mut Self {
        if point.is_finite() {
            let normal = if normal.is_finite() { normal.normalize_or_zero() } else { DVec3::ZERO };
            self.markers.push(Marker { point, normal, properness, scale });
        }
        self
    }

    /// Draws a line through points in the world on top of everything, such as an edge that touches.
    pub fn outline(&mut self, points: &[DVec3]) -> &mut Self {
        if points.iter().all(|point| point.is_finite()) {
            self.outlines.push(points.to_vec());
        }
        self
    }

    /// Makes sure that the camera shows these points, though nothing is drawn there: pictures that
    /// include the same points have the same scale.
    pub fn include(&mut self, points: &[DVec3]) -> &mut Self {
        self.included.extend(points.iter().filter(|point| point.is_finite()));
        self
    }

    /// Leaves the scale of properness out of the legend.
    pub fn without_scale(&mut self) -> &mut Self {
        self.has_scale = false;
        self
    }

    /// Draws the picture.
    pub fn render(&self) -> Image {
        let (mut image, labels) = self.parts();
        labels.draw_on(&mut image);
        image
    }

    /// The picture as SVG: the bodies as an embedded image, markers and text as shapes and text.
    pub fn to_svg(&self) -> String {
        let (image, labels) = self.parts();
        labels.document(&embedded(&image))
    }

    /// The same as a part of another document, its upper left corner at `at`.
    pub(crate) fn to_svg_part(&self, at: DVec2) -> String {
        let (image, labels) = self.parts();
        labels.part(at, &embedded(&image))
    }

    /// The bodies as pixels, and what lies on top of them.
    fn parts(&self) -> (Image, Svg) {
        let mut keys = self.keys.clone();
        if self.has_scale && (self.is_steady || !self.markers.is_empty()) {
            keys.push(Overlay::properness_key());
        }
        let mut lines = [self.title.as_str(), self.caption.as_str()];
        if self.is_plain {
            keys.clear();
            lines = [""; 2];
        }
        let overlay = Overlay::new(self.size, self.theme, lines, &keys);
        let camera = self.camera(&overlay);
        let draughtsman = Draughtsman::new(&camera, (self.theme, self.drawing), self.size.unit());
        let (solid, ghosts) = draughtsman.layers(&self.bodies, &self.curves);
        let image = raster::drawn(self.size, self.theme.page(), &solid, &ghosts);
        let places: Vec<DVec3> = self.markers.iter().map(|marker| marker.point).collect();
        let hidden = hidden(&camera, &self.bodies, &places);
        (image, overlay.draw(&camera, (&self.markers, &hidden), &self.outlines))
    }

    /// Frames the content, and then once more with the tips of the arrows, whose length follows
    /// from the size of the content.
    fn camera(&self, overlay: &Overlay) -> Camera {
        let mut points = self.framed_points();
        let camera = Camera::framing(&self.view, overlay.area(), &points);
        if self.is_steady || self.markers.is_empty() {
            return camera;
        }
        let length = ARROW * camera.half_size();
        let tips = self.markers.iter().map(|m| m.point + m.normal * length);
        points.extend(tips.filter(|tip| tip.is_finite()));
        Camera::framing(&self.view, overlay.area(), &points)
    }

    fn framed_points(&self) -> Vec<DVec3> {
        if self.is_steady {
            return self.included.clone();
        }
        let bodies = self.bodies.iter().filter(|body| body.look.framed);
        let corners = bodies.flat_map(|body| {
            body.mesh.positions().iter().map(|&position| body.pose.point(position))
        });
        let curves = self.curves.iter().flat_map(|curve| curve.points.iter().copied());
        let markers = self.markers.iter().map(|marker| marker.point);
        corners.chain(curves).chain(markers).chain(self.included.iter().copied()).collect()
    }
}

/// An image as an element of SVG.
fn embedded(image: &Image) -> String {
    let (width, height) = (image.size().width(), image.size().height());
    let data = STANDARD.encode(image.to_png());
    // The older `xlink:href` is understood by old and new readers alike.
    format!(
        "<image width=\"{width}\" height=\"{height}\" \
         xlink:href=\"data:image/png;base64,{data}\"/>\n"
    )
}
