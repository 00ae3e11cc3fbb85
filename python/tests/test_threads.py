"""Long work releases Python's lock: other threads go on while it lasts."""

import threading
import time

import numpy as np
import pytest

import chasles
from cases import at, matrices, random_poses

TORUS = chasles.Mesh.torus(segments=(60, 40))
POSES = matrices(random_poses(4000, 1, 0.5)), matrices(random_poses(4000, 2, 0.5))


def grid(count):
    """The vertices and faces of a flat square of triangles."""
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(count), np.arange(count)))
    low = (np.arange(count - 1)[:, None] * count + np.arange(count - 1)).ravel()
    faces = np.stack([low, low + 1, low + count, low + 1, low + count + 1, low + count], 1)
    return np.stack([x, y, np.zeros_like(x)], 1).astype(float), faces.reshape(-1, 3)


def pile():
    world = chasles.World(gravity=(0, 0, -9.81))
    world.add(chasles.Mesh.box([30, 30, 1]), at(0, 0, -0.5), kind="static")
    for i in range(60):
        place = at(1.1 * (i % 4), 1.1 * (i // 4 % 4), 0.6 + 1.1 * (i // 16))
        world.add(chasles.Mesh.box(), place, density=1000)
    return world


def crowd():
    made = chasles.Set()
    for p, q in zip(*POSES):
        made.add(TORUS, (p, q))
        if len(made) == 20:
            return made


def scene():
    from test_robot import scene

    return scene(), np.random.default_rng(2).uniform(-2, 2, (2, 3000, 2))


VERTICES, FACES = grid(300)
EDGES = scene()
TRACED = chasles.TraceWorld([chasles.Mesh.torus(segments=(60, 40))])

WORK = {
    "a mesh is made": lambda: chasles.Mesh(VERTICES, FACES),
    "a mesh of another package is asked": lambda: chasles.overlaps(
        type("Scan", (), {"vertices": VERTICES, "faces": FACES})(), chasles.Round.sphere()
    ),
    "contacts": lambda: chasles.contacts(TORUS, TORUS, b_motion=(POSES[0][0], POSES[1][0])),
    "clearances": lambda: chasles.clearances(TORUS, TORUS, POSES[0][:300], POSES[1][:300]),
    "outcomes": lambda: chasles.outcomes(TORUS, TORUS, *POSES),
    "distances": lambda: chasles.distances(TORUS, chasles.Round.sphere(), POSES[0]),
    "a set": lambda: crowd().contacts(),
    "steps of a world": lambda: pile().step(1 / 60, steps=20),
    "edges of a robot": lambda: EDGES[0].edges(*EDGES[1]),
    "a field is sampled": lambda: chasles.Solid.field(TORUS, cells=40),
    "traces": lambda: TRACED.points(
        np.random.default_rng(3).uniform(-2, 2, (30_000, 3)), np.zeros((30_000, 3))
    ),
    "a world of traces is made": lambda: chasles.TraceWorld([TORUS]),
    "a surface that deforms": lambda: chasles.collision_free_step(
        VERTICES, VERTICES + [0, 0, 1], FACES
    ),
    "queries": lambda: chasles.queries(
        *np.random.default_rng(4).uniform(-1, 1, (2, 100_000, 4, 3)), "vf"
    ),
}


# Batches look at signals so often, in seconds; Python then lets others have its lock.
LOOK = 0.05


def goes_on(work):
    """Whether another thread goes on while work is done: it waits for Python's lock much shorter
    than the work takes, and gets it more often than batches look at signals."""
    longest, ticks, stop = 0.0, 0, threading.Event()

    def watch():
        nonlocal longest, ticks
        last = time.perf_counter()
        while not stop.is_set():
            time.sleep(0.001)
            now = time.perf_counter()
            longest, last, ticks = max(longest, now - last), now, ticks + 1

    other = threading.Thread(target=watch)
    other.start()
    time.sleep(0.01)
    begun, before = time.perf_counter(), ticks
    work()
    took, ticks_then = time.perf_counter() - begun, ticks
    stop.set()
    other.join()
    return longest < 0.6 * took and ticks_then - before > 3 * took / LOOK


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_other_threads_go_on(work):
    # Arguments are read with the lock, and a busy machine wakes threads late: once is enough. Work
    # that keeps the lock lets others wait for all of it, however often.
    assert any(goes_on(work) for _ in range(8))
