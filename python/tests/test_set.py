"""Many bodies with motions: the contacts of a set are those of its pairs, asked one by one."""

import pickle

import numpy as np
import pytest

import chasles
from cases import at, matrices, random_poses

SHAPES = [
    chasles.Mesh.torus(),
    chasles.Round.sphere(0.4),
    chasles.Mesh.box([0.5, 1.0, 0.3]),
    chasles.Round.capsule(0.2, [[0, 0, 0], [0, 0, 1]]),
]


def crowd(count=14, seed=3):
    """Bodies in a cube, of which every third stands still; their shapes and motions."""
    starts, ends = random_poses(count, seed, 2.0), random_poses(count, seed + 1, 2.0)
    bodies = [SHAPES[i % len(SHAPES)] for i in range(count)]
    motions = [
        chasles.still(p) if i % 3 == 0 else chasles.between(p, q)
        for i, (p, q) in enumerate(zip(starts, ends))
    ]
    return bodies, motions


def filled(bodies, motions, **more):
    made = chasles.Set()
    for body, motion in zip(bodies, motions):
        made.add(body, motion, **more)
    return made


def pairs_of(bodies, motions, **options):
    """The contacts of each pair that has some, by the numbers of its bodies."""
    found = {}
    for b in range(len(bodies)):
        for a in range(b):
            if a % 3 or b % 3:
                hits = chasles.contacts(bodies[a], bodies[b], motions[a], motions[b], **options)
                if len(hits):
                    found[a, b] = hits
    return found


def test_contacts_are_those_of_the_pairs_to_the_bit():
    bodies, motions = crowd()
    found, alone = filled(bodies, motions).contacts(), pairs_of(bodies, motions)
    assert len(alone) > 10
    expected = [pair for pair in sorted(alone) for _ in range(len(alone[pair]))]
    np.testing.assert_array_equal(np.stack([found.body_a, found.body_b], 1), expected)
    for name in alone[next(iter(alone))].columns():
        whole = np.concatenate([getattr(alone[pair], name) for pair in sorted(alone)])
        np.testing.assert_array_equal(found[name], whole, err_msg=name)


def test_the_first_of_each_pair_and_of_all():
    bodies, motions = crowd(seed=5)
    made, alone = filled(bodies, motions), pairs_of(bodies, motions, facing=True)
    firsts = made.contacts(first=True, facing=True)
    assert list(zip(firsts.body_a, firsts.body_b)) == sorted(alone)
    times = [alone[pair].time[0] for pair in sorted(alone)]
    np.testing.assert_allclose(firsts.time, times, atol=1e-12)
    a, b, hit = made.first_contact(facing=True)
    assert hit.time == pytest.approx(min(times), abs=1e-12)
    assert (a, b) == sorted(alone)[int(np.argmin(times))]
    assert chasles.Set().first_contact() is None


def test_filters_and_ignored_pairs_part():
    bodies, motions = crowd(seed=7)
    alone = pairs_of(bodies, motions)
    made = filled(bodies, motions)
    left_out = next(iter(alone))
    made.ignore(*left_out)
    found = made.contacts()
    assert set(zip(found.body_a, found.body_b)) == set(alone) - {left_out}
    # Even bodies meet odd ones only.
    for number in range(len(bodies)):
        made.set_filter(number, 1 << number % 2, 2 >> number % 2)
    found = made.contacts()
    mixed = {(a, b) for a, b in alone if (a + b) % 2} - {left_out}
    assert mixed and set(zip(found.body_a, found.body_b)) == mixed
    grouped = chasles.Set()
    grouped.add(chasles.Mesh.box(), groups=(2, 1))
    grouped.add(chasles.Mesh.box(), ([3, 0, 0, 0, 0, 0, 1], [0.5, 0, 0, 0, 0, 0, 1]), groups=(1, 1))
    assert len(grouped.contacts()) == 0
    grouped.set_filter(1, 1)
    assert len(grouped.contacts()) > 0


def test_a_body_may_move_otherwise():
    made = chasles.Set()
    made.add(chasles.Mesh.box())
    ball = made.add(chasles.Round.sphere(0.5), at(5, 0, 0))
    assert made.first_contact() is None and len(made) == 2
    made.set_motion(ball, (at(5, 0.1, 0), at(0, 0.1, 0)))
    assert made.first_contact()[2].time == pytest.approx(0.8)
    assert made.motions[1].pose_at(1.0)[0, 3] == 0 and made.bodies[1].kind == "sphere"


def test_overlaps_and_clearances_are_those_of_the_pairs():
    bodies, motions = crowd(seed=9)
    made = filled(bodies, motions)
    found = made.overlaps()
    inside = [
        (a, b)
        for a in range(len(bodies))
        for b in range(a + 1, len(bodies))
        if chasles.overlaps(bodies[a], bodies[b], motions[a].start, motions[b].start)
    ]
    assert inside and list(zip(found.body_a, found.body_b)) == inside
    assert (found.overlaps == 1).all()
    near = made.clearances(0.5, width=1e-4)
    told = {(a, b): (low, high) for a, b, low, high in
            zip(near.body_a, near.body_b, near.lower, near.upper)}
    for b in range(len(bodies)):
        for a in range(b):
            if a % 3 or b % 3:
                c = chasles.clearance(bodies[a], bodies[b], motions[a], motions[b], width=1e-4)
                assert told.get((a, b), (0.5, np.inf))[0] <= c.upper
                if (a, b) in told:
                    assert told[a, b] == (c.lower, c.upper)
    assert set(map(tuple, made.near_pairs().tolist())) >= set(pairs_of(bodies, motions))
    with pytest.raises(chasles.Error, match="reach is NaN; expected 0 or more"):
        made.clearances(float("nan"))


