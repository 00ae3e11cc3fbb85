"""Opens reports in a browser and uses them as people do.

    python3 .ci/browser/check.py PROGRAM FOLDER

PROGRAM is `chasles`; reports and pictures of their pages go to FOLDER. Fails if a page draws
nothing, if what it shows does not agree with its table, or if the console has an error. Where there
is no browser it prints a line that begins with `skipped:`.
"""

import math
import pathlib
import re
import sys
import time

import looks
import reports
from chromium import WITHOUT_WEBGL, Browser, BrowserError, executable, expect

# A browser that hangs is killed: all of it takes some 40 s on an idle machine.
SECONDS = 240


def is_quiet(browser, name):
    """Fails if the console has something to say."""
    complaints = browser.complaints()
    expect(not complaints, f"{name}: the console says {complaints}")


def fits(browser, name):
    """Fails if the page is wider than the window, or text of a button is cut off."""
    wide = browser.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    expect(wide <= 0, f"{name}: the page is {wide} pixels wider than the window")
    cut = browser.evaluate(
        "[...document.querySelectorAll('button, h1, h2, figcaption, #clock')]"
        ".filter((e) => e.offsetParent && e.scrollWidth > e.clientWidth + 1 &&"
        " getComputedStyle(e).display !== 'inline')"
        ".map((e) => e.id || e.textContent)"
    )
    expect(not cut, f"{name}: cut off are {cut}")


def agrees(browser, words):
    """Fails if markers and table are not of the same contacts."""
    browser.evaluate("chasles.settled()")
    rows, markers = browser.evaluate("[chasles.rows, chasles.markers]")
    expect(sorted(rows) == sorted(markers), f"{words}: {len(rows)} rows and {len(markers)} markers")
    count = browser.evaluate(
        "Number(document.getElementById('table').getAttribute('aria-rowcount')) - 1"
    )
    expect(count == len(rows), f"{words}: the table has {count} rows, not {len(rows)}")
    return rows


