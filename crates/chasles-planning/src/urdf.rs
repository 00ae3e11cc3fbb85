//! Robots from URDF.
//!
//! The format is that of the ROS wiki, `urdf/XML`. What is not about where links are and what they
//! collide with is passed over: visuals, inertias, materials, transmissions, sensors.

use std::collections::HashMap;
use std::path::Path;

use chasles::glam::DVec3;

use crate::error::RobotError;
use crate::frame::Frame;
use crate::packages::Packages;
use crate::robot::{Drive, Joint, JointKind, Link, Robot, Variable};
use crate::shape::{self, Meshes};
use crate::xml::{self, Element};

/// The most links of a robot.
const MOST_LINKS: usize = 4096;

/// The most colliders of a robot.
const MOST_COLLIDERS: usize = 1 << 14;

/// The most joints on all ways between two links with colliders, of which scenes keep each: robots
/// have some thousand, and this many take 64 MB.
const MOST_ON_WAYS: usize = 1 << 24;

/// The largest factor of a mimic.
const MOST_FACTOR: f64 = 1e3;

/// A joint as it is written.
struct Draft<'d> {
    element: Element<'d>,
    name: &'d str,
    kind: JointKind,
    parent: usize,
    child: usize,
    axis: DVec3,
    /// Of joints that move.
    limits: [f64; 2],
    max_speed: f64,
    mimic: Option<Mimic<'d>>,
}

struct Mimic<'d> {
    element: Element<'d>,
    of: &'d str,
    factor: f64,
    offset: f64,
}

/// The robot of a text.
pub(crate) fn robot(
    text: &str,
    path: &Path,
    (packages, folder): (&Packages, Option<&Path>),
) -> Result<Robot, RobotError> {
    let document = xml::parse(text, path)?;
    let root = Element::root(&document, path, "robot")?;
    refuse_xacro(root)?;
    let elements: Vec<Element> = root.all("link").collect();
    if elements.is_empty() || elements.len() > MOST_LINKS {
        let count = elements.len();
        return Err(root.error(format!("the robot has {count} links; 1 to {MOST_LINKS} are read")));
    }
    let numbers = named(&elements)?;
    let drafts: Result<Vec<Draft>, _> = root.all("joint").map(|j| draft(j, &numbers)).collect();
    let drafts = drafts?;
    let order = order(root, &elements, &drafts)?;
    let mut meshes = Meshes::new(packages, folder);
    let links = links(&elements, &order, &mut meshes)?;
    let variables = variables(&drafts);
    let joints = joints(&drafts, &order, &variables)?;
    refuse_long_ways(root, &links, &joints)?;
    Ok(Robot {
        name: root.attribute("name").unwrap_or("robot").into(),
        links,
        joints,
        variables,
        disabled: Vec::new(),
        groups: Vec::new(),
        states: Vec::new(),
    })
}

/// Ways between links grow with the cube of the links of a chain.
fn refuse_long_ways(root: Element, links: &[Link], joints: &[Joint]) -> Result<(), RobotError> {
    let mut depths = vec![0; links.len()];
    for (joint, link) in joints.iter().zip(1..) {
        depths[link] = depths[joint.parent] + 1;
    }
    let colliding = || depths.iter().zip(links).filter(|(_, link)| !link.colliders.is_empty());
    let deep: usize = colliding().map(|(depth, _)| depth).sum();
    // The way between two links is no longer than both of theirs to the root.
    match deep.saturating_mul(colliding().count()) {
        0..=MOST_ON_WAYS => Ok(()),
        ways => Err(root.error(format!(
            "there are up to {ways} joints on the ways between its links with colliders; \
             {MOST_ON_WAYS} are read: it is a chain of too many links"
        ))),
    }
}

/// Elements of xacro are macros, at any depth: the robot is what they expand to.
fn refuse_xacro(root: Element) -> Result<(), RobotError> {
    match root.descendants().find(Element::is_macro) {
        Some(element) => Err(element.error(format!(
            "<xacro:{}> is a macro: expand the file first, with the program `xacro`",
            element.name()
        ))),
        None => Ok(()),
    }
}

/// The numbers of elements by their names, which differ.
fn named<'d>(elements: &[Element<'d>]) -> Result<HashMap<&'d str, usize>, RobotError> {
    let mut numbers = HashMap::new();
    for (number, element) in elements.iter().enumerate() {
        let name = element.needed("name")?;
        if numbers.insert(name, number).is_some() {
            return Err(element.error(format!("a second <{}> named {name:?}", element.name())));
        }
    }
    Ok(numbers)
}

