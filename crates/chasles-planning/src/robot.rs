//! Links, joints and what moves them.

use std::path::Path;

use chasles::Pose;
use chasles::query::Geometry;

use crate::error::{RobotError, SceneError};
use crate::frame::{Frame, Stance, check};
use crate::packages::Packages;
use crate::{srdf, urdf, xml};

/// A robot: a tree of links, with colliders, and the joints between them.
///
/// ```
/// use chasles_planning::{Packages, Robot};
/// let text = r#"<robot name="arm">
///     <link name="base"/>
///     <link name="arm">
///         <collision><geometry><box size="1 0.1 0.1"/></geometry></collision>
///     </link>
///     <joint name="turn" type="revolute">
///         <parent link="base"/> <child link="arm"/> <axis xyz="0 0 1"/>
///         <limit lower="-2" upper="2"/>
///     </joint>
/// </robot>"#;
/// let robot = Robot::parse(text, "arm.urdf", &Packages::new())?;
/// assert_eq!(robot.links().len(), 2);
/// assert_eq!(robot.variables()[0].limits, [-2.0, 2.0]);
/// assert!(robot.is_within_limits(&[1.5]) && !robot.is_within_limits(&[2.5]));
/// # Ok::<(), chasles_planning::RobotError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Robot {
    pub(crate) name: String,
    /// A link stands after its parent. The joint of link `i` to its parent is joint `i - 1`.
    pub(crate) links: Vec<Link>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) disabled: Vec<[usize; 2]>,
    pub(crate) groups: Vec<Group>,
    pub(crate) states: Vec<State>,
}

/// A rigid part of a robot.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its name.
    pub name: String,
    pub(crate) colliders: Vec<(Frame, Geometry)>,
}

impl Link {
    /// The shapes of the link that collide.
    pub fn colliders(&self) -> impl ExactSizeIterator<Item = &Geometry> {
        self.colliders.iter().map(|(_, geometry)| geometry)
    }
}

/// How a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JointKind {
    /// Not at all.
    Fixed,
    /// It turns about its axis: revolute and continuous joints.
    Turns,
    /// It slides along its axis: prismatic joints.
    Slides,
}

/// A joint between a link and its parent.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// How it moves.
    pub kind: JointKind,
    /// The link that it is fixed to, as a number among [`Robot::links`].
    pub parent: usize,
    /// Where it is in the parent's frame.
    pub(crate) origin: Frame,
    /// Unit, in the joint's frame.
    pub(crate) axis: chasles::glam::DVec3,
    pub(crate) drive: Option<Drive>,
}

/// The value of a joint: a variable times a factor, and an offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drive {
    pub(crate) variable: usize,
    pub(crate) factor: f64,
    pub(crate) offset: f64,
}

/// A joint that is set: one number of a configuration. Joints that mimic others are none.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The name of the joint.
    pub name: String,
    /// Whether it turns (radians) or slides (metres).
    pub kind: JointKind,
    /// The lowest and the highest value; infinite for a continuous joint.
    pub limits: [f64; 2],
    /// The largest speed, in radians or metres a second; infinite where the file says none.
    pub max_speed: f64,
}

/// A named set of joints, from SRDF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// The numbers of its variables, in the order of [`Robot::variables`].
    pub variables: Vec<usize>,
}

/// A named configuration, from SRDF.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Its name.
    pub name: String,
    /// A value for each variable; 0 for those that the file does not name.
    pub configuration: Vec<f64>,
}

impl Robot {
    /// The robot of a URDF file.
    ///
    /// *Accepts* fixed, revolute, continuous and prismatic joints, mimics, and colliders that are
    /// boxes, spheres, cylinders, capsules, or meshes of OBJ, STL, PLY, OFF, glTF and GLB. Meshes
    /// come from the folders of `packages` and from that of the file only. Names that differ,
    /// one root, no loop. *Guarantees* a tree whose parts are in the order of the file, parents
    /// first. *Cost* that of the meshes. *Fails* with file, line and column and what would be
    /// right; so do planar and floating joints, files with a document type definition, and files
    /// of xacro that are not expanded.
    pub fn load(path: impl AsRef<Path>, packages: &Packages) -> Result<Self, RobotError> {
        let path = path.as_ref();
        let folder =
            path.parent().map(|own| if own == Path::new("") { Path::new(".") } else { own });
        urdf::robot(&xml::read(path)?, path, (packages, folder))
    }

