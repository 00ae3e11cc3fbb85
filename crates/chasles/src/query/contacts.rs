//! When, where and between which features bodies touch.

use std::fmt;
use std::ops::Deref;

use super::error::{QueryError, Question, Side};
use super::feature::{Contact, Features};
use super::geometry::{Form, Geometry, Kind};
use super::options::{Method, Options};
use super::route::{Moves, Piece, cut};
use super::workspace::{Methods, Workspace};
use crate::contact::{self, keep_first};
use crate::motion::Step;
use crate::{path, round, screen, screw};

/// Why a method was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It was asked for.
    Asked,
    /// Both bodies are meshes.
    Meshes,
    /// Each body is a mesh or round, and one is round.
    Round,
    /// A body is neither a mesh nor round.
    Solid,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Asked => "it was asked for",
            Self::Meshes => "two meshes: every contact is found, to rounding",
            Self::Round => "a round body: every contact is found, to rounding",
            Self::Solid => {
                "a solid without features: points of each surface are followed to the other body"
            }
        })
    }
}

/// Which method answers, and why that one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The method, never [`Method::Auto`].
    pub method: Method,
    /// Why.
    pub reason: Reason,
}

/// What is sure of an answer, for the screws that are taken for the relative motion. Where both
/// bodies turn, or one flies, their own motions depart from these, and a contact may be one of the
/// screw alone: see [Motions](super#motions).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guarantee {
    /// Every contact that is clear of rounding (1e-13 of the sizes; 1e-10 where a cylinder, a cone
    /// or an ellipsoid meets a round body) is found once, and nothing else is: every contact on the
    /// relative screw, which is the bodies' own motion up to [`Options::max_departure`].
    Exact,
    /// Proper contacts clear of other features by a few pixels are found, and each is within a
    /// pixel of touching.
    Pixels {
        /// The length of a pixel.
        pixel: f64,
    },
    /// No sample of a surface is in the other body before its contact.
    Samples {
        /// How deep a point of A may be in B, and of B in A, unnoticed: [`path::missed_depth`].
        missed_depth: [Option<f64>; 2],
    },
}

/// The contacts of two bodies, and what is sure of them. It is read like a slice.
#[derive(Clone, Copy, Debug)]
pub struct Contacts<'w> {
    /// The contacts, in the order of time; at equal times in the order of their features.
    pub contacts: &'w [Contact],
    /// Which method found them, and why that one.
    pub choice: Choice,
    /// What is sure.
    pub guarantee: Guarantee,
    /// How many of the contacts the method could not settle: a sample slides along a surface so
    /// closely that 65,536 boxes do not tell whether it touches. The exact methods leave none.
    pub undecided: usize,
}

impl Deref for Contacts<'_> {
    type Target = [Contact];

    fn deref(&self) -> &[Contact] {
        self.contacts
    }
}

impl<'w> IntoIterator for Contacts<'w> {
    type Item = &'w Contact;
    type IntoIter = std::slice::Iter<'w, Contact>;

    fn into_iter(self) -> Self::IntoIter {
        self.contacts.iter()
    }
}

impl<'w> IntoIterator for &Contacts<'w> {
    type Item = &'w Contact;
    type IntoIter = std::slice::Iter<'w, Contact>;

    fn into_iter(self) -> Self::IntoIter {
        self.contacts.iter()
    }
}

/// Which method answers for two bodies.
///
/// *Accepts* any bodies. *Guarantees* the choice that [`contacts`] makes. *Cost* constant. *Fails*
/// where that method does not take these bodies.
///
/// ```
/// use chasles::query::{Geometry, Method, choose};
/// let ball = Geometry::sphere(1.0)?;
/// let choice = choose(&ball, &ball, Method::Auto)?;
/// assert_eq!(choice.method, Method::Exact);
/// let error = choose(&ball, &ball, Method::Screen).unwrap_err().to_string();
/// assert!(error.contains("Method::Exact"), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn choose(a: &Geometry, b: &Geometry, method: Method) -> Result<Choice, QueryError> {
    let bodies = [a.kind(), b.kind()];
    let refused = |alternatives| {
        let question = Question::Contacts;
        Err(QueryError::NoMethod { question, bodies, method: Some(method), alternatives })
    };
    let has_solid = bodies.contains(&Kind::Solid);
    let asked = |method| Ok(Choice { method, reason: Reason::Asked });
    match method {
        Method::Auto if has_solid => Ok(Choice { method: Method::Path, reason: Reason::Solid }),
        Method::Auto if bodies.iter().any(|kind| kind.is_round()) => {
            Ok(Choice { method: Method::Exact, reason: Reason::Round })
        }
        Method::Auto => Ok(Choice { method: Method::Exact, reason: Reason::Meshes }),
        Method::Exact if has_solid => refused(
            "Method::Path or Method::Auto follows samples, or make the solid a mesh by \
             solid::surface",
        ),
        Method::Screen if bodies != [Kind::Mesh; 2] && has_solid => {
            refused("the screen takes two meshes: Method::Path or Method::Auto takes solids")
        }
        Method::Screen if bodies != [Kind::Mesh; 2] => refused(
            "the screen takes two meshes: Method::Exact or Method::Auto takes spheres, capsules, \
             cylinders, cones and ellipsoids, and Geometry::shape or Round::polygons makes meshes \
             of them",
        ),
        method => asked(method),
    }
}

