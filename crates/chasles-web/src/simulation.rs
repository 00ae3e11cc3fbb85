//! Worlds of bodies with mass.

use chasles::{Polygons, Polyhedron};
use chasles_dynamics::World;
use chasles_dynamics::body::Material;
use chasles_dynamics::spring::sheet::Sheet;
use chasles_dynamics::world::{BodyId, Report, Saved};
use chasles_scene::{Document, Pace, SimulateScene};
use wasm_bindgen::prelude::*;

use crate::look::scaled;
use crate::motion::{numbers, vector};
use crate::scene::wrong;
use crate::{Files, Look, Wrong};

/// Numbers of an impact: its time, the two bodies, the point, the normal towards the first, and
/// the size of the impulse.
const IMPACT_NUMBERS: usize = 10;

/// A world in which nothing interpenetrates, and what its last step did.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Simulation {
    scene: SimulateScene,
    world: World,
    report: Report,
    moments: Vec<Saved>,
}

#[wasm_bindgen]
impl Simulation {
    /// A scene for simulations. *Accepts*, *Guarantees* and *Fails* as [`crate::Scene::read`]; also
    /// on bodies that overlap.
    pub fn read(text: &str, name: &str, files: &Files) -> Result<Simulation, Wrong> {
        let document = Document::new(text, name, files.inner());
        let scene = SimulateScene::read(&document, Pace::default()).map_err(wrong)?;
        let world = scene.world().clone();
        Ok(Self { scene, world, report: Report::default(), moments: Vec::new() })
    }

    /// Its title, or that of the file.
    #[wasm_bindgen(getter)]
    pub fn title(&self) -> String {
        self.scene.title().to_string()
    }

    /// The names of the bodies.
    #[wasm_bindgen(getter)]
    pub fn names(&self) -> Vec<String> {
        self.scene.names().to_vec()
    }

    /// What is allowed in the scene but hardly meant.
    #[wasm_bindgen(getter)]
    pub fn warnings(&self) -> Vec<String> {
        self.scene.warnings().to_vec()
    }

    /// The length of a step in seconds, as the scene says.
    #[wasm_bindgen(getter)]
    pub fn dt(&self) -> f64 {
        self.scene.dt()
    }

    /// Seconds since the world began.
    #[wasm_bindgen(getter)]
    pub fn time(&self) -> f64 {
        self.world.time()
    }

    /// The names of the sheets.
    #[wasm_bindgen(getter, js_name = sheetNames)]
    pub fn sheet_names(&self) -> Vec<String> {
        self.scene.sheets().to_vec()
    }

    /// How a sheet looks where it is, its places divided by a length above 0. *Fails* beyond the
    /// last, and on one without extent.
    #[wasm_bindgen(js_name = sheetLook)]
    pub fn sheet_look(&self, number: usize, scale: f64) -> Result<Look, Wrong> {
        let sheet = self.sheet(number)?;
        let polygons =
            Polygons { vertices: sheet.positions().to_vec(), ..sheet.net().mesh().clone() };
        let mesh = Polyhedron::new(&polygons).map_err(Wrong::new)?;
        Ok(Look::deforming(&mesh, sheet.positions(), scale))
    }

    /// Where the vertices of a sheet are, three numbers each, divided by a length above 0. *Fails*
    /// beyond the last.
    #[wasm_bindgen(js_name = sheetPlaces)]
    pub fn sheet_places(&self, number: usize, scale: f64) -> Result<Vec<f32>, Wrong> {
        Ok(scaled(self.sheet(number)?.positions(), scale))
    }

    /// The number of the body table that a body is from.
    pub fn table(&self, number: usize) -> Result<usize, Wrong> {
        self.check(number)?;
        Ok(self.scene.table(number))
    }

    /// How a body looks, its places divided by a length above 0. *Fails* beyond the last.
    pub fn look(&self, number: usize, scale: f64) -> Result<Look, Wrong> {
        self.check(number)?;
        Ok(Look::of(self.world.bodies()[number].collider().mesh(), scale))
    }

