"""Millions of motions from a file to a file, in parts: what is done stays done."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import re
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from . import _chasles
from ._frames import optional
from ._progress import shown

# Rows of a part: some 25 MB of poses.
ROWS = 100_000


def check_parquet(
    source: Any, target: Any, checker: Any, *, rows: int = ROWS, progress: Any = None
) -> int:
    """Asks a `Checker` for each row of a Parquet file, on all cores, and writes the answers to
    another, in the same order; gives their number. Needs pyarrow.

    The source is one file, or a list of files, with columns `start` and `end` (lists of 16 or 7
    numbers); other columns go through. Parts of `rows` rows are in memory, one at a time. Finished
    parts are kept in the folder `<target>.parts`: the same call after an interruption goes on
    there, and ends in the same file, to the byte. The target appears whole, in the end. A row that
    has no answer ends it with an error that names the row.

    >>> import chasles
    >>> check = chasles.Checker(chasles.Mesh.torus(), chasles.Mesh.torus())
    >>> chasles.check_parquet("motions.parquet", "times.parquet", check)  # doctest: +SKIP
    1000000
    """
    parquet = optional("pyarrow.parquet", "check_parquet()")
    sources = [Path(s) for s in ([source] if isinstance(source, (str, os.PathLike)) else source)]
    target = Path(target)
    if not (isinstance(rows, int) and rows > 0):
        raise _chasles.Error(f"rows is {rows!r}; expected a whole number above 0")
    if target.exists() and any(target.samefile(s) for s in sources):
        raise _chasles.Error(f"{target} is both source and target")
    with ExitStack() as stack:
        files = [stack.enter_context(parquet.ParquetFile(s)) for s in sources]
        count = sum(file.metadata.num_rows for file in files)
        parts = Parts(target, task(sources, checker, rows))
        bar = stack.enter_context(closing(shown(progress, count)))
        for number, first, batch in batches(files, rows, parts):
            if batch is not None:
                parts.write(number, answered(checker, batch, first))
            bar.update(min(first + rows, count))
        parts.join(parquet)
    return count


def answered(checker: Any, batch: Any, first: int) -> Any:
    """The answers for a part; an error names the row of the file."""
    try:
        return checker(batch)
    except _chasles.Error as error:
        raise type(error)(in_file(str(error), first)) from error


def in_file(message: str, first: int) -> str:
    """The message with the number of a row of the part as that of the file."""

    def of_file(found: re.Match[str]) -> str:
        return f"{found[1]} {int(found[2]) + first}"

    return re.sub(r"\b(pose|motion|row) (\d+)", of_file, message)


def task(sources: list[Path], checker: Any, rows: int) -> dict[str, Any]:
    """What tells one task from others: the files, the question, and the size of parts."""
    stats = [(str(s.resolve()), s.stat().st_size, s.stat().st_mtime_ns) for s in sources]
    question = hashlib.sha256(pickle.dumps(checker)).hexdigest()
    return json.loads(json.dumps({"sources": stats, "question": question, "rows": rows}))


def batches(files: list[Any], rows: int, parts: Parts) -> Iterator[tuple[int, int, Any]]:
    """Each part's number, first row and table, which is None if the part is done."""
    number, first = 0, 0
    for file in files:
        for group in range(file.num_row_groups):
            length = file.metadata.row_group(group).num_rows
            starts = range(0, length, rows)
            sizes = [min(rows, length - start) for start in starts]
            numbers = range(number, number + len(sizes))
            done = [parts.is_done(n, size) for n, size in zip(numbers, sizes)]
            tables = None if all(done) else pieces(file, group, rows)
            for n, start, is_done in zip(numbers, starts, done):
                table = None if tables is None else next(tables)
                yield n, first + start, None if is_done else table
            number, first = number + len(sizes), first + length


def pieces(file: Any, group: int, rows: int) -> Iterator[Any]:
    """Tables of so many rows of a group, the last of what is left."""
    import pyarrow

    waiting: list[Any] = []
    have = 0
    for batch in file.iter_batches(batch_size=rows, row_groups=[group]):
        waiting.append(batch)
        have += len(batch)
        while have >= rows:
            table = pyarrow.Table.from_batches(waiting)
            yield table.slice(0, rows)
            waiting, have = table.slice(rows).to_batches(), have - rows
    if have:
        yield pyarrow.Table.from_batches(waiting)


class Parts:
    """The finished parts of a target, in a folder beside it."""

    def __init__(self, target: Path, task: dict[str, Any]) -> None:
        self.target = target
        self.folder = target.with_name(target.name + ".parts")
        self.count = 0
        self.folder.mkdir(exist_ok=True)
        for other in self.folder.iterdir():
            if not self.is_own(other):
                raise _chasles.Error(
                    f"{self.folder} holds {other.name}, which is no part of a task: "
                    "move it away, or name another target"
                )
        note = self.folder / "task.json"
        if not note.exists():
            # Parts that nobody knows the task of are what is left of a removal that was ended.
            self.clear()
        if note.exists() and json.loads(note.read_text()) != task:
            raise _chasles.Error(
                f"{self.folder} has parts of another task (other files, bodies or options): "
                "remove it to begin anew"
            )
        if not note.exists():
            appear(note, lambda path: path.write_text(json.dumps(task)))

    def is_own(self, file: Path) -> bool:
        """Whether a file of the folder is one that is written there."""
        ours = rf"(part-\d{{8}}\.parquet|task\.json|{re.escape(self.target.name)})(\.\d+\.tmp)?"
        return file.is_file() and re.fullmatch(ours, file.name) is not None

    def clear(self) -> None:
        """Removes what is written there, the task first: what is left then is of no task."""
        (self.folder / "task.json").unlink(missing_ok=True)
        for file in self.folder.iterdir():
            if self.is_own(file):
                file.unlink()

    def path(self, number: int) -> Path:
        return self.folder / f"part-{number:08}.parquet"

    def is_done(self, number: int, rows: int) -> bool:
        """Whether a part is there, whole."""
        import pyarrow
        import pyarrow.parquet

        self.count = max(self.count, number + 1)
        if not self.path(number).exists():
            return False
        try:
            return pyarrow.parquet.read_metadata(self.path(number)).num_rows == rows
        except pyarrow.ArrowInvalid:
            return False

    def write(self, number: int, table: Any) -> None:
        import pyarrow.parquet

        appear(self.path(number), lambda path: pyarrow.parquet.write_table(table, path))

    def join(self, parquet: Any) -> None:
        """Makes the target of all parts, and removes them."""

        def write(path: Path) -> None:
            if not self.count:
                import pyarrow

                parquet.write_table(pyarrow.table({}), path)
                return
            schema = parquet.read_schema(self.path(0))
            with parquet.ParquetWriter(path, schema) as out:
                for number in range(self.count):
                    out.write_table(parquet.read_table(self.path(number)))

        # Beside the parts: what an end in the middle leaves goes with them.
        appear(self.target, write, self.folder)
        self.clear()
        if not any(self.folder.iterdir()):
            self.folder.rmdir()


def appear(path: Path, write: Any, folder: Path | None = None) -> None:
    """Writes a file elsewhere and moves it to its place: it is there whole, or not at all.

    It is written in a folder on the same disk; that of the place, if none is given.
    """
    temporary = (folder or path.parent) / f"{path.name}.{os.getpid()}.tmp"
    try:
        write(temporary)
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
