"""What pages look like at first, and how they explain themselves. `check.py` calls it."""

import json
import re

from chromium import expect


def opened(browser, folder, name):
    """A page in a window of the usual size."""
    browser.look(1280, 800)
    browser.open(folder / f"{name}.html")


def menus(browser, folder):
    """The menu of layers and the help close with Escape and with a click outside, and nothing else
    happens."""
    opened(browser, folder, "tori")
    is_open = "document.getElementById('layers').open"
    chosen = browser.evaluate("chasles.selected")
    browser.click("#layers summary")
    expect(browser.evaluate(is_open), "the menu of layers does not open")
    browser.press("Escape", "Escape", 27)
    expect(not browser.evaluate(is_open), "Escape does not close the menu of layers")
    expect(
        browser.evaluate("chasles.selected") == chosen, "Escape in the menu also chooses nothing"
    )
    browser.click("#layers summary")
    browser.click("#list-title")
    expect(not browser.evaluate(is_open), "a click outside does not close the menu of layers")
    browser.click("#layers summary")
    browser.click("#layer-list label:last-child")
    expect(browser.evaluate(is_open), "a click in the menu of layers closes it")
    browser.click("#help-button")
    browser.click([4, 400])
    expect(
        not browser.evaluate("document.getElementById('help').open"),
        "a click outside does not close the help",
    )


def colours(browser, folder):
    """A contact that is proper and one that is not have colours that nobody takes for one another,
    however near to 0 they are."""
    opened(browser, folder, "tori")
    browser.evaluate("chasles.filter({ least: -0.05 }); chasles.settled()")
    near = (
        "(sign) => chasles.rows.filter((id) => sign * chasles.event(id).properness > 0)"
        ".sort((p, q) => Math.abs(chasles.event(p).properness) -"
        " Math.abs(chasles.event(q).properness))[0]"
    )
    for dark in [False, True]:
        browser.look(1280, 800, dark=dark)
        pair = browser.evaluate(f"[1, -1].map({near}).map((id) => chasles.colour(id))")
        apart = max(abs(p - q) for p, q in zip(*pair))
        expect(apart > 0.15, f"colours next to 0 are {pair}")
    bar = browser.evaluate("document.querySelector('#scale .bar').style.background")
    at_zero = re.findall(r"(rgb\([^)]*\)|#\w+) 50%", bar)
    expect(len(set(at_zero)) == 2, f"the bar of colours has no step at 0: {bar}")


def contrast(colours):
    """How far two colours of the page are from each other in lightness, from 1 to 21."""

    def light(colour):
        shares = [int(number) / 255 for number in re.findall(r"\d+", colour)[:3]]
        red, green, blue = [
            x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in shares
        ]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05

    pair = [light(colour) for colour in colours]
    return max(pair) / min(pair)


def values(browser, folder):
    """The colours of values stand out from the page, light or dark, also if that changes while it
    is open."""
    for name, shows_rims in [("dominoes", False), ("tori", True)]:
        browser.look(1280, 800)
        browser.open(folder / f"{name}.html")
        for dark in [False, True]:
            browser.look(1280, 800, dark=dark)
            browser.evaluate("chasles.filter({ least: -1 }); chasles.settled()")
            found = browser.evaluate(
                "[...document.querySelectorAll('#table-rows .dot')].map((e) =>"
                " [getComputedStyle(e).backgroundColor,"
                " getComputedStyle(document.getElementById('list')).backgroundColor])"
            )
            worst = min(map(contrast, found))
            # On light pages pale discs are seen by their rims.
            expect(
                worst >= 3 or (shows_rims and not dark),
                f"{name}, {'dark' if dark else 'light'}: a contrast of {worst:.2f}",
            )
        browser.picture(folder / f"{name}-dark.png")