/// The contacts of two bodies during a motion, sorted by time.
///
/// *Accepts* bodies of any kind, a [`Step`] or a [`Route`](super::Route). *Guarantees* what
/// [`Contacts::guarantee`] says, for the motion in which B moves relative to A along the screw of
/// each [part](Step::part) of a step; [`Step::departure`] tells how far that is from both bodies'
/// own motions, and [`Options::max_departure`] bounds it. *Cost* that of the method: for meshes
/// sublinear in faces that stay clear. The first query with a solid samples surfaces. A bound of
/// the departure takes some microseconds a part. No allocation once the workspace has grown.
/// *Fails* as [`choose`] does, where the screen or the path method does, and where no number of
/// parts keeps the departure below its bound.
///
/// ```
/// use chasles::mesh::shapes::{Shape, Torus};
/// use chasles::query::{Geometry, Options, Workspace, contacts};
/// use chasles::{Motion, Pose, Step};
///
/// let torus = Geometry::shape(&Shape::Torus(Torus::default()))?;
/// let way = [Pose::from_position([0.3, 3.0, 0.2])?, Pose::from_position([0.3, -3.0, 0.2])?];
/// let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(way[0], way[1]));
/// let mut workspace = Workspace::new();
/// let some = contacts(&torus, &torus, &step, &Options::default(), &mut workspace)?.len();
/// let all = contacts(&torus, &torus, &step, &Options::all(), &mut workspace)?;
/// assert!(0 < some && 10 * some < all.len());
/// println!("{} contacts by {}: {}", all.len(), all.choice.method, all.choice.reason);
/// for contact in all {
///     println!("at {:.6}: {}", contact.time, contact.features);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts<'w>(
    a: &Geometry,
    b: &Geometry,
    motion: &impl Moves,
    options: &Options,
    workspace: &'w mut Workspace,
) -> Result<Contacts<'w>, QueryError> {
    let choice = choose(a, b, options.method)?;
    let pair = Pair { bodies: [a, b], method: choice.method };
    workspace.contacts.clear();
    workspace.seen.clear();
    for index in 0..motion.count() {
        let piece = motion.piece(index);
        let Some(window) = piece.local(options.window) else { continue };
        let found = workspace.contacts.len();
        let step = pair.cut(&piece.step, options)?;
        pair.ask(&step, &Options { window, ..*options }, workspace)?;
        if motion.count() > 1 {
            let asked = (choice.method, options.window);
            let count = workspace.contacts.len();
            into_whole(&piece, found, asked, workspace);
            // What the piece before has seen is dropped, so the first of the others counts.
            if options.first_only && found < count && workspace.contacts.len() == found {
                let Workspace { seen, seen_next, .. } = workspace;
                std::mem::swap(seen, seen_next);
                let all = Options { window, first_only: false, ..*options };
                pair.ask(&step, &all, workspace)?;
                into_whole(&piece, found, asked, workspace);
                keep_first(&mut workspace.contacts);
            }
        }
        if options.first_only && !workspace.contacts.is_empty() {
            break;
        }
    }
    let guarantee = pair.guarantee(options)?;
    let contacts = workspace.contacts.as_slice();
    let is_open = |c: &&Contact| choice.method == Method::Path && c.grazing;
    let undecided = contacts.iter().filter(is_open).count();
    Ok(Contacts { contacts, choice, guarantee, undecided })
}

