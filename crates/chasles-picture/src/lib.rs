//! Still pictures of bodies and contacts, and plots of numbers.
//!
//! ```text
//! bodies, curves, markers -> Still -> camera -> raster ┐
//!                                  └> labels (SVG) ────┴> Image -> PNG, or one SVG
//! stills                  -> Panels ──────────────────-> Image -> PNG, or one SVG
//! images                  -> Animation ───────────────-> GIF or APNG
//! series, axes            -> Plot  -> SVG ─────────────-> Image -> PNG, or the SVG itself
//! ```
//!
//! *Accepts* any finite coordinates, the empty scene and bodies behind the camera included; what
//! is not finite is left out. *Guarantees* the same bytes for the same input, and memory bounded
//! by [`Size`] and the input. *Cost* proportional to the pixels and the input. *Fails* only when a
//! [`Size`] is made. Nothing is written to disk: results are bytes or text.
//!
//! ```
//! use chasles::mesh::shapes::{Shape, Torus};
//! use chasles::Pose;
//! use chasles_picture::{Look, Size, Still};
//!
//! let torus = Shape::Torus(Torus::default()).build()?;
//! let mut still = Still::new(Size::new(300, 200)?);
//! still.title("A torus").body(&torus, &Pose::IDENTITY, Look::of(0));
//! assert!(still.render().to_png().starts_with(b"\x89PNG"));
//! assert!(still.to_svg().starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Text is set in Noto Sans (SIL Open Font License), which the crate `notosans` embeds, so that
//! labels look the same on a machine without fonts.

mod animation;
mod axis;
mod camera;
mod colour;
mod hidden;
mod image;
mod indexed;
mod layers;
mod legend;
mod overlay;
mod panels;
mod plot;
mod raster;
mod size;
mod still;
mod svg;

pub use animation::{Animation, Format};
pub use axis::{Axis, Scale};
pub use camera::View;
pub use colour::{Colour, ROUNDING, Theme, palette, properness_colour, stepped};
pub use image::Image;
pub use panels::Panels;
pub use plot::{Plot, Style};
pub use size::{PictureError, Size};
pub use still::{Drawing, Look, Still};
pub use svg::escaped;
