//! What gives a body of a scene its mass: its volume, or a rule for what encloses nothing.

use chasles::Polyhedron;
use chasles::mesh::Mass;
use chasles::round::Round;
use chasles_dynamics::body::{BodyError, MassProperties};

/// What is filled, of any density.
pub(super) enum Matter<'m> {
    /// What a mesh encloses.
    Volume(&'m Polyhedron),
    /// The same of an open mesh, as if it were closed.
    Closed(&'m Polyhedron),
    /// Faces of this thickness; of a mesh without faces, edges or else vertices of this diameter.
    Thin(&'m Polyhedron, f64),
    /// A sphere or a capsule.
    Round(&'m Round),
}

impl Matter<'_> {
    /// The centre, where the volume has one.
    pub(super) fn centre(&self) -> Option<chasles::glam::DVec3> {
        let mass: Option<Mass> = match self {
            Self::Volume(mesh) | Self::Closed(mesh) | Self::Thin(mesh, _) => mesh.mass(1.0),
            Self::Round(round) => Some(round.mass(1.0)),
        };
        mass.map(|mass| mass.centre)
    }

    /// Mass and inertia at a density.
    pub(super) fn mass_properties(&self, density: f64) -> Result<MassProperties, BodyError> {
        match self {
            Self::Volume(mesh) => MassProperties::of_mesh(mesh, density),
            Self::Closed(mesh) => MassProperties::as_if_closed(mesh, density),
            Self::Thin(mesh, thickness) if mesh.face_count() > 0 => {
                MassProperties::of_shell(mesh, density, *thickness)
            }
            Self::Thin(mesh, thickness) if mesh.edge_count() > 0 => {
                MassProperties::of_wire(mesh, density, 0.5 * thickness)
            }
            Self::Thin(mesh, thickness) => MassProperties::of_beads(mesh, density, 0.5 * thickness),
            Self::Round(round) => MassProperties::of_round(round, density),
        }
    }
}