/// The first contact of two bodies during a motion, or none.
///
/// None does not mean that the motion is free: bodies that overlap at the start have no contact
/// there, and may have none later. [`outcome`](super::outcome()) tells both apart.
///
/// *Accepts* what [`contacts`] does. *Guarantees* the first of its contacts. Several may be at one
/// time: then it is one that can be touched from outside, if there is one; of these one that
/// approaches; and of these the most proper. *Cost* at most that of [`contacts`], mostly far less.
/// *Fails* as there.
///
/// ```
/// use chasles::query::{Geometry, Options, Workspace, first_contact};
/// use chasles::{Motion, Pose, Step};
///
/// let ball = Geometry::sphere(0.5)?;
/// let pass = [Pose::from_position([-2.0, 0.0, 0.0])?, Pose::from_position([2.0, 0.0, 0.0])?];
/// let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(pass[0], pass[1]));
/// let mut workspace = Workspace::new();
/// let hit = first_contact(&ball, &ball, &step, &Options::default(), &mut workspace)?;
/// assert_eq!(hit.map(|contact| contact.time), Some(0.25));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn first_contact(
    a: &Geometry,
    b: &Geometry,
    motion: &impl Moves,
    options: &Options,
    workspace: &mut Workspace,
) -> Result<Option<Contact>, QueryError> {
    Ok(contacts(a, b, motion, &options.first(), workspace)?.first().copied())
}

/// Two bodies and the method that answers for them.
struct Pair<'g> {
    bodies: [&'g Geometry; 2],
    method: Method,
}

impl Pair<'_> {
    /// The step in as many parts as the options ask for. The path method follows free flights as
    /// they are.
    fn cut(&self, step: &Step, options: &Options) -> Result<Step, QueryError> {
        if self.method == Method::Path && step.is_free() {
            return Ok(*step);
        }
        Ok(cut(step, options.max_departure, self.bodies)?)
    }

    /// Adds the contacts of a step to those of the workspace.
    fn ask(
        &self,
        step: &Step,
        options: &Options,
        workspace: &mut Workspace,
    ) -> Result<(), QueryError> {
        let Workspace { methods, contacts, .. } = workspace;
        match self.method {
            Method::Screen => self.screened(step, options, methods, contacts),
            Method::Path => self.followed(step, options, methods, contacts),
            Method::Auto | Method::Exact => {
                self.exact(step, &options.wanted(self.method), methods, contacts);
                Ok(())
            }
        }
    }

    fn exact(
        &self,
        step: &Step,
        wanted: &contact::Options,
        methods: &mut Methods,
        contacts: &mut Vec<Contact>,
    ) {
        let Methods { screw, round, .. } = methods;
        match self.bodies.map(Geometry::form) {
            [Form::Mesh(a), Form::Mesh(b)] => {
                let found = screw::contacts(a, b, step, wanted, screw.get_or_insert_default());
                contacts.extend(found.iter().map(in_common));
            }
            [Form::Mesh(a), Form::Round(b)] => {
                let found = round::contacts(a, b, step, wanted, round.get_or_insert_default());
                contacts.extend(found.iter().map(in_common));
            }
            [Form::Round(a), Form::Mesh(b)] => {
                let known = contacts.len();
                let swapped = step.swapped();
                let found = round::contacts(b, a, &swapped, wanted, round.get_or_insert_default());
                contacts.extend(found.iter().map(|contact| seen_by_a(contact, step)));
                contacts[known..].sort_unstable_by(in_order);
            }
            [Form::Round(a), Form::Round(b)] => {
                let workspace = round.get_or_insert_default();
                let found = round::contacts_of_rounds(a, b, step, wanted, workspace);
                contacts.extend(found.iter().map(in_common));
            }
            // Refused where the method was chosen.
            [Form::Solid(_), _] | [_, Form::Solid(_)] => {}
        }
    }

    fn screened(
        &self,
        step: &Step,
        options: &Options,
        methods: &mut Methods,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), QueryError> {
        let [Some(a), Some(b)] = self.bodies.map(Geometry::collider) else { return Ok(()) };
        let wanted = &options.wanted(self.method);
        let screen = screen::Options { min_properness: wanted.min_properness, ..options.screen };
        let workspace = methods.screen.get_or_insert_default();
        let found = screen::contacts(a, b, step, &screen, workspace)?;
        let kept = found.iter().filter(|contact| is_wanted(wanted, contact));
        contacts.extend(kept.map(in_common));
        if options.first_only {
            keep_first(contacts);
        }
        Ok(())
    }

    fn followed(
        &self,
        step: &Step,
        options: &Options,
        methods: &mut Methods,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), QueryError> {
        let [a, b] = self.probes()?;
        let wanted = &options.wanted(self.method);
        // The first of all contacts may be one that is not wanted: then all are needed.
        let all = contact::Options { first_only: true, ..contact::Options::default() };
        let along = path::Options { first_only: *wanted == all, ..options.path };
        let workspace = methods.path.get_or_insert_default();
        let found = path::contacts([&a, &b], step, &along, workspace)?;
        let least = wanted.min_properness;
        let kept = found.iter().filter(|c| c.properness >= least && is_wanted(wanted, c));
        contacts.extend(kept.map(in_common));
        if options.first_only {
            keep_first(contacts);
        }
        Ok(())
    }

    fn probes(&self) -> Result<[path::Body<'_>; 2], QueryError> {
        let [a, b] = self.bodies;
        Ok([a.probe(Side::A)?, b.probe(Side::B)?])
    }

    /// What is sure of the contacts that were found.
    fn guarantee(&self, options: &Options) -> Result<Guarantee, QueryError> {
        match (self.method, self.bodies.map(Geometry::collider)) {
            (Method::Screen, [Some(a), Some(b)]) => {
                Ok(Guarantee::Pixels { pixel: options.screen.pixel(a, b)? })
            }
            (Method::Path, _) => {
                let [a, b] = self.probes()?;
                let missed_depth = path::missed_depth([&a, &b], &options.path);
                Ok(Guarantee::Samples { missed_depth })
            }
            _ => Ok(Guarantee::Exact),
        }
    }
}

