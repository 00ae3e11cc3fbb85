"""What a type checker must accept, and know, of the package; it is never run."""

import chasles
import numpy as np
import numpy.typing as npt
from typing_extensions import assert_type

cube = chasles.Mesh.box([1, 2, 3])
assert_type(cube, chasles.Mesh)
assert_type(cube.named("crate"), chasles.Mesh)
assert_type(cube.vertices, npt.NDArray[np.float64])

way = ([0.2, 3, 0.1, 0, 0, 0, 1], np.eye(4))
hits = chasles.contacts(cube, cube, b_motion=way, facing=True, method="exact")
assert_type(hits, chasles.Contacts)
assert_type(hits[0], chasles.Contact)
assert_type(hits[hits.properness > 0], chasles.Contacts)
assert_type(hits.touchable, npt.NDArray[np.bool_])
assert_type([hit.time for hit in hits], list[float])
assert_type(chasles.first_contact(cube, chasles.Round.sphere(), None, way), chasles.Contact | None)
chasles.contacts(cube, cube, method="guess")  # type: ignore[arg-type]
chasles.contacts(cube)  # type: ignore[call-arg]

assert_type(chasles.distance(cube, cube).points, npt.NDArray[np.float64])
assert_type(chasles.overlaps(cube, cube), bool | None)
assert_type(
    chasles.first_times(cube, cube, np.zeros((0, 7)), np.zeros((0, 7)), threads=2),
    npt.NDArray[np.float64],
)
assert_type(
    chasles.outcomes(cube, cube, [way, chasles.turn(angle=1.0, axis=(0, 0, 1))]), chasles.Columns
)
assert_type(chasles.Solid.cone() - chasles.Solid.sphere(), chasles.Solid)
assert_type(chasles.step_free(np.zeros((3, 3)), np.zeros((3, 3)), [[0, 1, 2]]), bool)

crowd = chasles.Set()
assert_type(crowd.add(cube, way, groups=(1, 2)), int)
assert_type(crowd.first_contact(facing=True), tuple[int, int, chasles.Contact] | None)
assert_type(chasles.first_contacts_in(crowd, cube, [way]), chasles.Columns)

world = chasles.World(gravity=(0, 0, -9.81), stepping="events")
assert_type(world.add(cube, density=1000, kind="dynamic"), int)
assert_type(world.step(1 / 60), chasles.Report)
assert_type(world.ray((0, 0, 1), (0, 0, -1)), chasles.CastHit | None)
world.collide_if(lambda a, b: a + b > 1)
world.add(cube, kind="floating")  # type: ignore[arg-type]

check = chasles.Checker(cube, cube, ask="outcome", facing=True)
assert_type(check, chasles.Checker)
assert_type(chasles.check_parquet("in.parquet", "out.parquet", check), int)
