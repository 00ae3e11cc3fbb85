"""Continuous collision detection: every contact of two moving, turning bodies.

Two bodies move for one step, turning as much as they like: Chasles finds every moment of that step
at which they touch, and says where, between which features, how fast, and how well the surfaces
face each other.

>>> import chasles
>>> cube = chasles.Mesh.box()
>>> fall = ([0.2, 3, 0.1, 0, 0, 0, 1], [0.2, 0, 0.1, 0, 0, 0, 1])
>>> hit = chasles.first_contact(cube, cube, b_motion=fall)
>>> round(hit.time, 9), hit.normal.tolist()
(0.666666667, [0.0, 1.0, 0.0])

Lengths are in the unit of the bodies, angles in radians, times are fractions of the step.
"""

from ._chasles import *
from ._chasles import __version__ as __version__
from ._frames import Columns as Columns

__all__ = [
    "Cast",
    "CastHit",
    "Checker",
    "Clearance",
    "Columns",
    "Contact",
    "Contacts",
    "Distance",
    "Edge",
    "Error",
    "Geometry",
    "Mesh",
    "MeshError",
    "Motion",
    "MotionError",
    "Near",
    "Outcome",
    "Penetration",
    "QueryError",
    "Report",
    "Robot",
    "RobotError",
    "Round",
    "Saved",
    "Scene",
    "Set",
    "Solid",
    "Trace",
    "TraceBody",
    "TraceWorld",
    "Walker",
    "World",
    "WorldError",
    "between",
    "cast",
    "check_parquet",
    "clearance",
    "clearances",
    "clearances_in",
    "collision_free_step",
    "contacts",
    "deforming_contacts",
    "distance",
    "distances",
    "first_contact",
    "first_contacts",
    "first_contacts_in",
    "first_hit",
    "first_hit_in",
    "first_times",
    "flight",
    "near",
    "outcome",
    "outcomes",
    "outcomes_in",
    "overlaps",
    "overlaps_each",
    "penetration",
    "queries",
    "query_times",
    "step_free",
    "still",
    "turn",
    "twist",
    "waypoints",
]

# What needs more than NumPy's start is made when it is first asked for.
_LATER = {"Checker": "_checker", "check_parquet": "_parquet"}


def __getattr__(name):
    if name in _LATER:
        from importlib import import_module

        value = getattr(import_module(f".{_LATER[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
