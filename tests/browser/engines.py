"""Drive Firefox and WebKit by the commands of W3C WebDriver, with what the distribution has and nothing downloaded.

Firefox takes them on the socket of its own Marionette, for Debian has no geckodriver; WebKit takes them over HTTP from
WebKitWebDriver, in WebKitGTK's MiniBrowser on a display that is not shown.
"""

import base64
import io
import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from PIL import Image

from tests.browser.serving import free_port
from tests.waiting import PATIENCE, SOON, wait_until

# Code points of WebDriver's keys that are no characters.
KEYS = {
    "Control": "\ue009",
    "Escape": "\ue00c",
    "PageDown": "\ue00f",
    "End": "\ue010",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}
# Helpers of every script: query selectors that look into the shadow roots of components too.
FIND = """
const findAll = (selector, root = document) => [
    ...root.querySelectorAll(selector),
    ...[...root.querySelectorAll("*")].filter((part) => part.shadowRoot)
        .flatMap((part) => findAll(selector, part.shadowRoot)),
];
const find = (selector) => findAll(selector)[0] ?? null;
"""
IDLE = """
    const app = find('[data-testid="stApp"]');
    const pendingSelector = '[data-testid="stSkeleton"], [data-opening], .stBidiComponent:not(:has([data-drawn]))';
    if (app?.dataset.testScriptState !== "notRunning" || find(pendingSelector)) return null;
    return JSON.stringify(findAll("*").length) + document.body.innerText;
"""


