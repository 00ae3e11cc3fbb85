"""A million motions from file to file: what it takes, and whether an end in the middle matters.

    python python/bench/million.py [COUNT]

Makes a file of motions, asks for the first contact of each in a process of its own, then again in
one that is ended in the middle and in another that goes on; and compares the files. Linux only: it
reads what the system says of processes.
"""

import hashlib
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np
import pyarrow
import pyarrow.parquet

CHILD = """
import sys, chasles
torus = chasles.Mesh.torus()
check = chasles.Checker(torus, torus, facing=True, proper=True)
chasles.check_parquet(sys.argv[1], sys.argv[2], check, progress=False)
"""


def poses(random, count):
    """Places in a cube and turns, seven numbers each, as lists of fixed size."""
    turns = random.normal(size=(count, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    flat = np.hstack([random.uniform(-6, 6, (count, 3)), turns]).ravel()
    return pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(flat), 7)


def source(path, count, group=250_000):
    random = np.random.default_rng(1)
    writer = None
    for first in range(0, count, group):
        size = min(group, count - first)
        columns = {"id": np.arange(first, first + size)}
        columns |= {name: poses(random, size) for name in ("start", "end")}
        table = pyarrow.table(columns)
        writer = writer or pyarrow.parquet.ParquetWriter(path, table.schema)
        writer.write_table(table)
    writer.close()


def child(*paths):
    return subprocess.Popen([sys.executable, "-c", CHILD, *map(str, paths)])


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        motions, whole, target = (folder / f"{n}.parquet" for n in ("motions", "whole", "target"))
        source(motions, count)
        print(f"source               {motions.stat().st_size / 1e6:8.0f} MB, {count:,} motions")
        begun = time.perf_counter()
        _, status, used = os.wait4(child(motions, whole).pid, 0)
        assert status == 0
        took = time.perf_counter() - begun
        print(f"in one go            {used.ru_utime + used.ru_stime:8.1f} s of processor time, "
              f"{took:.1f} s; {used.ru_maxrss / 1024:.0f} MB of memory at most")

        first = child(motions, target)
        parts = pathlib.Path(f"{target}.parts")
        while len(list(parts.glob("part-????????.parquet"))) * 200_000 < count:
            time.sleep(0.01)
            assert first.poll() is None, "it ended before it could be ended"
        first.send_signal(signal.SIGKILL)
        first.wait()
        kept = len(list(parts.glob("part-????????.parquet")))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert child(motions, target).wait() == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"ended and resumed    {spent:8.1f} s of processor time after {kept} parts; "
              f"the same file: {digest(whole) == digest(target)}")
        times = pyarrow.parquet.read_table(whole)["time"].to_numpy()
        print(f"first contacts       {np.isfinite(times).sum():8,}")


if __name__ == "__main__":
    main()
