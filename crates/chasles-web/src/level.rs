//! Scenes for traces: what stands, and what moves through it.

use chasles::trace::Workspace;
use chasles_scene::{Document, Journey, TraceScene};
use wasm_bindgen::prelude::*;

use crate::motion::numbers;
use crate::room::{Stop, Way};
use crate::scene::wrong;
use crate::{Files, Look, Wrong};

/// A scene for traces. Its bodies are those that stand, and after them those that move.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Level {
    scene: TraceScene,
    workspace: Workspace,
}

#[wasm_bindgen]
impl Level {
    /// A scene for traces. *Accepts*, *Guarantees* and *Fails* as [`crate::Scene::read`].
    pub fn read(text: &str, name: &str, files: &Files) -> Result<Level, Wrong> {
        let document = Document::new(text, name, files.inner());
        let scene = TraceScene::read(&document).map_err(wrong)?;
        Ok(Self { scene, workspace: Workspace::new() })
    }

    /// Its title, or that of the file.
    #[wasm_bindgen(getter)]
    pub fn title(&self) -> String {
        self.scene.title().to_string()
    }

    /// The names of the bodies, first of those that stand.
    #[wasm_bindgen(getter)]
    pub fn names(&self) -> Vec<String> {
        let fixed = self.scene.fixed().iter().map(|body| body.name.clone());
        fixed.chain(self.scene.movers().iter().map(|body| body.name.clone())).collect()
    }

    /// How many bodies stand.
    #[wasm_bindgen(getter)]
    pub fn standing(&self) -> usize {
        self.scene.fixed().len()
    }

    /// What is odd about the bodies, mended or not.
    #[wasm_bindgen(getter)]
    pub fn warnings(&self) -> Vec<String> {
        self.scene.warnings()
    }

    /// How a body looks, its places divided by a length above 0. *Fails* beyond the last.
    pub fn look(&self, number: usize, scale: f64) -> Result<Look, Wrong> {
        let (fixed, movers) = (self.scene.fixed(), self.scene.movers());
        let mesh = match number.checked_sub(fixed.len()) {
            None => &fixed[number].mesh,
            Some(mover) => &movers.get(mover).ok_or_else(none)?.mesh,
        };
        Ok(Look::of(mesh, scale))
    }

    /// Where all bodies are at the start: seven numbers each.
    pub fn poses(&self) -> Vec<f64> {
        let fixed = self.scene.fixed().iter().map(|body| body.pose);
        let all = fixed.chain(self.scene.movers().iter().map(|body| body.start));
        all.flat_map(|pose| numbers(&pose)).collect()
    }

    /// Where a mover would be after a part of its journey in an empty world: seven numbers. One
    /// that walks stays where it starts. *Fails* beyond the last mover.
    #[wasm_bindgen(js_name = aim)]
    pub fn aim(&self, mover: usize, part: f64) -> Result<Vec<f64>, Wrong> {
        let mover = self.scene.movers().get(mover).ok_or_else(none)?;
        Ok(numbers(&mover.pose_at(part)).to_vec())
    }

    /// Moves a mover on any way until something stops it: what a drag does.
    ///
    /// *Guarantees* that the body is in nothing on the way and at the end, unless it was at the
    /// start. *Fails* beyond the last mover.
    pub fn travel(&mut self, mover: usize, way: &Way) -> Result<Stop, Wrong> {
        let mover = self.scene.movers().get(mover).ok_or_else(none)?;
        way.follow(self.scene.world(), mover.body(), &mut self.workspace)
    }

    /// How far a mover gets on its own journey; of one that walks, where it ends.
    pub fn journey(&mut self, mover: usize) -> Result<Stop, Wrong> {
        let mover = self.scene.movers().get(mover).ok_or_else(none)?;
        let (trace, _) =
            mover.trace(self.scene.world(), &mut self.workspace).map_err(Wrong::new)?;
        Ok(Stop::of(trace))
    }

    /// Whether a mover walks. *Fails* beyond the last.
    pub fn walks(&self, mover: usize) -> Result<bool, Wrong> {
        let mover = self.scene.movers().get(mover).ok_or_else(none)?;
        Ok(matches!(mover.journey, Journey::Walk(_)))
    }
}

fn none() -> Wrong {
    Wrong::new("there is no body of this number")
}
