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
//! # #[cfg(feature = "draw")] {
//! use chasles::mesh::shapes::{Shape, Torus};
//! use chasles::Pose;
//! use chasles_picture::{Look, Size, Still};
//!
//! let torus = Shape::Torus(Torus::default()).build()?;
//! let mut still = Still::new(Size::new(300, 200)?);
//! still.title("A torus").body(&torus, &Pose::IDENTITY, Look::of(0));
//! assert!(still.render().to_png().starts_with(b"\x89PNG"));
//! assert!(still.to_svg().starts_with("<svg"));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Text is set in Noto Sans (SIL Open Font License), which the crate `notosans` embeds, so that
//! labels look the same on a machine without fonts.

#[cfg(feature = "draw")]
mod animation;
#[cfg(feature = "draw")]
mod axis;
#[cfg(feature = "draw")]
mod camera;
mod colour;
#[cfg(feature = "draw")]
mod hidden;
#[cfg(feature = "draw")]
mod image;
#[cfg(feature = "draw")]
mod indexed;
#[cfg(feature = "draw")]
mod layers;
#[cfg(feature = "draw")]
mod legend;
#[cfg(feature = "draw")]
mod look;
#[cfg(feature = "draw")]
mod overlay;
#[cfg(feature = "draw")]
mod panels;
#[cfg(feature = "draw")]
mod plot;
#[cfg(feature = "draw")]
mod raster;
#[cfg(feature = "draw")]
mod size;
#[cfg(feature = "draw")]
mod still;
#[cfg(feature = "draw")]
mod svg;

#[cfg(feature = "draw")]
pub use animation::{Animation, Format};
#[cfg(feature = "draw")]
pub use axis::{Axis, Scale};
#[cfg(feature = "draw")]
pub use camera::View;
pub use colour::{Colour, ROUNDING, Theme, palette, properness_colour, stepped};
#[cfg(feature = "draw")]
pub use image::Image;
#[cfg(feature = "draw")]
pub use look::{Drawing, Look};
#[cfg(feature = "draw")]
pub use panels::Panels;
#[cfg(feature = "draw")]
pub use plot::{Plot, Style};
#[cfg(feature = "draw")]
pub use size::{PictureError, Size};
#[cfg(feature = "draw")]
pub use still::Still;
#[cfg(feature = "draw")]
pub use svg::escaped;