def among():
    bodies, motions = crowd(10, seed=11)
    starts, ends = random_poses(60, 12, 2.5), random_poses(60, 13, 2.5)
    return bodies, motions, chasles.Mesh.box(0.4), starts, ends


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_a_visitor_meets_first_what_the_pairs_say(threads):
    bodies, motions, box, starts, ends = among()
    made = filled(bodies, motions)
    found = chasles.first_contacts_in(made, box, starts, ends, threads=threads)
    outcomes = chasles.outcomes_in(made, box, starts, ends, threads=threads)
    for i, way in enumerate(zip(starts, ends)):
        hits = [chasles.first_contact(b, box, m, way) for b, m in zip(bodies, motions)]
        times = [np.inf if hit is None else hit.time for hit in hits]
        if min(times) == np.inf:
            assert found.body[i] == -1 and np.isnan(found.time[i])
        else:
            assert found.body[i] == np.argmin(times) and found.time[i] == min(times)
            np.testing.assert_array_equal(found.point[i], hits[found.body[i]].point)
        words = [chasles.outcome(b, box, m, way).word for b, m in zip(bodies, motions)]
        expected = "overlap" if "overlap" in words else "hit" if "hit" in words else "free"
        assert outcomes.outcome[i] == expected
        if expected == "overlap":
            assert outcomes.body[i] == words.index("overlap")
    assert {"free", "hit", "overlap"} <= set(outcomes.outcome)
    first = chasles.first_hit_in(made, box, starts, ends)
    assert first == np.flatnonzero(found.body >= 0)[0]


def test_a_visitor_passes_through_what_it_does_not_meet():
    bodies, motions, box, starts, ends = among()
    made = filled(bodies, motions)
    found = chasles.first_contacts_in(made, box, starts, ends)
    most = int(np.bincount(found.body[found.body >= 0]).argmax())
    without = chasles.first_contacts_in(made, box, starts, ends, ignored=[most])
    assert most not in without.body and (without.body[found.body != most] ==
                                         found.body[found.body != most]).all()
    nobody = chasles.first_contacts_in(made, box, starts, ends, groups=(2, 2))
    assert (nobody.body == -1).all()
    with pytest.raises(chasles.Error, match="there is no body 10: the set has 10"):
        chasles.first_contacts_in(made, box, starts, ends, ignored=[10])
    with pytest.raises(TypeError, match="is no option here"):
        chasles.first_contacts_in(made, box, starts, ends, ignore=[1])


def test_the_nearest_of_a_set():
    balls = [chasles.Round.sphere(0.1 * (i + 1)) for i in range(5)]
    made = filled(balls, [chasles.still(at(2 * i, 0, 0)) for i in range(5)])
    ways = [(at(x, 3, 0), at(x, 1, 0)) for x in (0.2, 3.9, 7.5)]
    found = chasles.clearances_in(made, chasles.Round.sphere(0.1), ways, width=1e-9)
    assert found.body.tolist() == [0, 2, 4]
    for i, (x, y) in enumerate([(0.2, 1), (0.1, 1), (0.5, 1)]):
        expected = np.hypot(x, y) - 0.1 * (found.body[i] + 1) - 0.1
        assert found.lower[i] - 1e-12 <= expected <= found.upper[i] + 1e-12
    none = chasles.clearances_in(chasles.Set(), balls[0], ways)
    assert none.body.tolist() == [-1] * 3 and np.isinf(none.lower).all()


def test_a_set_is_pickled_with_all_that_was_said():
    bodies, motions = crowd(seed=17)
    made = filled(bodies, motions)
    made.ignore(1, 2)
    made.set_filter(4, 6, 3)
    copy = pickle.loads(pickle.dumps(made))
    assert len(copy) == len(made) and copy.contacts() == made.contacts()
    assert repr(copy) == "Set(14 bodies)"


def test_what_is_wrong_is_said():
    made = filled(*crowd(3))
    with pytest.raises(chasles.Error, match=r"there is no body 3: the set has 3 \(from 0\)"):
        made.ignore(0, 3)
    with pytest.raises(chasles.Error, match="there is no body 9"):
        made.set_motion(9, at(0, 0, 0))
    with pytest.raises(TypeError, match="body is of the type str"):
        made.add("torus.obj")
    with pytest.raises(TypeError, match="is no option here"):
        made.contacts(facin=True)
    made.add(chasles.Solid.torus(1, 0.2), (at(0, 0, 0), at(1, 0, 0)))
    with pytest.raises(chasles.QueryError, match="bodies 0 and 3"):
        made.clearances(9.0)


def test_matrices_are_motions_too():
    starts, ends = matrices(random_poses(6, 1)), matrices(random_poses(6, 2))
    made = chasles.Set()
    for pair in zip(starts, ends):
        made.add(chasles.Mesh.torus(), pair)
    assert len(made.contacts(first=True)) > 0
