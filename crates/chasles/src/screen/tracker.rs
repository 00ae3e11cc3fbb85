//! Last known good poses: bodies never come within a pixel of each other without a report [Buss04
//! §10].
//!
//! A simulation that looks only from one step to the next can lose a contact for good: bodies that
//! came to overlap a little, unseen, have no first contact in any later step. The tracker looks
//! from the poses at which the bodies were last known to be apart, and in robust mode.

use super::options::{Options, ScreenError};
use super::{Workspace, contacts};
use crate::bounds::Collider;
use crate::contact::Contact;
use crate::motion::{Motion, Pose, Step};

/// Two bodies, and the poses at which they were last known to be apart.
///
/// ```
/// use chasles::screen::{Options, Tracker, Workspace};
/// use chasles::{Collider, Polygons, Polyhedron, Pose};
/// let corner = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
/// let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let body = Collider::new(Polyhedron::new(&Polygons::new(corner, faces))?);
/// let at = |x: f64| Pose::from_position([x, 0.0, 0.0]);
/// let mut tracker = Tracker::new([Pose::IDENTITY, at(3.0)?]);
/// let mut workspace = Workspace::new();
/// let mut go = |tracker: &mut Tracker, x: f64| -> Result<usize, Box<dyn std::error::Error>> {
///     let to = [Pose::IDENTITY, at(x)?];
///     Ok(tracker.advance([&body, &body], to, &Options::default(), &mut workspace)?.len())
/// };
/// assert_eq!(go(&mut tracker, 2.0)?, 0);
/// assert_ne!(go(&mut tracker, 0.5)?, 0, "a contact is reported");
/// assert_eq!(tracker.good(), [Pose::IDENTITY, at(2.0)?], "and the good poses stay");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tracker {
    good: [Pose; 2],
}

impl Tracker {
    /// Starts with bodies A and B at poses at which they are apart by more than a pixel: from
    /// nearer ones every step is reported. *Cost* constant. *Fails* never.
    pub fn new(apart: [Pose; 2]) -> Self {
        Self { good: apart }
    }

    /// The poses of A and B at which they were last known to be apart. *Cost* constant. *Fails*
    /// never.
    pub fn good(&self) -> [Pose; 2] {
        self.good
    }

    /// Contacts on the way from the good poses to others. If there are none, these are the good
    /// poses from now on; if there are, the caller brings the bodies apart by more than a pixel, or
    /// back to the good poses.
    ///
    /// *Accepts* any poses, and any options with [`Options::min_properness`] -1; a higher one
    /// leaves reports out. *Guarantees* that poses become good only if no two features came within
    /// a pixel on the relative screw to them. *Cost* and *Fails* as [`contacts`] in robust mode.
    pub fn advance<'w>(
        &mut self,
        [a, b]: [&Collider; 2],
        to: [Pose; 2],
        options: &Options,
        workspace: &'w mut Workspace,
    ) -> Result<&'w [Contact], ScreenError> {
        let step =
            Step::new(Motion::between(self.good[0], to[0]), Motion::between(self.good[1], to[1]));
        let robust = Options { robust: true, ..*options };
        let found = contacts(a, b, &step, &robust, workspace)?;
        if found.is_empty() {
            self.good = to;
        }
        Ok(found)
    }
}
