//! Distance fields as files.
//!
//! All numbers are little endian. A file is, from its beginning:
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 8 | `ChaslSdf` |
//! | 8 | 4 | version, 1 |
//! | 12 | 4 | `s`, the number of blocks with samples |
//! | 16 | 12 | blocks along x, y and z; `n` is their product |
//! | 28 | 4 | zero |
//! | 32 | 24 | the lowest corner of the field |
//! | 56 | 8 | the length of a cell |
//! | 64 | 48 | the lowest and the highest corner of the solid's bounds |
//! | 112 | 8 | the band: points closer to the surface have samples |
//! | 120 | 8 | what samples may be wrong by, in cells |
//! | 128 | 8 | what the distances of middles may be wrong by |
//! | 136 | 4 n | for each block, x fastest: the number of its samples, or `2^32 - 1` |
//! | | 8 n | for each block the distance of its middle |
//! | | 4 · 729 s | samples: distances in cells, single precision, x fastest, 9 along each axis |
//! | | 8 | checksum of all before: FNV-1a of 64 bits |
//!
//! A block has 8³ cells. What is read is what was written, bit for bit.
//!
//! *Accepts* any bytes. *Guarantees* that counts are compared with the bytes that are there before
//! memory is taken, and that a field that was read answers as the one that was written. *Cost*
//! linear. *Fails* with an [`SdfError`] that names the place and what would be right. Numbers that
//! are possible but no distances of anything are not found out: such a field has bounds that are in
//! order and mean nothing.

use std::io;

use glam::DVec3;
use thiserror::Error;

use super::sample::check_memory;
use super::{Layout, NONE, Sdf, VOLUME};

const MAGIC: [u8; 8] = *b"ChaslSdf";
const VERSION: u32 = 1;

/// Bytes before the table of blocks.
const HEADER: usize = 136;

/// Bytes of the checksum.
const CHECKSUM: usize = 8;

/// Why bytes are not a distance field.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SdfError {
    /// Not a file of this kind.
    #[error("the file begins with {found:?}; a distance field begins with \"ChaslSdf\"")]
    Magic {
        /// What it begins with, as text.
        found: String,
    },
    /// Of a version that this program does not know.
    #[error("the file is of version {found}; this program reads version 1")]
    Version {
        /// The version.
        found: u32,
    },
    /// Cut off before its counts.
    #[error("the file has {found} bytes, and ends in its header, which has 136")]
    Header {
        /// How long it is.
        found: u64,
    },
    /// Too short or too long.
    #[error("the file has {found} bytes; with the counts in its header it must have {expected}")]
    Length {
        /// How long it is.
        found: u64,
        /// How long it should be, or at least.
        expected: u64,
    },
    /// A number out of its range.
    #[error("{what} at byte {offset} is {value}; it must be {expected}")]
    Number {
        /// Where it stands.
        offset: u64,
        /// What it is.
        what: &'static str,
        /// What was found.
        value: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// The bytes are not those that were written.
    #[error(
        "the checksum at byte {offset} is {found:016x}, but the bytes before it have {expected:016x}: \
         the file is damaged"
    )]
    Checksum {
        /// Where it stands.
        offset: u64,
        /// What stands there.
        found: u64,
        /// What the bytes have.
        expected: u64,
    },
}

impl Sdf {
    /// Bytes at most of the file of a field.
    pub const LARGEST_FILE: u64 = Self::LARGEST + (HEADER + CHECKSUM) as u64;

    /// Bytes of its file.
    pub fn file_size(&self) -> u64 {
        self.bytes() + (HEADER + CHECKSUM) as u64
    }

    /// Writes the field.
    ///
    /// *Accepts* any writer. *Guarantees* that [`Sdf::from_bytes`] reads the same field from what
    /// was written. *Cost* linear, with a copy of the field in memory. *Fails* as the writer does.
    pub fn write(&self, mut to: impl io::Write) -> io::Result<()> {
        let bytes = self.to_bytes();
        to.write_all(&bytes)?;
        to.flush()
    }

