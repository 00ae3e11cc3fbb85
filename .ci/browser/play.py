"""Opens the playground in a browser and uses it as people do.

    python3 .ci/browser/play.py PROGRAM WEB FOLDER

PROGRAM is `chasles` with its playground, WEB is `target/web` as `web/build` makes it; pictures go
to FOLDER. Fails if something does not do what it says, or if the console has an error. Where there
is no browser it prints a line that begins with `skipped:`.
"""

import functools
import http.server
import json
import pathlib
import shutil
import subprocess
import sys
import threading
import time

from chromium import SOFTWARE, WITHOUT_WEBGL, Browser, BrowserError, executable, expect

# A browser that hangs is killed: all of it takes about a minute on an idle machine.
SECONDS = 300

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

# Sizes of windows: a small phone, a tablet, a desk, and a wall.
SIZES = [(360, 740, True), (800, 1100, True), (1280, 800, False), (3840, 2160, False)]


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves a static folder, and says nothing."""

    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *words):
        pass


def serve(folder):
    """The address of a static folder."""
    handler = functools.partial(Files, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/index.html"


def is_quiet(browser, name):
    """Fails if the console has something to say."""
    complaints = browser.complaints()
    expect(not complaints, f"{name}: the console says {complaints}")


def open_page(browser, address):
    """Opens the playground; the seconds until the first list of contacts."""
    begun = time.monotonic()
    browser.visit(address, has_script=False)
    browser.until("window.chasles && chasles.isOpen")
    passed = time.monotonic() - begun
    browser.evaluate("chasles.settled()")
    return passed


def said(browser):
    """What the page complains of."""
    return browser.evaluate(
        "document.getElementById('said').hidden ? '' : document.getElementById('said').textContent"
    )


def in_view(browser, place):
    """The pixel of the window that shows a place of the world."""
    x, y = browser.evaluate(f"chasles.pixelOf({json.dumps(place)})")
    left, top = browser.evaluate(
        "(({x, y}) => [x, y])(document.getElementById('space').getBoundingClientRect())"
    )
    return [left + x, top + y]


def type_number(browser, selector, number):
    """Types a number into a field, as a user who leaves it afterwards."""
    browser.evaluate(
        f"(() => {{ const field = document.querySelector({json.dumps(selector)});"
        f" field.value = '{number}'; field.dispatchEvent(new Event('change')); }})()"
    )
    browser.evaluate("chasles.settled()")


def choose(browser, selector, value):
    """Chooses an entry of a list."""
    type_number(browser, selector, value)


def opens(browser, address, folder):
    """The tori are there, with all their contacts."""
    browser.look(1280, 800)
    seconds = min(open_page(browser, address) for _ in range(3))
    count = browser.evaluate("chasles.events.count")
    expect(count == 1072, f"the tori have {count} contacts")
    share = browser.evaluate("chasles.drawnShare()")
    expect(0.05 < share < 0.9, f"{share} of the view is drawn")
    expect(browser.evaluate("!document.getElementById('hint').hidden"), "there is no first hint")
    browser.picture(folder / "play-tori.png")
    browser.click("#hint-done")
    expect(browser.evaluate("document.getElementById('hint').hidden"), "the hint stays")
    is_quiet(browser, "tori")
    return seconds


def drags(browser, folder):
    """A handle moves a body, and its contacts follow."""
    before = browser.evaluate("chasles.mode.pose()")
    contacts = browser.evaluate("chasles.events.count")
    start = in_view(browser, before[:3])
    browser.drag(start, [start[0] + 70, start[1] - 20], steps=12)
    browser.until("document.getElementById('work').hidden")
    after = browser.evaluate("chasles.mode.pose()")
    moved = max(abs(x - y) for x, y in zip(before[:3], after[:3]))
    expect(moved > 0.1 and before[3:] == after[3:], f"a drag goes from {before} to {after}")
    browser.until(f"chasles.events.count !== {contacts}")
    shown = browser.evaluate("Number(document.querySelector('[data-pose=\"0\"]').value)")
    expect(abs(shown - after[0]) < 1e-4, f"the panel says {shown}, and the body is at {after[0]}")
    browser.until("chasles.page.group.screens.length > 0")
    browser.picture(folder / "play-dragged.png")
    # Numbers do what handles do.
    type_number(browser, '[data-pose="0"]', before[0])
    type_number(browser, '[data-pose="1"]', before[1])
    type_number(browser, '[data-pose="2"]', before[2])
    browser.until(f"chasles.events.count === {contacts}")
    is_quiet(browser, "drags")


def hand_over(browser):
    """Milliseconds of a drag's moves for computing and hand-over, sorted; nothing is drawn."""
    return browser.evaluate(
        "(async () => { const { mode } = chasles; const times = [];"
        " const [start, end] = mode.ends[1].map((pose) => Float64Array.from(pose));"
        " for (let i = 0; i < 120; i++) { end[0] += 0.002; const begun = performance.now();"
        " mode.held.ask('move', { body: 1, start: start.slice(), end: end.slice() });"
        " await mode.ask({ hasScreens: false }); times.push(performance.now() - begun); }"
        " await mode.recompute(); return times.slice(20).sort((p, q) => p - q); })()"
    )


