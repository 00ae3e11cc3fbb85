//! What a picture shows: which moment, which contacts, which paths, and from where.

use chasles::glam::DVec3;
use chasles_picture::View;

use crate::results::{Found, PairResult, Results, begins};

/// The most markers: more would hide the bodies.
const MOST_MARKERS: usize = 40;

pub(crate) use chasles_report::contacts::PROPER_ENOUGH;

/// What is said of the time of the first contact with which a collision can begin.
const FIRST: &str = ", the first proper, approaching contact (large)";

/// The first contact that is proper and approaching, with the number of its pair: *the* contact
/// of a picture.
pub(crate) fn first(results: &Results) -> Option<(usize, &Found)> {
    let pairs = results.pairs.iter().enumerate();
    let contacts = pairs.flat_map(|(i, pair)| pair.contacts.iter().map(move |c| (i, c)));
    let begun = contacts.filter(|(_, c)| begins(c));
    begun.min_by(|p, q| p.1.time.total_cmp(&q.1.time))
}

/// The time at which bodies are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moment {
    pub(crate) time: f64,
    /// The pair whose contact it is, as a position in [`Results::pairs`].
    pub(crate) pair: Option<usize>,
    /// Why this time, for the caption.
    pub(crate) reason: &'static str,
}

impl Moment {
    /// The time asked for; or that of the first contact that is proper and approaching; or half
    /// time. The pair is always that of the first such contact, or else the first that touches.
    pub(crate) fn of(results: &Results, at: Option<f64>) -> Self {
        let mut pairs = results.pairs.iter().enumerate();
        let first = first(results);
        let touching = pairs.find(|(_, pair)| !pair.contacts.is_empty()).map(|(i, _)| i);
        let pair = first.map(|(pair, _)| pair).or(touching);
        match (at, first) {
            (Some(time), _) => Self { time, pair, reason: "" },
            (None, Some((_, contact))) => Self { time: contact.time, pair, reason: FIRST },
            (None, None) => Self { time: 0.5, pair, reason: ", half of the step" },
        }
    }
}

/// The contacts that get a marker, each with the number of its body A, in the order of time.
pub(super) struct Shown<'r> {
    pub(super) contacts: Vec<(usize, &'r Found)>,
    /// Which contacts these are, for the caption.
    pub(super) choice: String,
}

impl<'r> Shown<'r> {
    /// All, if they are not too many; else the first that are proper enough; or just the first, if
    /// none is.
    pub(super) fn of(results: &'r Results) -> Self {
        let of_pair =
            |pair: &'r PairResult| pair.contacts.iter().map(|contact| (pair.bodies[0], contact));
        Self::among(results.pairs.iter().flat_map(of_pair).collect())
    }

    /// The same choice among some contacts.
    pub(super) fn among(mut contacts: Vec<(usize, &'r Found)>) -> Self {
        contacts.sort_by(|(_, p), (_, q)| p.time.total_cmp(&q.time));
        let all = contacts.len();
        let is_near = |(_, contact): &(usize, &Found)| contact.properness >= PROPER_ENOUGH;
        let proper = contacts.iter().filter(|contact| is_near(contact)).count();
        let only_proper = all > MOST_MARKERS && (1..all).contains(&proper);
        if only_proper {
            contacts.retain(is_near);
        }
        let kept = contacts.len();
        contacts.truncate(MOST_MARKERS);
        let choice = match (contacts.len(), kept) {
            (_, 0) => "no contacts".to_string(),
            (_, 1) if all == 1 => "the only contact".to_string(),
            (shown, kept) if only_proper => {
                let first =
                    if shown < kept { format!("the first {shown} of ") } else { String::new() };
                let noun = if kept == 1 { "contact" } else { "contacts" };
                format!("{first}{kept} {noun} with a properness of at least -0.1, of {all} in all")
            }
            (shown, kept) if shown < kept => format!("the first {shown} of {all} contacts"),
            _ => format!("all {all} contacts"),
        };
        Self { contacts, choice }
    }
}

/// The numbers of up to `count` points spread widely: each is the farthest from those before it,
/// the first the farthest from the middle. Among equals the first in the list.
pub(super) fn far_apart(points: &[DVec3], count: usize) -> Vec<usize> {
    let middle = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
    let mut distances: Vec<f64> = points.iter().map(|p| p.distance_squared(middle)).collect();
    let mut chosen = Vec::new();
    while chosen.len() < count.min(points.len()) {
        let farthest =
            |best: usize, i: usize| if distances[i] > distances[best] { i } else { best };
        let next = (0..points.len()).fold(0, farthest);
        for (distance, point) in distances.iter_mut().zip(points) {
            let from_next = point.distance_squared(points[next]);
            *distance = if chosen.is_empty() { from_next } else { distance.min(from_next) };
        }
        chosen.push(next);
    }
    chosen
}

/// A contact as a view looks at it: its point relative to the middle of A, over A's diameter, and
/// its normal.
pub(crate) struct Sight {
    pub(crate) place: DVec3,
    pub(crate) normal: DVec3,
}

/// A view from above and aside that has a contact on the near side of A and sees its normal from
/// the side: the bodies then stand next to each other, and the place where they meet is seen.
pub(crate) fn view(sight: Option<Sight>) -> View {
    let default = View::default();
    let Some(Sight { place, normal }) = sight else { return default };
    let DVec3 { x, y, z } = default.towards_eye;
    // The default first, and with it its mirror images and quarter-turns about the vertical.
    let corners = [[x, z], [-x, z], [z, x], [-z, x], [z, -x], [-z, -x], [x, -z], [-x, -z]];
    let corners = corners.map(|[x, z]| DVec3::new(x, y, z));
    let worth = |eye: DVec3| {
        let eye = eye.normalize();
        place.dot(eye) - normal.dot(eye).abs()
    };
    // A corner must be better by more than rounding, and worth leaving the default for.
    let better = |best: DVec3, eye: DVec3| if worth(eye) > worth(best) + 0.05 { eye } else { best };
    View { towards_eye: corners.into_iter().fold(corners[0], better), ..default }
}

#[cfg(test)]
mod tests {
    use chasles::{Features, Motion, Pose, Step};

