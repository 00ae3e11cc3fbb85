//! Names that shells offer, for arguments that take any: a wrong one is answered with the one
//! that was meant.

use std::ffi::OsStr;

use chasles_scene::library::SCENES;
use clap::builder::{PathBufValueParser, PossibleValue, StringValueParser, TypedValueParser};

use crate::docs::PAGES;

/// Parses as `parser` does, and offers these names.
#[derive(Clone)]
pub(super) struct Offering<P> {
    parser: P,
    names: Vec<&'static str>,
}

/// A scene that can be copied.
pub(super) fn scene_name() -> Offering<StringValueParser> {
    let names = SCENES.iter().map(|scene| scene.name).chain(["all"]).collect();
    Offering { parser: StringValueParser::new(), names }
}

/// A scene file, or a built-in scene of this command.
pub(super) fn scene_path(command: &str) -> Offering<PathBufValueParser> {
    let fit = SCENES.iter().filter(|scene| scene.command == command);
    Offering { parser: PathBufValueParser::new(), names: fit.map(|scene| scene.name).collect() }
}

/// A scene file, or a built-in scene of any command.
pub(super) fn any_scene() -> Offering<PathBufValueParser> {
    let names = SCENES.iter().map(|scene| scene.name).collect();
    Offering { parser: PathBufValueParser::new(), names }
}

/// A page of the notes.
pub(super) fn page_name() -> Offering<StringValueParser> {
    let names = PAGES.iter().map(|page| page.name).collect();
    Offering { parser: StringValueParser::new(), names }
}

impl<P: TypedValueParser> TypedValueParser for Offering<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<P::Value, clap::Error> {
        self.parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().copied().map(PossibleValue::new)))
    }
}
