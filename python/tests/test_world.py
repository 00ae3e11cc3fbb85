"""Worlds: what the laws of mechanics say of them, and what a caller may do to them."""

import copy
import pickle
import threading

import numpy as np
import pytest

import chasles
from cases import at


def floor(world):
    return world.add(chasles.Mesh.box([20, 20, 1]), at(0, 0, -0.5), kind="static")


def test_free_fall_is_that_of_galileo():
    world = chasles.World(gravity=(0, 0, -9.81))
    ball = world.add(chasles.Round.sphere(0.1), at(0, 0, 100), mass=2.0, velocity=(3, 0, 0))
    world.step(0.01, steps=100)
    np.testing.assert_allclose(world.pose(ball)[:3, 3], [3, 0, 100 - 0.5 * 9.81], rtol=1e-12)
    np.testing.assert_allclose(world.velocity(ball), [3, 0, -9.81], rtol=1e-12)


def test_an_elastic_collision_swaps_velocities():
    world = chasles.World(gravity=(0, 0, 0))
    one = world.add(
        chasles.Round.sphere(),
        at(-2, 0, 0),
        density=1,
        velocity=(1, 0, 0),
        restitution=1,
        friction=0,
    )
    two = world.add(
        chasles.Round.sphere(),
        at(2, 0, 0),
        density=1,
        velocity=(-1, 0, 0),
        restitution=1,
        friction=0,
    )
    report = world.step(0.1, steps=30)
    np.testing.assert_allclose(world.velocities(), [[-1, 0, 0], [1, 0, 0]], atol=1e-9)
    assert set(report.impacts.body_a) | set(report.impacts.body_b) == {one, two}
    assert abs(world.momentum()[0]).max() < 1e-9
    assert abs(world.kinetic_energy() - 2 * 0.5 * world.mass(one)) < 1e-9


def test_boxes_come_to_rest_and_fall_asleep_and_never_overlap():
    world = chasles.World()
    floor(world)
    for i in range(4):
        world.add(chasles.Mesh.box(), at(0.05 * i, 0, 0.6 + 1.1 * i), density=1000)
    for _ in range(20):
        world.step(1 / 60, steps=10)
        world.check()
    heights = np.sort(world.poses()[1:, 2, 3])
    np.testing.assert_allclose(heights, [0.5, 1.5, 2.5, 3.5], atol=0.02)
    assert world.asleep()[1:].all()


def test_the_same_world_gives_the_same_bits():
    def run():
        world = chasles.World()
        floor(world)
        for i in range(6):
            world.add(chasles.Mesh.box(), at(0.1 * i, 0.02 * i, 0.6 + 1.1 * i), density=1000)
        world.step(1 / 60, steps=60)
        return world.fingerprint()

    assert run() == run()


def test_events_sensors_and_joint_forces_are_told():
    world = chasles.World()
    ground = floor(world)
    gate = world.add(chasles.Mesh.box([1, 1, 0.2]), at(0, 0, 1.5), kind="static", sensor=True)
    ball = world.add(chasles.Round.sphere(0.2), at(0, 0, 3), density=1, restitution=0)
    world.listen()
    report = world.step(1 / 60, steps=90)
    assert set(report.sensed.change) >= {"entered", "left"}
    assert (report.sensed.sensor == gate).all() and (report.sensed.body == ball).all()
    began = report.events.phase == "began"
    assert began.any() and set(report.events.body_a[began]) == {min(ground, ball)}
    lamp = world.add(chasles.Mesh.box([0.2, 0.2, 0.2]), at(5, 0, 3), mass=3.0)
    hook = world.link("ball", lamp, None, (5, 0, 3.5))
    report = world.step(1 / 60, steps=1)
    weight = report.joint_forces.force[report.joint_forces.joint == hook]
    assert abs(abs(weight[-1][2]) - 3 * 9.81) < 0.5
    world.set_strength(hook, force=1.0)
    assert world.step(1 / 60).broken == [hook]
    assert world.joints() == []