    /// Where all bodies are: seven numbers each.
    pub fn poses(&self) -> Vec<f64> {
        let named = self.world.bodies().iter().take(self.scene.names().len());
        named.flat_map(|body| numbers(&body.pose())).collect()
    }

    /// Goes on by so many seconds; gives the impacts, ten numbers each.
    ///
    /// *Guarantees* that no two bodies that were apart cross or overlap. *Fails* on a length that
    /// is none, and where a body has left the world; nothing has moved then.
    pub fn step(&mut self, dt: f64) -> Result<Vec<f64>, Wrong> {
        self.report = self.world.step(dt).map_err(Wrong::new)?;
        let impact = |hit: &chasles_dynamics::world::Impact| -> [f64; IMPACT_NUMBERS] {
            let [a, b] = hit.bodies.map(|body| body.index() as f64);
            let [x, y, z] = hit.point.to_array();
            let [i, j, k] = hit.normal.to_array();
            [hit.time, a, b, x, y, z, i, j, k, hit.impulse.length()]
        };
        Ok(self.report.impacts.iter().flat_map(impact).collect())
    }

    /// How many bodies had to wait in the last step.
    #[wasm_bindgen(getter)]
    pub fn waiting(&self) -> usize {
        self.report.waiting.len()
    }

    /// The kinetic energy of all bodies.
    #[wasm_bindgen(getter)]
    pub fn energy(&self) -> f64 {
        self.world.bodies().iter().map(|body| body.kinetic_energy()).sum()
    }

    /// Gives a body a blow at a point, as strong as changes the velocity of its mass by this much:
    /// what a throw does.
    /// False for a body that forces do not move.
    ///
    /// *Accepts* a body, a change of velocity, and a point of the world. *Fails* on what is not
    /// finite.
    pub fn throw(&mut self, number: usize, change: &[f64], point: &[f64]) -> Result<bool, Wrong> {
        let (change, point) = (vector(change, "velocity")?, vector(point, "point")?);
        let id = self.id(number)?;
        let body = &self.world.bodies()[number];
        let Some(mass_properties) = body.mass_properties() else { return Ok(false) };
        Ok(self.world.apply_impulse(id, change * mass_properties.mass(), point))
    }

    /// Sets gravity. *Fails* on what is not finite.
    #[wasm_bindgen(js_name = setGravity)]
    pub fn set_gravity(&mut self, gravity: &[f64]) -> Result<(), Wrong> {
        self.world.set_gravity(vector(gravity, "gravity")?);
        Ok(())
    }

    /// The gravity, three numbers.
    #[wasm_bindgen(getter)]
    pub fn gravity(&self) -> Vec<f64> {
        self.world.options().gravity.to_array().to_vec()
    }

    /// Gives all bodies a restitution and a friction. *Fails* on a restitution outside 0 to 1 and
    /// on a friction below 0.
    #[wasm_bindgen(js_name = setMaterial)]
    pub fn set_material(&mut self, restitution: f64, friction: f64) -> Result<(), Wrong> {
        let material = Material::new(restitution, friction).map_err(Wrong::new)?;
        for number in 0..self.scene.names().len() {
            let id = self.id(number)?;
            self.world.set_material(id, material).map_err(Wrong::new)?;
        }
        Ok(())
    }

    /// Restitution and friction of a body.
    pub fn material(&self, number: usize) -> Result<Vec<f64>, Wrong> {
        self.check(number)?;
        let material = self.world.bodies()[number].material();
        Ok(vec![material.restitution(), material.friction()])
    }

    /// Whether forces move a body.
    #[wasm_bindgen(js_name = isDynamic)]
    pub fn is_dynamic(&self, number: usize) -> Result<bool, Wrong> {
        self.check(number)?;
        Ok(self.world.bodies()[number].mass_properties().is_some())
    }

    /// Keeps the moment; its number, for [`Simulation::restore`].
    pub fn save(&mut self) -> usize {
        self.moments.push(self.world.save());
        self.moments.len() - 1
    }

