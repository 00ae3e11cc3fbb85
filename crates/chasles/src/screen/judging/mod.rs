//! What of all that shares a pixel is a contact [Buss04 §5].
//!
//! ```text
//!   Judge      properness, and the exact time               judge.rs
//!   Approach   a vertex and a face; two lines               locate.rs
//!   Found      EV, VE and VV become a face and a vertex     resolve.rs
//! ```

pub(super) mod judge;
pub(super) mod locate;
pub(super) mod resolve;
