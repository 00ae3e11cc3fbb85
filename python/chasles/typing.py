"""Types of arguments and results, for annotations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, Union

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._chasles import Geometry, Motion


class HasMesh(Protocol):
    """Anything with vertices and faces, such as a mesh of trimesh."""

    @property
    def vertices(self) -> Any:
        """Positions, (n, 3)."""

    @property
    def faces(self) -> Any:
        """Numbers of vertices, (m, k) or a list of polygons."""


Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Vector = Union[Sequence[float], npt.NDArray[Any]]
Pair = tuple[float, float]
Axes = tuple[bool, bool, bool]
Body = Union["Geometry", HasMesh]
PoseLike = npt.ArrayLike
MotionLike = Union["Motion", PoseLike, tuple[PoseLike, PoseLike]]
Method = Literal["auto", "exact", "screen", "path"]
Progress = Union[bool, Callable[[int, int], object], None]
Kind = Literal["dynamic", "kinematic", "yielding", "static"]
JointKind = Literal[
    "ball",
    "hinge",
    "cardan",
    "weld",
    "line",
    "piston",
    "rail",
    "plane",
    "plate",
    "no_spin",
    "distance",
    "rope",
    "spring",
]
