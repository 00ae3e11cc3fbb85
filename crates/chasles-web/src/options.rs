//! Which contacts are wanted, and by which method.

use chasles::contact;
#[cfg(feature = "methods")]
use chasles::query;
#[cfg(feature = "methods")]
use chasles::screen::{self, Resolution};
use wasm_bindgen::prelude::*;

use crate::Wrong;

/// How contacts are found.
#[cfg(feature = "methods")]
#[wasm_bindgen]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The exact method where both bodies are meshes or round, samples otherwise.
    #[default]
    Auto = 0,
    /// Every contact, to rounding.
    Exact = 1,
    /// What a screen of pixels shows.
    Screen = 2,
    /// Samples of each surface, followed to the other body.
    Path = 3,
}

/// Which contacts are wanted, and by which method. New ones ask for every contact.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How they are found.
    #[cfg(feature = "methods")]
    pub method: Method,
    /// Only approaching contacts of parts that face each other.
    pub facing: bool,
    /// Only contacts that can be touched from outside.
    pub touchable: bool,
    /// Contacts with a lower properness are left out; -1 keeps everything.
    #[wasm_bindgen(js_name = minProperness)]
    pub min_properness: f64,
    /// Only the first contact.
    #[wasm_bindgen(js_name = firstOnly)]
    pub first_only: bool,
    /// Only contacts from this fraction of the step on,
    pub from: f64,
    /// and up to this one.
    pub to: f64,
    /// Of the screen: pixels along a typical short edge, at least 1.
    #[cfg(feature = "methods")]
    pub pixels: u32,
    /// Of the screen: report everything that comes within a pixel.
    #[cfg(feature = "methods")]
    pub robust: bool,
    /// Of samples: how near one is to a solid when it touches.
    #[cfg(feature = "methods")]
    pub precision: f64,
}

#[wasm_bindgen]
impl Options {
    /// Every contact of the whole step.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Options {
        Self::default()
    }

    /// What a collision response needs: approaching, facing, touchable, proper contacts.
    pub fn proper() -> Options {
        let least = -1e-6;
        Self { facing: true, touchable: true, min_properness: least, ..Self::default() }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            #[cfg(feature = "methods")]
            method: Method::Auto,
            facing: false,
            touchable: false,
            min_properness: -1.0,
            first_only: false,
            from: 0.0,
            to: 1.0,
            #[cfg(feature = "methods")]
            pixels: 12,
            #[cfg(feature = "methods")]
            robust: false,
            #[cfg(feature = "methods")]
            precision: query::Options::all().path.precision,
        }
    }
}

impl Options {
    /// The same in the words of the exact method. *Fails* on numbers that are none, and on a window
    /// that ends before it begins.
    pub(crate) fn wanted(&self) -> Result<contact::Options, Wrong> {
        let Self { from, to, min_properness, .. } = *self;
        if min_properness.is_nan() {
            return Err(Wrong::new("the least properness is no number: it must be from -1 to 1"));
        }
        if !(from.is_finite() && to.is_finite() && from <= to) {
            return Err(Wrong::new(format!(
                "the window is from {from} to {to}: it must go from a fraction of the step to a \
                 later one"
            )));
        }
        Ok(contact::Options {
            facing: self.facing,
            touchable: self.touchable,
            min_properness,
            first_only: self.first_only,
            window: [from, to],
        })
    }

    /// The same in the words of the front door.
    #[cfg(feature = "methods")]
    pub(crate) fn inner(&self) -> Result<query::Options, Wrong> {
        let all = query::Options::from(self.wanted()?);
        let method = match self.method {
            Method::Auto => query::Method::Auto,
            Method::Exact => query::Method::Exact,
            Method::Screen => query::Method::Screen,
            Method::Path => query::Method::Path,
        };
        let resolution = Resolution::Pixels(self.pixels);
        let screen = screen::Options { resolution, robust: self.robust, ..all.screen };
        let path = chasles::path::Options { precision: self.precision, ..all.path };
        Ok(query::Options { method, screen, path, ..all })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_none_are_told() {
        let words = |options: Options| options.wanted().unwrap_err().to_string();
        let usual = Options::new();
        assert!(usual.wanted().is_ok());
        assert!(words(Options { min_properness: f64::NAN, ..usual }).contains("properness"));
        for [from, to] in [[0.8, 0.2], [f64::NAN, 1.0], [0.0, f64::NAN], [0.0, f64::INFINITY]] {
            let said = words(Options { from, to, ..usual });
            assert!(said.starts_with(&format!("the window is from {from} to {to}")), "{said}");
        }
    }
}
