//! The front door: bodies of any kind, motions of any kind, and what is asked of them.
//!
//! **By default a query gives what a collision response needs**: contacts that approach, that face
//! each other, that can be touched from outside, and that are proper: the bodies do not overlap
//! beside them. For two tori of 300 faces these are a handful. [`Options::all`] gives every
//! contact; for the same tori that is more than a thousand.
//!
//! ```
//! use chasles::mesh::shapes::{Cuboid, Shape};
//! use chasles::query::{Geometry, Options, Workspace, first_contact};
//! use chasles::{Motion, Pose, Step, glam::DQuat};
//!
//! // 1. Bodies, made ready once.
//! let cube = Geometry::shape(&Shape::Box(Cuboid::default()))?;
//! // 2. A motion: A stands still, B falls by 3 and turns by a radian.
//! let start = Pose::from_position([0.2, 3.0, 0.1])?;
//! let end = Pose::new([0.2, 0.0, 0.1], DQuat::from_rotation_z(1.0))?;
//! let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(start, end));
//! // 3. A question, with a workspace that keeps memory for the next one.
//! let mut workspace = Workspace::new();
//! let hit = first_contact(&cube, &cube, &step, &Options::default(), &mut workspace)?;
//! let hit = hit.expect("the cubes meet");
//! assert!(hit.time > 0.5 && hit.normal.y > 0.99);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Bodies
//!
//! A [`Geometry`] is the shape of a body in its own frame. Clones are cheap and may go to other
//! threads.
//!
//! | body | made by | contacts |
//! |---|---|---|
//! | mesh of a file: OBJ, STL, PLY, OFF, glTF, GLB | `Geometry::load` (feature `files`, on by default) | exact |
//! | mesh of arrays ([`Polygons`](crate::Polygons)) | [`Polyhedron::new`], then [`Geometry::mesh`] | exact |
//! | mesh of a built-in [shape](crate::mesh::shapes) | [`Geometry::shape`] | exact |
//! | sphere, capsule, cylinder | [`Geometry::sphere`], [`Geometry::capsule`], [`Geometry::cylinder`] | exact |
//! | cone | [`Geometry::cone`] | exact |
//! | ellipsoid | [`Geometry::ellipsoid`], turned: [`Round::ellipsoid_at`] | exact |
//! | torus, unions, formulas, distance fields, height fields | [`Geometry::solid`] | to a precision, at samples of the surfaces |
//!
//! [`Polyhedron::new`]: crate::Polyhedron::new
//! [`Round::ellipsoid_at`]: crate::round::Round::ellipsoid_at
//!
//! ```no_run
//! use chasles::query::Geometry;
//! use chasles::{Polygons, Polyhedron};
//!
//! # #[cfg(feature = "files")]
//! let bunny = Geometry::load("bunny.obj")?;
//! let corners = [[-5.0, 0.0, -5.0], [5.0, 0.0, -5.0], [5.0, 0.0, 5.0], [-5.0, 0.0, 5.0]];
//! let floor = Polygons::new(corners, [[3, 2, 1, 0]]);
//! let floor = Geometry::mesh(Polyhedron::new(&floor)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Faces are counter-clockwise seen from outside; a closed mesh that has them the other way is
//! turned ([`Geometry::mesh`]). Features have the numbers of the input, from 0.
//!
//! # Motions
//!
//! | one body | |
//! |---|---|
//! | stays | [`Motion::still`](crate::Motion::still) |
//! | goes from one pose to another along a screw, turning the shorter way (a half-turn at most) | [`Motion::between`](crate::Motion::between) |
//! | follows a twist by any angle | [`Motion::along`](crate::Motion::along) |
//! | flies with constant linear and angular velocity | [`Motion::flight`](crate::Motion::flight) |
//! | passes waypoints, turning the shorter way from each to the next | [`Waypoints`] |
//!
//! A twist is a [`Screw`](crate::Screw): [`Screw::about_axis`](crate::Screw::about_axis) makes one
//! from an axis through a point, an angle and a slide.
//!
//! Two motions are a [`Step`](crate::Step). If a body has waypoints, both are a [`Route`]. Times in
//! answers are fractions of the whole, from 0 to 1. Lengths are in the unit of the bodies, angles
//! in radians.
//!
//! **The relative motion is taken to be a screw.** Seen from A, B moves along the screw between its
//! first and its last pose, in each part of the step. That is the true motion if one body stands
//! still and the other does not fly, or if neither turns. Otherwise it has the same ends and
//! departs from the true motion between them: two bodies that spin in place may meet on it, however
//! far apart they are. This holds for every question about motions, also of a [`Set`] and in a
//! [`batch`], and for every [`Guarantee`].
//!
//! - [`Step::departure`](crate::Step::departure) and [`Route::departure`] say how far apart both
//!   are, as an estimate and a proven bound.
//! - [`Options::max_departure`] bounds it for all questions about contacts, and
//!   [`Accuracy::max_departure`] for clearances: steps are cut into parts until it holds.
//! - [`Motion::along`](crate::Motion::along) and [`Motion::flight`](crate::Motion::flight) are cut
//!   at quarter-turns anyway, so they depart less than [`Motion::between`](crate::Motion::between).
//!
//! ```
//! use chasles::mesh::shapes::{Cuboid, Shape};
//! use chasles::query::{Geometry, Options, Workspace, first_contact};
//! use chasles::{Motion, Pose, Step, glam::DQuat};
//!
//! // Two cubes, 5 apart, turn in place by 100 degrees, one to the left and one to the right.
//! let cube = Geometry::shape(&Shape::Box(Cuboid::default()))?;
//! let spin = |x: f64, degrees: f64| {
//!     let turn = DQuat::from_rotation_z(degrees.to_radians());
//!     Ok(Motion::between(Pose::from_position([x, 0.0, 0.0])?, Pose::new([x, 0.0, 0.0], turn)?))
//! };
//! # let spin = |x, degrees| -> Result<Motion, chasles::motion::MotionError> { spin(x, degrees) };
//! let step = Step::new(spin(0.0, -100.0)?, spin(5.0, 100.0)?);
//! let departure = step.departure([cube.bounds(), cube.bounds()]).expect("finite bodies");
//! assert!(departure.estimate > 4.0);
//!
//! let mut workspace = Workspace::new();
//! let on_screw = first_contact(&cube, &cube, &step, &Options::default(), &mut workspace)?;
//! assert!(on_screw.is_some()); // of the screw, not of the bodies
//! let closely = Options { max_departure: Some(0.01), ..Options::default() };
//! assert_eq!(first_contact(&cube, &cube, &step, &closely, &mut workspace)?, None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Questions
//!
//! | question | function |
//! |---|---|
//! | which contacts, when, where, between what? | [`contacts`] |
//! | which is the first? | [`first_contact`] |
//! | is the motion free? if not, does it start in overlap or hit? | [`outcome`](outcome()) |
//! | are they in each other now, and which parts? | [`overlaps`], all parts: [`overlapping_parts`] |
//! | how far apart are they now, and where? | [`distance`](distance()) |
//! | how near do they come on the whole way? | [`clearance`](clearance()) |
//! | which shift separates bodies in each other? | [`penetration`](penetration()) |
//! | where are they near each other now? | [`near`] |
//! | how far does a body get through another? | [`cast`] |
//!
//! Bodies that overlap at the start have no contact there: no first contact does not mean free.
//! Ask [`outcome`](outcome()), or [`overlaps`] at the start.
//!
//! Questions about a motion take a step or a route, those about rest two poses, of A and of B. An
//! [`Outcome`] is `Free`, `StartsOverlapping`, `Hit` or `Undecided`. A clearance is asked for with
//! a width, such as `1e-3`, and is an interval no wider than that, from `lower` to `upper`.
//!
//! ```
//! use chasles::query::{Geometry, Options, Outcome, Workspace, clearance, distance, outcome};
//! use chasles::{Motion, Pose, Step};
//!
//! let ball = Geometry::sphere(0.5)?;
//! let poses = [Pose::from_position([-3.0, 1.5, 0.0])?, Pose::from_position([3.0, 1.5, 0.0])?];
//! let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(poses[0], poses[1]));
//! let mut workspace = Workspace::new();
//! match outcome(&ball, &ball, &step, &Options::default(), &mut workspace)? {
//!     Outcome::Free => {
//!         let near = clearance(&ball, &ball, &step, 1e-3, &mut workspace)?;
//!         assert!(near.lower <= 0.5 && 0.5 <= near.upper && near.upper - near.lower <= 1e-3);
//!     }
//!     Outcome::Hit(contact) => panic!("hits at {}", contact.time),
//!     other => panic!("{other:?}"),
//! }
//! let at_start = distance(&ball, &ball, [Pose::IDENTITY, poses[0]], &mut workspace)?;
//! assert!((at_start.distance - (11.25_f64.sqrt() - 1.0)).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Which bodies a question takes:
//!
//! | question | mesh | sphere, capsule | cylinder, cone | ellipsoid | solid |
//! |---|---|---|---|---|---|
//! | [`contacts`], [`first_contact`], [`outcome`](outcome()) | yes | yes | yes | yes | at samples |
//! | [`overlaps`], [`overlapping_parts`] | yes | yes | yes | yes | at samples |
//! | [`distance`](distance()) | yes | yes | yes | beside round bodies | no |
//! | [`clearance`](clearance()) | yes | yes | yes | no | no |
//! | [`near`] | yes | yes | no | no | no |
//! | [`penetration`](penetration()), [`cast`] | yes | no | no | no | no |
//!
//! [`Geometry::shape`] makes a mesh of a sphere, a capsule, a cylinder or a cone,
//! [`Round::polygons`](crate::round::Round::polygons) one of an ellipsoid, and
//! [`solid::surface`](crate::solid::surface()) one of a solid.
//!
//! # Many bodies, many motions
//!
//! Many bodies are a [`Set`]: [`Set::contacts`] gives the contacts of all pairs,
//! [`Set::first_contact`] the first of all, [`Set::overlaps`] the pairs in each other at the start,
//! and [`Set::clearances`] how near pairs come. Contacts leave out pairs that both stand still,
//! pairs that a [`Filter`] parts, and pairs that are [ignored](Set::ignore).
//!
//! ```
//! use chasles::query::{Filter, Geometry, Options, Set};
//! use chasles::{Motion, Pose};
//!
//! let ball = Geometry::sphere(0.5)?;
//! let mut set = Set::new();
//! for x in [0.0, 3.0, 6.0] {
//!     set.add(ball.clone(), Motion::still(Pose::from_position([x, 0.0, 0.0])?));
//! }
//! let [from, to] = [[-9.0, 0.0, 0.0], [4.0, 0.0, 0.0]].map(Pose::from_position);
//! let way = Motion::between(from?, to?);
//! let flyer = set.add(ball.clone(), way);
//! set.add_with(ball, way, Filter { groups: 2, mask: 2 }); // meets nobody here
//! for pair in set.contacts(&Options::default())?.pairs() {
//!     assert_eq!(pair.bodies[1], flyer);
//!     assert_eq!(pair.found.len(), 1);
//! }
//! let near = set.clearances(3.0, 1e-6)?;
//! assert_eq!(near.iter().filter(|pair| pair.clearance.upper == 0.0).count(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Many motions of the same bodies are a [`batch`]: slices of steps or routes go in, arrays of
//! outcomes, first contacts, times or clearances come out, from all cores.
//!
//! # Answers
//!
//! A [`Contact`] says when and where, with a bracket for the time, the normal from A to B, and the
//! two [`Features`]. Its `properness` says whether it is a real first touch: 1 is a needle tip, 0
//! flat faces, and negative means that the bodies already overlap beside it. A [`Contacts`] holds
//! them in the order of time, to be read like a slice. It also says which method answered and why,
//! what is guaranteed, and what is undecided.
//!
//! # Methods
//!
//! [`Method::Auto`] takes the exact method where there is one, and follows samples of the surfaces
//! otherwise. Another method is a field of [`Options`]. What no method answers is a [`QueryError`]
//! that names the alternatives. The methods themselves, with all their options, are the modules
//! [`screw`](crate::screw), [`round`](crate::round), [`screen`](crate::screen),
//! [`path`](crate::path), [`trace`](crate::trace) and [`near`](crate::near).
//!
//! # Examples
//!
//! Each is a program of less than 60 lines, run by
//! `cargo run --release -p chasles --example first_hit`:
//!
//! | in `crates/chasles/examples` | |
//! |---|---|
//! | `first_hit` | when and where a falling, turning cube first touches a torus |
//! | `all_contacts` | every contact of two tori, and those that a response needs |
//! | `many_bodies` | a thousand bodies a frame |
//! | `robot_link` | a link of a robot that swings past a scan, with its clearance |
//! | `waypoints` | a bar that passes waypoints past a post |
//! | `batch` | a hundred thousand motions on all cores |
//! | `character` | a character that walks, climbs steps and slides along walls |