/// A contact with its features in the words of the door.
fn in_common<F: Copy + Into<Features>>(contact: &contact::Contact<F>) -> Contact {
    contact.with_features(contact.features.into())
}

/// A contact of the step with A and B swapped, in the words of the step itself: its point and
/// normal, which are in the frame of B, go to that of A, and the normal is turned round. B is where
/// the relative screw has it, which is the same for both steps.
fn seen_by_a(contact: &round::Contact, step: &Step) -> Contact {
    let b_in_a = step.b_in_a_by_relative(contact.time);
    let a = step.pose_of_a(contact.time);
    let point_in_a = b_in_a.point(contact.point_in_a);
    let normal_in_a = -b_in_a.vector(contact.normal_in_a);
    Contact {
        point_in_a,
        normal_in_a,
        point: a.point(point_in_a),
        normal: a.vector(normal_in_a),
        ..contact.with_features(Features::from(contact.features).swapped())
    }
}

fn in_order(p: &Contact, q: &Contact) -> std::cmp::Ordering {
    p.time.total_cmp(&q.time).then(p.features.cmp(&q.features))
}

/// Whether a contact is asked for, but for its properness.
fn is_wanted<F>(options: &contact::Options, contact: &contact::Contact<F>) -> bool {
    let [from, to] = options.window;
    let approaches = !options.facing || contact.normal_speed <= 0.0;
    let is_admitted = contact.touchable || !(options.touchable || options.facing);
    (from..=to).contains(&contact.time) && approaches && is_admitted
}

/// Contacts this close to a border between pieces, in time of the whole, may be seen by both.
const BORDER: f64 = 1e-9;

/// Gives contacts of a piece, those from number `found` on, the times of the whole motion, and
/// drops those out of the window and those that the piece before has seen as well: at the border,
/// and of features that stay in touch.
fn into_whole(
    piece: &Piece,
    found: usize,
    (method, window): (Method, [f64; 2]),
    workspace: &mut Workspace,
) {
    let Workspace { contacts, seen, seen_next, .. } = workspace;
    let [from, to] = piece.times;
    let is_later = from > 0.0;
    seen_next.clear();
    let mut kept = found;
    for i in found..contacts.len() {
        let local = contacts[i];
        let mut contact = local;
        contact.time = piece.whole(local.time);
        contact.time_bracket = local.time_bracket.map(|t| piece.whole(t));
        contact.normal_speed /= to - from;
        let near = BORDER + contact.time_bracket[1] - contact.time_bracket[0];
        if contact.grazing || to - contact.time <= near {
            seen_next.push(contact.features);
        }
        let is_at_start = is_later && contact.time - from <= near;
        // A sample that is in the solid at once was so before.
        let was_in = is_later && method == Method::Path && local.time == 0.0;
        let is_again = is_at_start && seen.binary_search(&contact.features).is_ok();
        let is_in = (window[0]..=window[1]).contains(&contact.time);
        if is_in && !was_in && !is_again {
            contacts[kept] = contact;
            kept += 1;
        }
    }
    contacts.truncate(kept);
    seen_next.sort_unstable();
    std::mem::swap(seen, seen_next);
}
