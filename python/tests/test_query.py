"""Questions about two bodies: what goes in, and what comes out."""

import numpy as np
import pytest

import chasles
from cases import at, cube_falls, rotation


def test_a_cube_that_falls_hits_when_arithmetic_says():
    hits = chasles.contacts(*cube_falls())
    assert len(hits) > 4
    np.testing.assert_allclose(hits.time[0], 2 / 3, rtol=1e-12)
    assert (np.diff(hits.time) >= 0).all()
    first = chasles.first_contact(*cube_falls())
    assert first.time == hits.time[0]
    np.testing.assert_allclose(np.linalg.norm(hits.normal, axis=1), 1, rtol=1e-12)
    assert ((hits.bracket[:, 0] <= hits.time) & (hits.time <= hits.bracket[:, 1])).all()


def test_columns_have_the_shapes_of_the_contract():
    hits = chasles.contacts(*cube_falls())
    n = len(hits)
    for name in ["time", "properness", "normal_speed", "touchable", "kind", "grazing"]:
        assert getattr(hits, name).shape == (n,), name
    for name in ["point", "normal", "point_in_a", "normal_in_a"]:
        assert getattr(hits, name).shape == (n, 3), name
    for name in ["bracket", "feature_a", "feature_b"]:
        assert getattr(hits, name).shape == (n, 2), name
    assert set(hits.columns()) >= {"time", "kind", "feature_a"}
    assert hits.touchable.dtype == bool and hits.feature_a.dtype.kind == "i"


def test_a_row_says_what_the_columns_say():
    hits = chasles.contacts(*cube_falls())
    for i in [0, len(hits) - 1, -1]:
        one = hits[i]
        for name in ["time", "properness", "normal_speed", "touchable", "grazing", "kind"]:
            assert getattr(one, name) == getattr(hits, name)[i]
        for name in ["point", "normal", "feature_a", "feature_b", "bracket"]:
            np.testing.assert_array_equal(getattr(one, name), getattr(hits, name)[i])
    with pytest.raises(IndexError):
        hits[len(hits)]
    assert len(hits[hits.kind == "ee"]) == (hits.kind == "ee").sum()
    assert len(hits[:3]) == 3 and [h.time for h in hits[:3]] == hits.time[:3].tolist()


def test_features_name_the_numbers_of_the_input():
    hits = chasles.contacts(*cube_falls())
    cube = chasles.Mesh.box()
    faces, vertices = np.asarray(cube.faces), cube.vertices
    for hit in hits:
        if hit.kind == "fv":
            normal = np.cross(
                *(vertices[faces[hit.feature_a[0]]][[1, 2]] - vertices[faces[hit.feature_a[0]]][0])
            )
            assert abs(np.dot(normal / np.linalg.norm(normal), hit.normal)) > 1 - 1e-9
            assert hit.feature_a[1] == -1
        if hit.kind == "ee":
            assert hit.feature_a[0] < hit.feature_a[1]


@pytest.mark.parametrize(
    "facing, touchable, proper", [(True, False, False), (False, True, False), (True, True, True)]
)
def test_filters_leave_a_part_of_all(facing, touchable, proper):
    a, b, way = chasles.Mesh.torus(), chasles.Mesh.torus(), (at(0.3, 3, 0.2), at(0.3, -3, 0.2))
    every = chasles.contacts(a, b, b_motion=way)
    some = chasles.contacts(a, b, b_motion=way, facing=facing, touchable=touchable, proper=proper)
    assert 0 < len(some) < len(every)
    assert set(some.time) <= set(every.time)
    if facing:
        assert (some.normal_speed <= 0).all()


def test_methods_agree_and_say_what_is_sure():
    a, b, way = chasles.Mesh.torus(), chasles.Mesh.torus(), (at(0.3, 3, 0.2), at(0.3, -3, 0.2))
    exact = chasles.contacts(a, b, b_motion=way, facing=True, proper=True)
    assert exact.method == "exact" and "every contact" in exact.guarantee
    screen = chasles.contacts(
        a, b, b_motion=way, facing=True, proper=True, method="screen", pixels=24
    )
    assert screen.method == "screen" and "pixel" in screen.guarantee
    assert abs(screen.time[0] - exact.time[0]) < 0.05
    path = chasles.contacts(a, b, b_motion=way, method="path", precision=1e-5)
    assert path.method == "path" and path.undecided >= 0
    assert set(path.kind) <= {"sp", "ps"}


def test_poses_of_all_forms_are_the_same_motion():
    cube = chasles.Mesh.box()
    start, end = np.eye(4), np.eye(4)
    start[:3, 3], end[:3, 3] = [0.2, 3, 0.1], [0.2, 0, 0.1]
    end[:3, :3] = rotation([0, 0, 1], 0.5)
    seven = [0.2, 0, 0.1, 0, 0, np.sin(0.25), np.cos(0.25)]
    forms = [
        (start, end),
        [start.tolist(), end.tolist()],
        np.stack([start, end]),
        np.stack([start, end]).astype(np.float32).astype(float),
        ([0.2, 3, 0.1, 0, 0, 0, 1], seven),
        chasles.between(start, seven),
        chasles.waypoints([start, end]),
    ]
    times = [chasles.first_contact(cube, cube, b_motion=form).time for form in forms]
    np.testing.assert_allclose(times, times[0], rtol=1e-6)