class Engine(ABC):
    """A browser with one window."""

    name: str
    console_error: re.Pattern[str]  # a line of the browser's output that reports an error of a page

    def __init__(self, folder: Path) -> None:
        self.log = folder / "browser.log"
        self.downloads = folder / "downloads"
        self.downloads.mkdir()
        self._n_read = 0  # characters of the log
        self._processes = ExitStack()

    @abstractmethod
    def command(self, name: str, **parameters: object) -> Any:
        """Send a command of WebDriver and return its value.

        Raises:
            RuntimeError: the browser answers with an error.
        """

    def start(self, *command: str, **environment: str) -> None:
        """Start a process that ends with the browser."""
        with self.log.open("a") as log:
            process = subprocess.Popen(command, env=os.environ | environment, stdout=log, stderr=log)
        self._processes.callback(process.wait)
        self._processes.callback(process.terminate)

    def close(self) -> None:
        self._processes.close()

    def errors(self) -> list[str]:
        """Return the errors that pages have reported since the last call."""
        text = self.log.read_text(errors="replace")[self._n_read :]
        self._n_read += len(text)
        return [line for line in text.splitlines() if self.console_error.search(line)]

    def goto(self, url: str) -> None:
        self.command("Navigate", url=url)

    def run(self, script: str, *arguments: object) -> Any:
        """Return what the body of a function returns, its promise too."""
        return self.command("ExecuteScript", script=FIND + script, args=arguments)

    def wait(self, script: str, *arguments: object, patience: float = SOON) -> Any:
        """Return what a script returns as soon as that counts as true."""
        return wait_until(lambda: self.run(script, *arguments), lambda: script, patience=patience)

    def idle(self) -> None:
        """Wait until the page has finished running and stayed the same for half a second."""

        def is_text_stable() -> bool:
            before = self.run(IDLE)
            self.run("return new Promise((done) => setTimeout(() => done(1), 500));")
            return before is not None and self.run(IDLE) == before

        wait_until(is_text_stable, lambda: self.run("return document.body.innerText;"), patience=PATIENCE)

    def resize(self, width: int, height: int) -> None:
        """Resize the window until its viewport has this size."""
        self.command("SetWindowRect", x=0, y=0, width=width, height=height)

        def fits() -> bool:
            inner, frame = self.run(
                "return [[innerWidth, innerHeight], [outerWidth - innerWidth, outerHeight - innerHeight]];"
            )
            if inner != [width, height]:
                self.command("SetWindowRect", x=0, y=0, width=width + frame[0], height=height + frame[1])
            return bool(inner == [width, height])

        wait_until(fits, pause=lambda: time.sleep(0.2), patience=SOON)

    def element_box(self, selector: str) -> dict[str, float]:
        """Scroll an element into view and return where it lies in the window once it lies still."""
        box: dict[str, float] = self.wait(
            """const part = find(arguments[0]);
            part?.scrollIntoView({ block: "center", behavior: "instant" });
            const read = () => part?.getBoundingClientRect().toJSON();
            const before = read();
            return new Promise((done) => setTimeout(() => {
                const now = read();
                done(now?.width && now.height && JSON.stringify(now) === JSON.stringify(before) ? now : null);
            }, 100));""",
            selector,
        )
        return box

    def point(self, x: float, y: float, *, click: bool = False) -> None:
        """Move the mouse to a place in the window, and press and release its button there."""
        move = {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y), "origin": "viewport"}
        buttons = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")] if click else []
        self._act("pointer", [move, *buttons])

    def point_at(self, selector: str, *, click: bool = False) -> None:
        """Move the mouse to the middle of an element."""
        box = self.element_box(selector)
        self.point(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, click=click)

    def turn_wheel(self, x: float, y: float, pixels: int) -> None:
        scroll = {"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": pixels, "duration": 0}
        self._act("wheel", [scroll | {"origin": "viewport"}])

    def press(self, *keys: str) -> None:
        """Press keys together, by name or by character."""
        values = [KEYS.get(key, key) for key in keys]
        down = [{"type": "keyDown", "value": value} for value in values]
        self._act("key", down + [{"type": "keyUp", "value": value} for value in reversed(values)])

    def _act(self, kind: str, actions: list[dict[str, object]]) -> None:
        self.command("PerformActions", actions=[{"type": kind, "id": kind, "actions": actions}])

    def take_download(self) -> tuple[str, bytes]:
        """Wait for a file to be downloaded whole, and return its name and its content."""

        def whole() -> Path | None:
            files = list(self.downloads.iterdir())  # beside one that is not whole lies another, or it is empty
            done = len(files) == 1 and files[0].suffix != ".part" and files[0].stat().st_size
            return files[0] if done else None

        file = wait_until(whole, lambda: list(self.downloads.iterdir()), patience=SOON)
        content = file.read_bytes()
        file.unlink()
        return file.name, content

    def picture(self) -> Image.Image:
        """Return what the window shows."""
        return Image.open(io.BytesIO(base64.b64decode(self.command("TakeScreenshot")))).convert("RGB")

    def wait_for_colours(self, selector: str, least: int) -> None:
        """Wait until an element is shown in so many colours, as far as it is in the window.

        Raises:
            TimeoutError: it is not; the message holds the beginning of the element's HTML.
        """

        def colourful() -> bool:
            box = self.element_box(selector)
            picture = self.picture()
            sides = [box["left"], max(box["top"], 0), box["right"], min(box["bottom"], picture.height)]
            pixels = np.asarray(picture.crop([round(side) for side in sides])).reshape(-1, 3)
            return len(np.unique(pixels, axis=0)) >= least

        wait_until(
            colourful, lambda: self.run("return find(arguments[0]).outerHTML.slice(0, 200);", selector), patience=SOON
        )


