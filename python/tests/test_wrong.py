"""Wrong input is refused with what and where, and never ends Python or the wrong way."""

import itertools
import math

import numpy as np
import pytest

import chasles
from cases import at

NAN, INF = math.nan, math.inf
CUBE, BALL = chasles.Mesh.box(), chasles.Round.sphere()
WAY = (at(3, 0, 0), at(0, 0, 0))
TRIANGLE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


def turned(*rows):
    pose = np.eye(4)
    pose[: len(rows)] = rows
    return pose


WRONG = {
    "a vertex is not finite": lambda: chasles.Mesh([[0, 0, NAN], *TRIANGLE[1:]], [[0, 1, 2]]),
    "vertices are flat": lambda: chasles.Mesh(np.zeros(9), [[0, 1, 2]]),
    "vertices have two columns": lambda: chasles.Mesh(np.zeros((3, 2)), [[0, 1, 2]]),
    "vertices are complex": lambda: chasles.Mesh(np.zeros((3, 3), complex), [[0, 1, 2]]),
    "a face is negative": lambda: chasles.Mesh(TRIANGLE, [[0, 1, -1]]),
    "a face is a float": lambda: chasles.Mesh(TRIANGLE, [[0.0, 1.0, 2.0]]),
    "a face is huge": lambda: chasles.Mesh(TRIANGLE, [[0, 1, 2**40]]),
    "faces are flat": lambda: chasles.Mesh(TRIANGLE, np.array([0, 1, 2])),
    "segments are flat": lambda: chasles.Mesh(TRIANGLE, [[0, 1, 2]], segments=[0, 1, 2]),
    "segments have three ends": lambda: chasles.Mesh(TRIANGLE, [], segments=[[0, 1, 2]]),
    "points are a table": lambda: chasles.Mesh(TRIANGLE, [[0, 1, 2]], points=[[0, 1]]),
    "a weld is negative": lambda: chasles.Mesh(TRIANGLE, [[0, 1, 2]], weld=-1.0),
    "a weld is no number": lambda: chasles.Mesh(TRIANGLE, [[0, 1, 2]], weld=NAN),
    "a box is flat": lambda: chasles.Mesh.box([1, 0, 1]),
    "a box is endless": lambda: chasles.Mesh.box(INF),
    "a torus has no segments": lambda: chasles.Mesh.torus(segments=(0, 3)),
    "a ball is negative": lambda: chasles.Round.sphere(-1.0),
    "a ball is no number": lambda: chasles.Round.sphere(NAN),
    "a cone is flat": lambda: chasles.Round.cone(1.0, [[0, 0, 0], [0, 0, 0]]),
    "a cylinder has three ends": lambda: chasles.Round.cylinder(1.0, TRIANGLE),
    "a solid is no number": lambda: chasles.Solid.sphere(NAN),
    "a formula is deep": lambda: chasles.Solid.formula("(" * 9999 + "x" + ")" * 9999),
    "heights are flat": lambda: chasles.Solid.heights(np.zeros(4)),
    "heights are not finite": lambda: chasles.Solid.heights([[0, NAN], [0, 0]]),
    "heights are empty": lambda: chasles.Solid.heights(np.zeros((0, 3))),
    "spacing is 0": lambda: chasles.Solid.heights(np.zeros((3, 3)), spacing=0.0),
    "a pose is short": lambda: chasles.overlaps(CUBE, CUBE, b_pose=[0, 0, 0]),
    "a pose is no number": lambda: chasles.overlaps(CUBE, CUBE, b_pose=at(NAN, 0, 0)),
    "a pose is far": lambda: chasles.overlaps(CUBE, CUBE, b_pose=at(1e300, 0, 0)),
    "a quaternion is 0": lambda: chasles.overlaps(CUBE, CUBE, b_pose=[0] * 7),
    "a quaternion is no number": lambda: chasles.overlaps(CUBE, CUBE, b_pose=[0] * 6 + [NAN]),
    "a matrix is no number": lambda: chasles.distance(CUBE, CUBE, b_pose=turned([NAN] * 4)),
    "a matrix shears": lambda: chasles.distance(CUBE, CUBE, b_pose=turned([1, 1, 0, 0])),
    "a matrix mirrors": lambda: chasles.distance(CUBE, CUBE, b_pose=turned([-1, 0, 0, 0])),
    "a row of a matrix is wrong": lambda: chasles.distance(
        CUBE, CUBE, b_pose=np.vstack([np.eye(4)[:3], [0, 0, 0, 2]])
    ),
    "a twist is no number": lambda: chasles.twist(angular=(NAN, 0, 0)),
    "a twist is endless": lambda: chasles.twist(linear=(INF, 0, 0)),
    "an axis is 0": lambda: chasles.turn(angle=1.0, axis=(0, 0, 0)),
    "an angle is no number": lambda: chasles.turn(angle=NAN, axis=(0, 0, 1)),
    "there are no waypoints": lambda: chasles.waypoints([]),
    "times of waypoints fall": lambda: chasles.waypoints([at(0, 0, 0)] * 3, [0, 0.7, 0.6]),
    "a time of waypoints is no number": lambda: chasles.waypoints([at(0, 0, 0)] * 2, [0, NAN]),
    "there are more times than waypoints": lambda: chasles.waypoints([at(0, 0, 0)], [0, 1]),
    "a window is backward": lambda: chasles.contacts(CUBE, CUBE, b_motion=WAY, window=(1, 0)),
    "a window is no number": lambda: chasles.contacts(CUBE, CUBE, b_motion=WAY, window=(NAN, 1)),
    "a departure is negative": lambda: chasles.contacts(
        CUBE, CUBE, chasles.turn(angle=1, axis=(0, 0, 1)), WAY, max_departure=-1.0
    ),
    "a precision is negative": lambda: chasles.contacts(
        CUBE, CUBE, b_motion=WAY, method="path", precision=-1.0
    ),
    "a precision is no number": lambda: chasles.contacts(
        CUBE, CUBE, b_motion=WAY, method="path", precision=NAN
    ),
    "a width is negative": lambda: chasles.clearance(CUBE, CUBE, b_motion=WAY, width=-1.0),
    "a width is no number": lambda: chasles.clearance(CUBE, CUBE, b_motion=WAY, width=NAN),
    "a shift is no number": lambda: chasles.cast(CUBE, CUBE, (NAN, 0, 0), b_pose=at(3, 0, 0)),
    "parts are 0": lambda: chasles.cast(CUBE, CUBE, (1, 0, 0), axis=(0, 0, 1), parts=0),
    "threads are too many": lambda: chasles.first_times(CUBE, CUBE, [], threads=10**6),
    "V1 is shorter than V0": lambda: chasles.step_free(TRIANGLE, TRIANGLE[:2], [[0, 1, 2]]),
    "V0 is no number": lambda: chasles.step_free([[NAN] * 3] * 3, TRIANGLE, [[0, 1, 2]]),
    "an edge is beyond the vertices": lambda: chasles.step_free(TRIANGLE, TRIANGLE, None, [[0, 9]]),
    "a separation is no number": lambda: chasles.step_free(
        TRIANGLE, TRIANGLE, [[0, 1, 2]], separation=NAN
    ),
    "queries have three points": lambda: chasles.queries(np.zeros((1, 3, 3)), np.zeros((1, 3, 3))),
    "a query is no number": lambda: chasles.queries(
        np.full((1, 4, 3), NAN), np.zeros((1, 4, 3))
    ),
    "a thickness is no number": lambda: chasles.TraceWorld([CUBE], thickness=NAN),
    "a step of a walker is no number": lambda: chasles.Walker(
        chasles.TraceBody(CUBE), step=NAN, steepest=0.5
    ),
    "a trace is endless": lambda: chasles.TraceWorld([CUBE]).points([[0, 9, 0]], [[0, INF, 0]]),
    "robots are deep": lambda: chasles.Robot.parse("<robot>" + "<a>" * 200_000),
    "a robot has an entity": lambda: chasles.Robot.parse(
        '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///secret">]><robot>&a;</robot>'
    ),
}


