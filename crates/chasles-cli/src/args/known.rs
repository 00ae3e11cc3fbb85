//! Names that shells offer, for arguments that take any: a wrong one is answered with the one
//! that was meant.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};

use crate::docs::PAGES;
use crate::library::SCENES;

type Values<'v> = Option<Box<dyn Iterator<Item = PossibleValue> + 'v>>;

/// A scene that can be copied.
#[derive(Clone, Copy, Debug)]
pub(super) struct SceneName;

/// A scene file, or a built-in scene of this command.
#[derive(Clone, Copy, Debug)]
pub(super) struct SceneFile(pub(super) &'static str);

/// A page of the notes.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageName;

impl TypedValueParser for SceneName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Values<'_> {
        let names = SCENES.iter().map(|scene| PossibleValue::new(scene.name));
        Some(Box::new(names.chain([PossibleValue::new("all")])))
    }
}

impl TypedValueParser for SceneFile {
    type Value = PathBuf;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<PathBuf, clap::Error> {
        clap::builder::PathBufValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Values<'_> {
        let fit = SCENES.iter().filter(|scene| scene.command == self.0);
        Some(Box::new(fit.map(|scene| PossibleValue::new(scene.name))))
    }
}

impl TypedValueParser for PageName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Values<'_> {
        Some(Box::new(PAGES.iter().map(|page| PossibleValue::new(page.name))))
    }
}
