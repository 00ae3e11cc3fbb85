//! Lines that show what a world does, as plain data for whoever draws them.

use glam::DVec3;

use super::body::{Body, Kind};
use super::broad::Bounds;
use super::{Report, World};
use crate::linkage::Joint;

/// A line to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Both ends, in the world frame.
    pub ends: [DVec3; 2],
    /// What it shows: choose its colour by it.
    pub shows: Shows,
}

/// What a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shows {
    /// An edge of the box around a body that moves, or may.
    Awake,
    /// The same of a dynamic body that sleeps.
    Asleep,
    /// The same of a static body.
    Static,
    /// The same of a sensor.
    Sensor,
    /// From the centre of a body to where a joint holds it, or between both places.
    Joint,
    /// The axis of a joint that has one.
    Axis,
    /// The normal of a contact point of a [contact event](Report::events).
    Normal,
    /// The impulse of an impact or a contact point, a metre for each newton second.
    Impulse,
}

/// Normals and axes are as long as this share of the body that they belong to.
const LENGTH: f64 = 0.25;

/// The edges of a box, by the numbers of its corners, whose bits say which ends of the axes they
/// have.
const EDGES: [[u8; 2]; 12] = [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
    [0, 2],
    [1, 3],
    [4, 6],
    [5, 7],
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
];

impl World {
    /// Lines that show bodies and joints as they are now, and the contacts of the last report.
    ///
    /// *Accepts* the report of the last step, with [contact events](World::listen) to show
    /// contacts; an empty one shows none. *Guarantees* twelve edges of the box of each body, three
    /// lines for each joint and one for its axis, and two for each contact point, in the order of
    /// bodies, joints and events. *Cost* linear in these. *Fails* never.
    ///
    /// ```
    /// use chasles_dynamics::world::{Body, Options, Report, Shape, Shows, World};
    /// let mut world = World::new(Options::default());
    /// world.add(Body::fixed(Shape::sphere(0.5)?));
    /// let lines = world.lines(&Report::default());
    /// assert!(lines.len() == 12 && lines.iter().all(|line| line.shows == Shows::Static));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lines(&self, report: &Report) -> Vec<Line> {
        let boxes = self.iter().flat_map(|(_, body)| box_lines(body));
        let joints = self.joints.iter().flat_map(|joint| self.joint_lines(joint));
        boxes.chain(joints).chain(self.contact_lines(report)).collect()
    }

    fn joint_lines(&self, joint: &Joint) -> Vec<Line> {
        let bodies = joint.bodies().map(|slot| &self.bodies[slot]);
        let frames = [0, 1].map(|i: usize| bodies[i].pose().after(joint.anchors()[i].frame()));
        let [a, b] = frames.map(|frame| frame.position());
        let line = |ends: [DVec3; 2]| Line { ends, shows: Shows::Joint };
        let [first, second] = bodies.map(Body::centre);
        let mut lines = vec![line([first, a]), line([a, b]), line([b, second])];
        if joint.has_axis() {
            let size = bodies.iter().map(|body| body.size()).fold(f64::INFINITY, f64::min);
            let half = LENGTH * size * frames[0].vector(DVec3::Z);
            lines.push(Line { ends: [a - half, a + half], shows: Shows::Axis });
        }
        lines
    }

    fn contact_lines(&self, report: &Report) -> impl Iterator<Item = Line> {
        let of_points = report.events.iter().flat_map(|event| {
            let sizes = event.bodies.iter().filter_map(|&id| self.body(id)).map(Body::size);
            let length = LENGTH * sizes.fold(f64::INFINITY, f64::min);
            event.points.iter().flat_map(move |at| {
                [(length * at.normal, Shows::Normal), (at.impulse, Shows::Impulse)]
                    .map(|(by, shows)| Line { ends: [at.point, at.point + by], shows })
            })
        });
        let of_impacts = report.impacts.iter().map(|impact| Line {
            ends: [impact.point, impact.point + impact.impulse],
            shows: Shows::Impulse,
        });
        of_points.chain(of_impacts)
    }
}

/// The edges of the box around a body.
fn box_lines(body: &Body) -> impl Iterator<Item = Line> {
    let Bounds { low, high } = Bounds::of(body, &body.pose());
    let shows = match body.kind() {
        _ if body.is_sensor => Shows::Sensor,
        Kind::Static => Shows::Static,
        Kind::Dynamic(_) if body.is_asleep => Shows::Asleep,
        _ => Shows::Awake,
    };
    let corner = move |number: u8| {
        let side = |axis: usize| if number >> axis & 1 == 0 { low[axis] } else { high[axis] };
        DVec3::new(side(0), side(1), side(2))
    };
    EDGES.into_iter().map(move |edge| Line { ends: edge.map(corner), shows })
}
