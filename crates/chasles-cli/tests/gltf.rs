//! `--gltf`: other programs read the films, and find in them what the scene says.

mod common;

use std::fs;
use std::path::Path;

use chasles::glam::Vec3;
use chasles_scene::Scene;
use common::{Folder, path_scenes, scenes, simulate_scenes};
use gltf::animation::util::ReadOutputs;

/// A film as another program reads it: checked, and with all of its numbers.
struct Read {
    document: gltf::Document,
    blob: Vec<u8>,
}

impl Read {
    fn of(folder: &Folder, name: &str) -> Self {
        let bytes = fs::read(folder.path().join(name)).expect("just written");
        let read = gltf::Gltf::from_slice(&bytes).unwrap_or_else(|error| panic!("{error}"));
        let blob = read.blob.clone().expect("the numbers are in the file");
        Self { document: read.document, blob }
    }

    /// The positions and the corners of triangles of every mesh are there, and in range.
    fn check(&self) {
        for primitive in
            self.document.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>())
        {
            let reader = primitive.reader(|_| Some(&self.blob));
            let count = reader.read_positions().expect("positions").count();
            let mut corners = reader.read_indices().expect("corners").into_u32();
            assert!(corners.all(|corner| (corner as usize) < count));
        }
        for channel in self.document.animations().flat_map(|a| a.channels().collect::<Vec<_>>()) {
            let reader = channel.reader(|_| Some(&self.blob));
            let times: Vec<f32> = reader.read_inputs().expect("times").collect();
            assert!(times[0] == 0.0 && times.windows(2).all(|two| two[0] < two[1]));
            let count = match reader.read_outputs().expect("values") {
                ReadOutputs::Translations(values) => values.count(),
                ReadOutputs::Rotations(values) => values.into_f32().count(),
                ReadOutputs::MorphTargetWeights(values) => values.into_f32().count(),
                ReadOutputs::Scales(_) => panic!("nothing grows"),
            };
            assert_eq!(count, times.len());
        }
    }
}

fn film(folder: &Folder, command: &str, scene: &Path, more: &[&str]) -> Read {
    let scene = scene.to_string_lossy();
    let run = folder.run(&[&[command, &scene, "--gltf", "a.glb", "--quiet"], more].concat());
    // The bowl of the rocks is open, which is said.
    let bowl = |line: &str| line.starts_with("warning: the mesh of bowl is open");
    assert!(run.status == 0 && run.err.lines().all(bowl), "{scene}: {}", run.err);
    let read = Read::of(folder, "a.glb");
    read.check();
    read
}

#[test]
fn every_scene_for_collide_is_a_film_that_others_read() {
    let folder = Folder::new("gltf-collide");
    for path in scenes() {
        let read = film(&folder, "collide", &path, &[]);
        let scene = Scene::load(&path).expect("a scene");
        let names: Vec<&str> = read.document.nodes().filter_map(|node| node.name()).collect();
        let bodies: Vec<&str> = scene.bodies().iter().map(|body| body.name.as_str()).collect();
        assert_eq!(names, bodies, "{path:?}");
        assert_eq!(read.document.animations().count(), 1, "{path:?}");
    }
    let solids = path_scenes().into_iter().filter(|path| common::has_solid(path));
    for path in solids {
        film(&folder, "collide", &path, &["--method", "path"]);
    }
}

/// Between two keys viewers interpolate, so that all keys must lie on the screw.
#[test]
fn bodies_follow_their_motion() {
    let folder = Folder::new("gltf-motion");
    for name in ["tori", "spin", "cars"] {
        let read = film(&folder, "collide", Path::new(name), &[]);
        let scene = Scene::load(Path::new(name)).expect("a scene");
        let animation = read.document.animations().next().expect("an animation");
        for channel in animation.channels() {
            let motion = scene.bodies()[channel.target().node().index()].motion().expect("rigid");
            let reader = channel.reader(|_| Some(&read.blob));
            let times: Vec<f32> = reader.read_inputs().expect("times").collect();
            assert_eq!((times[0], times[times.len() - 1]), (0.0, 1.0), "a second is the step");
            let poses = times.iter().map(|&time| motion.pose_at(f64::from(time)));
            match reader.read_outputs().expect("values") {
                ReadOutputs::Translations(values) => {
                    for (value, pose) in values.zip(poses) {
                        let off = (pose.position().as_vec3() - Vec3::from_array(value)).length();
                        assert!(off < 1e-5, "{name}: {value:?} for {}", pose.position());
                    }
                }
                ReadOutputs::Rotations(values) => {
                    for (value, pose) in values.into_f32().zip(poses) {
                        let turn = pose.rotation().as_quat().to_array();
                        let dot: f32 = turn.iter().zip(value).map(|(p, q)| p * q).sum();
                        assert!(dot.abs() > 1.0 - 1e-5, "{name}: {value:?} for {turn:?}");
                    }
                }
                _ => panic!("rigid bodies move and turn"),
            }
        }
    }
}

#[test]
fn a_body_that_deforms_has_a_second_shape() {
    let folder = Folder::new("gltf-deforms");
    let read = film(&folder, "collide", Path::new("cloth"), &[]);
    let scene = Scene::load(Path::new("cloth")).expect("a scene");
    let cloth = scene.bodies()[1].deforming().expect("a cloth");
    let [_, end] = cloth.frames.ends();
    let mesh = read.document.meshes().nth(1).expect("the cloth");
    let primitive = mesh.primitives().next().expect("triangles");
    let reader = primitive.reader(|_| Some(&read.blob));
    let start: Vec<[f32; 3]> = reader.read_positions().expect("positions").collect();
    let (shifts, _, _) = reader.read_morph_targets().next().expect("a second shape");
    let found: Vec<[f32; 3]> = shifts.expect("shifts").collect();
    assert_eq!(found.len(), end.len());
    for ((start, shift), end) in start.iter().zip(&found).zip(end) {
        let place = [0, 1, 2].map(|i| start[i] + shift[i]);
        assert!(
            (end.as_vec3() - Vec3::from_array(place)).length() < 1e-5,
            "{place:?} is not {end}"
        );
    }
    let channels: Vec<_> =
        read.document.animations().flat_map(|a| a.channels().collect::<Vec<_>>()).collect();
    assert_eq!(channels.len(), 1, "the sphere rests");
    assert_eq!(channels[0].target().property(), gltf::animation::Property::MorphTargetWeights);
}

#[test]
fn every_simulation_is_a_film_that_others_read() {
    let folder = Folder::new("gltf-simulate");
    for path in simulate_scenes() {
        let read = film(&folder, "simulate", &path, &["--seconds", "0.05"]);
        assert_eq!(read.document.scenes().count(), 1, "{path:?}");
    }
}
