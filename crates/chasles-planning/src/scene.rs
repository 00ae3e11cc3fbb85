//! A robot among obstacles.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chasles::Pose;
use chasles::query::Geometry;

use crate::error::SceneError;
use crate::frame::{Frame, check};
use crate::part::{self, Part};
use crate::robot::{Joint, Robot};

/// A robot, what is around it, and which pairs of bodies may meet.
///
/// A body is a link of the robot or an obstacle, and is named. Pairs are checked but for these:
/// - bodies that cannot move against each other: obstacles among themselves, and links that are
///   joined by fixed joints only; the root of the robot stands in the world;
/// - the two links of a joint, which touch by design;
/// - pairs that SRDF disables, and those that [`Scene::allow`] names.
///
/// ```
/// use chasles::{Pose, query::Geometry};
/// use chasles_planning::{Packages, Robot, Scene};
/// # let text = r#"<robot name="arm">
/// #     <link name="base"/>
/// #     <link name="arm"><collision><origin xyz="0.5 0 0"/>
/// #         <geometry><box size="1 0.1 0.1"/></geometry></collision></link>
/// #     <joint name="turn" type="revolute"><parent link="base"/> <child link="arm"/>
/// #         <axis xyz="0 0 1"/> <limit lower="-3" upper="3"/></joint>
/// # </robot>"#;
/// let robot = Robot::parse(text, "arm.urdf", &Packages::new())?; // a bar that turns about z
/// let mut scene = Scene::new(robot);
/// scene.add("post", Geometry::sphere(0.1)?, Pose::from_position([0.0, 0.8, 0.0])?)?;
///
/// assert!(scene.is_free(&[0.0])?);
/// let near = scene.distance(&[0.0])?.expect("there is a pair");
/// assert!((near.distance - 0.65).abs() < 1e-12); // from the side of the bar
///
/// let edge = scene.edge(&[0.0], &[3.0], 0.0)?;
/// let hit = edge.hit().expect("the bar sweeps over the post");
/// assert_eq!(hit.near.bodies, ["arm", "post"]);
/// assert!(edge.fraction > 0.4 && edge.fraction <= hit.at && hit.at < 0.5);
/// assert!(scene.edge(&[0.0], &[1.0], 0.0)?.is_free());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scene {
    pub(crate) robot: Arc<Robot>,
    /// Of the links, then of the obstacles and attached bodies, in the order of their numbers.
    pub(crate) names: Vec<String>,
    /// The link that each body moves with; none if it stands in the world.
    carriers: Vec<Option<usize>>,
    pub(crate) parts: Vec<Part>,
    pub(crate) pairs: Vec<Pair>,
    /// Joints between two links, in order from the first.
    pub(crate) paths: Vec<Vec<u32>>,
    known_paths: BTreeMap<[usize; 2], usize>,
    allowed: BTreeSet<[usize; 2]>,
    margins: BTreeMap<[usize; 2], f64>,
}

/// Two parts that may meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    /// Motion is seen from the first; of a link and a body of the world that is the latter.
    pub(crate) parts: [usize; 2],
    /// The joints between them, as a number among the paths of the scene.
    pub(crate) path: usize,
    /// How far apart they should be at least.
    pub(crate) margin: f64,
}

impl Scene {
    /// A robot alone.
    ///
    /// *Accepts* any robot, or one that is shared. *Guarantees* the pairs above. *Cost* about the
    /// square of the number of colliders, and hulls of their meshes. *Fails* never.
    pub fn new(robot: impl Into<Arc<Robot>>) -> Self {
        let robot = robot.into();
        let mut scene = Self {
            names: Vec::new(),
            carriers: Vec::new(),
            parts: Vec::new(),
            pairs: Vec::new(),
            paths: Vec::new(),
            known_paths: BTreeMap::new(),
            allowed: robot.disabled().iter().copied().collect(),
            margins: BTreeMap::new(),
            robot,
        };
        let robot = Arc::clone(&scene.robot);
        for (joint, child) in robot.joints().iter().zip(1..) {
            scene.allowed.insert([joint.parent, child]);
        }
        for (number, link) in robot.links().iter().enumerate() {
            scene.names.push(link.name.clone());
            scene.carriers.push(Some(number));
            for (frame, geometry) in &link.colliders {
                // Colliders of robots were checked when their file was read.
                scene.push(Part::new(number, Some(number), *frame, geometry.clone()));
            }
        }
        scene
    }

    /// The robot.
    pub fn robot(&self) -> &Robot {
        &self.robot
    }

    /// The names of all bodies: the links, then what was added.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many pairs of colliders are checked.
    pub fn pair_count(&self) -> usize {
        self.pairs.len()
    }

    /// Puts an obstacle into the scene.
    ///
    /// *Accepts* meshes, spheres, capsules, cylinders and cones, at any pose within 1e12 of the
    /// root of the robot, which is at the origin. *Guarantees* exact answers for it. *Cost* linear
    /// in the colliders, and the hull of a mesh. *Fails* on a name that is taken, and on other
    /// kinds of bodies and bodies farther away.
    pub fn add(
        &mut self,
        name: impl Into<String>,
        geometry: Geometry,
        pose: Pose,
    ) -> Result<(), SceneError> {
        self.put(name.into(), None, geometry, pose)
    }