    use super::*;
    use crate::results::HowFound;

    /// Contacts of one pair, with these values of properness.
    fn results(properness: &[f64]) -> Results {
        let contact = |&properness: &f64| Found {
            features: Features::Fv { face: 0, vertex: 0 }.into(),
            time: 0.5,
            time_bracket: [0.5; 2],
            point_in_a: DVec3::ZERO,
            normal_in_a: DVec3::Z,
            point: DVec3::ZERO,
            normal: DVec3::Z,
            properness,
            normal_speed: -1.0,
            grazing: false,
            touchable: true,
        };
        let step = Some(Step::new(Motion::still(Pose::IDENTITY), Motion::still(Pose::IDENTITY)));
        let contacts = properness.iter().map(contact).collect();
        let pair = PairResult {
            bodies: [0, 1],
            step,
            contacts,
            total: properness.len(),
            screen: None,
            samples: None,
            departure: None,
            missed_depth: None,
            overlap_at_start: Some(false),
        };
        Results {
            method: HowFound::Exact,
            asked: chasles::Options::default(),
            pairs: vec![pair],
            open: Vec::new(),
            device: None,
            timing: None,
        }
    }

    #[test]
    fn the_caption_says_which_contacts_are_shown() {
        let many = |proper: usize, other: usize| [vec![0.0; proper], vec![-0.5; other]].concat();
        for (properness, shown, choice) in [
            (many(0, 0), 0, "no contacts"),
            (many(1, 0), 1, "the only contact"),
            (many(2, 3), 5, "all 5 contacts"),
            (many(60, 0), 40, "the first 40 of 60 contacts"),
            (many(0, 60), 40, "the first 40 of 60 contacts"),
            (many(1, 60), 1, "1 contact with a properness of at least -0.1, of 61 in all"),
            (many(30, 60), 30, "30 contacts with a properness of at least -0.1, of 90 in all"),
            (
                many(50, 60),
                40,
                "the first 40 of 50 contacts with a properness of at least -0.1, of 110 in all",
            ),
        ] {
            let results = results(&properness);
            let found = Shown::of(&results);
            assert_eq!((found.contacts.len(), found.choice.as_str()), (shown, choice));
        }
    }

    /// A face that lies on a face has a properness of 0, of which rounding may leave less.
    #[test]
    fn rounding_does_not_make_a_contact_improper() {
        let Moment { time, reason, .. } = Moment::of(&results(&[-0.5, -4e-16]), None);
        assert_eq!((time, reason), (0.5, FIRST));
        let Moment { reason, .. } = Moment::of(&results(&[-0.5, -1e-6]), None);
        assert_eq!(reason, ", half of the step");
    }

    #[test]
    fn points_far_apart_are_the_corners_of_a_grid() {
        let grid: Vec<DVec3> =
            (0..25).map(|i| DVec3::new(f64::from(i % 5), f64::from(i / 5), 0.0)).collect();
        let mut chosen = far_apart(&grid, 4);
        chosen.sort_unstable();
        assert_eq!(chosen, [0, 4, 20, 24]);
        assert!(far_apart(&[], 4).is_empty());
        assert_eq!(far_apart(&grid[..2], 4).len(), 2);
    }

    #[test]
    fn contacts_are_seen_from_their_side() {
        for normal in [DVec3::X, DVec3::Z, DVec3::new(0.55, 0.0, 1.0).normalize()] {
            let eye = view(Some(Sight { place: DVec3::ZERO, normal })).towards_eye.normalize();
            assert!(eye.dot(normal).abs() < 0.6, "{normal} from {eye}");
        }
    }

    #[test]
    fn contacts_are_not_behind_the_body() {
        for place in [DVec3::X, -DVec3::X, DVec3::Z, -DVec3::Z] {
            let eye = view(Some(Sight { place, normal: DVec3::Y })).towards_eye;
            assert!(eye.dot(place) > 0.0, "{place} from {eye}");
        }
    }
}