def drawing(browser):
    """Milliseconds that pictures of the tori take, sorted."""
    return browser.evaluate(
        "Array.from({ length: 30 }, (_, i) => { chasles.time = 0.3 + 0.01 * i;"
        " return chasles.drawTime(); }).sort((p, q) => p - q)"
    )


def asks(browser):
    """Options recompute: fewer contacts with facing, those of the screen with its pixels."""
    everything = browser.evaluate("chasles.events.count")
    browser.click("#facing")
    browser.until(f"chasles.events.count < {everything}")
    facing = browser.evaluate("chasles.events.count")
    browser.click("#facing")
    browser.until(f"chasles.events.count > {facing}")
    choose(browser, "#method", 2)
    browser.until("chasles.summary.includes('screen')")
    expect(browser.evaluate("!document.getElementById('pixels-choice').hidden"), "no pixel slider")
    coarse = browser.evaluate("chasles.summary")
    browser.evaluate(
        "(() => { const slider = document.getElementById('pixels'); slider.value = '40';"
        " slider.dispatchEvent(new Event('input')); })()"
    )
    browser.until(f"chasles.summary !== {json.dumps(coarse)}")
    choose(browser, "#method", 0)
    browser.until("chasles.summary.includes('exact')")
    is_quiet(browser, "asks")


def drop(browser, name, text):
    """Drops a file on the page."""
    browser.evaluate(
        "(() => { const transfer = new DataTransfer();"
        f" transfer.items.add(new File([{json.dumps(text)}], {json.dumps(name)}));"
        " dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true })); })()"
    )


def goes_on(browser, name):
    """A body still moves, and its contacts are computed, whatever was wrong before."""
    browser.evaluate("chasles.play.quiet()")
    place = browser.evaluate("chasles.mode.pose()[1]")
    contacts = browser.evaluate("chasles.events.count")
    type_number(browser, '[data-pose="1"]', 50)
    browser.until("chasles.page.model.pose(chasles.mode.body, 1, null)[1] > 5")
    type_number(browser, '[data-pose="1"]', place)
    browser.until(f"chasles.events.count === {contacts}")
    expect(not said(browser), f"after {name} a move is answered with {said(browser)!r}")


def drops(browser, folder):
    """A mesh joins the scene; what is none is told, and nothing changes."""
    drop(browser, "part.obj", TETRAHEDRON)
    browser.until("chasles.isOpen && chasles.page.model.bodies.length === 3")
    name = browser.evaluate("chasles.page.model.bodies[2].name")
    expect(name == "part", f"the dropped body is called {name}")
    browser.evaluate("chasles.settled()")
    browser.picture(folder / "play-dropped.png")
    for name, text, words in [
        ("bad.obj", "v 0 0 0\nv 1 zero 0\n", ["bad.obj", "line 2"]),
        ("bad.toml", "[[body]]\nshpe = { box = {} }\n", ["2:1", "shpe", "shape"]),
        ("notes.txt", "hello", ["notes.txt", "OBJ"]),
    ]:
        browser.evaluate("document.getElementById('said').hidden = true")
        drop(browser, name, text)
        browser.until("!document.getElementById('said').hidden")
        told = said(browser)
        expect(all(word in told for word in words), f"{name}: the page says {told!r}")
        count = browser.evaluate("chasles.scene.tables.body.length")
        expect(count == 3, f"{name}: the scene has {count} bodies afterwards")
        goes_on(browser, name)
    browser.picture(folder / "play-bad-file.png")
    is_quiet(browser, "drops")


