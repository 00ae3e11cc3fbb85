"""The questions of the binary `gripper`, answered by conservative advancement on Coal's `distance`.

    python crates/chasles-bench/coal/gripper.py FOLDER

The loop is ours: from a gap `d` nothing touches while the bodies move by less, so time may advance
by `d / (|v| + |w| r)`, where `v` is the speed of the middle, which a screw does not change, `w` the
turn and `r` the radius about the middle. It ends at a gap of a micrometre. Processor time inside
`coal.distance` is counted apart. Every answer of chasles is then judged by Coal alone: nothing may
touch before it, and something must at it.
"""

import csv
import pathlib
import sys
import time

import coal
import numpy

from distances import model, placed

# The gap at which advancement stops: far below what matters to a gripper of 0.2 m.
STOP = 1e-6

# Two surfaces this near touch: rounding of coordinates of up to 4 m, in both engines.
TOUCH = 1e-9


class Motion:
    """A screw from a pose: a turn about an axis through a point, and a way along it."""

    def __init__(self, row):
        self.start, turn = numpy.array(row[:3]), row[3:7]
        self.angular, self.linear = numpy.array(row[7:10]), numpy.array(row[10:13])
        self.rotation = placed(turn).getRotation()
        self.angle = numpy.linalg.norm(self.angular)

    def at(self, t):
        """The pose at a time: Rodrigues' formula for the turn, its integral for the way."""
        x = self.angle * t
        if self.angle < 1e-12:
            return coal.Transform3s(self.rotation, self.start + t * self.linear)
        k = cross(self.angular / self.angle)
        kk = k @ k
        turn = numpy.eye(3) + numpy.sin(x) * k + (1.0 - numpy.cos(x)) * kk
        way = t * numpy.eye(3) + (1.0 - numpy.cos(x)) / self.angle * k
        way = way + (x - numpy.sin(x)) / self.angle * kk
        return coal.Transform3s(turn @ self.rotation, self.start + way @ self.linear)


def cross(v):
    """The matrix that a vector multiplies others with."""
    return numpy.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


class Coal:
    """The two bodies, and the time that their distances took."""

    def __init__(self, scene, gripper, radius):
        self.scene, self.gripper, self.radius = scene, gripper, radius
        self.still, self.request = coal.Transform3s(), coal.DistanceRequest()
        self.seconds = self.calls = 0

    def distance(self, pose):
        result = coal.DistanceResult()
        start = time.process_time()
        found = coal.distance(
            self.scene, self.still, self.gripper, pose, self.request, result
        )
        self.seconds += time.process_time() - start
        self.calls += 1
        return found

    def advance(self, motion):
        """The time until which the bodies are proven apart: 1, or that of a gap of `STOP`."""
        bound = numpy.linalg.norm(motion.linear) + motion.angle * self.radius
        t = 0.0
        while True:
            gap = self.distance(motion.at(t))
            if gap <= STOP:
                return t
            t += gap / bound
            if t >= 1.0:
                return 1.0


def judge(bodies, motion, answer, free):
    """What is wrong with an answer, or nothing; up to `free` nothing touches."""
    gap = lambda t: bodies.distance(motion.at(t))
    end = 1.0 if numpy.isnan(answer) else answer
    if free > end + 1e-9:
        return "a contact where advancement proves that there is none"
    # Beyond what is proven the bodies pass within STOP: look closely.
    if any(gap(t) <= 0.0 for t in numpy.linspace(free, end, 66)[1:-1]) and free < end:
        return "something touches before"
    if numpy.isnan(answer):
        return None if gap(1.0) > 0.0 else "the end is no miss"
    return None if gap(answer) <= TOUCH else f"a gap of {gap(answer)} at the contact"


def main():
    folder = pathlib.Path(sys.argv[1])
    with open(folder / "questions.csv", newline="", encoding="utf-8") as file:
        rows = [[float(cell) for cell in row] for row in csv.reader(file)]
    lines = (folder / "gripper.off").read_text().split("\n")
    count = int(lines[1].split()[0])
    vertices = numpy.array([line.split() for line in lines[2 : 2 + count]], dtype=float)
    radius = numpy.linalg.norm(vertices, axis=1).max()
    bodies = Coal(model(folder / "scene.off"), model(folder / "gripper.off"), radius)
    motions = [Motion(row[2:]) for row in rows]
    start = time.process_time()
    free = [bodies.advance(motion) for motion in motions]
    total = (time.process_time() - start) / len(rows)
    inside, calls = bodies.seconds / len(rows), bodies.calls / len(rows)
    own = rows[0][0]
    wrong = 0
    for number, (motion, row, until) in enumerate(zip(motions, rows, free)):
        found = judge(bodies, motion, row[1], until)
        if found:
            wrong += 1
            print(f"motion {number}: {found}")
    hits = sum(not numpy.isnan(row[1]) for row in rows)
    print(f"{len(rows)} motions, {hits} of them hits, {wrong} wrong answers")
    print(f"chasles {1 / own:9.0f} queries a second")
    print(f"Coal    {1 / inside:9.0f} inside its distance, {calls:.1f} calls a query")
    print(f"        {1 / total:9.0f} with the loop")
    print(f"ratio   {inside / own:9.1f} and {total / own:.1f}")


if __name__ == "__main__":
    main()
