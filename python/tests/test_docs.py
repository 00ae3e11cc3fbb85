"""Every example of a docstring, and of the pages, gives what it says."""

import doctest
import inspect
import pathlib
import re

import pytest

import chasles

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PAGES = pathlib.Path(__file__).resolve().parents[1]


def objects():
    """Everything public, by its name."""
    yield "chasles", chasles
    for name in chasles.__all__:
        thing = getattr(chasles, name)
        yield name, thing
        if inspect.isclass(thing):
            for part in vars(thing):
                if not part.startswith("_"):
                    yield f"{name}.{part}", getattr(thing, part)


def documented():
    parser = doctest.DocTestParser()
    for name, thing in objects():
        text = inspect.cleandoc(thing.__doc__ or "")
        test = parser.get_doctest(text, {}, name, None, 0)
        if test.examples:
            yield pytest.param(test, id=name)


@pytest.mark.parametrize("test", list(documented()))
def test_an_example_of_a_docstring_gives_what_it_says(test):
    report = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test, out=report.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(report)


def test_everything_public_says_what_it_is():
    silent = [name for name, thing in objects() if not (thing.__doc__ or "").strip()]
    assert silent == []


def pages():
    for path in [PAGES / "README.md", PAGES.parent / "docs" / "python.md"]:
        if path.exists():
            blocks = re.findall(r"^```python\n(.*?)^```", path.read_text(), re.M | re.S)
            yield pytest.param(path.name, blocks, id=path.name)


@pytest.mark.parametrize("name, blocks", list(pages()))
def test_the_examples_of_a_page_run_one_after_the_other(name, blocks, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    space = {"__name__": name}
    for number, block in enumerate(blocks):
        if block.startswith("# needs "):
            packages = block.splitlines()[0].removeprefix("# needs ").split(", ")
            for package in packages:
                try:
                    __import__(package)
                except ImportError:
                    break
            else:
                exec(compile(block, f"{name}, block {number}", "exec"), space)
            continue
        exec(compile(block, f"{name}, block {number}", "exec"), space)


def test_all_that_the_extension_has_is_exported():
    from chasles import _chasles

    missing = {name for name in dir(_chasles) if not name.startswith("_")} - set(chasles.__all__)
    assert missing == set()
