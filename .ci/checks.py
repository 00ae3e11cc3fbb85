"""Checks of the sources that the compiler does not make.

    python3 .ci/checks.py layers    crates, and modules of crates/chasles, use only what stands
                                    before them, and sines and their like of `numeric`
    python3 .ci/checks.py words     no path of a machine and no mark of a merge in any file
    python3 .ci/checks.py links     every relative link in the notes leads to a file
    python3 .ci/checks.py           all of them
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Each module may use those in earlier rows. The methods do not use each other; what stands on
# several of them comes after, and the door to all of them last.
LAYERS = [
    ["numeric", "parallel"],
    ["mesh", "motion"],
    ["bounds"],
    ["solid", "contact"],
    ["screw", "screen", "trace", "path", "deform", "convex", "round", "near"],
    ["distance"],
    ["query"],
]

# The libraries, each with those of ours that it may use. What a terminal needs is the program's.
CRATES = {
    "chasles": set(),
    "chasles-dynamics": {"chasles"},
    "chasles-gpu": {"chasles"},
    "chasles-picture": {"chasles"},
    "chasles-planning": {"chasles"},
    "chasles-report": {"chasles", "chasles-picture"},
    "chasles-scene": {"chasles", "chasles-dynamics"},
    "chasles-web": {"chasles", "chasles-dynamics", "chasles-scene"},
}
OF_THE_PROGRAM = {"clap", "ctrlc", "indicatif", "miette"}

# Uses that break the order, each with a reason: none.
ALLOWED = set()

# Functions that platforms round each in its own way: `numeric/functions` has them.
OF_THE_PLATFORM = re.compile(
    r"\.(?:sin|cos|sin_cos|tan|asin|acos|atan|atan2|hypot|exp|exp_m1|ln|ln_1p|log2|log10|powf|cbrt"
    r"|angle_between|to_scaled_axis|to_axis_angle|slerp)\("
    r"|Quat::from_(?:scaled_axis|axis_angle|rotation_[xyz]|euler)\("
)

# Where they have these names for numbers of our own.
OWN_FUNCTIONS = ["numeric/functions.rs", "numeric/elementary.rs", "solid/expression/"]

# Written in pieces, so that this file does not contain what it looks for.
WORDS = [
    re.compile(
        r"(?<![\w.])/(?:wo" + r"rk|ho" + r"me|ro" + r"ot|Us" + r"ers|t" + r"mp|v" + r"ar|o" + r"pt)/\w"
    ),
    re.compile(r"[A-Z]:\\Us" + r"ers"),
    re.compile(r"^(?:<{7}|>{7}|={7})(?: |$)", re.MULTILINE),
]


# Folders that are no part of the project, where git is not there to say so.
NOT_OURS = {".git", "target", "out"}


def files():
    """All files of the project: what git knows, or would with the next `git add`.

    An unpacked archive has no git to ask, and some machines have none: then all files are.
    """
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
        paths = [ROOT / name for name in names.decode().split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        paths = list(walk(ROOT))
    return sorted(path for path in paths if path.is_file())


def walk(folder):
    """All files below a folder but for those that are made."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in NOT_OURS]
        yield from (pathlib.Path(place) / name for name in names)


def texts(*endings):
    """Each file with one of the endings (all, if none is given) and its text."""
    for path in files():
        if not endings or path.suffix in endings:
            try:
                yield path.relative_to(ROOT), path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                pass


def uses(text, place):
    """The paths that the code of the module `place` uses, seen from the crate.

    `crate::a::{b, c}` gives `a::b` and `a::c`; `super::` climbs from `place`.
    """
    code = "\n".join(line.split("//")[0] for line in text.splitlines())
    for match in re.finditer(r"(?<!\$)\bcrate::", code):
        yield from paths(code[match.end() :], "")[0]
    tests = re.search(r"^mod tests \{", code, re.MULTILINE)
    for match in re.finditer(r"(?<!:)\b((?:super::)+)", code):
        inside = place + ["tests"] if tests and match.start() > tests.start() else place
        depth = len(inside) - match.group(1).count("super::")
        prefix = "".join(name + "::" for name in inside[: max(depth, 0)])
        yield from paths(code[match.end() :], prefix)[0]


