"""The notebooks run from the first cell to the last, and show what they end with."""

import ast
import json
import pathlib

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "notebooks"


def shown(code, space):
    """Runs a cell; what its last line is, if it is an expression."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), space)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), space) if last else None


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    space = {"__name__": "__main__"}
    for cell in cells:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [], "outputs are made where it is read"
            value = shown("".join(cell["source"]), space)
            if hasattr(value, "_repr_html_"):
                assert value._repr_html_().startswith("<iframe sandbox=")
