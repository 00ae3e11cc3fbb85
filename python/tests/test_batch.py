"""Many motions: the same answers as one by one, in any number of threads, until Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import chasles
from cases import at, matrices, random_poses

TORUS = chasles.Mesh.torus()


def motions(count, seed=3):
    return matrices(random_poses(count, seed)), matrices(random_poses(count, seed + 1))


def test_a_batch_is_what_one_by_one_gives_to_the_bit():
    starts, ends = motions(300)
    times = chasles.first_times(TORUS, TORUS, starts, ends)
    single = [chasles.first_contact(TORUS, TORUS, b_motion=pair) for pair in zip(starts, ends)]
    expected = [np.nan if hit is None else hit.time for hit in single]
    np.testing.assert_array_equal(times, expected)
    assert np.isnan(times).any() and np.isfinite(times).any()
    table = chasles.first_contacts(TORUS, TORUS, starts, ends)
    np.testing.assert_array_equal(table.time, times)
    hit = int(np.flatnonzero(np.isfinite(times))[0])
    np.testing.assert_array_equal(table.point[hit], single[hit].point)
    assert (table.kind == "").sum() == np.isnan(times).sum()
    assert chasles.first_hit(TORUS, TORUS, starts, ends) == hit


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_answers_do_not_depend_on_the_number_of_threads(threads):
    starts, ends = motions(200)
    expected = chasles.first_times(TORUS, TORUS, starts, ends)
    found = chasles.first_times(TORUS, TORUS, starts, ends, threads=threads)
    assert found.tobytes() == expected.tobytes()


def test_arrays_of_any_type_and_layout_are_the_same_motions():
    starts, ends = motions(100)
    expected = chasles.first_times(TORUS, TORUS, starts, ends)
    again = [
        (np.asfortranarray(starts), np.asfortranarray(ends)),
        (np.repeat(starts, 2, axis=0)[::2], np.repeat(ends, 2, axis=0)[::2]),
        (starts.tolist(), ends.tolist()),
        (list(starts), list(ends)),
    ]
    for form in again:
        np.testing.assert_array_equal(chasles.first_times(TORUS, TORUS, *form), expected)
    near = chasles.first_times(TORUS, TORUS, starts.astype(np.float32), ends.astype(np.float32))
    both = np.isfinite(near) & np.isfinite(expected)
    assert both.sum() > 10 and np.median(np.abs(near - expected)[both]) < 1e-5
    seven = random_poses(100, 3), random_poses(100, 4)
    close = chasles.first_times(TORUS, TORUS, *seven)
    np.testing.assert_allclose(close, expected, rtol=1e-6)


def test_both_bodies_may_move_and_motions_may_be_of_any_kind():
    starts, ends = motions(60)
    still = np.tile(np.eye(4), (60, 1, 1))
    same = chasles.first_times(TORUS, TORUS, starts, ends, a_starts=still, a_ends=still)
    np.testing.assert_array_equal(same, chasles.first_times(TORUS, TORUS, starts, ends))
    listed = [chasles.between(p, q) for p, q in zip(starts, ends)]
    np.testing.assert_array_equal(same, chasles.first_times(TORUS, TORUS, listed))
    way = [chasles.waypoints([p, q, p]) for p, q in zip(starts, ends)]
    there = chasles.first_times(TORUS, TORUS, way)
    np.testing.assert_allclose(there * 2, same, rtol=1e-9)


def test_outcomes_clearances_and_distances_agree():
    starts, ends = motions(80)
    found = chasles.outcomes(TORUS, TORUS, starts, ends)
    assert set(found.outcome) <= {"free", "hit", "overlap"} and "free" in found.outcome
    inside = chasles.overlaps_each(TORUS, TORUS, starts) == 1
    np.testing.assert_array_equal(found.outcome == "overlap", inside)
    gaps = chasles.clearances(TORUS, TORUS, starts, ends, width=1e-4)
    assert (gaps.lower[found.outcome == "hit"] == 0).all()
    assert (gaps.upper[found.outcome == "free"] > 0).all()
    assert gaps.points.shape == (80, 2, 3)
    apart = chasles.distances(TORUS, TORUS, starts)
    np.testing.assert_array_equal(apart.overlaps, inside)
    assert (apart.distance + 1e-9 >= gaps.lower).all()
    with pytest.raises(chasles.Error, match="80 poses of A, but 3 of B|3 poses of A, but 80"):
        chasles.distances(TORUS, TORUS, starts, starts[:3])


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda: chasles.first_times(TORUS, TORUS, np.zeros((3, 4, 4)), np.zeros((3, 4, 4))),
            "pose 0",
        ),
        (
            lambda: chasles.first_times(
                TORUS, TORUS, np.eye(4)[None], np.eye(4)[None].repeat(2, 0)
            ),
            "1 poses in starts, but 2 in ends",
        ),
        (
            lambda: chasles.first_times(TORUS, TORUS, np.eye(3)[None], np.eye(3)[None]),
            "starts has the",
        ),
        (lambda: chasles.first_times(TORUS, TORUS, [at(0, 0, 0), 7.0]), r"starts\[1\]"),
    ],
)
def test_wrong_motions_are_named(call, message):
    with pytest.raises(chasles.Error, match=message):
        call()


def test_nothing_in_is_nothing_out():
    assert chasles.first_times(TORUS, TORUS, np.zeros((0, 4, 4)), np.zeros((0, 4, 4))).shape == (0,)
    assert len(chasles.first_contacts(TORUS, TORUS, [])) == 0


def test_progress_is_told_and_other_threads_go_on():
    starts, ends = motions(2_000)
    told, ticks, stop = [], [], threading.Event()

    def tick():
        while not stop.wait(0.01):
            ticks.append(time.monotonic())

    other = threading.Thread(target=tick)
    other.start()
    chasles.first_times(TORUS, TORUS, starts, ends, progress=lambda *seen: told.append(seen))
    stop.set()
    other.join()
    assert told[-1] == (2_000, 2_000) and told == sorted(told)
    assert len(ticks) >= 5


CANCELLED = """
import chasles, numpy as np, sys
sys.path.insert(0, {folder!r})
from cases import matrices, random_poses
torus = chasles.Mesh.torus(segments=(120, 90))
starts, ends = matrices(random_poses(200_000, 1, 0.7)), matrices(random_poses(200_000, 2, 0.7))
print("ready", flush=True)
try:
    chasles.first_times(torus, torus, starts, ends)
except KeyboardInterrupt:
    print("cancelled", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_a_batch_soon():
    code = CANCELLED.format(folder=os.path.dirname(__file__))
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(1.0)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert out == "cancelled\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_process_that_was_forked_has_threads_of_its_own():
    starts, ends = motions(500)
    expected = chasles.first_times(TORUS, TORUS, starts, ends)
    code = (
        "import chasles, multiprocessing, numpy as np, pickle, sys\n"
        "def work(job):\n"
        "    return chasles.first_times(*job)\n"
        "job = pickle.load(sys.stdin.buffer)\n"
        "first = chasles.first_times(*job)\n"
        "with multiprocessing.get_context('fork').Pool(2) as pool:\n"
        "    same = pool.map(work, [job, job])\n"
        "sys.stdout.buffer.write(pickle.dumps([first, *same]))\n"
    )
    import pickle

    job = pickle.dumps((TORUS, TORUS, starts, ends))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        input=job,
        capture_output=True,
        timeout=120,
        check=True,
    )
    for found in pickle.loads(done.stdout):
        np.testing.assert_array_equal(found, expected)
