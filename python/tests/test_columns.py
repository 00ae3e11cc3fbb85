"""Every column of a table is what its name says: each is told from the others by what it must be."""

import numpy as np

import chasles
from cases import at, matrices, random_poses

TORUS, BOX = chasles.Mesh.torus(), chasles.Mesh.box()
POSES = random_poses(40, 21, 1.5), random_poses(40, 22, 1.5)


def on_surface(body, points, tolerance=1e-9):
    """Whether points are on the surface of a body at the identity."""
    tiny = chasles.Round.sphere(1e-6)
    return all(
        abs(chasles.distance(body, tiny, b_pose=at(*point)).distance) < 1e-6 + tolerance
        for point in points
    )


def test_first_contacts_have_the_columns_of_single_ones():
    table = chasles.first_contacts(TORUS, BOX, *POSES)
    for i, way in enumerate(zip(*POSES)):
        hit = chasles.first_contact(TORUS, BOX, b_motion=way)
        if hit is not None:
            for name in ["time", "point", "normal", "properness", "normal_speed", "kind"]:
                np.testing.assert_array_equal(table[name][i], getattr(hit, name), err_msg=name)
            np.testing.assert_array_equal(table.feature_a[i], hit.feature_a)
            np.testing.assert_array_equal(table.feature_b[i], hit.feature_b)
    assert table.feature_a.max() >= 100 > 12 > table.feature_b.max(), "a torus, and a box"


def test_clearances_and_distances_have_the_columns_of_single_ones():
    table = chasles.clearances(TORUS, BOX, *POSES, width=1e-3)
    assert (table.lower <= table.upper).all() and (table.lower < table.upper).any()
    apart = chasles.distances(TORUS, BOX, POSES[0])
    for i, way in enumerate(zip(*POSES)):
        c = chasles.clearance(TORUS, BOX, b_motion=way, width=1e-3)
        assert (table.lower[i], table.upper[i], table.time[i]) == (c.lower, c.upper, c.time)
        np.testing.assert_array_equal(table.points[i], c.points)
        np.testing.assert_array_equal(table.normal[i], c.normal)
        d = chasles.distance(TORUS, BOX, b_pose=way[0])
        assert (apart.distance[i], apart.overlaps[i]) == (d.distance, d.overlaps)
        np.testing.assert_array_equal(apart.points[i], d.points)


def test_contacts_are_where_their_columns_say():
    way = chasles.twist(at(0.3, 2.0, 0.2), linear=(0, -4, 0), angular=(0.5, 0.2, 0.1))
    a_motion = chasles.turn(angle=0.7, axis=(0, 0, 1))
    hits = chasles.contacts(TORUS, BOX, a_motion, way)
    assert len(hits) > 50 and (np.diff(hits.time) >= 0).all()
    assert (hits.bracket[:, 0] <= hits.time).all() and (hits.time <= hits.bracket[:, 1]).all()
    assert (hits.bracket[:, 0] < hits.bracket[:, 1]).any()
    assert on_surface(TORUS, hits.point_in_a)
    for hit, turn in zip(hits, a_motion.pose_at(hits.time)):
        point = turn[:3, :3] @ hit.point_in_a + turn[:3, 3]
        np.testing.assert_allclose(point, hit.point, atol=1e-9)
        np.testing.assert_allclose(turn[:3, :3] @ hit.normal_in_a, hit.normal, atol=1e-9)
    of_a = hits.feature_a.max(axis=1) < len(TORUS.vertices) + len(TORUS.faces)
    assert of_a.all() and hits.feature_a.max() > 12 > hits.feature_b.max()
    columns = hits.columns()
    for name, column in columns.items():
        np.testing.assert_array_equal(column, getattr(hits, name), err_msg=name)
    for i in [0, 7, -1]:
        assert hits[i].time == hits.time[i]
        np.testing.assert_array_equal(hits[i].point, hits.point[i])


def test_near_places_are_on_their_bodies():
    near = chasles.near(TORUS, BOX, 0.3, b_pose=at(0.2, 0.95, 0.1))
    assert len(near) > 2 and (near.gap > 0).all()
    across = near.point_b - near.point_a
    np.testing.assert_allclose((across * near.normal).sum(axis=1), near.gap, atol=1e-9)
    assert on_surface(TORUS, near.point_a) and on_surface(BOX, near.point_b - [0.2, 0.95, 0.1])
    assert near.feature_a.max() > 12 > near.feature_b.max()


