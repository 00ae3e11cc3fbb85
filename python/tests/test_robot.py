"""Robots among obstacles: what is proven of their edges."""

import pickle

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
