"""Robots among obstacles: what is proven of their edges."""

import os
import pickle
import signal
import subprocess
import sys

import numpy as np
import pytest

import chasles
from cases import at

ARM = """<robot name="arm">
  <link name="base"/>
  <link name="upper"><collision><origin xyz="0.25 0 0"/>
    <geometry><box size="0.5 0.05 0.05"/></geometry></collision></link>
  <link name="lower"><collision><origin xyz="0.25 0 0"/>
    <geometry><box size="0.5 0.04 0.04"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/>
    <origin xyz="0.5 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-2.5" upper="2.5" effort="1" velocity="1"/></joint>
</robot>"""


def scene():
    scene = chasles.Scene(chasles.Robot.parse(ARM))
    scene.add("post", chasles.Mesh.box([0.02, 0.02, 1]), at(0, 0.8, 0))
    scene.add("ball", chasles.Round.sphere(0.1), at(-0.6, -0.3, 0))
    return scene


def test_a_robot_is_what_its_file_says(tmp_path):
    robot = chasles.Robot.parse(ARM)
    assert robot.name == "arm" and robot.variables == ["shoulder", "elbow"]
    assert robot.links == ["base", "upper", "lower"]
    np.testing.assert_array_equal(robot.limits, [[-3, 3], [-2.5, 2.5]])
    poses = robot.poses([np.pi / 2, -np.pi / 2])
    np.testing.assert_allclose(poses[2][:3, 3], [0, 0.5, 0], atol=1e-12)
    np.testing.assert_allclose(poses[2][:3, :3], np.eye(3), atol=1e-12)
    assert robot.is_within_limits([0, 0]) and not robot.is_within_limits([3.1, 0])
    path = tmp_path / "arm.urdf"
    path.write_text(ARM)
    assert chasles.Robot.load(path, packages={}).links == robot.links
    with pytest.raises(chasles.RobotError, match="nowhere"):
        chasles.Robot.load(tmp_path / "nowhere.urdf")
    with pytest.raises(chasles.RobotError):
        chasles.Robot.parse("<robot")


def test_configurations_and_edges():
    arm = scene()
    assert arm.is_free([0, 0]) and not arm.is_free([np.pi / 2, 0])
    near = arm.distance([0.0, 0.0])
    assert near.distance > 0.3 and near.points.shape == (2, 3) and near.gradient.shape == (2,)
    edge = arm.edge([0, 0], [2.5, 0.3])
    assert edge.hit and not edge.free and edge.bodies == ("lower", "post")
    assert not arm.is_free(edge.configuration) and edge.fraction <= edge.at
    assert arm.edge([0, 0], [1.0, 0.3]).free
    assert arm.edge([0, 0], [1.0, 0.3], margin=0.5).hit
    arm.allow("lower", "post")
    assert arm.edge([0, 0], [2.5, 0.3]).free
    with pytest.raises(chasles.RobotError):
        arm.edge([0], [1.0])
    with pytest.raises(chasles.RobotError, match="hand"):
        arm.allow("hand", "post")


def test_sampled_edges_agree():
    arm = scene()
    random = np.random.default_rng(4)
    starts, ends = random.uniform(arm.robot.limits[:, 0], arm.robot.limits[:, 1], (2, 40, 2))
    found = arm.edges(starts, ends)
    assert set(found.verdict) == {"free", "hit"}
    for q0, q1, verdict, fraction in zip(starts, ends, found.verdict, found.fraction):
        sampled = [arm.is_free(q0 + t * (q1 - q0)) for t in np.linspace(0, 1, 400)]
        if verdict == "free":
            assert all(sampled)
        before = int(fraction * 399)
        assert all(sampled[:before])
    alone = arm.edges(starts, ends, threads=1)
    assert alone == found


