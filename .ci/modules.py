"""Which modules of a crate use which, and where that goes round in circles.

A module is a file. It uses another if its code names something that is defined there, including
through a re-export in a third module; a `pub use` of a child is no use, but a declaration.
Unit tests below `mod tests` do not count.
"""

import re


def place(path):
    """The names of the modules that lead to a file: `a/b.rs` and `a/b/mod.rs` are `a`, `b`."""
    names = list(path.with_suffix("").parts)
    return names[:-1] if names[-1] in ("mod", "lib") else names


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


def uses(text, module):
    """The paths that the code of a module uses, seen from the crate.

    `crate::a::{b, c}` gives `a::b` and `a::c`; `super::` climbs from the module.
    """
    code = "\n".join(line.split("//")[0] for line in text.splitlines())
    for match in re.finditer(r"(?<!\$)\bcrate::", code):
        yield from paths(code[match.end() :], "")[0]
    tests = re.search(r"^mod tests \{", code, re.MULTILINE)
    for match in re.finditer(r"(?<!:)\b((?:super::)+)", code):
        inside = module + ["tests"] if tests and match.start() > tests.start() else module
        depth = len(inside) - match.group(1).count("super::")
        prefix = "".join(name + "::" for name in inside[: max(depth, 0)])
        yield from paths(code[match.end() :], prefix)[0]


class Crate:
    """The modules of a crate by their places, as tuples of names."""

    def __init__(self, source):
        self.code = {}
        for path in sorted(source.rglob("*.rs")):
            inner = path.relative_to(source)
            if inner.parts[0] != "bin" and inner.name != "main.rs":
                text = path.read_text(encoding="utf-8")
                code = re.split(r"^#\[cfg\(test\)\]\nmod tests", text, flags=re.M)[0]
                self.code[tuple(place(inner))] = code
        self.names = {module: dict(self.imports(module)) for module in self.code}

    def imports(self, module):
        """The names that a module has from elsewhere in the crate, and where they are."""
        use = re.compile(r"^\s*(?:pub(?:\([^)]*\))? )?use ([^;]+);", re.M)
        for match in use.finditer(self.code[module]):
            for path in paths(match.group(1), "")[0]:
                parts, base = path.split("::"), list(module)
                while parts and parts[0] in ("self", "super", "crate"):
                    base = {"self": base, "super": base[:-1], "crate": []}[parts.pop(0)]
                if parts and tuple(base + parts[:1]) in self.code or base != list(module):
                    yield parts[-1] if parts else "", tuple(base + parts)

    def home(self, path, steps=8):
        """The module in which what a path names is defined."""
        length = next(n for n in range(len(path), -1, -1) if path[:n] in self.code)
        module = path[:length]
        if length < len(path) and path[length] in self.names[module] and steps:
            return self.home(self.names[module][path[length]] + path[length + 1 :], steps - 1)
        return module

    def edges(self, module):
        """The modules that a module uses."""
        code = re.sub(r"^\s*pub(?:\([^)]*\))? use [^;]+;", "", self.code[module], flags=re.M)
        code = "\n".join(line.split("//")[0] for line in code.splitlines())
        named = [tuple(filter(None, used.split("::"))) for used in uses(code, list(module))]
        # Children are named without a prefix, in a `use` or in a path.
        for match in re.finditer(r"(?<![:\w])([a-z_]\w*)::", code):
            if module + (match.group(1),) in self.code:
                for path in paths(code[match.start() :], "")[0]:
                    named.append(module + tuple(path.split("::")))
        return {self.home(path) for path in named} - {module, ()}

    def circles(self):
        """Groups of modules each of which uses all others, by way of some of them."""
        edges = {module: self.edges(module) for module in self.code}
        reach = {module: reached(module, edges) for module in edges}
        seen = set()
        for module in sorted(edges):
            group = {other for other in reach[module] if module in reach[other]}
            if module in reach[module] and module not in seen:
                seen |= group
                yield sorted("::".join(other) for other in group)


def reached(module, edges):
    """All modules that a module uses, directly or not."""
    found, left = set(), [module]
    while left:
        new = edges[left.pop()] - found
        found |= new
        left += new
    return found