def tori(browser, folder):
    """Everything that the page of two tori can do."""
    browser.look(1280, 800)
    browser.open(folder / "tori.html")
    fits(browser, "tori")
    share = browser.evaluate("chasles.drawnShare()")
    expect(0.05 < share < 0.9, f"{share} of the view is drawn")
    browser.picture(folder / "tori.png")
    agrees(browser, "at first")

    # The slider, by a drag and by keys.
    box = browser.evaluate(
        "(({x, y, width, height}) => [x, y, width,"
        " height])(document.getElementById('time').getBoundingClientRect())"
    )
    middle = box[1] + box[3] / 2
    before = browser.evaluate("chasles.time")
    browser.drag([box[0] + 8 + (box[2] - 16) * before, middle], [box[0] + box[2] * 0.6, middle])
    after = browser.evaluate("chasles.time")
    expect(abs(after - 0.6) < 0.03, f"the slider is at {after}, not at 0.6")
    browser.press("ArrowRight", "ArrowRight", 39)
    stepped = browser.evaluate("chasles.time")
    expect(abs(stepped - after - 0.01) < 1e-6, f"a key goes from {after} to {stepped}")

    # Playing moves the bodies, and the space bar stops it.
    browser.click("#play")
    browser.until(f"chasles.time !== {stepped} && chasles.isPlaying")
    browser.click("#list-title")
    browser.press(" ", "Space", 32)
    expect(not browser.evaluate("chasles.isPlaying"), "the space bar does not stop it")

    # A row: its marker is chosen, and the time is its own.
    browser.click("#table-rows [role=row]:nth-child(2)")
    chosen = browser.evaluate("chasles.selected")
    expect(chosen == browser.evaluate("chasles.rows[1]"), f"row 2 chooses {chosen}")
    there = browser.evaluate(f"chasles.time === chasles.event({chosen}).time")
    expect(there, "the time is not that of the row")
    browser.evaluate("document.getElementById('table').focus()")
    browser.press("ArrowDown", "ArrowDown", 40)
    expect(
        browser.evaluate("chasles.selected === chasles.rows[2]"),
        "the arrow key does not go to the next row",
    )
    words = browser.evaluate("document.getElementById('details').textContent")
    expect("Properness" in words and "meets" in words, f"the details say {words!r}")

    # A marker: its row is chosen.
    last = browser.evaluate("chasles.rows[chasles.rows.length - 1]")
    browser.evaluate(
        f"chasles.selected = null; chasles.time = chasles.event({last}).time; chasles.settled()"
    )
    corner = browser.evaluate(
        "(({x, y}) => [x, y])(document.getElementById('space').getBoundingClientRect())"
    )
    at = browser.evaluate(f"chasles.pixel({last})")
    browser.click([corner[0] + at[0], corner[1] + at[1]])
    found = browser.evaluate("chasles.selected")
    expect(found is not None, "a click on a marker chooses nothing")
    near = browser.evaluate(f"chasles.pixel({found})")
    expect(math.dist(at, near) < 12, f"a click on marker {last} chooses {found}")
    shown = browser.evaluate("document.querySelector('#table [aria-selected=true]').dataset.id")
    expect(int(shown) == found, "the row of the marker is not shown")

    # Filters: the button, the kinds, the value, the time.
    browser.click("#show-all")
    rows = agrees(browser, "all")
    proper_in_front(browser)
    total = browser.evaluate("chasles.events.total")
    expect(len(rows) == total > 1000, f"{len(rows)} of {total} are shown")
    browser.picture(folder / "tori-all.png")
    browser.click("#filters fieldset input")
    kinds = agrees(browser, "without a kind")
    expect(0 < len(kinds) < total, "leaving out a kind changes nothing")
    gone = browser.evaluate("document.querySelector('#filters fieldset label').textContent")
    left = browser.evaluate("[...new Set(chasles.rows.map((id) => chasles.event(id).kind))]")
    expect(gone not in left, f"{gone} is still among {left}")
    browser.evaluate("chasles.filter({ without: new Set(), least: 0, from: 0.3, to: 0.7 })")
    few = agrees(browser, "proper, in the middle")
    right = browser.evaluate(
        "chasles.rows.every((id) => { const e = chasles.event(id); return e.properness >= 0 &&"
        " e.time >= 0.3 && e.time <= 0.7; })"
    )
    expect(right and 0 < len(few) < 20, f"{len(few)} rows pass the filters")

    # The view turns, zooms and comes back.
    start = browser.evaluate("JSON.stringify(chasles.pixel(chasles.rows[0]))")
    centre = browser.place("#space")
    browser.drag(centre, [centre[0] + 120, centre[1] + 40])
    expect(
        browser.evaluate("JSON.stringify(chasles.pixel(chasles.rows[0]))") != start,
        "a drag does not turn the view",
    )
    browser.press("+", "Equal", 187)
    browser.press("0", "Digit0", 48)
    back = browser.evaluate("JSON.stringify(chasles.pixel(chasles.rows[0]))")
    expect(back == start, "0 does not bring the first view back")
    keys(browser)
    layers(browser)
    pixels(browser)
    browser.click("#help-button")
    expect(browser.evaluate("document.getElementById('help').open"), "the help does not open")
    browser.picture(folder / "tori-help.png")
    browser.press("Escape", "Escape", 27)
    is_quiet(browser, "tori")

    browser.look(1280, 800, dark=True)
    browser.open(folder / "tori.html")
    browser.picture(folder / "tori-dark.png")
    is_quiet(browser, "tori, dark")

    browser.look(400, 800, touch=True)
    browser.open(folder / "tori.html")
    fits(browser, "tori on a telephone")
    browser.picture(folder / "tori-phone.png", whole=True)
    fingers(browser)
    is_quiet(browser, "tori on a telephone")


def proper_in_front(browser):
    """Of markers at one place the most proper is drawn last, those of the moment after all others."""
    now, drawn = browser.evaluate(
        "[chasles.time, chasles.markers.map((id) => { const e = chasles.event(id); return"
        " [e.time, e.properness]; })]"
    )
    order = [(abs(time - now) <= 0.01, properness) for time, properness in drawn]
    expect(order == sorted(order), "markers are not drawn from the least proper to the most proper")


def apart(browser):
    """How far two markers are from each other in the view, in pixels."""
    places = browser.evaluate(
        "[chasles.rows[0], chasles.rows[chasles.rows.length - 1]].map((id) => chasles.pixel(id))"
    )
    return math.dist(*places)