def test_scenes_are_pickled_and_checked_in_tables():
    arm = scene()
    arm.attach("tool", "lower", chasles.Round.capsule(0.03), at(0.5, 0, 0))
    arm.set_margin("tool", "post", 0.01)
    other = pickle.loads(pickle.dumps(arm))
    assert other.names == arm.names and other.pair_count == arm.pair_count
    check = chasles.Checker(other)
    random = np.random.default_rng(5)
    starts, ends = random.uniform(-2, 2, (2, 30, 2))
    found = pickle.loads(pickle.dumps(check))({"start": starts, "end": ends, "id": range(30)})
    np.testing.assert_array_equal(found["verdict"], arm.edges(starts, ends).verdict)
    assert len(found["id"]) == 30
    lower, upper, number, fraction, near = arm.clearance([[0, 0], [0.5, 0.2], [0.2, 0]])
    assert 0 < lower <= upper <= lower + 1e-3 and number in (0, 1) and 0 <= fraction <= 1
    assert near.distance == pytest.approx(upper)


def test_what_is_proven_can_be_pickled():
    arm = scene()
    hit, free = arm.edge([0, 0], [2.5, 0.3]), arm.edge([0, 0], [1.0, 0.3])
    touching = chasles.Scene(chasles.Robot.parse(ARM))
    # Along the lower arm, nearer than what halving can prove and farther than what is a touch.
    touching.add("wall", chasles.Mesh.box([1, 0.1, 1]), at(0.75, 0.075 + 1e-8, 0))
    doubt = touching.edge([0, 0], [0, -1e-9])
    for edge in [hit, free, doubt]:
        other = pickle.loads(pickle.dumps(edge))
        assert repr(other) == repr(edge) and other.evaluations == edge.evaluations
        assert (other.free, other.hit, other.undecided) == (edge.free, edge.hit, edge.undecided)
        assert (other.at, other.bodies, other.fraction) == (edge.at, edge.bodies, edge.fraction)
        np.testing.assert_array_equal(other.clearance, edge.clearance)
    other = pickle.loads(pickle.dumps(hit))
    np.testing.assert_array_equal(other.configuration, hit.configuration)
    for near in [hit.near, arm.distance([0.3, 0.2]), *arm.near([0.3, 0.2], 9.0)]:
        other = pickle.loads(pickle.dumps(near))
        assert (other.bodies, other.distance, other.overlaps) == (
            near.bodies,
            near.distance,
            near.overlaps,
        )
        for name in ["points", "normal", "gradient"]:
            np.testing.assert_array_equal(getattr(other, name), getattr(near, name))
    assert hit.near.bodies == hit.bodies and free.near is None


def test_the_gradient_is_the_rate_of_the_distance():
    arm, q, h = scene(), np.array([0.3, 0.4]), 1e-6
    gradient = arm.distance(q).gradient
    for joint, step in enumerate(np.eye(2) * h):
        rate = (arm.distance(q + step).distance - arm.distance(q - step).distance) / (2 * h)
        assert gradient[joint] == pytest.approx(rate, abs=1e-6)


def test_groups_and_states_of_srdf(tmp_path):
    path = tmp_path / "arm.srdf"
    path.write_text(
        """<robot name="arm"><group name="all"><chain base_link="base" tip_link="lower"/></group>
        <group name="end"><joint name="elbow"/></group>
        <group_state name="bent" group="all"><joint name="elbow" value="1.5"/></group_state>
        <disable_collisions link1="base" link2="lower"/></robot>"""
    )
    robot = chasles.Robot.parse(ARM, srdf=path)
    assert robot.groups == {"all": ["shoulder", "elbow"], "end": ["elbow"]}
    assert robot.states == {"bent": [0.0, 1.5]}


CANCELLED = """
import chasles, numpy as np, sys
sys.path.insert(0, {folder!r})
from test_robot import scene
arm = scene()
starts, ends = np.random.default_rng(1).uniform(-2, 2, (2, 3_000_000, 2))
told = lambda done, count: print("begun", flush=True) if done else None
try:
    chasles.Checker(arm)({{"start": starts, "end": ends}}, progress=told)
except KeyboardInterrupt:
    print("cancelled", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_many_edges_soon():
    code = CANCELLED.format(folder=os.path.dirname(__file__))
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "begun\n"
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert out.splitlines()[-1] == "cancelled"