def shares(browser, address, folder):
    """A link holds the scene, moved bodies and files included; one that is too long is told."""
    browser.click("#share")
    browser.until("location.hash.startsWith('#scene=')")
    link = browser.evaluate("location.href")
    poses = browser.evaluate("chasles.mode.ends.map((both) => both.map((pose) => [...pose]))")
    contacts = browser.evaluate("chasles.events.count")
    open_page(browser, link)
    again = browser.evaluate("chasles.mode.ends.map((both) => both.map((pose) => [...pose]))")
    count = browser.evaluate("chasles.events.count")
    far = max(
        abs(x - y) for p, q in zip(poses, again) for r, s in zip(p, q) for x, y in zip(r, s)
    )
    expect(far < 1e-15 and count == contacts, f"the link gives {count} contacts, {far} apart")
    open_page(browser, address + "#scene=AAAA")
    expect("damaged" in said(browser), f"a damaged link: {said(browser)!r}")
    vertices = "".join(f"v {i} {i * i % 977} {i * 7919 % 991}\n" for i in range(20000))
    drop(browser, "large.obj", vertices + "f 1 2 3\nf 2 3 4\n")
    browser.until("chasles.scene.tables.body.length === 3")
    browser.click("#share")
    browser.until("!document.getElementById('said').hidden")
    expect("32000" in said(browser), f"a scene that is too large: {said(browser)!r}")


def links(browser, address):
    """A link that is pasted into the address of an open page is opened; a longer one is told."""
    open_page(browser, address)
    drop(browser, "part.obj", TETRAHEDRON)
    browser.until("chasles.scene.tables.body.length === 3")
    browser.click("#share")
    browser.until("location.hash.startsWith('#scene=')")
    link = browser.evaluate("location.href")
    open_page(browser, address)
    expect(browser.evaluate("chasles.scene.tables.body.length") == 2, "the first scene has changed")
    browser.evaluate(f"location.hash = {json.dumps(link[link.index('#'):])}")
    browser.until("chasles.scene.tables.body.length === 3")
    browser.evaluate("location.hash = '#scene=' + 'A'.repeat(40000)")
    browser.until("!document.getElementById('said').hidden")
    expect("32000" in said(browser), f"a long link: {said(browser)!r}")
    goes_on(browser, "a long link")


def races(browser):
    """Of scenes that are asked for at once the last one is there, and the engine has it too."""
    browser.evaluate("chasles.open('tori')")
    single = browser.evaluate("chasles.events.count")
    browser.evaluate(
        "Promise.allSettled(['cubes', 'simulate-dominoes', 'cubes', 'tori'].map(chasles.open))"
    )
    count = browser.evaluate("chasles.events.count")
    expect(count == single == 1072, f"four scenes at once: {count} contacts of the last one")
    expect(browser.evaluate("chasles.play.client.scenes.size") == 1, "a scene stays open")
    chosen = browser.evaluate("document.getElementById('scenes').value")
    expect(chosen == "tori", f"the list of scenes says {chosen}")
    goes_on(browser, "four scenes at once")
    is_quiet(browser, "races")