@pytest.mark.parametrize("call", WRONG.values(), ids=WRONG)
def test_it_is_refused(call):
    with pytest.raises((chasles.Error, TypeError)) as refused:
        call()
    assert len(str(refused.value)) > 10


ODD = {
    "a face has two corners": lambda: chasles.Mesh(TRIANGLE, [[0, 1]]),
    "a reach is no number": lambda: chasles.near(CUBE, CUBE, NAN, b_pose=at(1.01, 0, 0)),
    "a reach is endless": lambda: chasles.near(CUBE, CUBE, INF, b_pose=at(1.01, 0, 0)),
    "properness is no number": lambda: chasles.contacts(
        CUBE, CUBE, b_motion=WAY, min_properness=NAN
    ),
    "pixels are few": lambda: chasles.contacts(CUBE, CUBE, b_motion=WAY, method="screen", pixels=0),
    "a time is no number": lambda: chasles.twist(linear=(1, 0, 0)).pose_at(NAN),
    "a time is after the end": lambda: chasles.waypoints([at(0, 0, 0)] * 2).pose_at(2.0),
    "a cover is no number": lambda: chasles.overlaps(BALL.with_cover(NAN), chasles.Solid.box(1)),
    "a cover is negative": lambda: chasles.overlaps(BALL.with_cover(-1.0), chasles.Solid.box(1)),
    "a mesh is empty": lambda: chasles.contacts(
        chasles.Mesh(np.zeros((0, 3)), []), CUBE, b_motion=WAY
    ),
    "a mesh has no faces": lambda: chasles.distance(chasles.Mesh(TRIANGLE, []), CUBE),
    "a mesh is all one point": lambda: chasles.contacts(
        chasles.Mesh(np.zeros((3, 3)), [[0, 1, 2]]), CUBE, b_motion=WAY
    ),
    "a set is empty": lambda: chasles.Set().contacts(),
    "a step has no vertices": lambda: chasles.step_free(np.zeros((0, 3)), np.zeros((0, 3))),
    "there are no fixtures": lambda: chasles.TraceWorld([]).points([[0, 9, 0]], [[0, 0, 0]]),
    "a solid is inside out": lambda: chasles.contacts(~chasles.Solid.box(1), CUBE, b_motion=WAY),
}