    /// The robot of a URDF text; `name` is what errors call it.
    ///
    /// *Accepts*, *Guarantees*, *Cost* and *Fails* as [`Robot::load`]; meshes come from packages
    /// only.
    pub fn parse(
        text: &str,
        name: impl AsRef<Path>,
        packages: &Packages,
    ) -> Result<Self, RobotError> {
        urdf::robot(text, name.as_ref(), (packages, None))
    }

    /// The same robot with what an SRDF file says: pairs of links that are not checked, groups of
    /// joints and named configurations.
    ///
    /// *Accepts* a file of the same robot. *Guarantees* that pairs add to those there are. *Cost*
    /// linear. *Fails* with file, line and column, on links, joints and groups that are not there.
    pub fn with_srdf(self, path: impl AsRef<Path>) -> Result<Self, RobotError> {
        let path = path.as_ref();
        srdf::extend(self, &xml::read(path)?, path)
    }

    /// The same with an SRDF text; `name` is what errors call it.
    ///
    /// *Accepts*, *Guarantees*, *Cost* and *Fails* as [`Robot::with_srdf`].
    pub fn with_srdf_text(self, text: &str, name: impl AsRef<Path>) -> Result<Self, RobotError> {
        srdf::extend(self, text, name.as_ref())
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The links, parents first.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The joints: joint `i` leads to link `i + 1`.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The joints that are set: a configuration has a value for each, in this order.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Groups of joints, from SRDF.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Named configurations, from SRDF.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// Pairs of links that SRDF says not to check, the lower number first.
    pub fn disabled(&self) -> &[[usize; 2]] {
        &self.disabled
    }

    /// The number of a variable.
    ///
    /// *Fails* with the names that there are.
    pub fn variable(&self, name: &str) -> Result<usize, SceneError> {
        let found = self.variables.iter().position(|variable| variable.name == name);
        found.ok_or_else(|| SceneError::UnknownJoint { name: name.into(), known: self.names() })
    }

    /// Whether every value is within the limits of its joint; joints that mimic others have none of
    /// their own. Scenes do not ask: they answer for configurations beyond limits too.
    pub fn is_within_limits(&self, configuration: &[f64]) -> bool {
        configuration.len() == self.variables.len()
            && self.variables.iter().zip(configuration).all(|(variable, value)| {
                let [low, high] = variable.limits;
                (low..=high).contains(value)
            })
    }

    /// Where all links are in a configuration: forward kinematics, the root at the origin.
    ///
    /// *Accepts* a finite value for each variable, also beyond limits. *Guarantees* a pose for each
    /// of [`Robot::links`], to rounding. *Cost* linear. *Fails* on configurations that are not of
    /// the robot.
    pub fn poses(&self, configuration: &[f64]) -> Result<Vec<Pose>, SceneError> {
        check(self, configuration)?;
        let mut stance = Stance::default();
        stance.place(self, configuration);
        Ok(stance.frames.iter().map(Frame::pose).collect())
    }

    /// The names of the variables, in order.
    pub(crate) fn names(&self) -> String {
        let names: Vec<&str> = self.variables.iter().map(|v| v.name.as_str()).collect();
        if names.is_empty() { "none".into() } else { names.join(", ") }
    }

    pub(crate) fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }

    /// The link to which a link is fixed, however indirectly, that is nearest to the root.
    pub(crate) fn rigid_root(&self, mut link: usize) -> usize {
        while link > 0 && self.joints[link - 1].drive.is_none() {
            link = self.joints[link - 1].parent;
        }
        link
    }
}
