"""One pair of bodies and one question, for tables of motions, in any process."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from . import _chasles
from ._frames import Columns, to_arrow

# The columns that have poses, and the arguments that they are.
POSES = {"start": "starts", "end": "ends", "a_start": "a_starts", "a_end": "a_ends"}

# What may be asked, and which columns are answers.
ASK: dict[str, Callable[..., dict[str, Any]]] = {
    "time": lambda *a, **k: {"time": _chasles.first_times(*a, **k)},
    "contact": lambda *a, **k: _chasles.first_contacts(*a, **k).columns(),
    "outcome": lambda *a, **k: _chasles.outcomes(*a, **k).columns(),
    "clearance": lambda *a, **k: _scalars(_chasles.clearances(*a, **k)),
}


def _edges(scene: Any, starts: Any, ends: Any, **k: Any) -> dict[str, Any]:
    return scene.edges(starts, ends, **k).columns()


def _scalars(table: Columns) -> dict[str, np.ndarray]:
    return {name: column for name, column in table.columns().items() if column.ndim == 1}


class Checker:
    """Asks one question about two bodies for each row of a table.

    A table has columns `start` and `end`, poses of B, and perhaps `a_start` and `a_end`; the answer
    has the columns of the question instead, and all others as they are. `ask` is "time" (of the
    first contact, NaN where there is none), "contact", "outcome" or "clearance"; options are those
    of `first_times`. Tables are dictionaries of arrays, Arrow tables or record batches, or tables
    of pandas; answers are of the same kind.

    With a `Scene` alone, `start` and `end` are configurations of its robot, (n, variables), and the
    answers are the columns of `Scene.edges`.

    It can be pickled, and a process makes the bodies ready only once, however often it gets the
    checker. `threads` is 0 for all cores; without it the environment variable CHASLES_THREADS
    counts, so that workers of a cluster can be told to use one each.

    >>> import chasles, numpy as np
    >>> check = chasles.Checker(chasles.Round.sphere(0.5), chasles.Round.sphere(0.5))
    >>> starts = np.tile(np.eye(4), (2, 1, 1)); ends = starts.copy()
    >>> starts[:, 0, 3], ends[:, 0, 3], ends[1, 0, 3] = -2, 2, -9
    >>> check({"start": starts, "end": ends, "id": np.array([7, 8])})
    {'time': array([0.25,  nan]), 'id': array([7, 8])}
    """

    def __init__(
        self,
        a: Any,
        b: Any = None,
        ask: str = "time",
        *,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        is_robot = isinstance(a, _chasles.Scene)
        if is_robot and (b is not None or ask != "time"):
            raise _chasles.Error("a scene has one question, its edges: Checker(scene)")
        if ask not in ASK:
            raise _chasles.Error(f"ask is {ask!r}; expected {', '.join(ASK)}")
        self._parts = (a, b, ask, threads, options)
        if is_robot:
            # One of its own: what is added to the scene later is asked about nowhere.
            a = pickle.loads(pickle.dumps(a))
            self._parts = (a, b, ask, threads, options)
        # What is wrong is told now, and not by a worker.
        none = np.zeros((0, len(a.robot.variables) if is_robot else 7))
        self._asked(none, none)
        self._payload: bytes | None = None

    @property
    def ask(self) -> str:
        """What is asked."""
        return self._parts[2]

    @property
    def bodies(self) -> tuple[Any, Any]:
        """The two bodies; of a scene a copy, and None."""
        a, b, *_ = self._parts
        return (pickle.loads(pickle.dumps(a)), b) if isinstance(a, _chasles.Scene) else (a, b)

    def _asked(self, starts: Any, ends: Any, **more: Any) -> dict[str, Any]:
        a, b, ask, *_ = self._parts
        if isinstance(a, _chasles.Scene):
            return _edges(a, starts, ends, **more, **self._options())
        return ASK[ask](a, b, starts, ends, **more, **self._options())

    def _options(self) -> dict[str, Any]:
        *_, threads, options = self._parts
        if threads is None:
            threads = int(os.environ.get("CHASLES_THREADS", "0"))
        return {"threads": threads, **options}

    def __call__(self, table: Any, *, progress: Any = False) -> Any:
        """The answers for the rows of a table."""
        columns, back = _opened(table)
        is_robot = isinstance(self._parts[0], _chasles.Scene)
        read = _rows if is_robot else _poses
        poses = {POSES[name]: read(name, columns[name]) for name in POSES if name in columns}
        if "starts" not in poses or "ends" not in poses:
            known = ", ".join(columns)
            raise _chasles.Error(f"a table needs the columns start and end; this one has {known}")
        answers = self._asked(**poses, progress=progress)
        rest = {name: column for name, column in columns.items() if name not in POSES}
        twice = ", ".join(name for name in rest if name in answers)
        if twice:
            raise _chasles.Error(
                f"the table has columns that are answers: {twice}; give them other names"
            )
        return back({**answers, **rest})

    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        if self._payload is None:
            self._payload = pickle.dumps(self._parts, protocol=5)
        return _restored, (self._payload,)

    def __repr__(self) -> str:
        a, b, ask, *_ = self._parts
        return f"Checker({a!r}, {b!r}, ask={ask!r})"


@lru_cache(maxsize=8)
def _restored(payload: bytes) -> Checker:
    """The checker of these bytes: the same object, with its bodies, within a process."""
    # It was checked when it was made.
    checker = Checker.__new__(Checker)
    checker._parts = pickle.loads(payload)
    checker._payload = payload
    return checker


def _opened(table: Any) -> tuple[dict[str, Any], Any]:
    """The columns of a table, and what makes a table of the same kind of columns."""
    kind = type(table).__module__.split(".")[0]
    if kind == "pyarrow":
        return {name: table.column(name) for name in table.schema.names}, _to_arrow
    if kind == "pandas":
        columns = {name: table[name] for name in table.columns}
        return columns, lambda answers: _to_pandas(answers, table.index)
    return dict(table), dict


def _to_arrow(answers: dict[str, Any]) -> Any:
    import pyarrow

    computed = {n: c for n, c in answers.items() if isinstance(c, np.ndarray)}
    made = to_arrow(Columns(computed))
    columns = {n: made.column(n) if n in computed else c for n, c in answers.items()}
    return pyarrow.table(columns)


def _to_pandas(answers: dict[str, Any], index: Any) -> Any:
    import pandas

    def cells(column: Any) -> Any:
        return list(column) if getattr(column, "ndim", 1) > 1 else column

    return pandas.DataFrame({n: cells(c) for n, c in answers.items()}, index=index)


def _rows(name: str, column: Any) -> np.ndarray:
    """Configurations of a column, (n, variables): arrays or lists."""
    return _numbers(name, column, ())


def _poses(name: str, column: Any) -> np.ndarray:
    """Poses of a column, (n, 4, 4) or (n, 7): arrays, nested or flat lists."""
    array = _numbers(name, column, (7, 16))
    if len(array) == 0:
        return np.zeros((0, 7))
    if array.ndim == 2 and array.shape[1] == 16:
        return array.reshape(-1, 4, 4)
    return array


def _numbers(name: str, column: Any, lengths: tuple[int, ...]) -> np.ndarray:
    """The numbers of each row of a column, as many in each."""
    if type(column).__module__.startswith("pyarrow"):
        return _of_arrow(name, column, lengths)
    column = getattr(column, "to_numpy", lambda: column)()
    try:
        array = np.asarray(column)
        if array.dtype == object:
            array = np.array([np.asarray(row, dtype=float) for row in array])
    except (TypeError, ValueError) as error:
        raise _chasles.Error(
            f"the column {name} has rows that are no numbers, or of unequal lengths: {error}"
        ) from error
    return array if len(array) else np.zeros((0, 0))


def _of_arrow(name: str, column: Any, lengths: tuple[int, ...]) -> np.ndarray:
    """Numbers of lists of equal lengths, without copies where Arrow has none."""
    import pyarrow
    from pyarrow import types

    count = len(column)
    if isinstance(column, pyarrow.ChunkedArray):
        column = column.combine_chunks()
    if count == 0:
        return np.zeros((0, 0))
    width, is_list = 1, types.is_nested(column.type)
    while types.is_nested(column.type):
        if not (types.is_fixed_size_list(column.type) or hasattr(column, "value_lengths")):
            raise _chasles.Error(f"the column {name} is {column.type}; expected lists of numbers")
        width *= _length(name, column, width)
        column = column.flatten()
    if not is_list or (lengths and width not in lengths):
        expected = " or ".join(map(str, lengths)) or "several"
        raise _chasles.Error(
            f"the column {name} has {len(column)} numbers for {count} rows; expected {expected} each"
        )
    return column.to_numpy(zero_copy_only=False).reshape(count, -1)


def _length(name: str, column: Any, width: int) -> int:
    """The length of all lists of a column, of which `width` are of one row."""
    import pyarrow.compute

    if column.null_count:
        row = column.is_null().index(True).as_py() // width
        raise _chasles.Error(f"the column {name} has no pose in row {row}")
    found = pyarrow.compute.list_value_length(column).to_numpy(zero_copy_only=False)
    other = np.flatnonzero(found != found[0])
    if len(other):
        row = other[0] // width
        raise _chasles.Error(f"the column {name} has lists of another length in row {row}")
    return int(found[0])
