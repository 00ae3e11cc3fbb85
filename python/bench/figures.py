"""What the package costs over Rust: overhead a call, batches, threads, import, size of the wheel.

    cargo build --release --manifest-path python/bench/native/Cargo.toml
    python python/bench/figures.py [WHEEL]

Ratios are of alternating runs on one machine; other work on it blurs them.
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
    """The best seconds of a batch, and of a single question, in Rust."""
    out = subprocess.run([NATIVE, path, str(threads)], capture_output=True, text=True, check=True)
    found = {"batch": [], "single": []}
    for line in out.stdout.splitlines():
        word, seconds = line.split()
        found[word].append(float(seconds))
    return min(found["batch"]), min(found["single"])


def seconds(work):
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def overhead(torus, table):
    """Seconds of a single question, from pairs of matrices as most callers have them."""
    from_seven = lambda row: chasles.still(row).pose_at(0.0)  # noqa: E731
    pairs = [(from_seven(row[:7]), from_seven(row[7:])) for row in table[:2000]]
    ask = lambda: [chasles.first_contact(torus, torus, b_motion=pair) for pair in pairs]  # noqa: E731
    return min(seconds(ask) for _ in range(7)) / len(pairs)


def processes(path, count):
    """Seconds of the slower of several processes that share the motions, one thread each."""
    code = (
        "import chasles, numpy as np, sys, time\n"
        "table = np.fromfile(sys.argv[1]).reshape(-1, 14)[int(sys.argv[2])::int(sys.argv[3])]\n"
        "t = chasles.Mesh.torus(); chasles.first_times(t, t, table[:9, :7], table[:9, 7:])\n"
        "b = time.perf_counter()\n"
        "chasles.first_times(t, t, table[:, :7], table[:, 7:], threads=1)\n"
        "print(time.perf_counter() - b)\n"
    )
    jobs = [
        subprocess.Popen([sys.executable, "-c", code, path, str(i), str(count)],
                         stdout=subprocess.PIPE, text=True)
        for i in range(count)
    ]
    return max(float(job.communicate()[0]) for job in jobs)


def imports():
    """Milliseconds that importing this package takes beyond NumPy's own import."""
    def best(code):
        command = [sys.executable, "-c", f"import time; b = time.perf_counter(); {code}; "
                   "print(time.perf_counter() - b)"]
        return min(float(subprocess.run(command, capture_output=True, text=True).stdout)
                   for _ in range(7))

    return 1e3 * (best("import numpy, chasles") - best("import numpy"))


def main():
    torus, table = chasles.Mesh.torus(), motions(COUNT)
    cores = os.cpu_count()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "motions.f64")
        table.tofile(path)
        starts, ends = table[:, :7].copy(), table[:, 7:].copy()
        batch, single, in_rust, alone = [], [], [], []
        for _ in range(3):
            batch.append(seconds(lambda: chasles.first_times(torus, torus, starts, ends,
                                                             threads=cores, progress=False)))
            rust = native(path, cores)
            in_rust.append(rust[0])
            alone.append(rust[1])
            single.append(overhead(torus, table))
        both = min(processes(path, cores) for _ in range(2))
    print(f"a single question    {1e6 * min(single):8.2f} us   "
          f"in Rust {1e6 * min(alone):.2f} us   "
          f"overhead {1e6 * (min(single) - min(alone)):.2f} us")
    print(f"{COUNT:,} motions      {min(batch):8.3f} s    in Rust {min(in_rust):.3f} s    "
          f"throughput {min(in_rust) / min(batch):.3f} of Rust's")
    print(f"{cores} threads            {min(batch):8.3f} s    {cores} processes {both:.3f} s    "
          f"throughput {both / min(batch):.3f} of theirs")
    print(f"import               {imports():8.1f} ms   beyond numpy's own")
    if len(sys.argv) > 1:
        print(f"wheel                {os.path.getsize(sys.argv[1]) / 1e6:8.2f} MB")


if __name__ == "__main__":
    main()