def begins_anew(browser):
    """A worker that had to be ended, by Cancel or by a fault, has the scene as it was moved."""
    browser.evaluate("chasles.open('tori')")
    type_number(browser, '[data-pose="0"]', 0.5)
    browser.until("chasles.events.count !== 1072 && chasles.page.group.screens.length > 0")
    moved = browser.evaluate("chasles.events.count")
    # What the worker says when the engine meets a fault of its own.
    browser.evaluate(
        "(() => { const { client } = chasles.play; const asked = chasles.mode.held.ask('looks', 1);"
        " return Promise.resolve().then(() => client.receive({ id: client.number,"
        " error: 'unreachable', isBroken: true })).then(() => asked).catch(chasles.play.complain);"
        " })()"
    )
    expect("begins anew" in said(browser), f"a broken engine: {said(browser)!r}")
    browser.evaluate("chasles.mode.recompute()")
    count = browser.evaluate("chasles.events.count")
    expect(count == moved, f"after a fault there are {count} of {moved} contacts")
    goes_on(browser, "a fault")
    browser.evaluate("chasles.open('simulate-dominoes')")
    browser.evaluate(
        "void chasles.play.watched((watch) => chasles.mode.held.ask('advance', { steps: 1e9, dt:"
        " 1e-3, milliseconds: 1e9, scale: 1 }, watch)).catch(chasles.play.complain)"
    )
    browser.until("!document.getElementById('work').hidden")
    browser.click("#cancel")
    browser.until("document.getElementById('work').hidden")
    browser.click("#run")
    browser.until("chasles.mode.worldTime > 0.1 && chasles.mode.worldTime < 30")
    browser.click("#run")
    is_quiet(browser, "a worker that was ended")


def names(browser, folder):
    """Names of bodies are words, whatever signs they have: on the page and in a saved report."""
    name = "</script><img src=x onerror=\"document.title='harm'\">\u202e"
    quoted = json.dumps(name)
    box = "shape = { box = {} }"
    text = (
        f"title = {quoted}\n[[body]]\nname = {quoted}\n{box}\n[[body]]\n{box}\n"
        "start = { position = [3, 0.25, 0.25] }\nend = { position = [-1, 0.25, 0.25] }\n"
    )
    drop(browser, "names.toml", text)
    browser.until("chasles.scene.name === 'names.toml'")
    browser.evaluate("chasles.settled()")
    expect(not browser.evaluate("document.querySelector('img[src=x]')"), "a name became a picture")
    shown = browser.evaluate("document.getElementById('legend').textContent")
    expect("\\u{202e}" in shown and "\u202e" not in shown, f"the legend says {shown!r}")
    report = browser.evaluate(
        "(async () => { const make = URL.createObjectURL; const click ="
        " HTMLAnchorElement.prototype.click; let blob = null; URL.createObjectURL = (b) => { blob"
        " = b; return 'about:blank'; }; HTMLAnchorElement.prototype.click = () => {}; try { await"
        " chasles.play.saveReport(); } finally { URL.createObjectURL = make;"
        " HTMLAnchorElement.prototype.click = click; } return blob.text(); })()"
    )
    path = folder / "play-names.html"
    path.write_text(report, encoding="utf-8")
    browser.open(path)
    expect(not browser.evaluate("document.querySelector('img[src=x]')"), "a name became a picture")
    found = browser.evaluate("chasles.events.count")
    expect(found > 0, f"the report of odd names has {found} contacts")
    is_quiet(browser, "odd names")


def wrong_numbers(browser):
    """A window that ends before it begins is told, and what was shown stays."""
    browser.evaluate("chasles.open('tori')")
    type_number(browser, "#from", 0.8)
    browser.until("chasles.events.count < 1072")
    few = browser.evaluate("chasles.events.count")
    type_number(browser, "#to", 0.2)
    browser.until("!document.getElementById('said').hidden")
    expect("0.8 to 0.2" in said(browser), f"a wrong window: {said(browser)!r}")
    type_number(browser, "#to", 1)
    browser.until(f"chasles.events.count === {few}")
    type_number(browser, "#from", 0)
    browser.until("chasles.events.count === 1072")
    # A field that is left empty says nothing, and the others keep digits that they do not show.
    browser.evaluate("chasles.mode.place([0.123456789, 2, 3, 0, 0, 0, 1], true)")
    type_number(browser, '[data-pose="1"]', "")
    type_number(browser, '[data-pose="2"]', 4)
    pose = browser.evaluate("[...chasles.mode.pose()]")
    expect(pose == [0.123456789, 2, 4, 0, 0, 0, 1], f"fields give the pose {pose}")
    is_quiet(browser, "wrong numbers")