def test_traces_of_points_are_stopped_where_they_say():
    walls = [(BOX, at(3 * i, 0, 0), 40 + i) for i in range(3)]
    world = chasles.TraceWorld(walls)
    starts = np.array([[0.1, 3, 0.2], [3.1, 3, 0.2], [6.1, 3, 0.2], [1.5, 3, 0]])
    found = world.points(starts, starts - [0, 6, 0])
    assert found.fixture.tolist() == [0, 1, 2, -1] and found.tag.tolist() == [40, 41, 42, -1]
    np.testing.assert_allclose(found.point[:3], starts[:3] * [1, 0, 1] + [0, 0.5, 0], atol=1e-6)
    np.testing.assert_allclose(found.normal[:3], [[0, 1, 0]] * 3, atol=1e-9)
    np.testing.assert_allclose(found.end[:3, 1], 0.5, atol=1e-3)
    assert np.isnan(found.point[3]).all() and found.fraction[3] == 1


def test_edges_of_a_robot_have_the_columns_of_single_ones():
    from test_robot import scene

    arm, random = scene(), np.random.default_rng(8)
    starts, ends = random.uniform(-2, 2, (2, 30, 2))
    table = arm.edges(starts, ends)
    assert (table.lower <= table.upper).all() and (table.lower < table.upper).any()
    for i, (q0, q1) in enumerate(zip(starts, ends)):
        edge = arm.edge(q0, q1)
        assert (table.lower[i], table.upper[i]) == tuple(edge.clearance)
        assert table.fraction[i] == edge.fraction
        assert table.verdict[i] == repr(edge)[5:-1].split()[0]
        if edge.free:
            least = min(arm.distance(q0 + t * (q1 - q0)).distance for t in np.linspace(0, 1, 50))
            assert table.lower[i] <= least and np.isnan(table.at[i])
        else:
            assert table.at[i] == edge.at


def test_what_a_world_tells_of_bodies_is_in_its_place():
    world = chasles.World(gravity=(0, 0, 0))
    ball = chasles.Round.sphere(0.5)
    one = world.add(ball, at(0, 0, 0), mass=2.0, velocity=(1, 0, 0), angular_velocity=(0, 3, 0))
    two = world.add(ball, at(3, 0.2, 0), mass=1.0)
    np.testing.assert_array_equal(world.velocities(), [[1, 0, 0], [0, 0, 0]])
    np.testing.assert_array_equal(world.angular_velocities(), [[0, 3, 0], [0, 0, 0]])
    linear, angular = world.momentum()
    np.testing.assert_allclose(linear, [2, 0, 0])
    np.testing.assert_allclose(angular, [0, 3 * 0.4 * 2.0 * 0.25, 0])
    near = world.near(one, 2.5)
    assert near.body.tolist() == [two]
    np.testing.assert_allclose(np.linalg.norm(near.point_a[0]), 0.5)
    np.testing.assert_allclose(np.linalg.norm(near.point_b[0] - [3, 0.2, 0]), 0.5)
    report = world.step(0.1, steps=30)
    impact = report.impacts
    assert len(impact) == 1 and {impact.body_a[0], impact.body_b[0]} == {one, two}
    # Where they touch the centres are a diameter apart.
    place = 3 - np.sqrt(1 - 0.04)
    assert abs(impact.time[0] - place) < 1e-2
    np.testing.assert_allclose(impact.point[0], [place + np.sqrt(0.24), 0.1, 0], atol=0.1)
    assert abs(np.linalg.norm(impact.normal[0]) - 1) < 1e-12
    changed = abs(impact.impulse[0])
    np.testing.assert_allclose(changed, abs(2 * (world.velocity(one) - [1, 0, 0])), atol=1e-9)
    np.testing.assert_allclose(world.momentum()[0], [2, 0, 0], atol=1e-12)


def test_poses_come_back_as_they_went_in():
    poses = matrices(random_poses(20, 31))
    for pose in poses:
        np.testing.assert_allclose(chasles.still(pose).pose_at(0.5), pose, atol=1e-14)
    way = chasles.waypoints(poses)
    np.testing.assert_allclose(way.pose_at(np.linspace(0, 1, 20)), poses, atol=1e-12)
