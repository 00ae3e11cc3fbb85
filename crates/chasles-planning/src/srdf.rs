//! What SRDF adds to a robot: pairs that are not checked, groups, configurations.
//!
//! The format is that of the MoveIt documentation, `SRDF`.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::error::RobotError;
use crate::robot::{Group, Robot, State};
use crate::xml::{self, Element};

/// The robot with what a text says about it.
pub(crate) fn extend(mut robot: Robot, text: &str, path: &Path) -> Result<Robot, RobotError> {
    let document = xml::parse(text, path)?;
    let root = Element::root(&document, path, "robot")?;
    for element in root.all("disable_collisions") {
        let mut pair = [link(&robot, element, "link1")?, link(&robot, element, "link2")?];
        pair.sort_unstable();
        robot.disabled.push(pair);
    }
    robot.disabled.sort_unstable();
    robot.disabled.dedup();
    let groups = Groups::new(root)?;
    for element in root.all("group") {
        robot.groups.push(groups.group(&robot, element)?);
    }
    for element in root.all("group_state") {
        let state = groups.state(&robot, element)?;
        robot.states.push(state);
    }
    Ok(robot)
}

fn link(robot: &Robot, element: Element, attribute: &str) -> Result<usize, RobotError> {
    let name = element.needed(attribute)?;
    let unknown = || element.error(format!("the robot has no link named {name:?}"));
    robot.link(name).ok_or_else(unknown)
}

/// Groups as they are written.
struct Groups<'d> {
    elements: HashMap<&'d str, Element<'d>>,
    /// Joints that SRDF adds between the robot and the world: here the root stands still.
    virtuals: HashSet<&'d str>,
}

impl<'d> Groups<'d> {
    fn new(root: Element<'d>) -> Result<Self, RobotError> {
        let mut elements = HashMap::new();
        for element in root.all("group") {
            let name = element.needed("name")?;
            // A group may be written in pieces; the first one is what others mean.
            elements.entry(name).or_insert(element);
        }
        let virtuals = root.all("virtual_joint").map(|joint| joint.needed("name"));
        Ok(Self { elements, virtuals: virtuals.collect::<Result<_, _>>()? })
    }

    /// The joints of an element that the robot has.
    fn joints(&self, element: Element<'d>) -> impl Iterator<Item = Element<'d>> {
        let is_own = |joint: &Element| {
            joint.attribute("name").is_none_or(|name| !self.virtuals.contains(name.trim()))
        };
        element.all("joint").filter(is_own)
    }

    /// The variables of a group and of the groups in it.
    fn group(&self, robot: &Robot, element: Element<'d>) -> Result<Group, RobotError> {
        let name = element.needed("name")?;
        let mut variables = Vec::new();
        let mut seen = vec![name];
        let mut waiting = vec![element];
        while let Some(group) = waiting.pop() {
            variables.extend(self.members(robot, group)?);
            for inner in group.all("group") {
                let name = inner.needed("name")?;
                let unknown = || inner.error(format!("no group is named {name:?}"));
                let found = *self.elements.get(name).ok_or_else(unknown)?;
                if !seen.contains(&name) {
                    seen.push(name);
                    waiting.push(found);
                }
            }
        }
        variables.sort_unstable();
        variables.dedup();
        Ok(Group { name: name.into(), variables })
    }

    /// The variables of the joints, of the joints above links, and of the chains of a group.
    fn members(&self, robot: &Robot, group: Element<'d>) -> Result<Vec<usize>, RobotError> {
        let mut joints = Vec::new();
        for element in self.joints(group) {
            joints.push(joint(robot, element)?);
        }
        for element in group.all("link") {
            joints.extend(link(robot, element, "name")?.checked_sub(1));
        }
        for element in group.all("chain") {
            let base = link(robot, element, "base_link")?;
            let mut at = link(robot, element, "tip_link")?;
            while at != base {
                let Some(above) = at.checked_sub(1) else {
                    return Err(element.error("the tip of the chain is not beyond its base"));
                };
                joints.push(above);
                at = robot.joints[above].parent;
            }
        }
        let drives = joints.into_iter().filter_map(|joint| robot.joints[joint].drive);
        Ok(drives.map(|drive| drive.variable).collect())
    }

    /// A value for each variable.
    fn state(&self, robot: &Robot, element: Element<'d>) -> Result<State, RobotError> {
        let mut configuration = vec![0.0; robot.variables.len()];
        for named in self.joints(element) {
            let joint = joint(robot, named)?;
            let value = named.needed_number("value")?;
            let variable = robot.variables.iter().position(|v| v.name == robot.joints[joint].name);
            if let Some(variable) = variable {
                configuration[variable] = value;
            }
        }
        Ok(State { name: element.needed("name")?.into(), configuration })
    }
}

fn joint(robot: &Robot, element: Element) -> Result<usize, RobotError> {
    let name = element.needed("name")?;
    let unknown = || element.error(format!("the robot has no joint named {name:?}"));
    robot.joints.iter().position(|joint| joint.name == name).ok_or_else(unknown)
}