def test_arrays_of_any_type_and_layout_are_the_same_body():
    cube = chasles.Mesh.box()
    vertices, faces = cube.vertices, np.asarray(cube.faces)
    wide = np.zeros((8, 6))
    wide[:, ::2] = vertices
    doubled = np.asfortranarray(vertices * 2)
    forms = [
        chasles.Mesh(vertices.tolist(), faces.tolist()),
        chasles.Mesh(vertices.astype(np.float32), faces.astype(np.uint8)),
        chasles.Mesh(wide[:, ::2], faces[::1]),
        chasles.Mesh(np.rint(doubled).astype(int), [list(f) for f in faces]).transformed(scale=0.5),
        chasles.Mesh(vertices, [np.asarray(face) for face in faces]),
        chasles.Mesh(vertices, faces[:, ::-1]),
    ]
    expected = chasles.first_contact(*cube_falls()).time
    for form in forms:
        assert chasles.first_contact(form, cube, b_motion=cube_falls()[3]).time == expected
    assert chasles.Mesh(vertices, faces[:, ::-1], turn_outward=False).volume == -1


def test_anything_with_vertices_and_faces_is_a_body():
    class Other:
        vertices = chasles.Mesh.box().vertices
        faces = chasles.Mesh.box().faces

    cube = chasles.Mesh.box()
    way = cube_falls()[3]
    theirs = chasles.first_contact(Other(), Other(), b_motion=way)
    assert theirs.time == chasles.first_contact(cube, cube, b_motion=way).time
    with pytest.raises(TypeError, match="of the type str; expected a chasles.Mesh"):
        chasles.contacts("cube", cube)
    with pytest.raises(TypeError, match="b is of the type int"):
        chasles.distance(cube, 3)


def scaled(*factors):
    matrix = np.eye(4)
    matrix[:3, :3] = np.diag(factors)
    return matrix


@pytest.mark.parametrize(
    "pose, message",
    [
        (scaled(2, 1, 1), "scales by 2.000000, 1.000000, 1.000000"),
        (scaled(-1, 1, 1), "mirrors"),
        (np.eye(4) + np.eye(4, k=1) * [[0.01], [0], [0], [0]], r"\.b_motion|b_motion: the matrix"),
        (np.eye(3), "shape \\(3, 3\\)"),
        (np.full((4, 4), np.nan), "last row"),
        ([0, 0, 0, 0, 0, 0, 0], "quaternion has the length 0"),
        ([0, 0, 0, 1, 0, 0, 1], "quaternion has the length 1.41"),
        ([np.inf, 0, 0, 0, 0, 0, 1], "not finite"),
        ([1e200, 0, 0, 0, 0, 0, 1], "beyond 1e100"),
        (np.eye(4).T + np.eye(4, k=-3), "last row of the matrix is 1 0 0 1"),
    ],
)
def test_what_is_no_pose_is_refused_and_says_why(pose, message):
    cube = chasles.Mesh.box()
    with pytest.raises(chasles.Error, match=message):
        chasles.contacts(cube, cube, b_motion=(pose, at(0, 0, 0)))


def test_sheared_matrices_are_refused():
    shear = np.eye(4)
    shear[:3, 0] = [1, 0, 0]
    shear[:3, 1] = [np.sin(0.1), np.cos(0.1), 0]
    with pytest.raises(chasles.MotionError, match="a_pose: the matrix shears"):
        chasles.distance(chasles.Mesh.box(), chasles.Mesh.box(), a_pose=shear)


def test_wrong_options_name_the_right_ones():
    cube = chasles.Mesh.box()
    with pytest.raises(TypeError, match="'fcing'|\"fcing\" is no option here; there are: facing"):
        chasles.contacts(cube, cube, fcing=True)
    with pytest.raises(TypeError):
        chasles.contacts(cube, cube, facing="yes")
    with pytest.raises(chasles.QueryError, match="Mesh.sphere"):
        chasles.penetration(chasles.Round.sphere(), cube)
    with pytest.raises(chasles.QueryError, match='method="path" or method="auto"'):
        chasles.contacts(chasles.Solid.cone(), cube, method="exact")
    for error in [chasles.MeshError, chasles.MotionError, chasles.QueryError, chasles.WorldError]:
        assert issubclass(error, chasles.Error) and issubclass(error, ValueError)