def shows_pixels(browser, folder):
    """The collision screen has its pixels, of the size that its slider says, after a drag too."""
    browser.evaluate("chasles.open('tori')")
    browser.evaluate("chasles.settled()")
    expect(browser.evaluate("chasles.screenPixels") == 0, "the screen begins with pixels")
    counts = []
    for value in (2, 4):
        browser.evaluate(
            "(() => { const slider = document.querySelector('.resolution input');"
            f" slider.value = '{value}'; slider.dispatchEvent(new Event('input')); }})()"
        )
        browser.evaluate("chasles.settled()")
        counts.append(browser.evaluate("chasles.screenPixels"))
    expect(100 < counts[0] < counts[1], f"the screen has {counts} pixels")
    browser.picture(folder / "play-pixels.png")
    type_number(browser, '[data-pose="0"]', 0.4)
    browser.until("chasles.page.group.screens.length > 0")
    browser.evaluate("chasles.settled()")
    after = browser.evaluate("chasles.screenPixels")
    expect(after > counts[0], f"after a drag the screen has {after} pixels")
    is_quiet(browser, "pixels")


def follows(browser):
    """What is chosen stays chosen while contacts come and go."""
    browser.evaluate("chasles.open('tori')")
    browser.evaluate("chasles.settled()")
    browser.evaluate("chasles.selected = chasles.rows[3]")
    words = "(({ a, b, kind }) => `${a} ${b} ${kind}`)(chasles.event(chasles.selected))"
    chosen = browser.evaluate(words)
    type_number(browser, "#from", browser.evaluate("chasles.event(chasles.selected).time - 1e-9"))
    browser.until("chasles.events.count < 1072")
    after = browser.evaluate(f"chasles.selected === null ? null : {words}")
    expect(after == chosen, f"{chosen} was chosen, and then {after}")
    type_number(browser, "#from", 1)
    browser.until("chasles.events.count < 9")
    expect(browser.evaluate("chasles.selected") is None, "what is gone is still chosen")


def traces(browser, folder):
    """A body is dragged into a wall, and stops before it."""
    browser.evaluate("chasles.open('trace-corner')")
    browser.until("chasles.command === 'trace'")
    browser.evaluate("chasles.settled()")
    type_number(browser, '[data-pose="0"]', 0)
    start = browser.evaluate("[...chasles.mode.pose()]")
    browser.evaluate("chasles.forgetTimings()")
    at = in_view(browser, start[:3])
    browser.drag(at, [at[0] + 150, at[1] + 40], steps=10)
    browser.until("chasles.timings.length > 3")
    end = browser.evaluate("[...chasles.mode.pose()]")
    expect(end[:3] != start[:3], f"a drag leaves the body at {start}")
    browser.evaluate("chasles.settled()")
    browser.picture(folder / "play-trace.png")
    # Moves that come faster than answers: each begins where the one before it ended.
    travels = browser.evaluate(
        "(async () => { const { mode } = chasles; const { ask } = mode.held; const all = [];"
        " mode.held.ask = async (...question) => { const answer = await ask.apply(mode.held,"
        " question); if (question[0] === 'travel') all.push([[...question[1].start],"
        " [...answer.end]]); return answer; }; const from = [...mode.pose()];"
        " const moves = Array.from({ length: 40 }, (_, i) => { const goal = [...from]; goal[0] +="
        " Math.sin(i); goal[1] -= 0.2 * i; return mode.go(goal); }); await Promise.all(moves);"
        " for (let i = 0; i < 30; i++) { const goal = [...from]; goal[2] += 0.3 * i; mode.go(goal);"
        " await new Promise((done) => setTimeout(done, 1)); } while (mode.isGoing)"
        " await chasles.settled(); delete mode.held.ask; return all; })()"
    )
    expect(len(travels) > 3, f"{len(travels)} moves were made")
    for (_, end), (start, _) in zip(travels, travels[1:]):
        expect(start == end, f"a move begins at {start}, and the one before it ended at {end}")
    browser.evaluate("chasles.open('trace-corner')")
    # Far through everything: something stops it, and it is in nothing.
    type_number(browser, '[data-pose="1"]', -50)
    browser.until("chasles.mode.rows.length > 0")
    stop = browser.evaluate("[...chasles.mode.pose()]")
    expect(stop[1] > -49, f"nothing stops the body: it is at {stop}")
    rows = browser.evaluate("chasles.mode.rows.map((row) => row.touch[6])")
    expect(all(0 <= distance < 1e-3 for distance in rows), f"distances at stops are {rows}")
    is_quiet(browser, "traces")


