"""Everything can be pickled, and is the same afterwards, to the bit."""

import copy
import pickle

import numpy as np
import pytest

import chasles
from cases import at, cube_falls


def again(thing):
    return pickle.loads(pickle.dumps(thing))


WAY = (at(-3, 0.1, 0), at(3, 0.2, 0.1))

BODIES = [
    chasles.Mesh.torus().named("ring"),
    chasles.Mesh(
        [[0, 0, 0], [1, 0, 0], [0, 1, 0], [2, 2, 2]],
        [[0, 1, 2]],
        segments=[[0, 3]],
        points=[3],
        weld=0.0,
        turn_outward=False,
    ),
    chasles.Mesh(chasles.Mesh.prism().vertices, chasles.Mesh.prism().faces),
    chasles.Round.sphere(0.1 + 0.2, center=(1e-3, 1 / 3, 0)),
    chasles.Round.capsule(0.3, [[0, 0, 0], [1 / 3, 0, 0]]),
    chasles.Round.cylinder(0.3),
    chasles.Round.ellipsoid((1, 2, 1 / 3), pose=[0, 0, 1, 0, 0, np.sin(0.3), np.cos(0.3)]),
    chasles.Solid.cone().with_cover(0.05).named("hat"),
    (chasles.Solid.box(1) - chasles.Solid.sphere(0.6)) | chasles.Solid.torus(1, 0.1),
    chasles.Solid.formula("x^2 + y^2 + z^2 - 1", bounds=[[-1, -1, -1], [1, 1, 1]]),
    chasles.Solid.sphere(0.4).offset(0.1),
    chasles.Solid.heights(np.arange(12.0).reshape(3, 4)),
    ~chasles.Solid.half_space((0, 0, 1)),
    chasles.Solid.field(chasles.Mesh.box(), cells=8),
    chasles.Solid.mesh(chasles.Mesh.box()).transformed(at(1, 0, 0), scale=2.0),
]


@pytest.mark.parametrize("body", BODIES, ids=repr)
def test_a_body_collides_as_before(body):
    other = again(body)
    assert type(other) is type(body) and repr(other) == repr(body) and other.name == body.name
    np.testing.assert_array_equal(other.bounds, body.bounds)
    probe = chasles.Round.sphere(0.2)
    expected = chasles.contacts(probe, body, WAY)
    found = chasles.contacts(probe, other, WAY)
    np.testing.assert_array_equal(found.time, expected.time)
    np.testing.assert_array_equal(found.feature_b, expected.feature_b)


MOTIONS = [
    chasles.still([1 / 3, 0, 0, 0, 0, np.sin(0.2), np.cos(0.2)]),
    chasles.between(np.eye(4), [1, 2, 3, 0, 0, np.sin(0.2), np.cos(0.2)]),
    chasles.twist(at(1, 0, 0), angular=(0.1, 7, 0.3), linear=(1, 2, 3)),
    chasles.turn(angle=9.0, axis=(1, 2, 3), point=(0.1, 0.2, 0.3), slide=0.7),
    chasles.flight(linear=(1, 0, 0), angular=(0, 0.3, 2), pivot=(0.1, 0, 0)),
    chasles.waypoints([at(0, 0, 0), at(1, 0, 0), at(1, 1, 0)], times=[0, 0.3, 1]),
]


@pytest.mark.parametrize("motion", MOTIONS, ids=repr)
def test_a_motion_goes_as_before(motion):
    other = again(motion)
    times = np.linspace(0, 1, 11)
    np.testing.assert_array_equal(other.pose_at(times), motion.pose_at(times))
    assert other == motion


