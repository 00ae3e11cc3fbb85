//! Sheets in the results: as meshes, and whether they are in bodies or in themselves.

use chasles::deform::{Workspace, self_closings};
use chasles::near;
use chasles::{Collider, Polygons, Polyhedron, Pose};
use chasles_dynamics::World;
use chasles_dynamics::spring::sheet::Sheet;

use super::check::Overlap;

/// Parts of a sheet that are nearer than this share of its thickness are in each other.
const IN_EACH_OTHER: f64 = 1e-6;

/// A sheet as a mesh where it is; none if it has no extent.
pub(crate) fn mesh(sheet: &Sheet) -> Option<Polyhedron> {
    let mesh = Polygons { vertices: sheet.positions().to_vec(), ..sheet.net().mesh().clone() };
    Polyhedron::new(&mesh).ok()
}

/// Sheets that are in bodies or in themselves. Sheets are numbered behind the bodies.
pub(super) fn overlaps(world: &World) -> Vec<Overlap> {
    let mut workspace = near::Workspace::new();
    let mut found = Vec::new();
    let mut meshes: Vec<(usize, Collider)> = Vec::new();
    let time = world.time();
    for (number, sheet) in world.sheets().iter().enumerate() {
        let number = world.bodies().len() + number;
        let places = sheet.surface().at_rest(sheet.positions());
        let is_crossed = places.is_ok_and(|places| {
            let distance = IN_EACH_OTHER * sheet.thickness();
            !self_closings(&places, distance, &mut Workspace::default()).is_empty()
        });
        if is_crossed {
            found.push(Overlap { time, bodies: [number; 2] });
        }
        let Some(mesh) = mesh(sheet) else { continue };
        let mesh = Collider::new(mesh);
        meshes.push((number, mesh));
        let (number, mesh) = &meshes[meshes.len() - 1];
        for (other, before) in &meshes[..meshes.len() - 1] {
            if near::intersect(before, mesh, [Pose::IDENTITY; 2], &mut workspace) {
                found.push(Overlap { time, bodies: [*other, *number] });
            }
        }
        for (i, body) in world.bodies().iter().enumerate().filter(|(_, body)| !body.is_intangible())
        {
            let poses = [body.pose(), Pose::IDENTITY];
            if near::intersect(body.collider(), mesh, poses, &mut workspace) {
                found.push(Overlap { time, bodies: [i, *number] });
            }
        }
    }
    found
}