def simulations(browser, folder):
    """A simulation opens just before its strongest impact, which is marked largest; weak impacts
    and normals wait to be chosen."""
    for name in ["dominoes", "wall"]:
        opened(browser, folder, name)
        time, last = browser.evaluate("[chasles.time, Number(document.getElementById('time').max)]")
        browser.evaluate("chasles.filter({ least: 0 }); chasles.settled()")
        events = browser.evaluate(
            "chasles.rows.map((id) => [chasles.event(id).impulse, chasles.event(id).time,"
            " chasles.radius(id)])"
        )
        strongest = max(events)
        expect(
            0 <= strongest[1] - time < 0.02 * last,
            f"{name} opens at {time}, the strongest impact is at {strongest[1]}",
        )
        sizes = [size for _, _, size in sorted(events)]
        expect(
            sizes == sorted(sizes) and sizes[-1] > 2.5 * sizes[0],
            f"{name}: the sizes of markers are not those of impulses",
        )
        opened(browser, folder, name)
        impulses = browser.evaluate("chasles.rows.map((id) => chasles.event(id).impulse)")
        expect(
            0 < len(impulses) < len(events) and min(impulses) > 0.05 * strongest[0],
            f"{name} shows weak impacts at first",
        )
        expect(
            browser.evaluate("chasles.layers.normals === false"), f"{name} shows normals at first"
        )
        browser.picture(folder / f"{name}-opened.png")
    # What moves fills the view: impacts of the wall lie all over it, weak ones among them.
    browser.evaluate("chasles.filter({ least: 0 }); chasles.settled()")
    places = browser.evaluate("chasles.rows.map((id) => chasles.pixel(id)).filter((at) => at)")
    width = browser.evaluate("document.getElementById('space').clientWidth")
    seen = [x for x, _ in places if 0 <= x <= width]
    spread = max(seen) - min(seen)
    expect(spread > 0.25 * width, f"the wall fills {spread} of {width} pixels")


def depth(browser, folder):
    """Pages have a ground with shadows, and joints are drawn."""
    for name in ["tori", "wall", "crank", "level"]:
        opened(browser, folder, name)
        drawn = browser.evaluate("chasles.drawn")
        expect(
            drawn["lines"] > 8 and drawn["shadows"] > 0,
            f"{name}: of the ground there are {json.dumps(drawn)}",
        )
        if name == "crank":
            expect(drawn["joints"] == 4, f"the crank has {drawn['joints']} joints")
            browser.picture(folder / "crank.png")
        words = browser.evaluate("document.getElementById('motion').textContent")
        expect("grid: " in words, f"{name}: of the grid the page says {words!r}")
    with_ground = browser.evaluate("chasles.drawnShare()")
    browser.evaluate("chasles.layers = { ground: false }; chasles.settled()")
    expect(browser.evaluate("chasles.drawnShare()") < with_ground, "nothing is drawn on the ground")


def words(browser, folder):
    """The collision screen explains itself, and a trace has one path: that of the centre."""
    opened(browser, folder, "tori")
    caption = browser.evaluate("document.querySelector('.flat figcaption').textContent")
    expect(
        "one point here" in caption and "can meet" in caption,
        f"of the screen the page says {caption!r}",
    )
    opened(browser, folder, "level")
    paths = browser.evaluate("chasles.drawn.paths")
    expect(paths == 1, f"the player has {paths} paths")
    browser.picture(folder / "level.png")


def bars(browser, folder):
    """Bars of a comparison are logarithmic, and its columns are explained."""
    browser.look(1280, 800)
    browser.open(folder / "compare.html", has_script=False)
    heads = browser.evaluate("[...document.querySelectorAll('th')].map((e) => e.textContent)")
    told = browser.evaluate("[...document.querySelectorAll('dt')].map((e) => e.textContent)")
    # After those come the bars, whose head says what they show.
    missing = {heads[2], *heads[4:]} - set(told)
    expect(told and not missing, f"the columns {missing} are not explained")
    widths = browser.evaluate(
        "[...document.querySelectorAll('.bar')].map((e) => e.getBoundingClientRect().width)"
    )
    expect(
        "power of ten" in heads[3] and min(widths) > 5,
        f"the bars are {widths} wide under {heads[3]!r}",
    )
    hidden = browser.evaluate(
        "(({ scrollWidth, clientWidth }) => scrollWidth -"
        " clientWidth)(document.querySelector('.wide'))"
    )
    expect(hidden <= 0, f"{hidden} pixels of the table are out of sight")