fn draft<'d>(element: Element<'d>, links: &HashMap<&str, usize>) -> Result<Draft<'d>, RobotError> {
    let name = element.needed("name")?;
    let (kind, is_limited) = kind(element)?;
    let link = |role| {
        let named = element.needed_child(role)?;
        let name = named.needed("link")?;
        let unknown = || named.error(format!("no link is named {name:?}"));
        links.get(name).copied().ok_or_else(unknown)
    };
    let axis = match element.child("axis")? {
        // Some programs write 0 for the axis of a joint that has none.
        _ if kind == JointKind::Fixed => DVec3::X,
        Some(axis) => {
            let along = axis.triple("xyz")?.unwrap_or(DVec3::X);
            let unit = along.try_normalize();
            unit.ok_or_else(|| axis.error("the axis is 0: it should have a direction"))?
        }
        None => DVec3::X,
    };
    let (limits, max_speed) = limits(element, is_limited)?;
    let mimic = mimic(element, kind)?;
    let [parent, child] = [link("parent")?, link("child")?];
    Ok(Draft { element, name, kind, parent, child, axis, limits, max_speed, mimic })
}

/// How a joint moves, and whether it must have limits.
fn kind(element: Element) -> Result<(JointKind, bool), RobotError> {
    match element.needed("type")? {
        "fixed" => Ok((JointKind::Fixed, false)),
        "revolute" => Ok((JointKind::Turns, true)),
        "continuous" => Ok((JointKind::Turns, false)),
        "prismatic" => Ok((JointKind::Slides, true)),
        kind @ ("floating" | "planar") => Err(element.error(format!(
            "the joint is {kind}, and such joints are not taken: write it as prismatic and \
             revolute ones with links between them that have no colliders"
        ))),
        kind => Err(element.error(format!(
            "the joint is {kind:?}: it should be fixed, revolute, continuous or prismatic"
        ))),
    }
}

fn limits(element: Element, is_limited: bool) -> Result<([f64; 2], f64), RobotError> {
    let endless = [f64::NEG_INFINITY, f64::INFINITY];
    let Some(limit) = element.child("limit")? else {
        return match is_limited {
            true => Err(element.error("the joint needs a <limit> with `lower` and `upper`")),
            false => Ok((endless, f64::INFINITY)),
        };
    };
    let max_speed = limit.limit("velocity")?.unwrap_or(f64::INFINITY);
    if !is_limited {
        return Ok((endless, max_speed));
    }
    let [low, high] = [limit.limit("lower")?, limit.limit("upper")?].map(|v| v.unwrap_or(0.0));
    if low > high {
        return Err(limit.error(format!("`lower` is {low}, more than `upper`, which is {high}")));
    }
    Ok(([low, high], max_speed))
}

fn mimic(element: Element, kind: JointKind) -> Result<Option<Mimic>, RobotError> {
    let Some(mimic) = element.child("mimic")? else { return Ok(None) };
    if kind == JointKind::Fixed {
        return Err(mimic.error("a fixed joint mimics none"));
    }
    let factor = mimic.number("multiplier")?.unwrap_or(1.0);
    if factor.abs() > MOST_FACTOR {
        let what = format!("`multiplier` is {factor}: it should be at most {MOST_FACTOR}");
        return Err(mimic.error(what));
    }
    let offset = mimic.number("offset")?.unwrap_or(0.0);
    Ok(Some(Mimic { element: mimic, of: mimic.needed("joint")?, factor, offset }))
}

/// Links in an order in which each stands after its parent, with the joint that leads to it.
struct Order {
    links: Vec<usize>,
    /// Of each link but the first.
    joints: Vec<usize>,
    /// The place of each link in the order.
    places: Vec<usize>,
}