def keys(browser):
    """The keys of the help, one by one."""
    browser.evaluate(
        "chasles.filter({ least: 0 }); chasles.selected = chasles.rows[0]; chasles.settled()"
    )
    browser.press("n", "KeyN", 78)
    expect(
        browser.evaluate("chasles.selected === chasles.rows[1]"), "n does not go to the next row"
    )
    browser.press("p", "KeyP", 80)
    expect(browser.evaluate("chasles.selected === chasles.rows[0]"), "p does not go back")
    for key, number, row in [("End", 35, "chasles.rows.length - 1"), ("Home", 36, "0")]:
        browser.evaluate("chasles.selected = null; document.getElementById('table').focus()")
        browser.press(key, key, number)
        expect(
            browser.evaluate(f"chasles.selected === chasles.rows[{row}]"),
            f"{key} does not go to its end of the table",
        )
    before = browser.evaluate("chasles.time")
    browser.press(".", "Period", 190)
    browser.press(".", "Period", 190)
    browser.press(",", "Comma", 188)
    moved = browser.evaluate("chasles.time") - before
    expect(abs(moved - 0.01) < 1e-6, f"the keys of time go by {moved}")
    wide = apart(browser)
    browser.press("+", "Equal", 187)
    nearer = apart(browser)
    expect(nearer > 1.1 * wide, "+ does not come nearer")
    browser.press("-", "Minus", 189)
    expect(apart(browser) < nearer, "- does not go away")
    browser.evaluate("document.getElementById('space').focus()")
    before = browser.evaluate("JSON.stringify(chasles.pixel(chasles.rows[1]))")
    browser.press("ArrowLeft", "ArrowLeft", 37)
    expect(
        browser.evaluate("JSON.stringify(chasles.pixel(chasles.rows[1]))") != before,
        "an arrow key does not turn the view",
    )
    browser.press("f", "KeyF", 70)
    size = browser.evaluate(
        "(({width, height}) => [width,"
        " height])(document.getElementById('space').getBoundingClientRect())"
    )
    at = browser.evaluate("chasles.pixel(chasles.selected)")
    expect(
        math.dist(at, [size[0] / 2, size[1] / 2]) < 3,
        f"f does not look at the chosen row, which is at {at}",
    )
    browser.press("Escape", "Escape", 27)
    expect(browser.evaluate("chasles.selected === null"), "escape still leaves a row chosen")
    browser.press("0", "Digit0", 48)


def fingers(browser):
    """One finger turns the view, two come nearer, and a tap chooses."""
    browser.evaluate("chasles.filter({ least: 0 }); chasles.selected = null; chasles.settled()")
    browser.evaluate(
        "document.getElementById('space').scrollIntoView({ block: 'center' }); chasles.settled()"
    )
    centre = browser.place("#space")
    before = browser.evaluate("JSON.stringify(chasles.pixel(chasles.rows[0]))")
    browser.touch([centre, [centre[0] + 60, centre[1] + 20]])
    expect(
        browser.evaluate("JSON.stringify(chasles.pixel(chasles.rows[0]))") != before,
        "a finger does not turn the view",
    )
    browser.evaluate("document.getElementById('reset-view').click(); chasles.settled()")
    wide = apart(browser)
    left, right = [[centre[0] + x, centre[1]] for x in [-30, 30]]
    far_left, far_right = [[centre[0] + x, centre[1]] for x in [-90, 90]]
    browser.touch([left, far_left], [right, far_right])
    grown = apart(browser) / wide
    expect(
        2 < grown < 5,
        f"two fingers that part to three times their distance make it {grown} times as large",
    )
    browser.evaluate("document.getElementById('reset-view').click(); chasles.settled()")
    corner = browser.evaluate(
        "(({x, y}) => [x, y])(document.getElementById('space').getBoundingClientRect())"
    )
    at = browser.evaluate("chasles.pixel(chasles.rows[0])")
    place = [corner[0] + at[0], corner[1] + at[1]]
    browser.touch([place, place], steps=0)
    expect(browser.evaluate("chasles.selected !== null"), "a tap on a marker chooses nothing")


def layers(browser):
    """The curves of the screen are drawn anew only if they look otherwise."""
    before = browser.evaluate("chasles.screensDrawn")
    expect(before > 0, "no curves are drawn")
    browser.evaluate("chasles.time = 0.3; chasles.settled()")
    browser.evaluate("chasles.time = 0.4; chasles.settled()")
    after = browser.evaluate("chasles.screensDrawn")
    expect(after == before, f"curves are drawn {after - before} times while only the time changes")
    centre = browser.place("#screen")
    browser.mouse("mouseWheel", centre, deltaX=0, deltaY=-200)
    browser.evaluate("chasles.settled()")
    expect(browser.evaluate("chasles.screensDrawn") > after, "the wheel does not zoom the screen")
    blue, orange = on_screen(browser)
    expect(
        blue > 200 and orange > 200,
        f"the screen has {blue} pixels of one body and {orange} of the other",
    )