def test_results_say_the_same():
    a, b, _, way = cube_falls()
    hits = chasles.contacts(a, b, b_motion=way)
    copied = again(hits)
    for name, column in hits.columns().items():
        np.testing.assert_array_equal(getattr(copied, name), column)
    assert repr(copied) == repr(hits) and copied.guarantee == hits.guarantee
    assert copied.bodies[0].kind == "mesh" and copied.motions[1] == hits.motions[1]
    screen = chasles.contacts(a, b, b_motion=way, method="screen")
    assert again(screen).guarantee == screen.guarantee
    results = [
        hits[0],
        chasles.distance(a, b, b_pose=at(3, 0, 0)),
        chasles.clearance(a, b, b_motion=way),
        chasles.penetration(a, b, b_pose=at(0.3, 0.1, 0.2)),
        chasles.cast(a, b, (0, -4, 0), b_pose=at(0.3, 3, 0.2)),
        chasles.cast(a, b, (0, 4, 0), b_pose=at(0.3, 3, 0.2)),
        chasles.outcome(a, b, b_motion=way),
        chasles.outcome(a, b),
        chasles.outcome(a, b, b_motion=at(9, 0, 0)),
    ]
    for result in results:
        other = again(result)
        assert repr(other) == repr(result)
        for name in dir(type(result)):
            if not name.startswith("_") and not callable(getattr(result, name)):
                if name not in ("contact",):
                    np.testing.assert_array_equal(getattr(other, name), getattr(result, name))
    assert again(chasles.near(a, b, 0.1, b_pose=at(0, 1.05, 0))) == chasles.near(
        a, b, 0.1, b_pose=at(0, 1.05, 0)
    )


def test_traces_go_as_before():
    world = chasles.TraceWorld([(chasles.Mesh.box([9, 9, 1]), at(0, 0, -0.5), 7)], thickness=1e-6)
    body = chasles.TraceBody(chasles.Mesh.box())
    fall = world.travel(body, at(0, 0, 3), (0, 0, -5))
    other = again(world).travel(again(body), at(0, 0, 3), (0, 0, -5))
    for trace in [other, again(fall)]:
        assert trace.fraction == fall.fraction and trace.tag == 7
        assert trace.features == fall.features
    walker = chasles.Walker(body, step=0.3, steepest=0.8)
    end = walker.walk(world, at(0, 0, 0.501), (1, 0, 0))[0]
    np.testing.assert_array_equal(again(walker).walk(world, at(0, 0, 0.501), (1, 0, 0))[0], end)


def test_a_world_goes_on_as_before():
    world = chasles.World(springs=True)
    world.add(chasles.Mesh.box([9, 9, 1]), at(0, 0, -0.5), kind="static")
    balls = [
        world.add(chasles.Round.sphere(), at(0.1 * i, 0, 1 + 1.2 * i), density=1.0)
        for i in range(3)
    ]
    hinge = world.link("hinge", balls[0], balls[1], limit_angle=(-1, 1))
    world.set_strength(hinge, force=1e9)
    world.listen()
    report = world.step(1 / 60, steps=30)
    other, copied, moment = again(world), copy.deepcopy(world), world.save()
    assert again(report).contacts == report.contacts
    assert again(report).impacts == report.impacts
    world.step(1 / 60, steps=30)
    for twin in [other, copied]:
        twin.step(1 / 60, steps=30)
        assert twin.fingerprint() == world.fingerprint() and twin.joints() == [hinge]
    after = world.fingerprint()
    world.restore(again(moment))
    world.step(1 / 60, steps=30)
    assert world.fingerprint() == after
    struck = world.ray((0, 0, 9), (0, 0, -9))
    assert again(struck).share == struck.share


def test_a_world_with_cloth_cannot_be_pickled_and_says_so():
    world = chasles.World()
    world.add_sheet([[0, 0, 1], [1, 0, 1], [0, 1, 1]], [[0, 1, 2]])
    with pytest.raises(ValueError, match="sheets"):
        pickle.dumps(world)


def test_a_checker_makes_its_bodies_once_a_process():
    check = chasles.Checker(chasles.Mesh.torus(), chasles.Mesh.torus(), facing=True)
    data = pickle.dumps(check)
    assert pickle.loads(data) is pickle.loads(data)
    assert pickle.dumps(pickle.loads(data)) == data
