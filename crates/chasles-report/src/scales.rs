//! Colours of values on pages, which are light or dark.

use serde::Serialize;

use chasles_picture::{Colour, properness_colour, stepped};

/// Colours from the least value to the greatest, for light pages and for dark ones.
#[derive(Serialize)]
pub struct Scales {
    light: Vec<String>,
    dark: Vec<String>,
}

/// Colours from a properness of -1 to 0, and as many from 0 to 1, in even steps of its root:
/// there is a step at 0. On dark pages the ends are lighter than in pictures, since rims are
/// dark.
pub fn properness_scales() -> Scales {
    let ends = [0xb1_64_c8, 0x2a_a8_69].map(Colour::hex);
    let of = |colour: &dyn Fn(f64) -> Colour| {
        // The smallest number below 0 that is not rounding.
        let below = |share: f64| -(share * share).max(1e-6);
        let shares = (0..=16).map(|i| f64::from(i) / 16.0);
        let proper = shares.clone().map(|share| colour(share * share).to_hex());
        let improper = shares.rev().map(|share| colour(below(share)).to_hex());
        improper.chain(proper).collect()
    };
    Scales { light: of(&properness_colour), dark: of(&|value| stepped(ends, value)) }
}

/// Colours from little to much: ever farther from the page, darker on light pages and lighter on
/// dark ones. They differ in lightness, so all eyes tell them apart, and the least stands out from
/// the page too.
pub fn amount_scales() -> Scales {
    let hex = |colours: [u32; 6]| colours.map(|rgb| Colour::hex(rgb).to_hex()).to_vec();
    Scales {
        light: hex([0xbf_6e_20, 0xba_56_36, 0xa6_3f_56, 0x85_2b_69, 0x5c_1b_67, 0x2b_0f_4f]),
        dark: hex([0xa9_6d_cc, 0xd0_63_9b, 0xe9_73_62, 0xf7_9a_45, 0xfd_c9_5e, 0xff_f3_c4]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::STYLE;

    /// What a graphic needs to stand out from what is next to it (WCAG 2.1, 1.4.11).
    const ENOUGH: f64 = 3.0;

    fn brightness(colour: &str) -> f64 {
        let channel = |i: usize| {
            let byte = u8::from_str_radix(&colour[1 + 2 * i..3 + 2 * i], 16).expect("two digits");
            let share = f64::from(byte) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(0) + 0.7152 * channel(1) + 0.0722 * channel(2)
    }

    fn contrast(p: &str, q: &str) -> f64 {
        let [p, q] = [p, q].map(|colour| brightness(colour) + 0.05);
        p.max(q) / p.min(q)
    }

    /// The colour of this name in the light (0) or the dark (1) block of the style sheet.
    fn of_page(name: &str, theme: usize) -> &'static str {
        let value = STYLE.split(&format!("--{name}: ")).nth(1 + theme).expect("both have it");
        &value[..7]
    }

    /// Where discs are drawn: in the view, on plots and in rows, chosen or not.
    fn grounds(theme: usize) -> [&'static str; 4] {
        ["sky", "card", "page", "chosen"].map(|name| of_page(name, theme))
    }

    #[test]
    fn values_stand_out_from_light_and_dark_pages() {
        let [amounts, properness] = [amount_scales(), properness_scales()];
        for (theme, colours) in [(0, &amounts.light), (1, &amounts.dark), (1, &properness.dark)] {
            for (ground, colour) in
                grounds(theme).iter().flat_map(|g| colours.iter().map(move |c| (g, c)))
            {
                let contrast = contrast(ground, colour);
                assert!(contrast >= ENOUGH, "{colour} on {ground}: {contrast:.2}");
            }
        }
        for ground in grounds(0) {
            let contrast = contrast(ground, of_page("marker-edge", 0));
            assert!(contrast >= ENOUGH, "the rim of a pale disc on {ground}: {contrast:.2}");
        }
    }

    #[test]
    fn the_more_the_farther_from_the_page() {
        let Scales { light, dark } = amount_scales();
        for (theme, colours) in [(0, light), (1, dark)] {
            let page = of_page("card", theme);
            let contrasts: Vec<f64> = colours.iter().map(|c| contrast(c, page)).collect();
            assert!(contrasts.is_sorted(), "{contrasts:?}");
        }
    }
}
