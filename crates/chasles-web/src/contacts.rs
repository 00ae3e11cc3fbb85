//! Contacts of a pair, as arrays.

use chasles::query::Contact;
#[cfg(feature = "methods")]
use chasles::query::{self, Guarantee};
use wasm_bindgen::prelude::*;

use crate::features::coded;
use crate::pair::Pair;
use crate::{Options, Wrong};

/// Numbers of a contact: its time (0) with the bracket (1, 2), point and normal in A's frame (3,
/// 6) and in the world (9, 12), properness (15), speed along the normal per step (16), and 1 or 0
/// for grazing (17) and touchable (18).
pub const CONTACT_NUMBERS: usize = 19;

/// Memory that questions share: after the first, later ones of the size ask for none but that of
/// their answers.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Engine {
    #[cfg(feature = "methods")]
    workspace: query::Workspace,
    #[cfg(not(feature = "methods"))]
    workspace: chasles::Workspace,
}

/// The contacts of a pair in the order of time, and what is sure of them.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct Contacts {
    count: usize,
    numbers: Vec<f64>,
    features: Vec<u32>,
    method: String,
    reason: String,
    guarantee: String,
    undecided: usize,
}

#[wasm_bindgen]
impl Engine {
    /// Empty memory.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Engine {
        Self::default()
    }

    /// The contacts of a pair.
    ///
    /// *Accepts* any pair. *Guarantees* what [`Contacts::guarantee`] says. *Cost* that of the
    /// method, and a copy of the answer. *Fails* on options that are none, and where the method
    /// does not take these bodies, and names those that do.
    pub fn contacts(&mut self, pair: &Pair, options: &Options) -> Result<Contacts, Wrong> {
        self.ask(pair, options)
    }
}

#[cfg(not(feature = "methods"))]
impl Engine {
    fn ask(&mut self, pair: &Pair, options: &Options) -> Result<Contacts, Wrong> {
        let [Some(a), Some(b)] = pair.bodies().map(|body| body.collider()) else {
            return Err(Wrong::new("this build of the engine takes meshes: use the whole one"));
        };
        let found = chasles::contacts(a, b, pair.step(), &options.wanted()?, &mut self.workspace);
        let found = found.iter().map(|contact| contact.with_features(contact.features.into()));
        let found: Vec<Contact> = found.collect();
        Ok(Contacts {
            count: found.len(),
            numbers: found.iter().flat_map(row).collect(),
            features: found.iter().flat_map(|contact| coded(contact.features)).collect(),
            method: "the exact method".to_string(),
            reason: "it is the only one of this build".to_string(),
            guarantee: EXACT.to_string(),
            undecided: 0,
        })
    }
}

#[cfg(feature = "methods")]
impl Engine {
    fn ask(&mut self, pair: &Pair, options: &Options) -> Result<Contacts, Wrong> {
        let [a, b] = pair.bodies();
        let options = options.inner()?;
        let found = query::contacts(a, b, pair.step(), &options, &mut self.workspace)
            .map_err(Wrong::new)?;
        Ok(Contacts {
            count: found.len(),
            numbers: found.iter().flat_map(row).collect(),
            features: found.iter().flat_map(|contact| coded(contact.features)).collect(),
            method: found.choice.method.to_string(),
            reason: found.choice.reason.to_string(),
            guarantee: said(found.guarantee),
            undecided: found.undecided,
        })
    }
}

#[cfg(feature = "methods")]
#[wasm_bindgen]
impl Engine {
    /// Whether the bodies of a pair are in each other at the start of their motion.
    ///
    /// *Accepts* any pair. *Cost* that of a query at rest. *Fails* where no method answers.
    #[wasm_bindgen(js_name = startsInOverlap)]
    pub fn starts_in_overlap(&mut self, pair: &Pair) -> Result<bool, Wrong> {
        let [a, b] = pair.bodies();
        let poses = [pair.step().pose_of_a(0.0), pair.step().pose_of_b(0.0)];
        let overlap = query::overlaps(a, b, poses, &mut self.workspace).map_err(Wrong::new)?;
        Ok(overlap.is_overlapping())
    }

    /// How far the bodies of a pair are apart at the start: the distance, and a point of each.
    ///
    /// *Accepts* any pair. *Guarantees* seven numbers, the first 0 in overlap. *Fails* where no
    /// method answers.
    pub fn distance(&mut self, pair: &Pair) -> Result<Vec<f64>, Wrong> {
        let [a, b] = pair.bodies();
        let poses = [pair.step().pose_of_a(0.0), pair.step().pose_of_b(0.0)];
        let found = query::distance(a, b, poses, &mut self.workspace).map_err(Wrong::new)?;
        let points = found.points.iter().flat_map(|point| point.to_array());
        Ok([found.distance].into_iter().chain(points).collect())
    }
}

#[wasm_bindgen]
impl Contacts {
    /// How many there are, or were before they were handed over.
    #[wasm_bindgen(getter)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The numbers of all, row by row; they are handed over, and gone afterwards.
    #[wasm_bindgen(js_name = takeNumbers)]
    pub fn take_numbers(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.numbers)
    }

    /// The features of all, row by row; they are handed over, and gone afterwards.
    #[wasm_bindgen(js_name = takeFeatures)]
    pub fn take_features(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.features)
    }

    /// Which method answered.
    #[wasm_bindgen(getter)]
    pub fn method(&self) -> String {
        self.method.clone()
    }

    /// Why that method.
    #[wasm_bindgen(getter)]
    pub fn reason(&self) -> String {
        self.reason.clone()
    }

    /// What is sure of the contacts, in words.
    #[wasm_bindgen(getter)]
    pub fn guarantee(&self) -> String {
        self.guarantee.clone()
    }

    /// How many of them the method could not settle.
    #[wasm_bindgen(getter)]
    pub fn undecided(&self) -> usize {
        self.undecided
    }
}

/// A contact as a row of numbers.
fn row(contact: &Contact) -> [f64; CONTACT_NUMBERS] {
    let mut row = [0.0; CONTACT_NUMBERS];
    row[0] = contact.time;
    row[1..3].copy_from_slice(&contact.time_bracket);
    let vectors = [contact.point_in_a, contact.normal_in_a, contact.point, contact.normal];
    for (place, vector) in row[3..15].chunks_exact_mut(3).zip(vectors) {
        place.copy_from_slice(&vector.to_array());
    }
    row[15] = contact.properness;
    row[16] = contact.normal_speed;
    row[17] = f64::from(u8::from(contact.grazing));
    row[18] = f64::from(u8::from(contact.touchable));
    row
}

/// What is sure of the exact method.
const EXACT: &str = "every contact, to rounding";

/// A guarantee in words.
#[cfg(feature = "methods")]
fn said(guarantee: Guarantee) -> String {
    match guarantee {
        Guarantee::Exact => EXACT.to_string(),
        Guarantee::Pixels { pixel } => format!("to a pixel of {pixel:.3e}"),
        Guarantee::Samples { missed_depth } => {
            let depth = missed_depth.iter().flatten().copied().fold(0.0, f64::max);
            format!("at samples: what is deeper than {depth:.3e} is not missed")
        }
    }
}