def pixels(browser):
    """The slider below the screen draws its curves as pixels, more of them the finer they are."""
    choose = (
        "(() => {{ const slider = document.querySelector('.resolution input');"
        " slider.value = '{}'; slider.dispatchEvent(new Event('input')); }})(); chasles.settled()"
    )
    browser.evaluate("chasles.settled()")
    expect(browser.evaluate("chasles.screenPixels") == 0, "the screen does not begin with lines")
    counts = []
    for place in [1, 2, 3]:
        browser.evaluate(choose.format(place))
        counts.append(browser.evaluate("chasles.screenPixels"))
    words = browser.evaluate("document.querySelector('.resolution output').textContent")
    expect(
        100 < counts[0] < counts[1] < counts[2], f"finer pixels are not more of them: {counts}"
    )
    expect(words == "12 along a short edge", f"of its pixels the page says {words!r}")
    blue, orange = on_screen(browser)
    expect(
        blue > 200 and orange > 200,
        f"the screen has {blue} pixels of one body and {orange} of the other",
    )
    browser.evaluate(choose.format(0))
    expect(browser.evaluate("chasles.screenPixels") == 0, "lines do not come back")


def on_screen(browser):
    """How many pixels of the collision screen have the colours of either body: blue, and orange.
    Contacts have neither."""
    return browser.evaluate(
        "(() => { const screen = document.getElementById('screen'); const { width, height } ="
        " screen; const copy = Object.assign(document.createElement('canvas'), { width, height });"
        # Of a canvas that is read more than once the console would say that it is slow.
        " const pen = copy.getContext('2d', { willReadFrequently: true });"
        " pen.drawImage(screen, 0, 0); const all = pen.getImageData(0, 0, width, height).data;"
        " const count = [0, 0];"
        " for (let i = 0; i < all.length; i += 4) { if (all[i + 3] < 60) continue; const d ="
        " all[i] - all[i + 2];"
        " if (d < -60) count[0]++; if (d > 100) count[1]++; } return count; })()"
    )


def names(browser):
    """Names and numbers of any length keep their places."""
    words = browser.evaluate(
        "[...document.querySelectorAll('#table-rows .number')].filter((e) => e.scrollWidth >"
        " e.clientWidth).map((e) => e.textContent)"
    )
    expect(not words, f"of the numbers {words} are cut")
    words = browser.evaluate(
        "[...document.querySelectorAll('#table-rows .number')].map((e) => e.title)"
    )
    expect(
        words and all(float(word) == float(word) for word in words),
        f"the whole numbers are {words}",
    )
    high = browser.evaluate(
        "['title', 'legend', 'details', 'motion'].map((id) =>"
        " document.getElementById(id).offsetHeight)"
    )
    expect(
        all(pixels < 140 for pixels in high),
        f"title, legend, details and motion are {high} pixels high",
    )
    expect(
        browser.evaluate("document.querySelectorAll('#details .name').length") == 2,
        "the bodies of a contact are not named",
    )
    made = browser.evaluate("document.querySelectorAll('img[src=x], #details script').length")
    expect(made == 0, "a name became an element")
    shown = browser.evaluate("document.getElementById('details').textContent.includes('<img')")
    expect(shown, "a name with markup is not shown as text")


def cells(browser, name):
    """Fails if words of the table or of the choice of pairs are cut without a sign of it, and
    without a title that has all."""
    cut = browser.evaluate(
        "[...document.querySelectorAll('#table [role=gridcell]')].filter((e) => e.scrollWidth >"
        " e.clientWidth + 1)"
        ".map((e) => [e.textContent, getComputedStyle(e).textOverflow === 'ellipsis' && e.title"
        " !== ''])"
    )
    expect(all(is_told for _, is_told in cut), f"{name}: of the table {cut} are cut")
    features = [words for words, _ in cut if re.fullmatch(r"(edge|face|vertex) [0-9-]+", words)]
    expect(not features, f"{name}: of the features {features} are cut")
    told = browser.evaluate(
        "(() => { const e = document.getElementById('pair'); return !e.offsetParent"
        " || (getComputedStyle(e).textOverflow === 'ellipsis' && e.title ==="
        " e.selectedOptions[0].text); })()"
    )
    expect(told, f"{name}: the pair has no title")