def test_wrong_meshes_are_refused_and_say_what_and_where():
    square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    for vertices, faces, message in [
        (square, [[0, 1, 4]], "face 0 uses vertex 4, but there are only 4"),
        (square, [[0, 1, -1]], "numbers are from 0"),
        ([[0, 0]], [[0]], "vertices has the shape \\(1, 2\\); expected \\(n, 3\\)"),
        ([[0, 0, np.nan]], None, "vertex 0"),
        ([], [], "empty"),
        (square, [[]], "face 0 has no vertices"),
        ([["a", "b", "c"]], [[0]], "vertices is an array of <U1; expected real numbers"),
        (square, [[0.5, 1, 2]], "faces|face 0"),
        (np.array(square, dtype=complex), [[0, 1, 2]], "complex128"),
    ]:
        with pytest.raises((chasles.Error, TypeError), match=message):
            chasles.Mesh(vertices, faces)


def test_files_are_read_and_written(tmp_path):
    torus = chasles.Mesh.torus()
    for ending in ["obj", "ply", "off", "stl"]:
        path = tmp_path / f"ring.{ending}"
        torus.save(path)
        again = chasles.Mesh.load(path)
        assert again.name == "ring"
        assert abs(again.volume - torus.volume) < 1e-5 * torus.volume
    with pytest.raises(FileNotFoundError, match="nowhere.obj"):
        chasles.Mesh.load(tmp_path / "nowhere.obj")
    (tmp_path / "bad.obj").write_text("v 0 0 0\nv 1 0 0\nf 1 2 9\n")
    with pytest.raises(chasles.MeshError, match="bad.obj.*3"):
        chasles.Mesh.load(tmp_path / "bad.obj")
    with pytest.raises(chasles.MeshError, match="extension"):
        torus.save(tmp_path / "ring.xyz")


def test_distances_and_clearances_hold_for_two_balls():
    ball, post = chasles.Round.sphere(0.5), chasles.Round.sphere(0.25)
    d = chasles.distance(ball, post, b_pose=at(3, 4, 0))
    assert abs(d.distance - 4.25) < 1e-12 and not d.overlaps
    np.testing.assert_allclose(d.points, [[0.3, 0.4, 0], [2.85, 3.8, 0]], atol=1e-12)
    c = chasles.clearance(ball, post, b_motion=(at(-3, 1, 0), at(3, 1, 0)), width=1e-9)
    assert c.lower <= 0.25 <= c.upper + 1e-12 and c.upper - c.lower <= 1e-9
    assert chasles.clearance(ball, post, b_motion=(at(-3, 0, 0), at(3, 0, 0))).lower == 0


def test_bodies_without_end_and_solids_are_asked_by_samples():
    ground = chasles.Solid.half_space((0, 0, 1))
    egg = chasles.Solid.formula("x^2 + y^2 + 2*z^2 - 1", bounds=[[-1, -1, -1], [1, 1, 1]])
    hit = chasles.first_contact(ground, egg, b_motion=(at(0, 0, 3), at(0, 0, 0)))
    assert abs(hit.time - (3 - np.sqrt(0.5)) / 3) < 1e-3
    assert np.isinf(ground.bounds).any() and egg.surface().is_closed
    ring = (chasles.Solid.torus(1, 0.3) | chasles.Solid.sphere(0.2)) & chasles.Solid.box(4)
    assert chasles.overlaps(ring, egg, b_pose=at(0, 9, 0)) is False
    heights = chasles.Solid.heights([[0, 0], [0, 1.0]], spacing=1.0)
    assert chasles.overlaps(heights, egg, b_pose=at(0, 9, 0)) is False


def test_a_cast_stops_before_it_touches():
    cube = chasles.Mesh.box()
    fall = chasles.cast(cube, cube, (0, 0, -4), b_pose=at(0.1, 0.2, 3))
    assert abs(fall.fraction - 0.5) < 1e-6
    assert not chasles.overlaps(cube, cube, b_pose=fall.end)
    assert chasles.cast(cube, cube, (0, 0, 4), b_pose=at(0, 0, 3)).point is None
    spin = chasles.cast(cube, cube, axis=(0, 0, 1), angle=3.0, b_pose=at(1.2, 0, 0))
    assert 0 < spin.fraction < 1
    with pytest.raises(chasles.Error, match="an angle needs an axis"):
        chasles.cast(cube, cube, angle=1.0)


def test_turns_may_be_of_any_angle():
    blade = chasles.Mesh.box([4, 0.1, 0.1])
    post = chasles.Mesh.box([0.1, 0.1, 2])
    spin = chasles.turn(angle=10 * np.pi, axis=(0, 0, 1))
    times = chasles.contacts(post, blade, at(1, 1, 0), spin, facing=True, proper=True).time
    assert len(np.unique(times.round(2))) >= 10
    back = chasles.turn(at(1, 0, 0), angle=np.pi, axis=(0, 0, 1), point=(1, 0, 0))
    np.testing.assert_allclose(back.end[:3, 3], [1, 0, 0], atol=1e-12)
    with pytest.raises(chasles.MotionError, match="turn"):
        chasles.turn(angle=1.0, axis=(0, 0, 0))
    with pytest.raises(chasles.MotionError, match="times must rise"):
        chasles.waypoints([at(0, 0, 0)] * 3, times=[0, 0.5, 0.5])
