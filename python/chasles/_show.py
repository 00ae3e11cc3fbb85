"""Interactive pages: as files, in a browser, and within notebooks."""

from __future__ import annotations

import html
import os
import tempfile
from pathlib import Path
from typing import Any

# Scripts run, in an origin of their own: a page reaches neither the notebook nor its cookies.
FRAME = (
    '<iframe sandbox="allow-scripts" srcdoc="{page}" title="{title}" loading="lazy" '
    'style="width: 100%; height: {height}px; border: 1px solid #8886; border-radius: 6px">'
    "</iframe>"
)

# High enough for the view and the table beside it.
HEIGHT = 640


def inline(contacts: Any) -> str:
    """The page within a notebook, kept away from it."""
    page = html.escape(contacts.report(), quote=True)
    title = html.escape(str(contacts).splitlines()[0], quote=True)
    return FRAME.format(page=page, title=title, height=HEIGHT)


def save(contacts: Any, path: Any) -> None:
    """Writes the page to a file, which appears whole or not at all."""
    path = Path(path)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(contacts.report(), encoding="utf-8")
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def show(contacts: Any) -> Path:
    """Opens the page in a browser."""
    import webbrowser

    path = Path(tempfile.mkdtemp(prefix="chasles-")) / "contacts.html"
    save(contacts, path)
    webbrowser.open(path.as_uri())
    return path