pub mod batch;
mod broad;
mod cast;
mod clearance;
mod contacts;
mod distance;
mod error;
mod feature;
mod found;
mod geometry;
mod near;
mod options;
mod outcome;
mod rest;
mod route;
mod set;
mod spacing;
mod sweep;
mod track;
mod trajectory;
mod workspace;

pub use self::cast::{Cast, Stop, cast};
pub use self::clearance::{Accuracy, Clearance, Penetration, clearance, penetration};
pub use self::contacts::{Choice, Contacts, Guarantee, Reason, choose, contacts, first_contact};
pub use self::distance::{Distance, distance};
pub use self::error::{QueryError, Question, Side};
pub use self::feature::{Contact, Feature, Features};
pub use self::found::{PairClearance, PairContacts, PairOverlap, SetContacts};
#[cfg(feature = "files")]
pub use self::geometry::LoadError;
pub use self::geometry::{Geometry, Kind};
pub use self::near::{Near, near};
pub use self::options::{Method, Options};
pub use self::outcome::{Outcome, outcome};
pub use self::rest::{Overlap, overlapping_parts, overlaps};
pub use self::route::{Moves, Piece, Route};
pub use self::set::{BodyId, Filter, Member, Set, SetError};
pub use self::trajectory::{RouteError, Trajectory, Waypoints};
pub use self::workspace::Workspace;