    /// Fixes a body to a link: a tool, or what a gripper holds.
    ///
    /// *Accepts* what [`Scene::add`] does; the pose is in the frame of the link. *Guarantees* that
    /// it moves with the link; it is checked against all bodies but those that are fixed to the
    /// same link. *Cost* and *Fails* as [`Scene::add`], and where there is no such link.
    pub fn attach(
        &mut self,
        name: impl Into<String>,
        link: &str,
        geometry: Geometry,
        pose: Pose,
    ) -> Result<(), SceneError> {
        let number = self.body(link)?;
        if number >= self.robot.links().len() {
            return Err(SceneError::NotALink(link.into()));
        }
        self.put(name.into(), Some(number), geometry, pose)
    }

    /// Lets two bodies meet: their pair is not checked any more.
    ///
    /// *Accepts* names of links and bodies, in any order. *Cost* linear in the pairs. *Fails* on
    /// other names.
    pub fn allow(&mut self, a: &str, b: &str) -> Result<(), SceneError> {
        let pair = self.bodies(a, b)?;
        self.allowed.insert(pair);
        let Self { pairs, parts, .. } = self;
        pairs.retain(|other| bodies_of(parts, other.parts) != pair);
        Ok(())
    }

    /// Keeps two bodies this far apart at least, or as far as a question asks if that is more.
    ///
    /// *Accepts* names of links and bodies, in any order. *Cost* linear in the pairs. *Fails* on
    /// other names, and on margins that are negative or not finite.
    pub fn set_margin(&mut self, a: &str, b: &str, margin: f64) -> Result<(), SceneError> {
        let margin = length("margin", margin)?;
        let pair = self.bodies(a, b)?;
        self.margins.insert(pair, margin);
        let Self { pairs, parts, .. } = self;
        let of_pair = pairs.iter_mut().filter(|other| bodies_of(parts, other.parts) == pair);
        of_pair.for_each(|other| other.margin = margin);
        Ok(())
    }

    /// Checks a configuration, where it enters.
    pub(crate) fn check(&self, configuration: &[f64]) -> Result<(), SceneError> {
        check(&self.robot, configuration)
    }

    fn put(
        &mut self,
        name: String,
        link: Option<usize>,
        geometry: Geometry,
        pose: Pose,
    ) -> Result<(), SceneError> {
        if self.names.contains(&name) {
            return Err(SceneError::Taken(name));
        }
        let frame = Frame::from(pose);
        part::check(&name, &frame, &geometry)?;
        let part = Part::new(self.names.len(), link, frame, geometry);
        self.names.push(name);
        self.carriers.push(link);
        self.push(part);
        Ok(())
    }

    /// Adds a part, and the pairs that it makes.
    fn push(&mut self, part: Part) {
        let number = self.parts.len();
        self.parts.push(part);
        for other in 0..number {
            if let Some(pair) = self.pair([other, number]) {
                self.pairs.push(pair);
            }
        }
    }

    /// Two parts as a pair, if they may meet.
    fn pair(&mut self, parts: [usize; 2]) -> Option<Pair> {
        let bodies = bodies_of(&self.parts, parts);
        // What stands in the world is fixed to the root.
        let root =
            |part: usize| self.parts[part].link.map_or(0, |link| self.robot.rigid_root(link));
        if root(parts[0]) == root(parts[1]) || self.allowed.contains(&bodies) {
            return None;
        }
        let [p, q] = parts.map(|part| &self.parts[part]);
        let is_turned = q.link.is_none() || p.link.is_some() && p.radius < q.radius;
        let parts = if is_turned { [parts[1], parts[0]] } else { parts };
        let links = parts.map(|part| self.parts[part].link.unwrap_or(0));
        let margin = self.margins.get(&bodies).copied().unwrap_or(0.0);
        Some(Pair { parts, path: self.path(links), margin })
    }

    /// The number of the path between two links.
    fn path(&mut self, links: [usize; 2]) -> usize {
        if let Some(&known) = self.known_paths.get(&links) {
            return known;
        }
        self.known_paths.insert(links, self.paths.len());
        self.paths.push(path(self.robot.joints(), links));
        self.paths.len() - 1
    }

    fn bodies(&self, a: &str, b: &str) -> Result<[usize; 2], SceneError> {
        let mut pair = [self.body(a)?, self.body(b)?];
        pair.sort_unstable();
        Ok(pair)
    }

    fn body(&self, name: &str) -> Result<usize, SceneError> {
        let found = self.names.iter().position(|known| known == name);
        found.ok_or_else(|| {
            let mut known = self.names.iter().take(40).cloned().collect::<Vec<_>>().join(", ");
            if self.names.len() > 40 {
                known.push_str(", ..");
            }
            SceneError::Unknown { name: name.into(), known }
        })
    }
}

impl From<Robot> for Scene {
    fn from(robot: Robot) -> Self {
        Self::new(robot)
    }
}

/// A length that a caller gives.
pub(crate) fn length(what: &'static str, value: f64) -> Result<f64, SceneError> {
    if value >= 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(SceneError::Negative { what, value })
    }
}

/// The bodies of two parts, the lower number first.
fn bodies_of(parts: &[Part], pair: [usize; 2]) -> [usize; 2] {
    let [a, b] = pair.map(|part| parts[part].body);
    [a.min(b), a.max(b)]
}

/// The joints that move between two links, in order from the first.
fn path(joints: &[Joint], [from, to]: [usize; 2]) -> Vec<u32> {
    let [mut up, mut down] = [Vec::new(), Vec::new()];
    let [mut a, mut b] = [from, to];
    // Links stand after their parents, so the later of the two is not above the other.
    while a != b {
        let (later, joints_of) = if a > b { (&mut a, &mut up) } else { (&mut b, &mut down) };
        let joint = *later - 1;
        if joints[joint].drive.is_some() {
            joints_of.push(joint as u32);
        }
        *later = joints[joint].parent;
    }
    up.extend(down.into_iter().rev());
    up
}
