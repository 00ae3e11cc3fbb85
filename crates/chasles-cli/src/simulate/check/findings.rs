//! What is found of a simulation.

/// Two bodies in each other at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// In seconds.
    pub time: f64,
    /// Their numbers.
    pub bodies: [usize; 2],
}

/// Two bodies that may be in each other: the scene lets them pass through each other, or neither
/// gives way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeftOut {
    /// Their numbers, the smaller first.
    pub bodies: [usize; 2],
    /// How deep they were in each other in a frame at most, in metres.
    pub depth: f64,
}

/// What was found in all frames and steps that were looked at; nothing, if all is well.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Bodies in each other in a frame.
    pub overlaps: Vec<Overlap>,
    /// Bodies in each other between two frames, once for each step.
    pub crossings: Vec<Overlap>,
    /// How deep the deepest of the overlaps is, in metres.
    pub worst_depth: f64,
    /// Pairs that may be in each other, in order: linked ones that overlap at the start, or whose
    /// joint says so. None of them is among the others.
    pub left_out: Vec<LeftOut>,
    /// Pairs that were in each other and that nothing moves aside, in order: in windows bodies on
    /// routes pass static ones and each other. None of them is among the others.
    pub passing: Vec<LeftOut>,
    /// How many frames were looked at.
    pub frames: u32,
    /// How many steps were followed from frame to frame.
    pub steps: u32,
}