    /// The field as a file.
    ///
    /// *Guarantees* [`Sdf::file_size`] bytes, the same for the same field on every machine. *Cost*
    /// linear. *Fails* never.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.file_size() as usize);
        bytes.extend(MAGIC);
        let Layout { origin, cell, blocks, bounds, band, sample_error, middle_error } = self.layout;
        let sampled = (self.samples.len() / VOLUME) as u32;
        let [x, y, z] = blocks;
        let counts = [VERSION, sampled, x, y, z, 0];
        bytes.extend(counts.iter().flat_map(|n| n.to_le_bytes()));
        let corners = [origin.to_array(), bounds[0].to_array(), bounds[1].to_array()];
        let [origin, low, high] = corners;
        let numbers = origin.iter().chain([&cell]).chain(&low).chain(&high);
        let numbers = numbers.chain([&band, &sample_error, &middle_error]);
        bytes.extend(numbers.flat_map(|x| x.to_le_bytes()));
        bytes.extend(self.slots.iter().flat_map(|n| n.to_le_bytes()));
        bytes.extend(self.middles.iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend(self.samples.iter().flat_map(|x| x.to_le_bytes()));
        let checksum = checksum(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// Reads a field from the bytes of a file.
    ///
    /// *Accepts* any bytes. *Guarantees* the field that was written, bit for bit, and that no
    /// memory is taken for counts that the bytes do not bear out. *Cost* linear. *Fails* as
    /// [`SdfError`] says.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SdfError> {
        check_start(bytes)?;
        let file = File { bytes };
        let (layout, sampled) = file.header()?;
        file.check_rest(&layout, sampled)?;
        let blocks = layout.block_count();
        let middles_at = HEADER + 4 * blocks;
        let samples_at = middles_at + 8 * blocks;
        let slots: Vec<u32> = (0..blocks).map(|i| file.integer(HEADER + 4 * i)).collect();
        let wrong = |slot: &u32| *slot != NONE && *slot >= sampled;
        if let Some(i) = slots.iter().position(wrong) {
            let expected = "below the number of blocks with samples, or 4294967295";
            let value = f64::from(slots[i]);
            return Err(number(HEADER + 4 * i, "the number of a block's samples", value, expected));
        }
        let middles: Vec<f64> = (0..blocks).map(|i| file.double(middles_at + 8 * i)).collect();
        if let Some(i) = middles.iter().position(|x| !x.is_finite()) {
            let what = "the distance of a block's middle";
            return Err(number(middles_at + 8 * i, what, middles[i], "finite"));
        }
        let count = sampled as usize * VOLUME;
        let samples: Vec<f32> = (0..count).map(|i| file.single(samples_at + 4 * i)).collect();
        if let Some(i) = samples.iter().position(|x| !x.is_finite()) {
            return Err(number(samples_at + 4 * i, "a sample", f64::from(samples[i]), "finite"));
        }
        Ok(Self::new(layout, slots, middles, samples))
    }
}

fn number(offset: usize, what: &'static str, value: f64, expected: &'static str) -> SdfError {
    SdfError::Number { offset: offset as u64, what, value, expected }
}

/// The first bytes, the version, and whether there is a header.
fn check_start(bytes: &[u8]) -> Result<(), SdfError> {
    let magic = &bytes[..bytes.len().min(MAGIC.len())];
    if !MAGIC.starts_with(magic) {
        return Err(SdfError::Magic { found: String::from_utf8_lossy(magic).into_owned() });
    }
    let too_short = SdfError::Header { found: bytes.len() as u64 };
    let Some(version) = bytes.get(8..12) else {
        return Err(too_short);
    };
    let found = u32::from_le_bytes(version.try_into().expect("four bytes"));
    if found != VERSION {
        return Err(SdfError::Version { found });
    }
    if bytes.len() < HEADER { Err(too_short) } else { Ok(()) }
}

/// Bytes of which it is known that the numbers asked for are there.
struct File<'b> {
    bytes: &'b [u8],
}

