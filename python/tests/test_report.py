"""Reports: whole pages, in which no name is more than a name."""

import html
import re

import numpy as np
import pytest

import chasles
from cases import at, cube_falls

EVIL = ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "<!--", "{{data}}",
        "a\u202eb", "]]></script >", "&quot;"]


@pytest.mark.parametrize("name", EVIL)
def test_names_are_only_names(name):
    a, b, _, way = cube_falls()
    plain = chasles.contacts(a, b, b_motion=way)
    hits = chasles.contacts(a.named(name), b.named(name), b_motion=way)
    page = hits.report()
    for tag in ["<script", "</script", "<img", "<!--", "<iframe"]:
        assert page.lower().count(tag) == plain.report().lower().count(tag), tag
    frame = hits._repr_html_()
    assert frame.count("<") == 2 and frame.count("<iframe") == 1 and frame.endswith("</iframe>")
    assert re.search(r'srcdoc="([^"]*)"', frame)[1] == html.escape(page, quote=True)


def test_a_page_in_a_notebook_is_kept_away_from_it():
    frame = chasles.contacts(*cube_falls())._repr_html_()
    sandbox = re.search(r'sandbox="([^"]*)"', frame)[1].split()
    assert sandbox == ["allow-scripts"], "with its origin it could reach the notebook"


def test_a_file_appears_whole(tmp_path):
    hits = chasles.contacts(*cube_falls())
    hits.save_report(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == hits.report()
    with pytest.raises(OSError):
        hits.save_report(tmp_path / "nowhere" / "page.html")
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.parametrize("a, b", [
    (chasles.Round.capsule(0.3), chasles.Mesh.torus()),
    (chasles.Solid.cone(), chasles.Round.sphere(0.2)),
    (chasles.Mesh.plane(), chasles.Round.ellipsoid((1, 0.5, 0.3))),
])
def test_bodies_of_all_kinds_have_a_page(a, b):
    hits = chasles.contacts(a, b, b_motion=(at(0, -3, 0), at(0, 3, 0.1)))
    page = hits.report()
    assert page.startswith("<!doctype html>") and len(page) < 1_700_000


def test_waypoints_and_no_contacts_have_a_page():
    cube = chasles.Mesh.box()
    way = chasles.waypoints([at(3, 0, 0), at(3, 3, 0), at(0, 3, 0), at(0, 0, 0)])
    assert "No contacts" not in chasles.contacts(cube, cube, b_motion=way).report()[:2000]
    free = chasles.contacts(cube, cube, b_motion=at(5, 0, 0))
    assert len(free) == 0 and "0 contacts" in free.report()
    many = chasles.contacts(chasles.Mesh.torus(segments=(60, 40)), chasles.Mesh.torus(),
                            b_motion=(at(0.3, 2, 0.2), at(0.3, -2, 0.2)))
    assert len(many) > 3000 and "most proper of" in many.report()


def test_a_browser_is_asked_to_show_a_file(monkeypatch):
    import webbrowser

    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    path = chasles.contacts(*cube_falls()).show()
    assert opened == [path.as_uri()] and path.exists()
    path.unlink()


def test_packages_that_are_missing_are_named(monkeypatch):
    import sys

    hits = chasles.contacts(*cube_falls())
    for name, ask in [("pandas", hits.to_pandas), ("pyarrow", hits.to_arrow)]:
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(ImportError, match=f"needs the package {name}: python -m pip install"):
            ask()


def test_tables_of_other_packages_have_all_numbers():
    pandas = pytest.importorskip("pandas")
    hits = chasles.contacts(*cube_falls())
    frame = hits.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == len(hits)
    np.testing.assert_array_equal(frame[["point_x", "point_y", "point_z"]], hits.point)
    pytest.importorskip("pyarrow")
    table = hits.to_arrow()
    np.testing.assert_array_equal(np.array(table["point"].to_pylist()), hits.point)
    assert table["kind"].to_pylist() == hits.kind.tolist()
