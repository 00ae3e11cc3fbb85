//! Continuous collision detection for Python: bindings of the front door, of deforming surfaces,
//! of traces, of worlds and of robots. Each is a few lines; what is computed, `chasles` computes.

mod array;
mod batch;
mod contacts;
mod deform;
mod error;
mod feature;
mod geometry;
mod mesh;
mod motion;
mod options;
mod pickle;
mod pose;
mod query;
mod report;
mod rest;
mod robot;
mod round;
mod set;
mod solid;
mod trace;
mod workspace;
mod world;

use pyo3::prelude::*;

/// The extension module: `chasles` exports what is in it, and adds tables, reports and checkers.
#[pymodule]
mod _chasles {
    use super::*;

    #[pymodule_export]
    use crate::batch::{
        clearances, distances, first_contacts, first_hit, first_times, outcomes, overlaps_each,
    };
    #[pymodule_export]
    use crate::contacts::{_contact, _contacts, PyContact, PyContacts};
    #[pymodule_export]
    use crate::deform::{collision_free_step, deforming_contacts, queries, query_times, step_free};
    #[pymodule_export]
    use crate::error::{Error, MeshError, MotionError, QueryError, RobotError, WorldError};
    #[pymodule_export]
    use crate::geometry::PyGeometry;
    #[pymodule_export]
    use crate::mesh::{_mesh, Mesh};
    #[pymodule_export]
    use crate::motion::{_motion, PyMotion, between, flight, still, turn, twist, waypoints};
    #[pymodule_export]
    use crate::query::{
        cast, clearance, contacts, distance, first_contact, near, outcome, overlaps, penetration,
    };
    #[pymodule_export]
    use crate::rest::{
        _cast, _clearance, _distance, _outcome, _penetration, PyCast, PyClearance, PyDistance,
        PyOutcome, PyPenetration,
    };
    #[pymodule_export]
    use crate::robot::{_edge, _near, _robot, _scene, PyEdge, PyNear, PyRobot, PyScene};
    #[pymodule_export]
    use crate::round::{_round, PyRound};
    #[pymodule_export]
    use crate::set::{_set, PySet, clearances_in, first_contacts_in, first_hit_in, outcomes_in};
    #[pymodule_export]
    use crate::solid::{_solid, PySolid};
    #[pymodule_export]
    use crate::trace::{_trace, _trace_world, _walker, PyTrace, PyWalker, TraceBody, TraceWorld};
    #[pymodule_export]
    use crate::world::{_report, _saved, _struck, _world, PyCastHit, PyReport, PySaved, PyWorld};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::batch::run::begin();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
