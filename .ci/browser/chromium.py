"""Chromium without a window, spoken to through a pipe.

The protocol is the one of its developer tools: lines of JSON that end with a zero byte, read from
file 3 and written to file 4. Nothing is needed but Chromium and Python.
"""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]

FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-default-apps",
    "--metrics-recording-only",
    "--password-store=basic",
    "--remote-debugging-pipe",
]

SOFTWARE = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]

WITHOUT_WEBGL = ["--disable-gpu", "--disable-3d-apis", "--disable-webgl", "--disable-webgl2"]


class BrowserError(Exception):
    """What the browser could not do, or did too late."""


def expect(condition, words):
    """Fails with these words."""
    if not condition:
        raise BrowserError(words)


def executable():
    """The path of a browser, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """A browser with one page. `deadline` is a time of `time.monotonic` after which everything
    fails."""

    def __init__(self, path, deadline, flags=SOFTWARE):
        self.deadline = deadline
        self.folder = tempfile.mkdtemp(prefix="chasles-browser-")
        self.events, self.number, self.rest = [], 0, b""
        to_browser, self.writer = os.pipe()
        self.reader, from_browser = os.pipe()
        os.set_inheritable(to_browser, True)
        os.set_inheritable(from_browser, True)
        # The shell gives the pipes the numbers that the browser expects.
        command = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        arguments = [path, *FLAGS, *flags, f"--user-data-dir={self.folder}", "about:blank"]
        self.process = subprocess.Popen(
            ["bash", "-c", command, "bash", *arguments],
            pass_fds=[to_browser, from_browser],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.session = None
        pages = self.call("Target.getTargets")["targetInfos"]
        page = next(page["targetId"] for page in pages if page["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log"]:
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def close(self):
        """Ends the browser and all its processes, whatever they are doing."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        os.close(self.writer)
        os.close(self.reader)
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, **parameters):
        """The answer to one command."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def receive(self):
        """The next message."""
        while b"\0" not in self.rest:
            left = self.deadline - time.monotonic()
            if left <= 0 or not select.select([self.reader], [], [], left)[0]:
                raise BrowserError("the browser took too long")
            more = os.read(self.reader, 1 << 20)
            if not more:
                raise BrowserError("the browser has ended")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def open(self, path, has_script=True):
        """Opens a file, and waits until its script has run, if it has one."""
        if not path.is_file():
            raise BrowserError(f"there is no {path}")
        self.visit(path.resolve().as_uri(), has_script)

    def visit(self, address, has_script=True):
        """Opens an address, and waits until its script has run, if it has one."""
        self.events.clear()
        # A page whose address differs by its end alone would not be loaded anew.
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        is_ready = "document.readyState === 'complete'" + (
            " && window.chasles !== undefined" if has_script else ""
        )
        while not self.evaluate(f"location.protocol !== 'about:' && {is_ready}"):
            complaints = self.complaints()
            if complaints:
                raise BrowserError(f"{address[:99]}: the console says {complaints}")
            time.sleep(0.05)
        if has_script:
            self.evaluate("chasles.settled()")

    def evaluate(self, expression):
        """The value of an expression in the page; promises are waited for."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def until(self, condition):
        """Waits for a condition."""
        while not self.evaluate(f"Boolean({condition})"):
            if time.monotonic() > self.deadline:
                raise BrowserError(f"it never came true that {condition}")
            time.sleep(0.05)

    def complaints(self):
        """Errors and warnings of the console since the page was opened."""
        self.evaluate("0")
        found = []
        for event in self.events:
            method, values = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                details = values["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif method == "Runtime.consoleAPICalled" and values["type"] in [
                "error",
                "warning",
                "assert",
            ]:
                found.append(
                    " ".join(
                        str(one.get("value", one.get("description"))) for one in values["args"]
                    )
                )
            elif method == "Log.entryAdded" and values["entry"]["level"] in ["error", "warning"]:
                found.append(values["entry"]["text"])
        return found

    def look(self, width, height, dark=False, touch=False):
        """Sets the size of the window and its colours."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if touch else 1,
            mobile=touch,
        )
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self, path, whole=False):
        """Saves a picture of the window, or of the whole page."""
        parameters = {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            parameters = {
                "captureBeyondViewport": True,
                "clip": {**size, "x": 0, "y": 0, "scale": 1},
            }
        shot = self.call("Page.captureScreenshot", format="png", **parameters)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def place(self, selector):
        """The middle of an element in the window."""
        return self.evaluate(
            f"(() => {{ const box ="
            f" document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )

    def mouse(self, kind, at, **more):
        """One event of the mouse."""
        self.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], **more)

    def click(self, at):
        """Presses and releases the button at a place, or in the middle of an element."""
        at = self.place(at) if isinstance(at, str) else at
        self.mouse("mouseMoved", at)
        for kind in ["mousePressed", "mouseReleased"]:
            self.mouse(
                kind, at, button="left", buttons=1 if kind == "mousePressed" else 0, clickCount=1
            )
        self.evaluate("chasles.settled()")

    def drag(self, start, end, steps=6):
        """Drags with the button down."""
        self.mouse("mouseMoved", start)
        self.mouse("mousePressed", start, button="left", buttons=1, clickCount=1)
        for i in range(1, steps + 1):
            at = [start[k] + (end[k] - start[k]) * i / steps for k in range(2)]
            self.mouse("mouseMoved", at, button="left", buttons=1)
        self.mouse("mouseReleased", end, button="left", buttons=0, clickCount=1)
        self.evaluate("chasles.settled()")

    def touch(self, *fingers, steps=6):
        """Puts down fingers, each at the start of its way, moves them to its end, and lifts them."""

        def points(share):
            at = [[a + (b - a) * share for a, b in zip(start, end)] for start, end in fingers]
            return [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(at)]

        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=points(0))
        for i in range(1, steps + 1):
            self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=points(i / steps))
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.evaluate("chasles.settled()")

    def press(self, key, code=None, number=0):
        """Presses a key."""
        text = {"text": key} if len(key) == 1 else {}
        for kind in ["keyDown", "keyUp"]:
            more = text if kind == "keyDown" else {}
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=code or key,
                windowsVirtualKeyCode=number,
                **more,
            )
        self.evaluate("chasles.settled()")
