"""The questions of the binary `distances`, answered by Coal (the package `coal`).

    python crates/chasles-bench/coal/distances.py FOLDER

Prints the processor time of a call from Python next to that of chasles, and how much answers
differ.
"""

import csv
import pathlib
import sys
import time

import coal
import eigenpy
import numpy


def model(path):
    """A tree of boxes over the triangles of an OFF file."""
    lines = path.read_text().split("\n")
    vertices, faces = (int(word) for word in lines[1].split()[:2])
    rows = [line.split() for line in lines[2 : 2 + vertices + faces]]
    body = coal.BVHModelOBBRSS()
    body.beginModel(faces, vertices)
    body.addVertices(numpy.array(rows[:vertices], dtype=float))
    body.addTriangles(numpy.array([row[1:] for row in rows[vertices:]], dtype=int))
    body.endModel()
    return body


def placed(turn, position=(0.0, 0.0, 0.0)):
    """A pose as Coal has it."""
    return coal.Transform3s(eigenpy.Quaternion(*turn).matrix(), numpy.array(position))


def measure(bodies, rests):
    """The least of three mean times, and the distances."""
    request = coal.DistanceRequest()
    least, found = float("inf"), []
    for _ in range(3):
        start = time.process_time()
        found = [
            coal.distance(bodies[0], a, bodies[1], b, request, coal.DistanceResult())
            for a, b in rests
        ]
        least = min(least, (time.process_time() - start) / len(rests))
    return least, found


def main():
    folder = pathlib.Path(sys.argv[1])
    with open(folder / "questions.csv", newline="", encoding="utf-8") as file:
        rows = [[float(cell) for cell in row] for row in csv.reader(file)]
    print(" faces     gap   chasles us   Coal us  ratio  largest difference")
    for faces in sorted({row[0] for row in rows}):
        bodies = [model(folder / f"{faces:.0f}{name}.off") for name in "ab"]
        for gap in sorted({row[1] for row in rows}):
            asked = [row for row in rows if row[:2] == [faces, gap]]
            rests = [(placed(row[4:8]), placed(row[11:15], row[8:11])) for row in asked]
            seconds, found = measure(bodies, rests)
            own = asked[0][2]
            differ = max(abs(x - row[3]) for x, row in zip(found, asked))
            print(
                f"{faces:6.0f} {gap:7g} {1e6 * own:12.1f} {1e6 * seconds:9.1f}"
                f" {own / seconds:6.2f}  {differ:.1e}"
            )


if __name__ == "__main__":
    main()