fn order(root: Element, links: &[Element], drafts: &[Draft]) -> Result<Order, RobotError> {
    let mut above: Vec<Option<usize>> = vec![None; links.len()];
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); links.len()];
    let mut names = HashMap::new();
    for (number, draft) in drafts.iter().enumerate() {
        if names.insert(draft.name, number).is_some() {
            return Err(draft.element.error(format!("a second <joint> named {:?}", draft.name)));
        }
        if above[draft.child].replace(number).is_some() {
            let child = links[draft.child].needed("name")?;
            return Err(draft.element.error(format!("a second joint leads to the link {child:?}")));
        }
        below[draft.parent].push(number);
    }
    let mut roots = (0..links.len()).filter(|&link| above[link].is_none());
    let first = roots.next().ok_or_else(|| root.error("the joints go round in a loop"))?;
    if let Some(second) = roots.next() {
        let names = [links[first].needed("name")?, links[second].needed("name")?];
        let what = format!("no joint leads to {:?}, and none to {:?}", names[0], names[1]);
        return Err(links[second].error(format!("{what}: one link should be the root")));
    }
    let mut order = Order { links: vec![first], joints: Vec::new(), places: vec![0; links.len()] };
    let mut next = 0;
    while let Some(&link) = order.links.get(next) {
        order.places[link] = next;
        order.links.extend(below[link].iter().map(|&joint| drafts[joint].child));
        order.joints.extend(&below[link]);
        next += 1;
    }
    match (0..links.len()).find(|link| !order.links.contains(link)) {
        Some(lost) => Err(links[lost].error("the joints above this link go round in a loop")),
        None => Ok(order),
    }
}

fn links(
    elements: &[Element],
    order: &Order,
    meshes: &mut Meshes,
) -> Result<Vec<Link>, RobotError> {
    let mut links = Vec::with_capacity(elements.len());
    let mut count = 0;
    for &number in &order.links {
        let element = elements[number];
        let mut colliders = Vec::new();
        for collision in element.all("collision") {
            count += 1;
            if count > MOST_COLLIDERS {
                let what = format!("more than {MOST_COLLIDERS} colliders");
                return Err(collision.error(what));
            }
            colliders.push(shape::collider(collision, meshes)?);
        }
        links.push(Link { name: element.needed("name")?.into(), colliders });
    }
    Ok(links)
}

fn variables(drafts: &[Draft]) -> Vec<Variable> {
    let own = |draft: &&Draft| draft.kind != JointKind::Fixed && draft.mimic.is_none();
    let variable = |draft: &Draft| Variable {
        name: draft.name.into(),
        kind: draft.kind,
        limits: draft.limits,
        max_speed: draft.max_speed,
    };
    drafts.iter().filter(own).map(variable).collect()
}

fn joints(
    drafts: &[Draft],
    order: &Order,
    variables: &[Variable],
) -> Result<Vec<Joint>, RobotError> {
    let names: HashMap<&str, usize> = drafts.iter().map(|d| d.name).zip(0..).collect();
    let numbers: HashMap<&str, usize> =
        variables.iter().map(|v| v.name.as_str()).zip(0..).collect();
    let mut joints = Vec::with_capacity(drafts.len());
    for &number in &order.joints {
        let draft = &drafts[number];
        let (shift, turn) = draft.element.origin()?;
        let drive = match draft.kind {
            JointKind::Fixed => None,
            _ => Some(drive(drafts, draft, &names, &numbers)?),
        };
        joints.push(Joint {
            name: draft.name.into(),
            kind: draft.kind,
            parent: order.places[draft.parent],
            origin: Frame { turn, shift },
            axis: draft.axis,
            drive,
        });
    }
    Ok(joints)
}

/// Follows mimics to the joint that is set.
fn drive(
    drafts: &[Draft],
    start: &Draft,
    names: &HashMap<&str, usize>,
    numbers: &HashMap<&str, usize>,
) -> Result<Drive, RobotError> {
    let (mut draft, mut factor, mut offset) = (start, 1.0, 0.0);
    for _ in 0..drafts.len() {
        let Some(mimic) = &draft.mimic else {
            return Ok(Drive { variable: numbers[draft.name], factor, offset });
        };
        let unknown = || mimic.element.error(format!("no joint is named {:?}", mimic.of));
        draft = &drafts[*names.get(mimic.of).ok_or_else(unknown)?];
        if draft.kind == JointKind::Fixed {
            return Err(mimic.element.error(format!("the joint {:?} is fixed", mimic.of)));
        }
        offset += factor * mimic.offset;
        factor *= mimic.factor;
        if factor.abs() > MOST_FACTOR {
            let what = format!("the factors multiply to {factor}; at most {MOST_FACTOR} is taken");
            return Err(mimic.element.error(what));
        }
    }
    Err(start.element.error("the joints mimic each other in a loop"))
}