def throws(browser, folder):
    """A world runs, stops, steps, begins again; a body is thrown with the mouse."""
    browser.evaluate("chasles.open('simulate-dominoes')")
    browser.until("chasles.command === 'simulate'")
    browser.evaluate("chasles.settled()")
    browser.click("#one-step")
    browser.until("chasles.mode.times.length === 2")
    browser.click("#run")
    browser.until("chasles.mode.worldTime > 0.3")
    browser.click("#run")
    browser.until("!chasles.mode.isRunning")
    stopped = browser.evaluate("chasles.mode.worldTime")
    browser.click("#again")
    browser.until("chasles.mode.worldTime === 0")
    body = browser.evaluate("chasles.mode.about.isDynamic.lastIndexOf(true)")
    place = f"chasles.mode.poseOf({body}).slice(0, 3)"
    start = in_view(browser, browser.evaluate(place))
    before = browser.evaluate(place)
    browser.drag(start, [start[0] + 120, start[1] - 60], steps=8)
    browser.until("chasles.mode.worldTime > 0.25")
    after = browser.evaluate(place)
    far = max(abs(x - y) for x, y in zip(before, after))
    expect(far > 0.02, f"what was thrown went {far}; the world ran for {stopped} s before")
    browser.evaluate("chasles.settled()")
    browser.picture(folder / "play-thrown.png")
    browser.click("#run")
    type_number(browser, '[data-gravity="1"]', 3)
    gravity = browser.evaluate("chasles.scene.tables.world.gravity")
    expect(gravity[1] == 3, f"gravity is {gravity}")
    is_quiet(browser, "throws")


def drapes(browser, folder):
    """A sheet is drawn, falls, and goes back."""
    browser.evaluate("chasles.open('simulate-cloth')")
    browser.until("chasles.mode.about.sheetNames && chasles.mode.about.sheetNames.length === 1")
    browser.evaluate("chasles.settled()")
    height = (
        "(() => { const mesh = chasles.page.model.meshes.at(-1); const all ="
        " chasles.page.model.positionsAt(mesh, chasles.page.time); let sum = 0; for (let i = 1; i"
        " < all.length; i += 3) sum += all[i]; return (3 * sum) / all.length; })()"
    )
    before = browser.evaluate(height)
    browser.click("#run")
    browser.until("chasles.mode.worldTime > 0.35")
    browser.click("#run")
    browser.until("!chasles.mode.isRunning")
    after = browser.evaluate(height)
    expect(after < before - 0.1, f"the cloth goes from {before} to {after}")
    browser.evaluate("chasles.settled()")
    browser.picture(folder / "play-cloth.png")
    browser.evaluate("chasles.time = 0")
    back = browser.evaluate(height)
    expect(abs(back - before) < 1e-6, f"at its beginning the cloth is at {back}, not {before}")
    browser.click("#again")
    browser.until("chasles.mode.worldTime === 0")
    expect(abs(browser.evaluate(height) - before) < 1e-6, "the cloth does not begin again")
    is_quiet(browser, "the cloth")


def saves(browser, folder):
    """A saved scene is TOML, and a saved report is a page of its own."""
    browser.evaluate("chasles.open('cubes')")
    browser.until("chasles.command === 'collide'")
    browser.evaluate(
        "(() => { window.saved = []; URL.createObjectURL = (blob) => { window.saved.push(blob);"
        " return 'about:blank#saved'; }; HTMLAnchorElement.prototype.click = () => {}; })()"
    )
    browser.click("#save-scene")
    browser.until("saved.length === 1")
    toml = browser.evaluate("saved[0].text()")
    expect("[[body]]" in toml and "[body.start]" in toml, f"the scene is {toml[:200]!r}")
    browser.click("#save-report")
    browser.until("saved.length === 2")
    count = browser.evaluate("chasles.events.count")
    report = folder / "play-report.html"
    report.write_text(browser.evaluate("saved[1].text()"), encoding="utf-8")
    browser.open(report)
    again = browser.evaluate("chasles.events.count")
    expect(again == count > 0, f"the report has {again} of {count} contacts")
    browser.picture(folder / "play-report.png")
    is_quiet(browser, "the saved report")


