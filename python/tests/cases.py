"""What tests share."""

import numpy as np

import chasles


def at(x, y, z):
    """The pose of a body that is only shifted."""
    return [x, y, z, 0, 0, 0, 1]


def rotation(axis, angle):
    """The matrix of a turn about a unit axis."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def cube_falls():
    """A cube that falls on another: the arguments of a question."""
    cube = chasles.Mesh.box()
    return cube, cube, None, (at(0.2, 3, 0.1), at(0.2, 0, 0.1))


def random_poses(count, seed=1, reach=2.0):
    """Poses anywhere in a cube, turned anyhow."""
    random = np.random.default_rng(seed)
    turns = random.normal(size=(count, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    return np.hstack([random.uniform(-reach, reach, (count, 3)), turns])


def matrices(poses):
    """The 4 x 4 matrices of poses of seven numbers."""
    x, y, z, w = poses[:, 3:].T
    out = np.zeros((len(poses), 4, 4))
    out[:, 0, :3] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], 1)
    out[:, 1, :3] = np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], 1)
    out[:, 2, :3] = np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], 1)
    out[:, :3, 3], out[:, 3, 3] = poses[:, :3], 1
    return out