impl File<'_> {
    fn at<const N: usize>(&self, offset: usize) -> [u8; N] {
        self.bytes[offset..offset + N].try_into().expect("a slice of that length")
    }

    fn integer(&self, offset: usize) -> u32 {
        u32::from_le_bytes(self.at(offset))
    }

    fn double(&self, offset: usize) -> f64 {
        f64::from_le_bytes(self.at(offset))
    }

    fn single(&self, offset: usize) -> f32 {
        f32::from_le_bytes(self.at(offset))
    }

    fn vector(&self, offset: usize) -> DVec3 {
        DVec3::from_array([0, 8, 16].map(|i| self.double(offset + i)))
    }

    /// The layout and the number of blocks with samples, each number in its range.
    fn header(&self) -> Result<(Layout, u32), SdfError> {
        let blocks = [16, 20, 24].map(|offset| self.integer(offset));
        if let Some(axis) = blocks.iter().position(|&n| n == 0) {
            return Err(number(16 + 4 * axis, "the number of blocks", 0.0, "at least 1"));
        }
        if self.integer(28) != 0 {
            return Err(number(28, "the reserved number", f64::from(self.integer(28)), "0"));
        }
        for offset in (32..HEADER).step_by(8) {
            let value = self.double(offset);
            if !value.is_finite() {
                return Err(number(offset, "a number of the header", value, "finite"));
            }
        }
        let layout = Layout {
            origin: self.vector(32),
            cell: self.double(56),
            blocks,
            bounds: [self.vector(64), self.vector(88)],
            band: self.double(112),
            sample_error: self.double(120),
            middle_error: self.double(128),
        };
        self.check_lengths(&layout)?;
        Ok((layout, self.integer(12)))
    }

    /// Whether lengths are such, and bounds in order.
    fn check_lengths(&self, layout: &Layout) -> Result<(), SdfError> {
        // Lengths and their inverses must be numbers, or no answer is.
        let end = layout.origin + layout.cells() * layout.cell;
        let usable = layout.cell > 0.0 && layout.cell.recip().is_finite() && end.is_finite();
        if !usable {
            let expected = "above 0, and neither it nor the field too large or small for doubles";
            return Err(number(56, "the length of a cell", layout.cell, expected));
        }
        let [low, high] = layout.bounds;
        if let Some(axis) = (0..3).find(|&i| low[i] > high[i]) {
            let what = "the lowest corner of the bounds";
            return Err(number(64 + 8 * axis, what, low[axis], "no higher than the highest"));
        }
        for (offset, what) in [(112, "the band"), (120, "an error"), (128, "an error")] {
            let value = self.double(offset);
            if value < 0.0 {
                return Err(number(offset, what, value, "not negative"));
            }
        }
        Ok(())
    }

    /// Whether the file is as long as its counts say, no larger than a field may be, and as it was
    /// written.
    fn check_rest(&self, layout: &Layout, sampled: u32) -> Result<(), SdfError> {
        // In 128 bits the product of three counts of 32 does not overflow.
        let blocks: u128 = layout.blocks.iter().map(|&n| u128::from(n)).product();
        let body = 12 * blocks + 4 * VOLUME as u128 * u128::from(sampled);
        let expected = HEADER as u128 + body + CHECKSUM as u128;
        let found = self.bytes.len() as u64;
        if u128::from(found) != expected {
            let expected = u64::try_from(expected).unwrap_or(u64::MAX);
            return Err(SdfError::Length { found, expected });
        }
        if check_memory(blocks as f64, f64::from(sampled)).is_err() {
            let what = "the number of bytes of the field";
            return Err(number(12, what, body as f64, "no more than 2^30"));
        }
        let end = self.bytes.len() - CHECKSUM;
        let written = u64::from_le_bytes(self.at(end));
        let sum = checksum(&self.bytes[..end]);
        if written != sum {
            return Err(SdfError::Checksum { offset: end as u64, found: written, expected: sum });
        }
        Ok(())
    }
}

/// FNV-1a: finds damage, not malice.
fn checksum(bytes: &[u8]) -> u64 {
    let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_published_function() {
        assert_eq!(checksum(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(checksum(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(checksum(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