def looks(browser, address, folder):
    """Small and large windows, light and dark: nothing is wider than the window."""
    for width, height, is_touch in SIZES:
        browser.look(width, height, dark=width == 800, touch=is_touch)
        open_page(browser, address)
        wide = browser.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        expect(wide <= 0, f"{width} pixels: the page is {wide} pixels too wide")
        browser.picture(folder / f"play-{width}.png", whole=width < 1000)
        is_quiet(browser, f"{width} pixels")
    browser.look(360, 740, touch=True)
    open_page(browser, address)
    before = browser.evaluate("chasles.mode.pose()")
    at = in_view(browser, before[:3])
    browser.touch([at, [at[0] + 40, at[1] + 10]])
    after = browser.evaluate("chasles.mode.pose()")
    expect(after[:3] != before[:3], "a finger moves no body")
    at = in_view(browser, after[:3])
    corner = browser.evaluate(
        "(({ left, bottom }) => [left + 12, bottom - 12])"
        "(document.getElementById('space').getBoundingClientRect())"
    )
    browser.touch([at, [at[0] + 30, at[1]]], [corner, [corner[0] + 9, corner[1]]])
    expect(browser.evaluate("chasles.page.hand.grip") is None, "a second finger keeps the handle")


def unlabelled(browser):
    """Controls that a screen reader has no name for."""
    return browser.evaluate(
        "[...document.querySelectorAll('button, input, select, [role=grid]')].filter((e) =>"
        " !(e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.title ||"
        " (e.labels && e.labels.length) || e.textContent.trim())).map((e) => e.id || e.outerHTML)"
    )


def one_file(browser, page, folder):
    """The page as one file does the same, without a server."""
    template = page.read_text(encoding="utf-8")
    filled = folder / "play-one.html"
    parts = {"title": "Chasles", "summary": "", "data": "null"}
    for name, part in parts.items():
        template = template.replace("{{" + name + "}}", part)
    filled.write_text(template, encoding="utf-8")
    browser.look(1280, 800)
    browser.visit(filled.resolve().as_uri(), has_script=False)
    browser.until("window.chasles && chasles.isOpen")
    count = browser.evaluate("chasles.events.count")
    expect(count == 1072, f"the tori have {count} contacts in one file")
    is_quiet(browser, "one file")


def package(browser, web):
    """The example of the package's README runs in a plain page."""
    readme = (web / "package/README.md").read_text(encoding="utf-8")
    example = readme.split("```js\n")[1].split("```")[0]
    example = example.replace('"chasles"', '"./package/chasles.js"')
    example = example.replace("console.log(", "document.title = (")
    page = web / "package-check.html"
    head = '<!doctype html><link rel="icon" href="data:,">'
    page.write_text(f'{head}<script type="module">{example}</script>', encoding="utf-8")
    browser.visit(serve(web).replace("index.html", page.name), has_script=False)
    browser.until("document.title.includes('contacts, the first at 0.')")
    title = browser.evaluate("document.title")
    expect(int(title.split()[0]) > 0, f"the example of the package says {title!r}")
    is_quiet(browser, "the package")


def live(browser, program, folder):
    """A live report shows what was found, and recomputes."""
    report = folder / "play-live.html"
    words = ["collide", "tori", "--min-properness", "-0.5", "--report", report, "--live", "--quiet"]
    subprocess.run([program, *words], check=True)
    browser.visit(report.resolve().as_uri(), has_script=False)
    browser.until("window.chasles && chasles.isOpen")
    found = browser.evaluate("chasles.events.count")
    expect(0 < found < 1072, f"the live report begins with {found} contacts")
    browser.picture(folder / "play-live.png")
    type_number(browser, "#least", -1)
    browser.until("chasles.events.count === 1072")
    is_quiet(browser, "the live report")


