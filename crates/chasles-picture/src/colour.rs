//! Colours that colour-blind readers can tell apart.

/// What rounding may take from a properness of 0: far above its errors, far below what anybody
/// sees. Contacts below 0 by no more count as proper.
pub const ROUNDING: f64 = 1e-9;

/// An opaque sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
}

impl Colour {
    /// A colour from its hexadecimal number, `0xRRGGBB`.
    pub const fn hex(rgb: u32) -> Self {
        Self { r: (rgb >> 16) as u8, g: (rgb >> 8) as u8, b: rgb as u8 }
    }

    /// The colour between this one (0) and `other` (1).
    pub fn mix(self, other: Self, amount: f64) -> Self {
        let amount = if amount.is_nan() { 0.0 } else { amount.clamp(0.0, 1.0) };
        let one = |p: u8, q: u8| {
            let mixed = f64::from(p) + (f64::from(q) - f64::from(p)) * amount;
            mixed.round() as u8
        };
        Self { r: one(self.r, other.r), g: one(self.g, other.g), b: one(self.b, other.b) }
    }

    /// The form that SVG reads, `#rrggbb`.
    pub fn to_hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.r, self.g, self.b)
    }

    /// Each channel times `factor`; above 1 the colour goes towards white instead.
    #[cfg(feature = "draw")]
    pub(crate) fn lit(self, factor: f64) -> Self {
        if factor <= 1.0 {
            Self::hex(0).mix(self, factor)
        } else {
            self.mix(Self::hex(0xff_ff_ff), factor - 1.0)
        }
    }
}

/// How many colours the palette has before it repeats.
pub(crate) const PALETTE_SIZE: usize = 7;

/// The colour of body or series number `index`: the palette of Okabe and Ito without black, the
/// strongest colours first, repeating after seven.
pub fn palette(index: usize) -> Colour {
    const COLOURS: [u32; PALETTE_SIZE] =
        [0x00_72_b2, 0xe6_9f_00, 0x00_9e_73, 0xd5_5e_00, 0xcc_79_a7, 0x56_b4_e9, 0xf0_e4_42];
    Colour::hex(COLOURS[index % PALETTE_SIZE])
}

/// The colour of a contact: purples below 0 (improper), greens from 0 on (proper), each the
/// stronger the farther from 0.
///
/// There is a step at 0, so that the sign is seen at a glance: next to it stand a light purple
/// and a light green. What is below 0 by rounding alone is proper. Purple and green of unequal
/// lightness stay apart for colour-blind readers and are not colours of [`palette`]'s first
/// bodies. A value that is not a number is grey.
pub fn properness_colour(properness: f64) -> Colour {
    stepped([0x6a_1b_7a, 0x00_6d_3c].map(Colour::hex), properness)
}

/// How much of the end's colour there is next to 0: two colours that nobody takes for one
/// another, or for white.
const NEXT_TO_ZERO: f64 = 0.42;

/// The colour of a contact as [`properness_colour`] has it, with other colours for -1 and 1.
pub fn stepped([improper, proper]: [Colour; 2], properness: f64) -> Colour {
    const PALE: Colour = Colour::hex(0xfb_f7_f2);
    if properness.is_nan() {
        return Colour::hex(0x80_80_80);
    }
    let end = if properness < -ROUNDING { improper } else { proper };
    let share = properness_position(properness).abs();
    PALE.mix(end, NEXT_TO_ZERO + (1.0 - NEXT_TO_ZERO) * share)
}

/// Where a properness stands on the scale from -1 to 1. Contacts crowd near 0, where the sign
/// matters, so the scale is the square root.
pub(crate) fn properness_position(properness: f64) -> f64 {
    let p = properness.clamp(-1.0, 1.0);
    p.abs().sqrt().copysign(p)
}

/// Whether the picture stands on a light or a dark page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// White page, dark ink.
    #[default]
    Light,
    /// Dark page, light ink.
    Dark,
}

impl Theme {
    /// The colour of the page.
    pub fn page(self) -> Colour {
        match self {
            Self::Light => Colour::hex(0xff_ff_ff),
            Self::Dark => Colour::hex(0x16_1a_20),
        }
    }

    /// The colour of text and axes.
    pub fn ink(self) -> Colour {
        match self {
            Self::Light => Colour::hex(0x1f_24_2b),
            Self::Dark => Colour::hex(0xe8_eb_ef),
        }
    }

    /// The colour of grid lines.
    #[cfg(feature = "draw")]
    pub(crate) fn grid(self) -> Colour {
        self.page().mix(self.ink(), 0.13)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_ends_at_its_ends() {
        let (p, q) = (palette(0), palette(1));
        assert_eq!(p.mix(q, 0.0), p);
        assert_eq!(p.mix(q, 1.0), q);
        assert_eq!(p.mix(q, f64::NAN), p);
        assert_eq!(Colour::hex(0x0a_0b_0c).to_hex(), "#0a0b0c");
    }

    #[test]
    fn proper_and_improper_contacts_differ_even_when_small() {
        let [p, q] = [properness_colour(1e-6), properness_colour(-1e-6)];
        let apart = u8::abs_diff(p.r, q.r).max(u8::abs_diff(p.g, q.g));
        assert!(apart > 40, "{p:?} and {q:?} look alike");
        assert_eq!(properness_colour(0.0), properness_colour(-1e-12), "rounding is no overlap");
        assert_eq!(properness_colour(7.0), properness_colour(1.0));
        assert_eq!(properness_position(-0.25), -0.5);
    }
}
