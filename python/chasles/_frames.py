"""Results as columns, and as tables of other packages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np


class Columns:
    """Columns of equal length by their names: `table.time` is `table["time"]`.

    >>> import chasles
    >>> table = chasles.Columns({"time": [0.25, 0.5]}, "hits")
    >>> table
    2 hits: time (2,)
    >>> table.time.tolist(), len(table)
    ([0.25, 0.5], 2)
    """

    def __init__(self, columns: Mapping[str, Any], what: str = "rows") -> None:
        self._columns = {name: np.asarray(column) for name, column in columns.items()}
        self._what = what

    def __getitem__(self, name: str) -> np.ndarray:
        return self._columns[name]

    def __getattr__(self, name: str) -> np.ndarray:
        columns = self.__dict__.get("_columns", {})
        if name not in columns:
            raise AttributeError(f"no column {name!r}; there are {', '.join(columns)}")
        return columns[name]

    def keys(self) -> list[str]:
        """The names of all columns, so that `dict(table)` has them."""
        return list(self._columns)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """The number of rows."""
        return next((len(column) for column in self._columns.values()), 0)

    def __bool__(self) -> bool:
        return len(self) > 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Columns) or self.keys() != other.keys():
            return False
        return all(
            np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f")
            for mine, theirs in zip(self._columns.values(), other._columns.values())
        )

    __hash__ = None  # type: ignore[assignment]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._columns]

    def __repr__(self) -> str:
        shapes = ", ".join(f"{name} {column.shape}" for name, column in self._columns.items())
        return f"{len(self)} {self._what}: {shapes}"

    def columns(self) -> dict[str, np.ndarray]:
        """All columns by their names."""
        return dict(self._columns)

    def to_pandas(self) -> Any:
        """A pandas table with a column for each number; needs pandas."""
        return to_pandas(self)

    def to_arrow(self) -> Any:
        """An Arrow table, vectors as lists of fixed size; needs pyarrow."""
        return to_arrow(self)


def optional(name: str, why: str) -> Any:
    """A package that is not needed otherwise."""
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as error:
        package = name.split(".")[0]
        message = f"{why} needs the package {package}: python -m pip install {package}"
        raise ImportError(message, name=package) from error


# What the numbers of a vector are called.
AXES = {2: "01", 3: "xyz"}


def to_pandas(table: Any) -> Any:
    """A pandas table: a column for each number of a row."""
    pandas = optional("pandas", "to_pandas()")
    flat = {}
    for name, column in table.columns().items():
        for suffix, part in _parts(column):
            flat[name + suffix] = part
    return pandas.DataFrame(flat)


def _parts(column: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    if column.ndim == 1:
        yield "", column
        return
    letters = AXES.get(column.shape[1]) or range(column.shape[1])
    for index, letter in enumerate(letters):
        for suffix, part in _parts(column[:, index]):
            yield f"_{letter}{suffix}", part


def to_arrow(table: Any) -> Any:
    """An Arrow table: vectors are lists of fixed size."""
    pyarrow = optional("pyarrow", "to_arrow()")
    return pyarrow.table({name: _arrow(pyarrow, c) for name, c in table.columns().items()})


def _arrow(pyarrow: Any, column: np.ndarray) -> Any:
    if column.ndim == 1:
        return pyarrow.array(column)
    inner = _arrow(pyarrow, column.reshape(-1, *column.shape[2:]))
    return pyarrow.FixedSizeListArray.from_arrays(inner, column.shape[1])
