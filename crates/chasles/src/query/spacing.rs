//! How near the bodies of a set come to each other during their motions.

use super::clearance::{Accuracy, Clearance, clearance};
use super::found::PairClearance;
use super::options::Options;
use super::route::Together;
use super::set::{BodyId, Set, SetError};
use super::workspace::Workspace;
use crate::parallel;

impl Set {
    /// The least distance of the bodies of each pair that comes within `reach`, in the order of
    /// pairs.
    ///
    /// *Accepts* any reach, of which one below 0 or not a number counts as 0, and a width or an
    /// [`Accuracy`]. *Guarantees* for each pair what [`clearance`](super::clearance()) gives, bit
    /// for bit; pairs that are left out stay farther apart than the reach, along the same relative
    /// screws, but for pairs that both stand still, that filters part or that are ignored. A pair
    /// that is listed may be farther apart too: its clearance says so. *Cost* `n log n` in bodies,
    /// and a clearance for each pair whose boxes, grown by the reach, overlap; on all cores, with
    /// the same bits at any number of threads. *Fails* where a pair does, with the first of these.
    ///
    /// ```
    /// use chasles::query::{Geometry, Set};
    /// use chasles::{Motion, Pose};
    ///
    /// let ball = Geometry::sphere(0.5)?;
    /// let mut set = Set::new();
    /// for x in [0.0, 3.0, 9.0] {
    ///     set.add(ball.clone(), Motion::still(Pose::from_position([x, 0.0, 0.0])?));
    /// }
    /// let [from, to] = [[1.6, 4.0, 0.0], [1.6, -4.0, 0.0]].map(Pose::from_position);
    /// let flyer = set.add(ball.clone(), Motion::between(from?, to?));
    ///
    /// let near = set.clearances(1.0, 1e-6)?;
    /// assert_eq!(near.len(), 2);
    /// assert!((near[0].clearance.upper - 0.6).abs() < 1e-6);
    /// let least = set.clearance(1.0, 1e-6)?.expect("two pairs come near");
    /// assert_eq!((least.bodies[0].index(), least.bodies[1]), (1, flyer));
    /// assert!((least.clearance.upper - 0.4).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clearances(
        &self,
        reach: f64,
        accuracy: impl Into<Accuracy>,
    ) -> Result<Vec<PairClearance>, SetError> {
        let accuracy = accuracy.into();
        let options = Options { max_departure: accuracy.max_departure, ..Options::all() };
        let pairs = self.asked(&options, reach, |_, _| true);
        let ask = |workspace: &mut Workspace, &pair: &[u32; 2]| {
            let [a, b] = pair.map(|i| &self.members[i as usize]);
            let both = Together::new(&a.motion, &b.motion);
            let found = clearance(&a.geometry, &b.geometry, &both, accuracy, workspace);
            let bodies = pair.map(BodyId);
            match found {
                Ok(clearance) => Ok(PairClearance { bodies, clearance }),
                Err(error) => Err(SetError { bodies, error }),
            }
        };
        let all: Vec<Result<PairClearance, SetError>> = parallel::map(&pairs, Workspace::new, ask);
        all.into_iter().collect()
    }

    /// The least distance of any two bodies that come within `reach`, and which they are; none if
    /// no pair does.
    ///
    /// *Accepts*, *Cost* and *Fails* as [`Set::clearances`]. *Guarantees* that no pair, but for
    /// those that are left out there, is ever nearer than `lower` and than `reach`, and that the
    /// pair named is `upper` apart at `time`; of pairs that are as near the first.
    pub fn clearance(
        &self,
        reach: f64,
        accuracy: impl Into<Accuracy>,
    ) -> Result<Option<PairClearance>, SetError> {
        let all = self.clearances(reach, accuracy)?;
        let lower = all.iter().map(|pair| pair.clearance.lower).fold(f64::INFINITY, f64::min);
        let nearer = |least: PairClearance, next: PairClearance| {
            if next.clearance.upper < least.clearance.upper { next } else { least }
        };
        Ok(all.into_iter().reduce(nearer).map(|least| {
            let clearance = Clearance { lower, ..least.clearance };
            PairClearance { clearance, ..least }
        }))
    }
}