class Firefox(Engine):
    """Mozilla's engine, without a display."""

    name = "firefox"
    console_error = re.compile(r"^JavaScript error: http|^console\.error: (?!\w+: )")  # Firefox's own parts give a name
    PREFERENCES: ClassVar = {
        "marionette.port": 0,  # a free one, which it writes into its folder
        "devtools.console.stdout.content": True,
        "browser.dom.window.dump.enabled": True,
        "toolkit.legacyUserProfileCustomizations.stylesheets": True,
        "services.settings.server": "data:,#remote-settings-dummy/v1",  # nothing is asked of Mozilla
        "browser.download.folderList": 2,  # the folder below
    }

    def __init__(self, folder: Path, path: str) -> None:
        super().__init__(folder)
        profile = folder / "profile"
        (profile / "chrome").mkdir(parents=True)
        preferences = self.PREFERENCES | {"browser.download.dir": str(self.downloads)}
        lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in preferences.items()]
        (profile / "user.js").write_text("\n".join(lines))
        (profile / "chrome" / "userChrome.css").write_text(":root { min-width: 0 !important }")  # a phone's width
        self.start(path, "--headless", "--marionette", "--no-remote", "--profile", str(profile))
        port = profile / "MarionetteActivePort"
        wait_until(lambda: port.exists() and port.read_text(), lambda: self.log.read_text())
        self._socket = socket.create_connection(("127.0.0.1", int(port.read_text())), timeout=PATIENCE)
        self._stream = self._socket.makefile("rwb")
        self._n_sent = 0
        self._receive()  # its greeting
        self.command("NewSession")

    def command(self, name: str, **parameters: object) -> Any:
        self._n_sent += 1
        message = json.dumps([0, self._n_sent, f"WebDriver:{name}", parameters]).encode()
        self._stream.write(b"%d:%s" % (len(message), message))
        self._stream.flush()
        _kind, _number, error, result = self._receive()
        if error:
            raise RuntimeError(f"{name}: {error['message']}")
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def _receive(self) -> Any:
        length = b""
        while (character := self._stream.read(1)) != b":":
            length += character
        return json.loads(self._stream.read(int(length)))

    def close(self) -> None:
        self._stream.close()
        self._socket.close()
        super().close()


class WebKit(Engine):
    """The engine of Safari and of Gnome's browser."""

    name = "webkit"
    console_error = re.compile(r"CONSOLE.* ERROR")
    PATHS: ClassVar = {
        "NewSession": "POST /session",
        "DeleteSession": "DELETE ",
        "Navigate": "POST /url",
        "ExecuteScript": "POST /execute/sync",
        "PerformActions": "POST /actions",
        "SetWindowRect": "POST /window/rect",
        "TakeScreenshot": "GET /screenshot",
    }
    # Buttons of MiniBrowser's bar would keep its window wider than a phone.
    STYLE = "* { padding: 0; margin: 0; min-width: 0; border: none; font-size: 1px }"

    def __init__(self, folder: Path, path: str) -> None:
        super().__init__(folder)
        (folder / "gtk-3.0").mkdir()
        (folder / "gtk-3.0" / "gtk.css").write_text(self.STYLE)
        (folder / "user-dirs.dirs").write_text(f'XDG_DOWNLOAD_DIR="{self.downloads}"')
        display = folder / "display"
        self.start("sh", "-c", f"exec Xvfb -displayfd 3 -screen 0 1600x1200x24 -nolisten tcp 3>{display}")
        wait_until(lambda: display.exists() and display.read_text().strip(), lambda: self.log.read_text())
        port = free_port()
        self.start(
            path,
            f"--port={port}",
            DISPLAY=f":{display.read_text().strip()}",
            XDG_CONFIG_HOME=str(folder),
            LANG="C.UTF-8",
        )
        self._session = f"http://127.0.0.1:{port}"
        arguments = ["--automation", "--enable-write-console-messages-to-stdout=true"]
        options = {"binary": str(find_minibrowser()), "args": arguments}

        def session() -> str | None:
            try:
                answer = self.command("NewSession", capabilities={"alwaysMatch": {"webkitgtk:browserOptions": options}})
            except urllib.error.URLError:
                return None
            return str(answer["sessionId"])

        self._session += f"/session/{wait_until(session, lambda: self.log.read_text())}"

    def command(self, name: str, **parameters: object) -> Any:
        method, path = self.PATHS[name].split(" ")
        body = json.dumps(parameters).encode() if method == "POST" else None
        request = urllib.request.Request(self._session + path, body, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            with error:
                raise RuntimeError(f"{name}: {json.load(error)['value']['message']}") from None

    def close(self) -> None:
        self.command("DeleteSession")  # or MiniBrowser stays
        super().close()


def find_minibrowser() -> Path | None:
    return next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), None)


ENGINES = {"firefox": Firefox, "webkit": WebKit}
PROGRAMS = {"firefox": ("firefox-esr", "firefox"), "webkit": ("WebKitWebDriver",)}


def find_program(name: str) -> str | None:
    """Return the path of what drives an engine, or None where a part of it is missing."""
    if name == "webkit" and not (find_minibrowser() and shutil.which("Xvfb")):
        return None
    return next(filter(None, map(shutil.which, PROGRAMS[name])), None)
