"""The reports that `check.py` opens, and the scenes of those that are not in the repository."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# A command that hangs is killed: each takes a few seconds at most.
SECONDS = 240

REPORTS = {
    "tori": ["collide", "scenes/tori.toml"],
    "spin": ["collide", "scenes/spin.toml"],
    "dominoes": ["simulate", "scenes/simulate-dominoes.toml", "--seconds", "1.5"],
    "wall": ["simulate", "scenes/simulate-wall.toml", "--seconds", "0.3"],
    "crank": ["simulate", "scenes/simulate-crank.toml", "--seconds", "0.5"],
    "corner": ["trace", "scenes/trace-corner.toml"],
    "level": ["trace", "scenes/trace-level.toml"],
    "three": ["collide", "{folder}/three.toml"],
    "apart": ["collide", "scenes/tori.toml", "--window", "0", "0.01"],
    "large": ["collide", "{folder}/large.toml", "--first"],
    "turned": ["collide", "{folder}/turned.toml"],
    "names": ["collide", "{folder}/names.toml"],
    "short": ["simulate", "scenes/simulate-cradle.toml", "--seconds", "0.02"],
    "rest": ["collide", "{folder}/rest.toml"],
    "solid": ["trace", "{folder}/solid.toml"],
    "compare": ["compare", "scenes/cubes.toml", "--repeat", "1"],
}


# A ball that falls past two others: two pairs have contacts.
THREE = """title = "Three balls"
[[body]]
name = "ball"
shape = { sphere = { radius = 1 } }
start = { position = [0, 4, 0] }
end = { position = [0, -4, 0] }
[[body]]
name = "left"
shape = { sphere = { radius = 1 } }
start = { position = [-1.5, 1, 0] }
[[body]]
name = "right"
shape = { sphere = { radius = 1 } }
start = { position = [1.5, -1, 0] }
"""


# Meshes and a screen that a page has no room for.
LARGE = """title = "Two fine tori"
[[body]]
name = "a"
shape = { torus = { segments = [400, 200] } }
[[body]]
name = "b"
shape = { torus = { segments = [400, 200] } }
start = { position = [0.7, 2.4, 0.1], rotation = { axis = [1, 0, 0], degrees = 30 } }
end = { position = [0.7, 0.4, 0.1], rotation = { axis = [1, 0, 0], degrees = 70 } }
"""


# A box that is turned alike at both ends: what is left of its turn is rounding.
TURNED = """title = "A turned box"
[[body]]
name = "plate"
shape = { box = { size = [4, 0.2, 4] } }
[[body]]
name = "box"
shape = { box = { size = [1, 1, 1] } }
start = { position = [0, 2, 0], rotation = { axis = [-0.73, 0.69, 0.53], degrees = 12.5 } }
end = { position = [0.3, -0.5, 0], rotation = { axis = [-0.73, 0.69, 0.53], degrees = 12.5 } }
"""


# The same with names that no line has room for, or that would be markup, and speeds of many digits.
MARKUP = r'"<script>throw 1</script></script><!-- ]]> <img src=x> \" \u001b[31m {{title}}"'
NAMES = (
    TURNED.replace('"plate"', f'"{"a-very-long-name-" * 20}"')
    .replace('"box"', MARKUP)
    .replace('"A turned box"', f'"{"Large " * 200}"')
)
NAMES = (
    NAMES.replace("[4, 0.2, 4]", "[4e9, 0.2e9, 4e9]")
    .replace("[1, 1, 1]", "[1e9, 1e9, 1e9]")
    .replace("[0, 2, 0]", "[0, 2e9, 0]")
    .replace("[0.3, -0.5, 0]", "[0.3e9, -0.5e9, 0]")
)


# Two boxes that rest in each other: there is no screen, and no contact.
REST = """title = "Boxes at rest"
[[body]]
name = "case"
shape = { box = { size = [2, 1, 1] } }
[[body]]
name = "key"
shape = { box = { size = [1, 1, 1] } }
start = { position = [0.4, 0.3, 0.2] }
"""


# A brick that cannot move, since it starts in the floor.
SOLID = """title = "A brick in the floor"
[[body]]
name = "floor"
shape = { box = { size = [4, 1, 4] } }
[[body]]
name = "brick"
moving = true
shape = { box = { size = [1, 0.5, 0.5] } }
start = { position = [0, 0.5, 0] }
translate = [0, 2, 0]
"""


def write(program, folder):
    """The files of all reports."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "three.toml").write_text(THREE, encoding="utf-8")
    (folder / "large.toml").write_text(LARGE, encoding="utf-8")
    (folder / "turned.toml").write_text(TURNED, encoding="utf-8")
    (folder / "names.toml").write_text(NAMES, encoding="utf-8")
    (folder / "rest.toml").write_text(REST, encoding="utf-8")
    (folder / "solid.toml").write_text(SOLID, encoding="utf-8")
    for name, arguments in REPORTS.items():
        arguments = [argument.format(folder=folder) for argument in arguments]
        command = [program, *arguments, "--quiet", "--report", str(folder / f"{name}.html")]
        subprocess.run(command, cwd=ROOT, check=True, timeout=SECONDS)
