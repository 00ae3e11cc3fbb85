//! The collision screen of [`chasles::screen`] on graphics hardware, as a compute pipeline.
//!
//! *Question.* The same as that of [`chasles::screen`], for many pairs of bodies at once. A device
//! projects the vertices, draws the edges, and searches for what shares a pixel; what it finds is
//! tested again and judged on the CPU, in double precision.
//!
//! *Accepts* any bodies and steps, on any adapter that computes; a software one too. *Guarantees*
//! the contacts of [`chasles::screen`] with bodies drawn in rows, bit for bit, if the device leaves
//! out nothing: it pads all bounds by what singles may be off, and hands on what is close. *Cost*
//! linear in the faces on the CPU; the device has the rest. It pays where there is much to draw,
//! and not on a software adapter: `docs/gpu.md` has figures. *Fails* if there is no adapter, if
//! lists need more memory than is allowed, or if the device is lost.
//!
//! ```no_run
//! use chasles::screen::Options;
//! use chasles::{Collider, Motion, Polygons, Polyhedron, Pose, Step};
//! use chasles_gpu::{Device, Pair, Screen};
//! let triangle = Polygons::new([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]], [[0, 1, 2]]);
//! let point = Polygons::new([[0.2, 0.2, 1.0]], [] as [[u32; 3]; 0]);
//! let [a, b] = [&triangle, &point].map(|p| Collider::new(Polyhedron::new(p).unwrap()));
//! let fall = [Pose::IDENTITY, Pose::from_position([0.0, 0.0, -4.0])?];
//! let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(fall[0], fall[1]));
//! let mut screen = Screen::new(Device::new()?);
//! let pair = Pair { bodies: [&a, &b], step: &step };
//! let contacts = screen.contacts(&[pair; 100], &Options::default())?;
//! assert!(contacts.iter().all(|of_pair| of_pair.len() == 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adapter;
mod batch;
mod error;
mod lists;
mod screen;

pub use adapter::Device;
pub use error::Error;
pub use lists::Memory;
pub use screen::{Pair, Screen, Statistics};