def served(browser, program):
    """The program serves the playground with a scene."""
    words = [program, "play", "trace-corner"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        try:
            address = next(w for w in server.stdout.readline().split() if w.startswith("http"))
            browser.visit(address, has_script=False)
            browser.until("window.chasles && chasles.isOpen")
            command = browser.evaluate("chasles.command")
            expect(command == "trace", f"the program serves a scene for {command}")
            is_quiet(browser, "what the program serves")
        finally:
            server.kill()


def without(path, address, folder):
    """Without WebGL2 and without WebAssembly there is a message, and a still picture."""
    with Browser(path, time.monotonic() + 60, WITHOUT_WEBGL) as browser:
        browser.look(1280, 800)
        open_page(browser, address)
        stills = browser.evaluate(
            "[...document.querySelectorAll('#still img')].map((i) => i.naturalWidth)"
        )
        expect(stills and all(stills), f"without WebGL2 the stills are {stills}")
        browser.picture(folder / "play-without-webgl.png")
    with Browser(path, time.monotonic() + 60, SOFTWARE) as browser:
        browser.look(1280, 800)
        script = {"source": "delete globalThis.WebAssembly"}
        browser.call("Page.addScriptToEvaluateOnNewDocument", **script)
        browser.visit(address, has_script=False)
        browser.until("!document.getElementById('no-engine').hidden")
        words = browser.evaluate("document.getElementById('no-engine-words').textContent")
        expect("WebAssembly" in words, f"without WebAssembly the page says {words!r}")
        browser.until("document.getElementById('no-engine-still').naturalWidth > 0")
        browser.picture(folder / "play-without-engine.png")


def broken(browser, site, folder):
    """An engine that cannot be loaded is told as one that cannot run."""
    copy = folder / "play-broken"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(site, copy, ignore=shutil.ignore_patterns("*.wasm"))
    browser.visit(serve(copy), has_script=False)
    browser.until("!document.getElementById('no-engine').hidden")
    words = browser.evaluate("document.getElementById('no-engine-words').textContent")
    expect("nothing can be computed" in words, f"without its engine the page says {words!r}")
    browser.until("document.getElementById('no-engine-still').naturalWidth > 0")


def use(path, program, web, folder):
    """All of it; what was measured."""
    address = serve(web / "site")
    with Browser(path, time.monotonic() + SECONDS, SOFTWARE) as browser:
        seconds = opens(browser, address, folder)
        drags(browser, folder)
        times = hand_over(browser)
        pictures = drawing(browser)
        asks(browser)
        nameless = unlabelled(browser)
        expect(not nameless, f"these have no name for a screen reader: {nameless}")
        wrong_numbers(browser)
        shows_pixels(browser, folder)
        follows(browser)
        races(browser)
        begins_anew(browser)
        browser.evaluate("chasles.open('tori')")
        drops(browser, folder)
        shares(browser, address, folder)
        links(browser, address)
        traces(browser, folder)
        throws(browser, folder)
        drapes(browser, folder)
        names(browser, folder)
        open_page(browser, address)
        saves(browser, folder)
        looks(browser, address, folder)
        one_file(browser, web / "play.html", folder)
        package(browser, web)
        live(browser, program, folder)
        served(browser, program)
        broken(browser, web / "site", folder)
    without(path, address, folder)
    at = lambda share: times[int(share * (len(times) - 1))]
    print(f"the first contacts of the tori after {seconds:.2f} s")
    print(f"a move of the tori: {at(0.5):.1f} ms, 95th percentile {at(0.95):.1f} ms")
    print(f"a picture of them, drawn in software: {pictures[len(pictures) // 2]:.1f} ms")


def main():
    program, web, folder = map(pathlib.Path, sys.argv[1:])
    path = executable()
    if path is None:
        print("skipped: there is no browser, so the playground was not opened in one")
        return
    folder.mkdir(parents=True, exist_ok=True)
    try:
        use(path, program, web, folder)
    except BrowserError as error:
        sys.exit(f"FAILED: {error}")


if __name__ == "__main__":
    main()