def within(browser, inner, outer, name):
    """Fails if an element leaves another, or hides a part of its words."""
    boxes = browser.evaluate(
        f"['{inner}', '{outer}'].map((one) => {{ const e = document.querySelector(one), b ="
        " e.getBoundingClientRect();"
        " return [b.left, b.top, b.right, b.bottom, e.scrollWidth - e.clientWidth, e.scrollHeight"
        " - e.clientHeight]; })"
    )
    (left, top, right, bottom, *hidden), (x0, y0, x1, y1, *_) = boxes
    inside = x0 <= left + 1 and y0 <= top + 1 and right <= x1 + 1 and bottom <= y1 + 1
    expect(inside and right > left and bottom > top, f"{name}: {inner} leaves {outer}: {boxes}")
    expect(max(hidden) <= 1, f"{name}: {inner} hides {hidden} pixels of its words")


def small(browser, folder):
    """Pages on the smallest telephones, light and dark: nothing is cut, and no words cover the
    bodies."""
    for dark in [False, True]:
        browser.look(360, 640, dark=dark, touch=True)
        for name in (
            ["tori", "dominoes", "names"]
            if dark
            else ["tori", "dominoes", "corner", "names", "three", "rest", "solid"]
        ):
            browser.open(folder / f"{name}.html")
            fits(browser, f"{name} at 360 pixels")
            cells(browser, f"{name} at 360 pixels")
            covered = browser.evaluate(
                "['legend', 'scale', 'motion'].map((id) =>"
                " document.getElementById(id)).filter((e) => e.offsetParent"
                " && e.getBoundingClientRect().top <"
                " document.getElementById('space').getBoundingClientRect().bottom).map((e) =>"
                " e.id)"
            )
            expect(not covered, f"{name} at 360 pixels: the bodies are covered by {covered}")
            browser.evaluate(
                "document.getElementById('layers').open = true;"
                " document.getElementById('view').scrollIntoView(); chasles.settled()"
            )
            within(browser, "#layer-list", "#space", f"{name} at 360 pixels")
            browser.picture(folder / f"{name}-360{'-dark' if dark else ''}.png", whole=True)
            if name == "rest":
                within(browser, ".note", ".flat", "rest at 360 pixels")
            is_quiet(browser, f"{name} at 360 pixels")


def compared(browser, folder):
    """The page of a comparison: broad or narrow, light or dark, one plot of each kind is seen, and
    is large enough to be read."""
    for width in [360, 1280]:
        for dark in [False, True]:
            name = f"compare-{width}{'-dark' if dark else ''}"
            browser.look(width, 800, dark=dark)
            browser.open(folder / "compare.html", has_script=False)
            wide = browser.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            expect(wide <= 0, f"{name}: the page is {wide} pixels wider than the window")
            seen = browser.evaluate(
                "[...document.querySelectorAll('svg')].filter((e) =>"
                " e.getBoundingClientRect().width > 0).map((e) => e.getBoundingClientRect().width"
                " / e.viewBox.baseVal.width)"
            )
            expect(
                len(seen) == 2 and all(0.85 < scale <= 1 for scale in seen),
                f"{name}: plots are seen at {seen}",
            )
            cut = browser.evaluate(
                "[...document.querySelectorAll('td')].filter((e) =>"
                " e.getBoundingClientRect().right > window.innerWidth).length"
            )
            expect(cut == 0, f"{name}: {cut} cells of the table are out of sight")
            browser.picture(folder / f"{name}.png", whole=True)
            is_quiet(browser, name)


# Pages that need no more than a look, and a question or two.
OTHERS = ["spin", "dominoes", "corner", "three", "apart", "large"]
OTHERS += ["turned", "names", "short", "rest", "solid"]


