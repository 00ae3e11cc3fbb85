"""What a waiting user sees: a bar of rich where it is installed, else a line of text."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

# Work that is done sooner than this many seconds shows no bar.
LONG = 1.0


class Silent:
    """No bar."""

    def update(self, done: int) -> None:
        """Shows nothing."""

    def close(self) -> None:
        """Ends nothing."""


class Told(Silent):
    """Tells a function how much is done, and of how much."""

    def __init__(self, tell: Callable[[int, int], Any], count: int) -> None:
        self.tell, self.count = tell, count

    def update(self, done: int) -> None:
        self.tell(done, self.count)

    def close(self) -> None:
        self.tell(self.count, self.count)


class Line(Silent):
    """A line of text that is written over, once the work turns out to be long."""

    def __init__(self, count: int) -> None:
        self.count, self.begun, self.width = count, time.monotonic(), 0

    def update(self, done: int) -> None:
        passed = time.monotonic() - self.begun
        if passed < LONG:
            return
        left = passed * (self.count - done) / max(done, 1)
        text = f"{done:,} of {self.count:,} motions, {left:.0f} s left"
        sys.stderr.write("\r" + text.ljust(self.width))
        sys.stderr.flush()
        self.width = len(text)

    def close(self) -> None:
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()


class Rich(Silent):
    """The bar of rich, once the work turns out to be long."""

    def __init__(self, count: int, rich: Any) -> None:
        self.count, self.begun, self.rich = count, time.monotonic(), rich
        self.bar: Any = None

    def update(self, done: int) -> None:
        if self.bar is None:
            if time.monotonic() - self.begun < LONG:
                return
            console = sys.modules["rich.console"].Console(stderr=True)
            self.bar = self.rich.Progress(transient=True, console=console)
            self.bar.start()
            self.task = self.bar.add_task("motions", total=self.count)
        self.bar.update(self.task, completed=done)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()


def shown(progress: Any, count: int) -> Silent:
    """The bar for what a caller asked: None (where somebody looks), True, False, a function."""
    if callable(progress):
        return Told(progress, count)
    if progress is None:
        progress = "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())
    if not progress:
        return Silent()
    try:
        import rich.console
        import rich.progress
    except ImportError:
        return Line(count)
    return Rich(count, rich.progress)
