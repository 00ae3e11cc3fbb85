//! Scenes for contacts, from TOML or JSON.

use chasles::query::Geometry;
use chasles_scene::{Document, Query, SceneError};
use wasm_bindgen::prelude::*;

use crate::pair::Pair;
use crate::{Body, Files, Motion, Options, Wrong};

/// Bodies and how they move in one step; what exists is valid.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Scene {
    scene: chasles_scene::Scene,
}

#[wasm_bindgen]
impl Scene {
    /// A scene for contacts.
    ///
    /// *Accepts* TOML or JSON, what messages call it, and the files that it names. *Guarantees*
    /// that messages say where something is wrong, and what would be right. *Cost* that of its
    /// bodies; solids get a mesh to be seen. *Fails* on what is no scene.
    pub fn read(text: &str, name: &str, files: &Files) -> Result<Scene, Wrong> {
        let document = Document::new(text, name, files.inner());
        let mut scene = chasles_scene::Scene::read(&document).map_err(wrong)?;
        scene.sketch().map_err(Wrong::new)?;
        Ok(Self { scene })
    }

    /// Its title, or that of the file.
    #[wasm_bindgen(getter)]
    pub fn title(&self) -> String {
        self.scene.title().to_string()
    }

    /// The names of the bodies.
    #[wasm_bindgen(getter)]
    pub fn names(&self) -> Vec<String> {
        self.scene.bodies().iter().map(|body| body.name.clone()).collect()
    }

    /// What is odd about the bodies, mended or not.
    #[wasm_bindgen(getter)]
    pub fn warnings(&self) -> Vec<String> {
        let open = self.scene.open().into_iter();
        let open = open.map(|(name, opening)| chasles_scene::meshes::open(&name, &opening));
        self.scene.warnings().into_iter().chain(open).collect()
    }

    /// A body by its number.
    ///
    /// *Fails* on one that deforms.
    pub fn body(&self, number: usize) -> Result<Body, Wrong> {
        let body = self.at(number)?;
        let geometry = body.geometry().ok_or_else(|| deforms(&body.name))?;
        let made = Body::of(geometry);
        Ok(if body.rigid().is_some() { made } else { made.seen_as(body.mesh()) })
    }

    /// How a body moves. *Fails* on one that deforms.
    pub fn motion(&self, number: usize) -> Result<Motion, Wrong> {
        let body = self.at(number)?;
        Ok(Motion::of(*body.motion().ok_or_else(|| deforms(&body.name))?))
    }

    /// Moves a body: from now on it goes from a pose to another along the screw between them, and
    /// pairs are cut as before.
    ///
    /// *Accepts* a body, and poses of seven numbers each. *Fails* on others, and on bodies that
    /// deform; nothing has changed then.
    #[wasm_bindgen(js_name = move)]
    pub fn move_body(&mut self, number: usize, start: &[f64], end: &[f64]) -> Result<(), Wrong> {
        let motion = Motion::between(start, end)?.inner();
        let name = &self.at(number)?.name;
        let deforms = deforms(name);
        self.scene.set_motion(number, motion).then_some(()).ok_or(deforms)
    }

    /// The pairs that come near each other: two numbers each. *Fails* on options that are none.
    #[wasm_bindgen(js_name = nearPairs)]
    pub fn near_pairs(&self, options: &Options) -> Result<Vec<u32>, Wrong> {
        let pairs = self.scene.near_pairs(&options.inner()?);
        Ok(pairs.into_iter().flatten().map(|body| body as u32).collect())
    }

    /// Two bodies and how they move, the step cut as the scene says. *Fails* on bodies that deform.
    pub fn pair(&self, a: usize, b: usize) -> Result<Pair, Wrong> {
        let geometry = |number: usize| -> Result<Geometry, Wrong> {
            let body = self.at(number)?;
            body.geometry().ok_or_else(|| deforms(&body.name))
        };
        let bodies = [geometry(a)?, geometry(b)?];
        let step = match self.scene.query([a, b]) {
            Query::Bodies { step, .. } => Some(*step),
            _ => self.scene.path_motion([a, b]),
        };
        Ok(Pair::of(bodies, step.ok_or_else(|| deforms(&self.scene.bodies()[a].name))?))
    }
}

impl Scene {
    fn at(&self, number: usize) -> Result<&chasles_scene::Body, Wrong> {
        let bodies = self.scene.bodies();
        let none = || Wrong::new(format!("there is no body {number}: there are {}", bodies.len()));
        bodies.get(number).ok_or_else(none)
    }
}

fn deforms(name: &str) -> Wrong {
    Wrong::new(format!(
        "{name} has frames: bodies that deform are computed by the program, `chasles collide`"
    ))
}