def test_joints_hold_and_motors_drive():
    world = chasles.World(gravity=(0, 0, 0))
    arm = world.add(chasles.Mesh.box([1, 0.1, 0.1]), at(0.5, 0, 0), density=10)
    hinge = world.link("hinge", arm, None, (0, 0, 0), (0, 0, 1), draw_angle=(0.5, 100.0, 20.0, 1e3))
    report = world.step(0.01, steps=400)
    tip = world.pose(arm)[:3, 3]
    np.testing.assert_allclose(abs(np.arctan2(tip[1], tip[0])), 0.5, atol=1e-3)
    np.testing.assert_allclose(np.linalg.norm(tip), 0.5, atol=1e-6)
    assert report.joint_gap < 1e-6
    assert world.joined(hinge)[0] == arm
    world.change_joint(hinge, free=True)
    world.unlink(hinge)
    with pytest.raises(chasles.WorldError, match="no joint"):
        world.unlink(hinge)
    with pytest.raises(chasles.Error, match='no joint "glue"; there are ball, hinge'):
        world.link("glue", arm)
    with pytest.raises(chasles.Error, match="a rope needs a length"):
        world.link("rope", arm)


@pytest.mark.parametrize(
    "kind, more",
    [
        ("ball", {"limit_swing": 0.5}),
        ("hinge", {"limit_angle": (-1, 1)}),
        ("cardan", {}),
        ("weld", {}),
        ("line", {"limit_travel": (-1, 1)}),
        ("piston", {"drive_travel": (1, 10)}),
        ("rail", {"draw_travel": (0.1, 10, 1, 100)}),
        ("plane", {}),
        ("plate", {}),
        ("no_spin", {}),
        ("distance", {"length": 2.0, "b_point": (0, 0, 2)}),
        ("rope", {"length": 3.0, "b_point": (0, 0, 2)}),
        ("spring", {"spring": (1.5, 10.0, 1.0), "b_point": (0, 0, 2)}),
    ],
)
def test_every_joint_can_be_stepped(kind, more):
    world = chasles.World()
    body = world.add(chasles.Mesh.box(), density=1)
    joint = world.link(kind, body, None, (0, 0, 0), (0, 0, 1), **more)
    report = world.step(1 / 60, steps=20)
    assert report.joint_gap < 1e-3 and world.joints() == [joint]


def test_bodies_are_changed_placed_and_removed():
    world = chasles.World(gravity=(0, 0, 0))
    a = world.add(chasles.Mesh.box(), density=1)
    b = world.add(chasles.Mesh.box(), at(5, 0, 0), density=1)
    with pytest.raises(chasles.WorldError, match="would overlap"):
        world.place(b, at(0.5, 0, 0))
    world.place(b, at(3, 0, 0), velocity=(1, 0, 0))
    world.set_mass(a, 7.0)
    world.apply_impulse(a, (7, 0, 0))
    world.step(0.5)
    np.testing.assert_allclose(world.poses()[:, 0, 3], [0.5, 3.5])
    assert world.mass(a) == 7 and world.kind(a) == "dynamic"
    world.load(a, force=(0, 14, 0))
    world.step(1.0)
    np.testing.assert_allclose(world.velocity(a), [1, 2, 0], atol=1e-9)
    world.set_damping(a, 1.0)
    world.load(a)
    world.step(1.0)
    np.testing.assert_allclose(world.velocity(a)[0], np.exp(-1), atol=1e-6)
    world.remove(b)
    assert world.ids().tolist() == [a] and len(world) == 1
    with pytest.raises(chasles.WorldError, match="no body"):
        world.pose(b)
    c = world.add(chasles.Mesh.box(), at(9, 9, 9), density=1)
    assert c not in (a, b)


def test_kinematic_bodies_follow_routes():
    world = chasles.World(gravity=(0, 0, 0))
    lift = world.add(
        chasles.Mesh.box(),
        kind="kinematic",
        route=[(0, at(0, 0, 0)), (1, at(0, 0, 2)), (2, at(0, 0, 2))],
    )
    world.step(0.5)
    assert abs(world.pose(lift)[2, 3] - 1) < 1e-9
    door = world.add(chasles.Mesh.box(), at(9, 0, 0), kind="static")
    world.follow(
        door, chasles.turn(at(9, 0, 0), angle=np.pi / 2, axis=(0, 0, 1), point=(9, 0, 0)), 1.0
    )
    world.step(1.0)
    np.testing.assert_allclose(world.pose(door)[:2, :2], [[0, -1], [1, 0]], atol=1e-6)