@pytest.mark.parametrize("call", ODD.values(), ids=ODD)
def test_it_has_an_answer_or_is_refused(call):
    try:
        call()
    except (chasles.Error, TypeError) as refused:
        assert len(str(refused)) > 10


def test_arrays_at_odd_addresses_and_of_other_orders_are_the_same_bodies():
    vertices, faces = chasles.Mesh.torus().vertices, chasles.Mesh.torus().faces
    expected = chasles.contacts(chasles.Mesh(vertices, faces), CUBE, b_motion=WAY)
    room = np.empty(vertices.nbytes + 1, np.uint8)
    unaligned = room[1:].view(np.float64).reshape(vertices.shape)
    unaligned[:] = vertices
    assert not unaligned.flags.aligned
    forms = [unaligned, vertices.astype(">f8"), np.asfortranarray(vertices), vertices.tolist()]
    read_only = vertices.copy()
    read_only.flags.writeable = False
    for form, kind in itertools.product([*forms, read_only], [np.int64, np.uint8, np.int32]):
        if faces.max() <= np.iinfo(kind).max:
            found = chasles.contacts(chasles.Mesh(form, faces.astype(kind)), CUBE, b_motion=WAY)
            np.testing.assert_array_equal(found.time, expected.time)


def test_solids_are_joined_by_the_hundred_and_nested_to_a_depth():
    part = chasles.Solid.sphere(0.5)
    row = part
    for x in range(1, 300):
        row = row | part.transformed(at(x, 0, 0))
    assert chasles.overlaps(row, BALL, b_pose=at(250.6, 0, 0))
    with pytest.raises(chasles.MeshError, match="nested 201 deep; at most 200"):
        for _ in range(300):
            part = part.offset(1e-6)
