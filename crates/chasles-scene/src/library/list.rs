//! The files that are embedded. A test compares the lists with the folder.

use super::BuiltIn;

macro_rules! scene {
    ($name:literal, $command:literal, $options:literal) => {
        BuiltIn {
            name: $name,
            command: $command,
            options: $options,
            text: include_str!(concat!("../../scenes/", $name, ".toml")),
        }
    };
    ($name:literal, $command:literal) => {
        scene!($name, $command, "")
    };
}

macro_rules! mesh {
    ($name:literal) => {
        (
            concat!("meshes/", $name),
            include_bytes!(concat!("../../scenes/meshes/", $name)).as_slice(),
        )
    };
}

/// All scenes, the simple ones first.
pub const SCENES: &[BuiltIn] = &[
    scene!("tori", "collide"),
    scene!("cubes", "collide"),
    scene!("cars", "collide"),
    scene!("spin", "collide"),
    scene!("sliding", "collide"),
    scene!("gear", "collide"),
    scene!("tips", "collide"),
    scene!("proper", "collide"),
    scene!("bolt", "collide"),
    scene!("stuck", "collide"),
    scene!("cloth", "collide"),
    scene!("fold", "collide"),
    scene!("soup", "collide"),
    scene!("bowling", "collide"),
    scene!("toys", "collide"),
    scene!("housing", "collide", "--method path"),
    scene!("drill", "collide", "--method path"),
    scene!("trace-corner", "trace"),
    scene!("trace-corridor", "trace"),
    scene!("trace-level", "trace"),
    scene!("trace-burst", "trace"),
    scene!("simulate-dominoes", "simulate"),
    scene!("simulate-wall", "simulate"),
    scene!("simulate-cars", "simulate"),
    scene!("simulate-rocks", "simulate"),
    scene!("simulate-bolt", "simulate"),
    scene!("simulate-gears", "simulate"),
    scene!("simulate-crank", "simulate"),
    scene!("simulate-cradle", "simulate"),
    scene!("simulate-chain", "simulate"),
    scene!("simulate-sitting", "simulate"),
    scene!("simulate-stairs", "simulate"),
    scene!("simulate-cloth", "simulate"),
];

/// The files that scenes name, relative to the folder of scenes.
pub const FILES: &[(&str, &[u8])] = &[
    mesh!("bowl.obj"),
    mesh!("cloth-end.obj"),
    mesh!("cloth-start.obj"),
    mesh!("fork.obj"),
    mesh!("gear.obj"),
    mesh!("point.obj"),
    mesh!("rock-flint.obj"),
    mesh!("rock-granite.obj"),
    mesh!("rock-slate.obj"),
    mesh!("sheet-end.obj"),
    mesh!("sheet-start.obj"),
    mesh!("soup.obj"),
];
