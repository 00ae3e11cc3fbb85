"""Builds the Python package as users do, and tests the one wheel on every Python that is here.

    python3 .ci/wheel/check.py [FOLDER]     all of it; what is made is in FOLDER (target/wheel)

The wheel is built by PEP 517 in an environment of its own, installed into a fresh virtual
environment, and tested there: every example of the documentation, every test, and the types. Other
Pythons from 3.10 to 3.13 get the same wheel and the tests that need nothing but NumPy. Where no
registry of packages can be reached, it says so and ends well.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python"

# The versions that the wheel is for.
MINORS = range(10, 14)

# The largest wheel, in bytes: beyond it something came in that nobody asked for.
LARGEST = 3_000_000

# Wheels are packed as well as they can be, as those that are published.
PACKED = {"PIP_NO_CACHE_DIR": "1", "MATURIN_PEP517_ARGS": "--compression-level 9"}

# What the tests of one Python need; the others do with NumPy and pytest.
NEEDED = ["numpy", "pytest", "pandas", "pyarrow", "dask", "distributed", "rich", "mypy"]
FEW = ["test_query.py", "test_deform.py", "test_pickle.py", "test_world.py"]


def run(command, **more):
    """Runs a command, whose output is shown only if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode:
        print(done.stdout + done.stderr)
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return done.stdout


def version(python):
    """The minor version of a Python 3, or none."""
    code = "import sys; print(*sys.version_info[:2])"
    try:
        done = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=20)
        major, minor = map(int, done.stdout.split())
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return minor if major == 3 and minor in MINORS else None


def pythons():
    """A Python of each minor version: this one, those on the path, and those of pyenv."""
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv"))
    known = [sys.executable, *(shutil.which(f"python3.{minor}") for minor in MINORS)]
    known += sorted(pyenv.glob("versions/*/bin/python3"))
    found = {}
    for python in known:
        minor = version(python) if python else None
        if minor is not None:
            found.setdefault(minor, str(python))
    return found


def environment(folder, python):
    """A fresh virtual environment; its Python."""
    shutil.rmtree(folder, ignore_errors=True)
    run([python, "-m", "venv", folder])
    return str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


def reaches_registry(python):
    """Whether packages can be installed here at all."""
    command = [python, "-m", "pip", "install", "--quiet", "numpy", "pytest"]
    return subprocess.run(command, capture_output=True).returncode == 0


def built(python, folder):
    """The wheel, built in an environment that has only what its project asks for."""
    shutil.rmtree(folder, ignore_errors=True)
    command = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, PACKAGE]
    run(command, env={**os.environ, **PACKED})
    (wheel,) = folder.glob("chasles-*-cp310-abi3-*.whl")
    return wheel


def tested(python, names, folder):
    """How many tests passed, and how many failed, of some files."""
    command = [python, "-m", "pytest", "-q", "--rootdir", PACKAGE, "-c", PACKAGE / "pyproject.toml"]
    # From elsewhere, so that what is installed is tested, and not the folder.
    command += ["-p", "no:cacheprovider", *(PACKAGE / "tests" / name for name in names)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    count = {word: int(n) for n, word in re.findall(r"(\d+) (passed|failed|error)", done.stdout)}
    failed = count.get("failed", 0) + count.get("error", 0)
    if done.returncode:
        print(done.stdout[-20_000:] + done.stderr)
    return count.get("passed", 0), max(failed, int(done.returncode != 0))


def typed(python, folder):
    """Whether the types are those of the module, and the tests of types hold."""
    config = ["--config-file", PACKAGE / "pyproject.toml"]
    run([python, "-m", "mypy", *config, PACKAGE / "tests" / "typed.py"], cwd=folder)
    allowed = ["--allowlist", PACKAGE / "tests" / "stubtest.txt", "--ignore-unused-allowlist"]
    config = ["--mypy-config-file", PACKAGE / "pyproject.toml"]
    run([python, "-m", "mypy.stubtest", "chasles", *config, *allowed], cwd=folder)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target" / "wheel").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    found = pythons()
    if not found:
        print("skipped: no Python from 3.10 to 3.13 is here, so the package was not tested")
        return
    main_minor = 11 if 11 in found else min(found)
    python = environment(folder / f"venv-3.{main_minor}", found[main_minor])
    if not reaches_registry(python):
        print("skipped: no registry of packages can be reached, so the wheel was not built")
        return
    begun = time.monotonic()
    wheel = built(python, folder / "dist")
    size = wheel.stat().st_size
    print(f"note: built {wheel.name}, {size / 1e6:.2f} MB, {time.monotonic() - begun:.0f} s")
    if size > LARGEST:
        sys.exit(f"the wheel has {size} bytes; at most {LARGEST} are allowed")
    run([python, "-m", "pip", "install", "--quiet", wheel, *NEEDED])
    names = sorted(path.name for path in (PACKAGE / "tests").glob("test_*.py"))
    passed, failed = tested(python, names, folder)
    typed(python, folder)
    for minor in sorted(set(found) - {main_minor}):
        other = environment(folder / f"venv-3.{minor}", found[minor])
        run([other, "-m", "pip", "install", "--quiet", wheel, "pytest"])
        more = tested(other, FEW, folder)
        passed, failed = passed + more[0], failed + more[1]
    versions = ", ".join(f"3.{minor}" for minor in sorted(found))
    print(f"note: the wheel was tested on Python {versions}")
    print(f"test result: {'FAILED' if failed else 'ok'}. {passed} passed; {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
