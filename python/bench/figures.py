"""What the package costs over Rust: overhead a call, batches, threads, import, size of the wheel.

    cargo build --release --manifest-path python/bench/native/Cargo.toml
    python python/bench/figures.py [WHEEL]

Ratios are of alternating runs on one machine. Seconds are those of the processor, on all threads:
other work on the machine blurs them least. Those of the clock stand beside them.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

import chasles

NATIVE = pathlib.Path(__file__).parent / "native" / "target" / "release" / "native"
COUNT = 100_000


def motions(count, seed=1):
    """Near misses and light hits of two tori: 14 numbers each, as the native program reads them."""
    random = np.random.default_rng(seed)
    ends = random.normal(size=(2, count, 4))
    ends /= np.linalg.norm(ends, axis=2, keepdims=True)
    places = random.uniform(-6, 6, (2, count, 3))
    return np.concatenate([places[0], ends[0], places[1], ends[1]], axis=1)


def native(path, threads):
    """The best seconds of a batch, and of a single question, in Rust: of the processor, of the
    clock."""
    out = subprocess.run([NATIVE, path, str(threads)], capture_output=True, text=True, check=True)
    found = {"batch": [], "single": []}
    for line in out.stdout.splitlines():
        word, *numbers = line.split()
        found[word].append([float(number) for number in numbers])
    return best(found["batch"]), best(found["single"])


def best(pairs):
    """The least of the processor's seconds, and the least of the clock's."""
    return [min(column) for column in zip(*pairs)]


def seconds(work):
    """What work takes of the processor, on all threads, and of the clock."""
    of_processor, of_clock = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - of_processor, time.perf_counter() - of_clock


def overhead(torus, table):
    """Seconds of a single question, from pairs of matrices as most callers have them."""
    def matrix(row):
        return chasles.still(row).pose_at(0.0)

    pairs = [(matrix(row[:7]), matrix(row[7:])) for row in table[:2000]]

    def ask():
        for pair in pairs:
            chasles.first_contact(torus, torus, b_motion=pair)

    return [least / len(pairs) for least in best(seconds(ask) for _ in range(7))]


def call():
    """Microseconds of the thread for a question that has next to nothing to do: boxes far apart."""
    box, way = chasles.Mesh.box(), (np.eye(4), np.eye(4))
    way[0][0, 3], way[1][0, 3] = 9, 8

    def once():
        begun = time.thread_time_ns()
        for _ in range(500):
            chasles.first_contact(box, box, b_motion=way)
        return (time.thread_time_ns() - begun) / 500

    return 1e-3 * min(once() for _ in range(60))


def processes(path, count):
    """Seconds of several processes that share the motions, one thread each: of the processor
    together, and of the clock the slowest's."""
    code = (
        "import chasles, numpy as np, sys, time\n"
        "table = np.fromfile(sys.argv[1]).reshape(-1, 14)[int(sys.argv[2])::int(sys.argv[3])]\n"
        "t = chasles.Mesh.torus(); chasles.first_times(t, t, table[:9, :7], table[:9, 7:])\n"
        "c, b = time.process_time(), time.perf_counter()\n"
        "chasles.first_times(t, t, table[:, :7], table[:, 7:], threads=1)\n"
        "print(time.process_time() - c, time.perf_counter() - b)\n"
    )
    jobs = [
        subprocess.Popen([sys.executable, "-c", code, path, str(i), str(count)],
                         stdout=subprocess.PIPE, text=True)
        for i in range(count)
    ]
    taken = [[float(number) for number in job.communicate()[0].split()] for job in jobs]
    return sum(job[0] for job in taken), max(job[1] for job in taken)


def imports():
    """Milliseconds that importing this package takes beyond NumPy's own import."""
    def least(modules):
        code = (
            "import time; c, b = time.process_time(), time.perf_counter(); "
            f"import {modules}; print(time.process_time() - c, time.perf_counter() - b)"
        )
        runs = (subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
                for _ in range(9))
        return best([float(number) for number in run.stdout.split()] for run in runs)

    both, numpy_alone = least("numpy, chasles"), least("numpy")
    return [1e3 * (with_ours - without) for with_ours, without in zip(both, numpy_alone)]


def line(what, found, of, word):
    """A row: our seconds beside others', and the ratio by processor and by clock."""
    ratios = [theirs / ours for ours, theirs in zip(found, of)]
    print(f"{what:<20} {found[0]:8.3f} s   {word} {of[0]:.3f} s   "
          f"throughput {ratios[0]:.3f} of theirs ({ratios[1]:.3f} by the clock)")


def main():
    torus, table = chasles.Mesh.torus(), motions(COUNT)
    cores = os.cpu_count()
    batch, single, in_rust, alone, apart = [], [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "motions.f64")
        table.tofile(path)
        starts, ends = table[:, :7].copy(), table[:, 7:].copy()
        for _ in range(3):
            batch.append(seconds(lambda: chasles.first_times(torus, torus, starts, ends,
                                                             threads=cores, progress=False)))
            rust = native(path, cores)
            in_rust.append(rust[0])
            alone.append(rust[1])
            single.append(overhead(torus, table))
            apart.append(processes(path, cores))
    (batch, single, in_rust, alone, apart) = map(best, (batch, single, in_rust, alone, apart))
    print(f"a call               {call():8.2f} us   for boxes far apart, all of it")
    print(f"a single question    {1e6 * single[0]:8.2f} us   in Rust {1e6 * alone[0]:.2f} us   "
          f"overhead {1e6 * (single[0] - alone[0]):.2f} us")
    line(f"{COUNT:,} motions", batch, in_rust, "in Rust")
    line(f"{cores} threads", batch, apart, f"{cores} processes")
    print("import               %8.1f ms   beyond numpy's own (%.1f ms by the clock)" % (*imports(),))
    if len(sys.argv) > 1:
        print(f"wheel                {os.path.getsize(sys.argv[1]) / 1e6:8.2f} MB")


if __name__ == "__main__":
    main()
