//! Bodies made of planar polygons: the mesh, its adjacency and what can be said about it.
//!
//! [`Polygons`] is what a file or a program says: vertices and lists of vertex numbers.
//! [`Polyhedron`] is the same with adjacency, planes and labels, checked once.
//! [`shapes`] makes such meshes from a few parameters, [`inspect`] says what is odd about them.
//!
//! ```
//! use chasles::mesh::shapes::{Cuboid, Shape};
//! use chasles::mesh::{Inspection, Polygons, Polyhedron};
//!
//! let cube = Shape::Box(Cuboid::default()).build()?;
//! assert_eq!((cube.vertex_count(), cube.edge_count(), cube.face_count()), (8, 12, 6));
//! assert_eq!(cube.mass(1000.0).map(|mass| mass.mass), Some(1000.0));
//! // A square from arrays: an open mesh, which is welcome too.
//! let corners = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]];
//! let square = Polyhedron::new(&Polygons::new(corners, [[0, 1, 2, 3]]))?;
//! assert_eq!(square.mass(1000.0), None, "it encloses nothing");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod components;
#[cfg(feature = "files")]
pub mod files;
mod forest;
pub mod inspect;
mod mass;
mod nesting;
mod opening;
mod outward;
mod pieces;
mod plane;
mod polygons;
mod polyhedron;
mod rows;
mod sense;
pub mod shapes;
mod split;
mod stray;
mod weld;

pub(crate) use components::Components;
pub use inspect::Inspection;
pub use mass::Mass;
pub use opening::{Opening, Remedy};
pub use outward::Turned;
pub use polygons::{MeshError, Polygons};
pub use polyhedron::{Polyhedron, Side};
pub(crate) use rows::Rows;
pub(crate) use split::{LARGEST_SPLIT, convex_pieces, fan_or_ears, triangles};
pub use weld::Weld;
