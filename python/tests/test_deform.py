"""Surfaces that deform: decisions of exact arithmetic on arrays."""

import os
import pathlib

import numpy as np
import pytest

import chasles

TRIANGLES = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [0.4, 0.2, 1], [0.2, 0.4, 1]])
FACES = [[0, 1, 2], [3, 4, 5]]


def moved(z):
    end = TRIANGLES.copy()
    end[3:, 2] = z
    return end


@pytest.mark.parametrize("z, free", [(-1, False), (0.5, True), (0, False), (1e-300, True)])
def test_a_triangle_touches_where_it_reaches_the_plane(z, free):
    assert chasles.step_free(TRIANGLES, moved(z), FACES) is free
    step = chasles.collision_free_step(TRIANGLES, moved(z), FACES)
    assert step == 1 if free else step <= 1 / (1 - z)


def test_a_separation_is_kept():
    step = chasles.collision_free_step(TRIANGLES, moved(-1), FACES, separation=0.5)
    assert 0.24 < step <= 0.25
    assert not chasles.step_free(TRIANGLES, moved(0.4), FACES, separation=0.5)
    with pytest.raises(chasles.Error, match="separation is -1"):
        chasles.step_free(TRIANGLES, moved(0), FACES, separation=-1)


def test_edges_of_no_face_count():
    V0 = np.array([[0, 0, 0], [1, 0, 0], [0.5, -1, 1], [0.5, 1, 1.0]])
    V1 = V0.copy()
    V1[2:, 2] = -1
    E = [[0, 1], [2, 3]]
    assert not chasles.step_free(V0, V1, None, E)
    assert chasles.step_free(V0, V1, np.zeros((0, 3), int), [[0, 1]])
    hits = chasles.deforming_contacts(V0, V1, E=E)
    assert hits.kind.tolist() == ["ee"] and hits.time.tolist() == [0.5]
    hits = chasles.deforming_contacts(TRIANGLES, moved(-1), FACES, [[0, 1], [1, 2], [3, 4]])
    assert set(hits.kind) <= {"fv", "ee", "vf"} and len(hits) == 3


def test_a_sheet_folds_onto_itself():
    V0 = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0.0]])
    F = [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]]
    V1 = V0.copy()
    V1[[2, 5]] = [[0.5, 0.1, -0.5], [0.5, 0.9, -0.5]]
    middle = V0.copy()
    middle[[2, 5]] = [[0.5, 0.1, 0.5], [0.5, 0.9, 0.5]]
    assert chasles.step_free(V0, middle, F)
    hits = chasles.deforming_contacts(middle, V1, F)
    assert (hits.time == 0.5).all() and len(hits) == 4
    assert 0.4999 < chasles.collision_free_step(middle, V1, F) <= 0.5


@pytest.mark.parametrize(
    "V0, V1, F, message",
    [
        (TRIANGLES, TRIANGLES[:5], FACES, "6 vertices, but 5|uses vertex 5"),
        (TRIANGLES, moved(np.nan), FACES, "vertex 3"),
        (TRIANGLES, moved(0), [[0, 1, 9]], "vertex 9"),
    ],
)
def test_what_is_no_step_is_refused(V0, V1, F, message):
    with pytest.raises(chasles.Error, match=message):
        chasles.step_free(V0, V1, F)


def test_queries_are_decided_on_degenerate_input_too():
    vertex, triangle = [0.25, 0.25, 0], [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    start = np.array([[vertex, *triangle], [[2, 2, 1], *triangle], [[0, 0, 1], *triangle]], float)
    end = start.copy()
    end[2, 0] = [0, 0, -1e-300]
    assert chasles.queries(start, end, "vf").tolist() == [True, False, True]
    times = chasles.query_times(start, end, "vf")
    assert times[0] == 0 and np.isnan(times[1]) and abs(times[2] - 1) < 1e-12
    edges = np.array([[[0, 0, 0], [1, 0, 0], [0.5, -1, 1], [0.5, 1, 1]]], float)
    down = edges - [[[0, 0, 0], [0, 0, 0], [0, 0, 2], [0, 0, 2]]]
    assert chasles.queries(edges, down, "ee").tolist() == [True]
    with pytest.raises(chasles.Error, match="query 1"):
        chasles.queries(start, np.where(np.arange(3)[:, None, None] == 1, np.inf, end), "vf")
    with pytest.raises(chasles.Error, match=r"\(n, 4, 3\)"):
        chasles.queries(start[:, :3], end[:, :3])


PAGES = pathlib.Path(__file__).resolve().parents[1]
SHARED = (
    pathlib.Path(os.environ.get("CHASLES_SHARED", PAGES.parent.parent / "shared"))
    / "linear-ccd-queries"
)


@pytest.mark.skipif(not SHARED.exists(), reason="no labelled queries here")
@pytest.mark.parametrize("kind", ["vf", "ee"])
def test_labelled_queries_are_decided_as_labelled(kind):
    files = sorted(SHARED.glob(f"*.{kind}.bin"))
    assert files
    for path in files:
        table = np.fromfile(path, "<f8").reshape(-1, 25)
        ends = table[:, :24].reshape(-1, 2, 4, 3)
        found = chasles.queries(ends[:, 0], ends[:, 1], kind)
        np.testing.assert_array_equal(found, table[:, 24] == 1)
        times = chasles.query_times(ends[:, 0], ends[:, 1], kind)
        np.testing.assert_array_equal(np.isfinite(times), found)