def others(browser, folder):
    """The pages of the other commands, and one without contacts."""
    browser.look(1280, 800)
    for name in OTHERS:
        browser.open(folder / f"{name}.html")
        fits(browser, name)
        cells(browser, name)
        share = browser.evaluate("chasles.drawnShare()")
        expect(share > 0.03, f"{name}: {share} of the view is drawn")
        if name == "dominoes":
            browser.evaluate(
                "chasles.selected = chasles.rows[chasles.rows.length >> 1]; chasles.settled()"
            )
            chosen = browser.evaluate("chasles.markers.includes(chasles.selected)")
            expect(chosen, "the chosen impact has no marker")
            plots = browser.evaluate("document.querySelectorAll('.lines canvas').length")
            expect(plots == 4, f"the simulation has {plots} plots")
        if name == "three":
            pairs = browser.evaluate(
                "[...document.getElementById('pair').options].map((one) => one.text)"
            )
            expect(len(pairs) == 2, f"the pairs are {pairs}")
            first = browser.evaluate("chasles.time")
            browser.evaluate(
                "(() => { const list = document.getElementById('pair'); list.value = '1';"
                " list.dispatchEvent(new Event('change')); return chasles.settled(); })()"
            )
            expect(
                browser.evaluate("chasles.time") > first,
                "the other pair has the contacts of the first",
            )
            agrees(browser, "the other pair")
        if name == "large":
            words = browser.evaluate("document.getElementById('notes').textContent")
            expect(
                "are each drawn with" in words and "collision screen" in words,
                f"the notes say {words!r}",
            )
        if name == "short":
            words = browser.evaluate("document.getElementById('pace').textContent")
            expect("times slower" in words, f"of its pace the page says {words!r}")
        if name in ["turned", "names"]:
            blue, orange = on_screen(browser)
            expect(
                blue > 200 and orange > 200,
                f"{name}: the screen has {blue} pixels of one body and {orange} of the other",
            )
        if name == "names":
            names(browser)
        if name == "rest":
            within(browser, ".note", ".flat", name)
            words = browser.evaluate(
                "document.getElementById('summary').textContent +"
                " document.getElementById('nothing').textContent"
            )
            expect(
                "in each other from the start: case with key" in words,
                f"of bodies in each other the page says {words!r}",
            )
        if name == "solid":
            words = browser.evaluate("document.getElementById('notes').textContent")
            expect(
                "brick starts in the world" in words,
                f"of a body in the floor the page says {words!r}",
            )
        if name == "apart":
            words = browser.evaluate("document.getElementById('nothing').textContent")
            expect(words.startswith("No contacts"), f"without contacts the page says {words!r}")
            browser.evaluate("chasles.time = 0.9; chasles.settled()")
        browser.picture(folder / f"{name}.png")
        is_quiet(browser, name)
    browser.look(400, 800, touch=True)
    for name in ["dominoes", "corner", "names"]:
        browser.open(folder / f"{name}.html")
        fits(browser, f"{name} on a telephone")
        browser.picture(folder / f"{name}-phone.png", whole=True)


def without_webgl(browser, folder):
    """Still pictures where there is no WebGL2, and the rest as ever."""
    browser.look(1280, 800)
    browser.open(folder / "tori.html")
    expect(not browser.evaluate("chasles.hasWebGL"), "this browser has WebGL2 after all")
    browser.until(
        "[...document.querySelectorAll('#still img')].every((one) => one.naturalWidth > 0)"
    )
    seen = browser.evaluate(
        "document.getElementById('still').offsetHeight > 200 &&"
        " document.getElementById('space').offsetHeight === 0"
    )
    expect(seen, "the still pictures are not shown")
    words = browser.evaluate(
        "[...document.querySelectorAll('#still figcaption')].map((one) => one.textContent)"
    )
    expect(len(words) == 3 and "proper" in words[1], f"the still pictures are {words}")
    browser.click("#table-rows [role=row]:nth-child(3)")
    expect(browser.evaluate("chasles.selected === chasles.rows[2]"), "rows cannot be chosen")
    browser.picture(folder / "tori-without-webgl.png")
    exceptions = [one for one in browser.complaints() if "WebGL" not in one]
    expect(not exceptions, f"without WebGL2 the console says {exceptions}")


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    path = executable()
    if path is None:
        print("skipped: there is no browser here, so no report was opened in one")
        return
    reports.write(program, folder)
    deadline = time.monotonic() + SECONDS
    try:
        with Browser(path, deadline) as browser:
            tori(browser, folder)
            others(browser, folder)
            small(browser, folder)
            looks.values(browser, folder)
            compared(browser, folder)
            looks.menus(browser, folder)
            looks.colours(browser, folder)
            looks.simulations(browser, folder)
            looks.depth(browser, folder)
            looks.words(browser, folder)
            looks.bars(browser, folder)
        with Browser(path, deadline, WITHOUT_WEBGL) as browser:
            without_webgl(browser, folder)
    except BrowserError as error:
        sys.exit(f"{error}; pictures of the pages are in {folder}")
    print(f"all pages are well; pictures of them are in {folder}")


if __name__ == "__main__":
    main()
