"""Of which parts of the project the bytes of the engine in WebAssembly are.

    python3 .ci/web/parts.py target/wasm32-unknown-unknown/web/chasles_web.wasm [PART]

The file is what cargo makes, with the names of functions, before they are taken out; the last build
of `web/build` is the whole engine. A row has the bytes of code, those after gzip if a part were
alone, and how many functions there are. With PART its largest functions are listed instead.
"""

import pathlib
import re
import sys
import zlib

# The first pattern that a name has tells its part; names are mangled: lengths stand before words.
PARTS = [
    ("sorting", r"5slice4sort"),
    ("reading TOML and JSON", r"toml|serde|winnow|Deserialize"),
    ("numbers and messages as text", r"core3fmt|Display|Debug|flt2dec|dec2flt"),
    ("dynamics", r"chasles_dynamics"),
    ("scenes", r"chasles_scene"),
    ("calls from scripts", r"chasles_web|wasm_bindgen"),
    *((name, rf"chasles\d+{name}") for name in ["screen", "path", "solid", "round", "deform"]),
    *((name, rf"chasles\d+{name}") for name in ["distance", "trace", "near", "query", "bounds"]),
    *((name, rf"chasles\d+{name}") for name in ["mesh", "screw", "numeric", "motion", "contact"]),
    ("integers and predicates", r"dashu|robust"),
    ("collections", r"btree|hashbrown|5alloc"),
]

CODE, IMPORTS, CUSTOM = 10, 2, 0


class Reader:
    """Reads numbers and names from bytes."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def number(self):
        """An unsigned number of any length."""
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def take(self):
        """Bytes with their count before them."""
        count = self.number()
        self.at += count
        return self.data[self.at - count : self.at]


def functions(data):
    """Names and bodies of all functions."""
    sections = {}
    names = {}
    reader = Reader(data, 8)
    while reader.at < len(data):
        kind = reader.number()
        section = Reader(reader.take())
        if kind == CUSTOM and section.take() == b"name":
            names = function_names(section)
        elif kind != CUSTOM:
            sections[kind] = section
    imported = sections[IMPORTS].number() if IMPORTS in sections else 0
    code = sections[CODE]
    bodies = [code.take() for _ in range(code.number())]
    return [(names.get(imported + i, "?"), body) for i, body in enumerate(bodies)]


def function_names(section):
    """The names of functions by their numbers."""
    while section.at < len(section.data):
        kind = section.number()
        part = Reader(section.take())
        if kind == 1:
            return {part.number(): part.take().decode() for _ in range(part.number())}
    return {}


def part_of(name):
    """The part of the project that a function belongs to."""
    return next((part for part, pattern in PARTS if re.search(pattern, name)), "all else")


def main():
    path, *wanted = sys.argv[1:]
    parts = {}
    for name, body in functions(pathlib.Path(path).read_bytes()):
        parts.setdefault(part_of(name), []).append((len(body), name, body))
    if wanted:
        for size, name, _ in sorted(parts[wanted[0]], reverse=True)[:40]:
            print(f"{size:8} {name}")
        return
    size = lambda rows: sum(row[0] for row in rows)
    for part, rows in sorted(parts.items(), key=lambda entry: -size(entry[1])):
        packed = len(zlib.compress(b"".join(row[2] for row in rows), 9))
        print(f"{size(rows):8} {packed:8} {len(rows):6}  {part}")


if __name__ == "__main__":
    main()