/// What is wrong with a scene, and what would be right.
pub(crate) fn wrong(error: SceneError) -> Wrong {
    match error.help() {
        help if help.is_empty() => Wrong::new(error),
        help => Wrong::new(format!("{error}; {help}")),
    }
}

/// The tables of a scene as JSON, for scripts that change it.
///
/// *Accepts* TOML, or JSON, which is given back. *Fails* on text that is neither, with its place.
#[wasm_bindgen(js_name = sceneFromToml)]
pub fn scene_from_toml(text: &str) -> Result<String, Wrong> {
    if text.trim_start().starts_with('{') {
        return Ok(text.to_string());
    }
    let tables: serde_json::Value =
        toml::from_str(text).map_err(|error| Wrong::new(error.to_string().trim_end()))?;
    Ok(tables.to_string())
}

/// The TOML of the tables of a scene.
///
/// *Accepts* JSON. *Guarantees* the same scene. *Fails* on text that is no object.
#[wasm_bindgen(js_name = sceneToToml)]
pub fn scene_to_toml(json: &str) -> Result<String, Wrong> {
    let tables: toml::Table =
        serde_json::from_str(json).map_err(|error| Wrong::new(format!("no scene: {error}")))?;
    toml::to_string(&tables).map_err(Wrong::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;

    const CUBES: &str = "
        [[body]]
        shape = { box = {} }
        [[body]]
        shape = { box = {} }
        start = { position = [3, 0.25, 0.25] }
        end = { position = [-1, 0.25, 0.25] }
    ";

    #[test]
    fn a_scene_gives_pairs_with_contacts() {
        let scene = Scene::read(CUBES, "cubes.toml", &Files::new()).unwrap();
        assert_eq!(scene.near_pairs(&Options::new()).unwrap(), [0, 1]);
        let options = Options { first_only: true, ..Options::proper() };
        let mut found = Engine::new().contacts(&scene.pair(0, 1).unwrap(), &options).unwrap();
        assert_eq!(found.count(), 1);
        assert!((found.take_numbers()[0] - 0.5).abs() < 1e-12);
        assert_eq!(found.count(), 1, "what is handed over is still counted");
    }

    /// What is moved here and what a file says are one scene, with the parts that it asks for.
    #[test]
    fn a_body_that_is_moved_is_that_of_the_file() {
        let text = |height: f64| {
            format!(
                "max_departure = 1e-3
                [[body]]
                shape = {{ box = {{ size = [3, 1, 1] }} }}
                end = {{ rotation = {{ axis = [0, 1, 0], degrees = 80 }} }}
                [[body]]
                shape = {{ box = {{}} }}
                start = {{ position = [3, {height}, 1] }}
                end = {{ position = [-1, {height}, 0.5] }}"
            )
        };
        let read = |height| Scene::read(&text(height), "a.toml", &Files::new()).unwrap();
        let (mut moved, written) = (read(7.0), read(0.25));
        let found = |scene: &Scene| {
            let pair = scene.pair(0, 1).unwrap();
            let mut contacts = Engine::new().contacts(&pair, &Options::new()).unwrap();
            (pair.parts(), contacts.take_numbers())
        };
        assert!(found(&moved).1.is_empty());
        let pose = |x, z| [x, 0.25, z, 0.0, 0.0, 0.0, 1.0];
        moved.move_body(1, &pose(3.0, 1.0), &pose(-1.0, 0.5)).unwrap();
        assert_eq!(found(&moved), found(&written));
        assert!(found(&moved).0 > 1 && !found(&moved).1.is_empty());
        let wrong = moved.move_body(1, &[f64::NAN; 7], &pose(0.0, 0.0)).is_err();
        assert!(wrong && moved.move_body(2, &pose(0.0, 0.0), &pose(0.0, 0.0)).is_err());
        assert_eq!(found(&moved), found(&written), "what fails changes nothing");
    }

    #[test]
    fn tables_go_to_json_and_back() {
        let json = scene_from_toml(CUBES).unwrap();
        assert_eq!(scene_from_toml(&json).unwrap(), json);
        let toml = scene_to_toml(&json).unwrap();
        assert_eq!(scene_from_toml(&toml).unwrap(), json);
        assert!(scene_from_toml("[[body]").is_err() && scene_to_toml("7").is_err());
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let text = "[[body]]\nshpe = { box = {} }\n";
        let words = Scene::read(text, "a.toml", &Files::new()).unwrap_err().to_string();
        assert!(words.starts_with("a.toml:2:1: unknown key `shpe`"), "{words}");
        assert!(words.contains("; did you mean `shape`?"), "{words}");
    }
}
