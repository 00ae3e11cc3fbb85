//! Which contacts are wanted, from keyword arguments.

use chasles::query::{Method, Options};
use chasles::screen::Resolution;
use chasles::{path, screen};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::array::refuse_others;
use crate::error::Error;

/// The keywords that [`options`] knows.
const KNOWN: [&str; 10] = [
    "facing",
    "touchable",
    "proper",
    "min_properness",
    "window",
    "max_departure",
    "method",
    "pixels",
    "robust",
    "precision",
];

/// Every contact, but for what keywords say.
pub(crate) fn options(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Options> {
    let mut options = Options::all();
    let Some(keywords) = keywords else { return Ok(options) };
    for (key, value) in keywords.iter() {
        let key: &str = &key.extract::<String>()?;
        match key {
            "facing" => options.facing = value.extract()?,
            "touchable" => options.touchable = value.extract()?,
            "proper" => options.proper = value.extract()?,
            "min_properness" => options.min_properness = value.extract()?,
            "window" => options.window = window(value.extract()?)?,
            "max_departure" => options.max_departure = value.extract()?,
            "method" => options.method = method(&value.extract::<String>()?)?,
            "pixels" => {
                let resolution = Resolution::Pixels(value.extract()?);
                options.screen = screen::Options { resolution, ..options.screen };
            }
            "robust" => {
                options.screen = screen::Options { robust: value.extract()?, ..options.screen };
            }
            "precision" => {
                options.path = path::Options { precision: value.extract()?, ..options.path };
            }
            _ => refuse_others(Some(keywords), &KNOWN)?,
        }
    }
    Ok(options)
}

fn window((from, to): (f64, f64)) -> PyResult<[f64; 2]> {
    match from <= to {
        true => Ok([from, to]),
        false => Err(Error::new_err(format!(
            "window is ({from}, {to}); expected two times, the earlier first"
        ))),
    }
}

fn method(word: &str) -> PyResult<Method> {
    Ok(match word {
        "auto" => Method::Auto,
        "exact" => Method::Exact,
        "screen" => Method::Screen,
        "path" => Method::Path,
        other => {
            let message = format!("no method {other:?}; there are auto, exact, screen and path");
            return Err(Error::new_err(message));
        }
    })
}

/// The word for a method.
pub(crate) fn word(method: Method) -> &'static str {
    match method {
        Method::Auto => "auto",
        Method::Exact => "exact",
        Method::Screen => "screen",
        Method::Path => "path",
    }
}