def test_questions_to_a_world():
    world = chasles.World()
    ground = floor(world)
    ball = world.add(chasles.Round.sphere(0.5), at(0, 0, 2), density=1)
    struck = world.ray((0, 0, 9), (0, 0, -9))
    assert struck.body == ball and abs(struck.share - 6.5 / 18) < 1e-9
    rays = world.rays([[0, 0, 9], [3, 3, 9], [99, 0, 9]], [[0, 0, -9], [3, 3, -9], [99, 0, -9]])
    assert rays.body.tolist() == [ball, ground, -1] and np.isnan(rays.share[2])
    assert world.overlaps(chasles.Mesh.box(), at(0, 0, 2.3)) == [ball]
    assert world.within((-1, -1, 1), (1, 1, 3)) == [ball]
    assert world.cast(chasles.Mesh.box(), at(3, 0, 5), at(3, 0, -5)).body == ground
    assert len(world.near(ball, 1.6)) >= 1 and world.near(ball, 1.6).body[0] == ground
    world.ignore(ball, ground)
    assert not world.collides(ball, ground)
    assert world.heed(ball, ground) and world.collides(ball, ground)


def test_cloth_hangs():
    n = 6
    grid = [[i / n, j / n, 1.0] for j in range(n + 1) for i in range(n + 1)]
    cell = lambda i, j: i + j * (n + 1)
    faces = [
        f
        for j in range(n)
        for i in range(n)
        for f in (
            [cell(i, j), cell(i + 1, j), cell(i + 1, j + 1)],
            [cell(i, j), cell(i + 1, j + 1), cell(i, j + 1)],
        )
    ]
    world = chasles.World()
    sheet = world.add_sheet(grid, faces, pinned=list(range(n + 1)), mass_per_area=0.2)
    world.step(0.02, steps=10)
    places = world.sheet(sheet)
    np.testing.assert_array_equal(places[: n + 1], np.array(grid)[: n + 1])
    assert places[-1, 2] < 0.95


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda w: w.add(chasles.Mesh.box()), "needs a density or a mass"),
        (lambda w: w.add(chasles.Mesh.box(), density=-1), "-1"),
        (lambda w: w.add(chasles.Mesh.box(), density=1, restitution=2), "2"),
        (lambda w: w.add(chasles.Solid.cone(), density=1), "surface"),
        (lambda w: w.add(chasles.Round.cylinder(), density=1), "capsule, or the mesh"),
        (lambda w: w.add(chasles.Mesh.plane(), density=1), "volume|open|closed"),
        (lambda w: w.step(-1), "a step of -1 s"),
        (lambda w: chasles.World(zone=5), "zone of 5"),
        (lambda w: chasles.World(gravity=(0, 0, np.inf)), "gravity"),
        (lambda w: chasles.World(stepping="leaps"), "expected windows or events"),
        (lambda w: w.add(chasles.Mesh.box(), kind="floating"), "expected dynamic or kinematic"),
    ],
)
def test_what_cannot_be_is_refused_and_says_why(make, message):
    with pytest.raises(chasles.Error, match=message):
        make(chasles.World())


def test_bodies_that_overlap_are_refused():
    world = chasles.World()
    world.add(chasles.Mesh.box(), density=1)
    with pytest.raises(chasles.WorldError, match="would overlap body 0"):
        world.add(chasles.Mesh.box(), at(0.5, 0, 0), density=1)
    assert len(world) == 1


def test_other_threads_wait_for_a_step_and_go_on():
    world = chasles.World()
    floor(world)
    for i in range(30):
        world.add(chasles.Mesh.box(), at(0.3 * (i % 5), 0, 0.6 + 1.1 * i), density=1000)
    done = []

    def look():
        while not done:
            assert world.poses().shape == (31, 4, 4)

    other = threading.Thread(target=look)
    other.start()
    try:
        world.step(1 / 60, steps=20)
    finally:
        done.append(True)
        other.join()


def falling():
    """A floor and two balls above it: a world, and the numbers of the balls."""
    world = chasles.World(gravity=(0, 0, -9.81))
    floor(world)
    ball = chasles.Round.sphere(0.5)
    return world, [world.add(ball, at(2 * i, 0, 1), density=1.0) for i in range(2)]


def heights(world, balls):
    return [float(world.pose(ball)[2, 3]) for ball in balls]


def only_pairs_without_the_first_ball(a, b):
    return 1 not in (a, b)


def test_a_rule_says_which_pairs_collide():
    world, balls = falling()
    asked = []

    def rule(a, b):
        asked.append((a, b))
        return only_pairs_without_the_first_ball(a, b)

    world.collide_if(rule)
    assert not world.collides(1, 0) and world.collides(0, 2)
    world.step(0.01, steps=100)
    ghost, ball = heights(world, balls)
    assert ghost < -1 and ball == pytest.approx(0.5, abs=1e-2)
    assert len(asked) == len(set(asked)) and all(a < b for a, b in asked), "once for each pair"
    world.place(balls[0], at(0, 0, 1))
    world.collide_freely()
    world.step(0.01, steps=100)
    assert heights(world, balls)[0] == pytest.approx(0.5, abs=1e-2)