def place(path):
    """The names of the modules that lead to a file: `a/b.rs` and `a/b/mod.rs` are `a`, `b`."""
    names = list(path.with_suffix("").parts)
    return names[:-1] if names[-1] == "mod" else names


def paths(code, prefix):
    """The paths of a use tree, and what follows it: `a::{b, c::d}` is `a::b`, `a::c::d`."""
    name = re.match(r"\s*((?:\w+::)*)(\{|\w+|\*)?", code)
    prefix, rest = prefix + name.group(1), code[name.end() :]
    if name.group(2) != "{":
        return [prefix + (name.group(2) or "")], rest
    found = []
    while rest and not re.match(r"\s*\}", rest):
        more, rest = paths(rest, prefix)
        found += more
        rest = re.sub(r"^[^,}]*,?", "", rest, count=1)
    return found, rest[rest.find("}") + 1 :]


def crates():
    """Libraries that depend on a crate of a later layer, or on the program's."""
    for name, allowed in CRATES.items():
        text = (ROOT / "crates" / name / "Cargo.toml").read_text(encoding="utf-8")
        table = re.search(r"^\[dependencies\]\n(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL)
        for used in re.findall(r"^([\w-]+)", table.group(1), re.MULTILINE):
            if used in OF_THE_PROGRAM or (used.startswith("chasles") and used not in allowed):
                yield f"crates/{name}/Cargo.toml: {name} uses {used}, which stands after it"


def functions():
    """Calls outside of tests of functions whose bits differ from platform to platform."""
    for crate in ["chasles", "chasles-dynamics", "chasles-scene"]:
        source = ROOT / "crates" / crate / "src"
        for path in sorted(source.rglob("*.rs")):
            if any(path.relative_to(source).as_posix().startswith(own) for own in OWN_FUNCTIONS):
                continue
            text = path.read_text("utf-8")
            code = re.split(r"^#\[cfg\(test\)\]\nmod ", text, flags=re.MULTILINE)[0]
            for number, line in enumerate(code.splitlines(), 1):
                if found := OF_THE_PLATFORM.search(line.split("//")[0]):
                    yield f"{path.relative_to(ROOT)}:{number}: {found.group()} is the platform's"


def layers():
    """Uses of a module, or of a crate, of the same or a later layer."""
    yield from crates()
    yield from functions()
    rank = {module: i for i, row in enumerate(LAYERS) for module in row}
    source = ROOT / "crates/chasles/src"
    for path in sorted(source.rglob("*.rs")):
        module = path.relative_to(source).parts[0].removesuffix(".rs")
        if module == "lib":
            continue
        if module not in rank:
            yield f"{path.relative_to(ROOT)}: the module {module} has no place among the layers"
            continue
        for used in uses(path.read_text(encoding="utf-8"), place(path.relative_to(source))):
            other = used.split("::")[0]
            if other == module or (module, used) in ALLOWED:
                continue
            if rank.get(other, len(LAYERS)) >= rank[module]:
                yield f"{path.relative_to(ROOT)}: {module} uses {used}, which stands after it"


def words():
    """Places with a word that must not be there."""
    for path, text in texts():
        for pattern in WORDS:
            for match in pattern.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path}:{line}: {match.group(0)!r}"


def links():
    """Links that lead nowhere."""
    for path, text in texts(".md"):
        for target in re.findall(r"\]\(([^)\s#]+)[^)]*\)", text):
            if "://" not in target and not (ROOT / path.parent / target).exists():
                yield f"{path}: the link to {target} leads nowhere"


def main():
    checks = {"layers": layers, "words": words, "links": links}
    names = sys.argv[1:] or list(checks)
    if any(name not in checks for name in names):
        sys.exit(__doc__)
    found = [line for name in names for line in checks[name]()]
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
