//! What the page begins with: a scene as it is written, and the files that it names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chasles_scene::{Document, Pace, Scene, SceneError, SimulateScene, TraceScene, library};
use serde::Serialize;

use super::error::PlayError;
use crate::args::{CollideArgs, Method};
use crate::output::OutputError;
use crate::report::inside_script;
use crate::scene;

/// A scene, as the page reads it.
#[derive(Serialize)]
pub(super) struct Given {
    name: String,
    text: String,
    /// The bytes of the files by the names that the scene has for them, as base64.
    files: BTreeMap<String, String>,
    /// What was asked, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<Asked>,
}

/// The options of a query as the engine for browsers names them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    method: u8,
    facing: bool,
    touchable: bool,
    first_only: bool,
    min_properness: f64,
    from: f64,
    to: f64,
    pixels: u32,
    robust: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    precision: Option<f64>,
}

impl Given {
    /// A scene file or a built-in scene, of any command.
    ///
    /// *Accepts* what one of the commands for scenes does. *Cost* reads the scene and its files.
    /// *Fails* where none takes it, with what is wrong with it as a scene for contacts.
    pub(super) fn open(path: &Path) -> miette::Result<Self> {
        if path.as_os_str() == "-" {
            return Err(PlayError::StandardInput.into());
        }
        let named = scene::load(path, files_of)?;
        if let Some(scene) = library::scene(path) {
            let files =
                scene.files().map(|(name, bytes)| (name.to_string(), STANDARD.encode(bytes)));
            let (name, text) = (scene.name.to_string(), scene.text.to_string());
            return Ok(Self { name, text, files: files.collect(), options: None });
        }
        let text = fs::read_to_string(path).map_err(|error| OutputError::at(path, error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut files = BTreeMap::new();
        for file in named {
            let bytes = fs::read(&file).map_err(|error| OutputError::at(&file, error))?;
            let name = file.strip_prefix(folder).unwrap_or(&file);
            files.insert(name.to_string_lossy().into_owned(), STANDARD.encode(bytes));
        }
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
        Ok(Self { name, text, files, options: None })
    }

    /// The same with what is asked of it.
    pub(super) fn asked(self, args: &CollideArgs) -> Self {
        let window = args.window.as_deref().unwrap_or(&[0.0, 1.0]);
        let options = Asked {
            method: match args.method {
                Method::Exact => 1,
                Method::Screen => 2,
                Method::Path => 3,
            },
            facing: args.facing,
            touchable: args.touchable,
            first_only: args.first,
            min_properness: args.min_properness,
            from: window[0],
            to: window[1],
            pixels: args.screen.pixels.unwrap_or(12),
            robust: args.screen.robust,
            precision: args.path.precision,
        };
        Self { options: Some(options), ..self }
    }

    /// JSON for the page, with the data of a report if there is one; it ends no script.
    pub(super) fn json(&self, document: Option<&str>) -> String {
        let scene = serde_json::to_string(self).expect("a scene has no keys but text");
        let scene = inside_script(&scene);
        match (document, scene.strip_suffix('}')) {
            (Some(document), Some(open)) => format!("{open},\"document\":{document}}}"),
            _ => scene,
        }
    }
}

/// The files that a scene names, whatever command it is for.
fn files_of(document: &Document) -> Result<Vec<PathBuf>, SceneError> {
    Scene::read(document).map(|scene| scene.files().to_vec()).or_else(|wrong| {
        let traced = TraceScene::read(document).map(|scene| scene.files().to_vec());
        let simulated = || SimulateScene::read(document, Pace::default());
        traced.or_else(|_| simulated().map(|scene| scene.files().to_vec())).map_err(|_| wrong)
    })
}
