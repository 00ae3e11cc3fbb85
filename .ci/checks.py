"""Checks of the sources that the compiler does not make.

    python3 .ci/checks.py layers    crates, and modules of crates/chasles, use only what stands
                                    before them, and sines and their like of `numeric`
    python3 .ci/checks.py circles   modules do not use each other in circles, but for known ones
    python3 .ci/checks.py words     no path of a machine and no mark of a merge in any file
    python3 .ci/checks.py links     every relative link in the notes leads to a file
    python3 .ci/checks.py width     no line of code or prose over 100 columns, but for tables, links
                                    and data
    python3 .ci/checks.py licences  every dependency has a licence that deny.toml allows
    python3 .ci/checks.py           all of them
"""

import json
import os
import pathlib
import re
import subprocess
import sys

from modules import Crate, place, uses

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
    # A link to a file is that file, which is looked at in its own place.
    return sorted(path for path in paths if path.is_file() and not path.is_symlink())


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


# Modules that are in circles, in each crate that has any: the number may fall, and never grows.
IN_CIRCLES = {
    "chasles": 123,
    "chasles-bench": 7,
    "chasles-dynamics": 51,
    "chasles-planning": 8,
    "chasles-scene": 24,
    "chasles-testkit": 2,
    "python": 6,
}


def circles():
    """Modules that use each other in circles, where there are more than known."""
    others = [ROOT / "python/src", ROOT / "bevy_chasles/src"]
    for source in sorted(ROOT.glob("crates/*/src")) + others:
        name = source.parent.name
        groups = list(Crate(source).circles())
        count, known = sum(map(len, groups)), IN_CIRCLES.get(name, 0)
        if count > known:
            shown = "; ".join(" and ".join(group) for group in groups)
            yield f"{name}: {count} modules use each other in circles, and {known} did: {shown}"
        elif count < known:
            yield f"{name}: only {count} modules are in circles: say so in IN_CIRCLES"


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


# Columns of a line at most.
WIDTH = 100

# What is written by hand, by its ending.
WRITTEN = {".rs", ".md", ".py", ".pyi", ".js", ".mjs", ".ts", ".css", ".wgsl"}

# What may be wide: a row of a table, a link or an address, a formula in a row of a comment that has
# wide gaps; in code a text in quotes.
WIDE = re.compile(r"\s*(?://[/!]?\s*)?\||\]\(|\]: |://|//[/!]? .*\S {3,}\S")
QUOTED = re.compile(r"(?!\s*//).{0,99}[\"`]")
# Pictures in text.
PICTURES = {"front.md"}


def width():
    """Lines that are too wide, outside of blocks that show code, output or formulas."""
    for path, text in texts():
        is_ours = path.suffix in WRITTEN or path.name == "test"
        if not is_ours or path.name in PICTURES:
            continue
        is_block = False
        for number, line in enumerate(text.splitlines(), 1):
            is_block ^= bool(re.match(r"\s*(?://[/!])?\s*```", line))
            # In a note a command that is a line of its own is code as well.
            is_code = line.startswith("    ") or (line[0] == line[-1] == "`" if line else False)
            is_shown = is_block or (path.suffix == ".md" and is_code)
            is_text = path.suffix != ".md" and QUOTED.match(line)
            if len(line) > WIDTH and not (is_shown or is_text or WIDE.search(line)):
                yield f"{path}:{number}: {len(line)} columns, at most {WIDTH}"


# The workspaces, each with dependencies of its own.
WORKSPACES = ["Cargo.toml", "python/Cargo.toml", "bevy_chasles/Cargo.toml", "web/build/Cargo.toml"]


def licences():
    """Dependencies without a licence that deny.toml allows."""
    table = (ROOT / "deny.toml").read_text(encoding="utf-8")
    listed = re.search(r"^allow = \[(.*?)^\]", table, re.MULTILINE | re.DOTALL).group(1)
    allowed = set(re.findall(r'"([^"]+)"', listed))
    for manifest in WORKSPACES:
        command = ["cargo", "metadata", "--format-version", "1", "--locked"]
        command += ["--all-features", "--manifest-path", str(ROOT / manifest)]
        run = subprocess.run(command, capture_output=True, check=False)
        if run.returncode != 0:
            yield f"{manifest}: {run.stderr.decode(errors='replace').strip()}"
            continue
        for package in json.loads(run.stdout)["packages"]:
            licence = package["license"] or "no licence"
            if not permits(licence, allowed):
                yield f"{manifest}: {package['name']} is under {licence}, which is not allowed"


def permits(licence, allowed):
    """Whether an SPDX expression can be met by what is allowed; `/` is an old `OR`."""
    words = re.sub(r"\s*/\s*", " OR ", licence)
    either = re.split(r"\s+OR\s+(?![^(]*\))", words, flags=re.IGNORECASE)
    if len(either) > 1:
        return any(permits(one, allowed) for one in either)
    both = re.split(r"\s+AND\s+(?![^(]*\))", words)
    if len(both) > 1:
        return all(permits(one, allowed) for one in both)
    inner = words.strip()
    if inner.startswith("("):
        return permits(inner[1:-1], allowed)
    return inner in allowed


def main():
    checks = {
        "layers": layers,
        "circles": circles,
        "words": words,
        "links": links,
        "width": width,
        "licences": licences,
    }
    names = sys.argv[1:] or list(checks)
    if any(name not in checks for name in names):
        sys.exit(__doc__)
    found = [line for name in names for line in checks[name]()]
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