def test_a_rule_that_fails_lets_collide_and_says_so():
    world, balls = falling()

    def rule(a, b):
        raise LookupError(f"{a} and {b}")

    world.collide_if(rule)
    with pytest.raises(LookupError, match="0 and 1|0 and 2|1 and 2"):
        world.step(0.01, steps=100)
    with pytest.raises(TypeError, match="rule is of the type int; expected a function"):
        world.collide_if(3)


def test_a_rule_may_not_ask_its_world():
    world, balls = falling()
    world.collide_if(lambda a, b: world.pose(a)[2, 3] < 5)
    with pytest.raises(chasles.WorldError, match="a rule of collide_if may not ask a world"):
        world.step(0.01, steps=100)


def test_a_rule_goes_with_copies_and_pickles():
    world, balls = falling()
    world.collide_if(only_pairs_without_the_first_ball)
    for other in [copy.deepcopy(world), pickle.loads(pickle.dumps(world))]:
        other.step(0.01, steps=100)
        ghost, ball = heights(other, balls)
        assert ghost < -1 and ball == pytest.approx(0.5, abs=1e-2)
    world.collide_if(lambda a, b: True)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(world)


def pile(**options):
    """Boxes on each other, a step after they touched, and its report."""
    world = chasles.World(gravity=(0, 0, -9.81), **options)
    floor(world)
    for i in range(8):
        world.add(chasles.Mesh.box(0.5), at(0.02 * i, 0, 0.26 + 0.51 * i), density=1000)
    return world.step(1 / 60, steps=20)


def test_a_budget_bounds_what_a_step_costs():
    free, bounded = pile(), pile(max_work=50.0)
    assert free.lost == [] and free.cost > 0 < bounded.cost
    assert bounded.lost and all(0 < seconds <= 1 / 60 for _, seconds in bounded.lost)
    assert pickle.loads(pickle.dumps(bounded)).cost == bounded.cost
    with pytest.raises(chasles.WorldError):
        chasles.World(max_work=float("nan")).step(0.1)


def test_what_is_no_number_is_refused_and_changes_nothing():
    nan = float("nan")
    world, (ball, _) = falling()
    calls = [
        lambda: world.step(nan),
        lambda: world.step(-1.0),
        lambda: world.set_gravity((0, 0, nan)),
        lambda: world.load(ball, force=(nan, 0, 0)),
        lambda: world.apply_force(ball, (0, nan, 0), (0, 0, 0)),
        lambda: world.apply_impulse(ball, (0, 0, nan)),
        lambda: world.apply_angular_impulse(ball, (nan, 0, 0)),
        lambda: world.set_damping(ball, nan),
        lambda: world.set_mass(ball, nan),
        lambda: world.set_material(ball, nan, 0.5),
        lambda: world.set_surface_velocity(ball, (nan, 0, 0)),
        lambda: world.place(ball, at(nan, 0, 0)),
        lambda: world.place(ball, at(0, 0, 3), velocity=(nan, 0, 0)),
        lambda: world.steer(ball, kind="kinematic", velocity=(nan, 0, 0)),
        lambda: world.follow(ball, (at(0, 0, 1), at(0, 0, 2)), nan),
        lambda: world.follow(ball, (at(0, 0, 1), at(0, 0, 2)), 1.0, keys=2**31),
        lambda: world.add(chasles.Round.sphere(), at(0, 0, 9), mass=nan),
        lambda: world.add(chasles.Round.sphere(), at(0, 0, 9), density=1, damping=nan),
        lambda: world.add(chasles.Round.sphere(), at(0, 0, 9), density=1, velocity=(0, nan, 0)),
        lambda: world.link("hinge", ball, None, axis=(nan, 0, 0)),
        lambda: world.link("rope", ball, None, length=nan),
        lambda: world.add_sheet([[0, 0, 5], [1, 0, 5], [0, 1, 5]], [[0, 1, 2]], pinned=[3]),
    ]
    for number, call in enumerate(calls):
        before = world.fingerprint()
        with pytest.raises(chasles.Error):
            call()
            world.step(0.01)
            pytest.fail(f"call {number} was taken")
        assert world.fingerprint() == before, number
    world.step(0.01)
    assert np.isfinite(world.poses()).all()