    /// Goes back to a moment. *Fails* on a number that was not given.
    pub fn restore(&mut self, moment: usize) -> Result<(), Wrong> {
        let none = || Wrong::new(format!("no moment {moment} was kept"));
        let moment = self.moments.get(moment).ok_or_else(none)?;
        self.world.restore(moment).map_err(Wrong::new)
    }

    /// A number for all state, as two halves: equal states have equal ones.
    pub fn fingerprint(&self) -> Vec<u32> {
        let number = self.world.fingerprint();
        vec![(number >> 32) as u32, number as u32]
    }
}

impl Simulation {
    fn check(&self, number: usize) -> Result<(), Wrong> {
        let count = self.scene.names().len();
        match number < count {
            true => Ok(()),
            false => Err(Wrong::new(format!("there is no body {number}: there are {count}"))),
        }
    }

    fn sheet(&self, number: usize) -> Result<&Sheet, Wrong> {
        let count = self.scene.sheets().len();
        let sheet = self.world.sheets().get(number);
        sheet.ok_or_else(|| Wrong::new(format!("there is no sheet {number}: there are {count}")))
    }

    fn id(&self, number: usize) -> Result<BodyId, Wrong> {
        self.check(number)?;
        let found = self.world.iter().find(|(id, _)| id.index() == number);
        Ok(found.map(|(id, _)| id).expect("bodies of a scene are never removed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FALL: &str = "
        [[body]]
        shape = { box = { size = [1, 1, 1] } }
        start = { position = [0, 2, 0] }
        [[body]]
        kind = 'static'
        shape = { box = { size = [9, 1, 9] } }
    ";

    #[test]
    fn a_box_falls_is_thrown_and_goes_back() {
        let mut world = Simulation::read(FALL, "fall.toml", &Files::new()).unwrap();
        let start = world.save();
        let print = world.fingerprint();
        let hits: usize = (0..60).map(|_| world.step(1.0 / 60.0).unwrap().len()).sum();
        assert!(hits > 0 && (world.poses()[1] - 1.0).abs() < 0.01, "it lies on the floor");
        assert!(world.throw(0, &[0.0, 5.0, 0.0], &[0.0, 1.0, 0.0]).unwrap());
        assert!(!world.throw(1, &[0.0, 5.0, 0.0], &[0.0, 1.0, 0.0]).unwrap());
        world.step(0.1).unwrap();
        assert!(world.poses()[1] > 1.2);
        world.restore(start).unwrap();
        assert_eq!(world.fingerprint(), print);
        assert!(world.restore(7).is_err() && world.look(2, 1.0).is_err());
        assert!(world.set_material(2.0, 0.5).is_err() && world.step(0.0).is_err());
    }

    #[test]
    fn a_sheet_is_drawn_where_it_is() {
        let text = "
            [[body]]
            kind = 'static'
            shape = { box = { size = [9, 1, 9] } }
            [[sheet]]
            name = 'cloth'
            size = [1, 1]
            cells = [2, 3]
            start = { position = [0, 2, 0] }
        ";
        let mut world = Simulation::read(text, "cloth.toml", &Files::new()).unwrap();
        assert_eq!(world.sheet_names(), ["cloth"]);
        let look = world.sheet_look(0, 2.0).unwrap();
        let places = world.sheet_places(0, 2.0).unwrap();
        assert_eq!((look.positions(), places.len()), (places.clone(), 3 * 12));
        assert!(look.triangles().iter().chain(&look.edges()).all(|&v| v < 12));
        let heights = |places: &[f32]| places.iter().skip(1).step_by(3).sum::<f32>() / 12.0;
        assert_eq!(heights(&places), 1.0);
        for _ in 0..12 {
            world.step(1.0 / 60.0).unwrap();
        }
        // Half of what falls freely in a fifth of a second, for places are halved.
        let fallen = 1.0 - heights(&world.sheet_places(0, 2.0).unwrap());
        assert!((fallen - 0.25 * 9.81 * 0.04).abs() < 0.02, "{fallen}");
        assert!(world.sheet_look(1, 1.0).is_err() && world.sheet_places(1, 1.0).is_err());
    }
}
