//! From meetings to contacts: EV, VE and VV become a face and a vertex, with the time of the pixels
//! [Buss04 §5, §9].
//!
//! Differs from [Buss04 §9]: what is farther apart than a pixel at the time that the pixels say is
//! left out. Without this, some contacts would be reported of features that only share a pixel, at
//! a time when they are elsewhere.

use super::table::Meeting;
use crate::contact::{Met, Pair};
use crate::screen::judging::judge::Judge;
use crate::screen::judging::resolve::{Found, drop_repeated};

/// Edges that share pixels for longer, in times that the motion needs for one, cross at a small
/// angle.
const FEW_LOOKS: f64 = 8.0;

/// No more times are looked at: of the longest meetings each stands for some pixels.
const MOST_LOOKS: f64 = 64.0;

impl Judge<'_> {
    /// Resolves vertices in faces, and then what meets at pixels, and appends the contacts that are
    /// proper enough.
    pub(in crate::screen) fn settle(&mut self, meetings: &[Meeting], found: &mut Vec<Found>) {
        let start = found.len();
        self.resolve(found);
        let end = found.len();
        for meeting in meetings {
            let contact = self.settled(meeting, &found[start..end]);
            found.extend(contact);
        }
        drop_repeated(found, start, self.soon());
    }

    /// The contact of a meeting, unless it is among those of vertices `in_faces`, which are sorted
    /// by pairs.
    fn settled(&self, meeting: &Meeting, in_faces: &[Found]) -> Option<Found> {
        let pair = meeting.pair;
        if !self.may_be_proper_somewhere(pair) {
            return None;
        }
        let [first, last] = meeting.range();
        let found = self.seen_between(pair, [first, last])?;
        if found.properness < self.min_properness {
            return None;
        }
        let time = found.time;
        let doubt = self.doubt(&found, false).max(last - first) + f64::from(self.time_resolution);
        let known = in_faces.partition_point(|known| known.pair < found.pair);
        let mut same = in_faces[known..].iter().take_while(|known| known.pair == found.pair);
        if same.any(|known| (known.time - time).abs() <= doubt) {
            return None;
        }
        let touchable = found.touchable || self.coincides(pair, found.time);
        Some(Found { time, doubt, touchable, ..found })
    }

    /// Whether what meets can be proper enough at any time, as far as is quickly told.
    fn may_be_proper_somewhere(&self, Pair { met, a, b }: Pair) -> bool {
        let of_a = |v: u32| self.a.best_properness(v);
        let of_b = |v: u32| self.b.best_properness(v);
        let least = self.min_properness;
        match met {
            Met::EdgeEdge => self.edges_may_be_proper([a, b]),
            Met::VertexEdge => of_a(a) >= least,
            Met::EdgeVertex => of_b(b) >= least,
            _ => of_a(a) >= least || of_b(b) >= least,
        }
    }

    /// What meets, at a time at which it approaches and is not farther apart than a pixel.
    ///
    /// The paper takes the least time. Where edges cross at a small angle they share many pixels:
    /// at the first they may be more than a pixel apart, or have come out of an overlap that they
    /// enter again at the last. The times between are then looked at, pixel by pixel, and of many
    /// the one at which they are least apart is taken.
    fn seen_between(&self, pair: Pair, [first, last]: [f64; 2]) -> Option<Found> {
        let at = |time: f64| self.resolved(pair, time.clamp(self.window[0], self.window[1]));
        // Properness changes by no more than the bodies turn.
        let turn = self.angle * (last - first + f64::from(self.time_resolution));
        let start = at(first)?;
        if start.properness < self.min_properness - turn {
            return None;
        }
        let seen = |found: &Found| found.normal_speed <= 0.0 && self.apart(found) <= self.pixel;
        let step = f64::from(self.time_resolution);
        let count = ((last - first) / step).ceil().min(MOST_LOOKS);
        let times =
            (0..=count as u32).map(|k| first + (last - first) * f64::from(k) / count.max(1.0));
        let mut all = times.chain([first - step]).filter_map(at).filter(seen);
        if count > FEW_LOOKS {
            return all.min_by(|p, q| self.apart(p).total_cmp(&self.apart(q)));
        }
        Some(start).filter(seen).or_else(|| all.next())
    }
}
