"""The parts of the server by themselves: readiness, headers, origins, the sentence for a failed page, the settings."""

import asyncio
import base64
import hashlib
import io
import logging
import os
import re
import socket
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.testclient import TestClient
from streamlit import config
from streamlit.logger import get_logger
from streamlit.testing.v1 import AppTest

from embedlib.figures import GROUND, Theme
from tests.waiting import PATIENCE, awaited, run, until
from ui.server import readiness as module
from ui.server.headers import content_security_policy, inline_scripts, security_headers
from ui.server.origins import is_own_origin
from ui.server.readiness import Readiness, disable_nagle
from ui.server.start import PROCESS

ROOT = Path(__file__).parents[3]
SETTINGS = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


async def readyz(readiness: Readiness) -> tuple[int, bytes]:
    answer = await readiness.routes()[0].endpoint(Request({"type": "http", "method": "GET", "headers": []}))
    return answer.status_code, answer.body


def waiting_for(event: threading.Event) -> Callable[[], None]:
    def warm_up() -> None:
        assert event.wait(PATIENCE)

    return warm_up


@awaited
async def test_readyz_answers_while_the_warm_up_runs_and_turns_to_200_when_it_is_done() -> None:
    go = threading.Event()
    readiness = Readiness(waiting_for(go))
    async with readiness.lifespan(None):
        await asyncio.sleep(0.02)
        assert await readyz(readiness) == (503, b'{"state":"warming up"}')
        go.set()
        await until(lambda: readiness.state == "ready")
        assert await readyz(readiness) == (200, b'{"state":"ready"}')


def test_one_of_several_processes_ends_when_its_event_loop_stands_still_and_says_where() -> None:
    program = """
import asyncio, time
from ui.server import readiness

async def main():
    ready = readiness.Readiness(lambda: None)
    async with ready.lifespan(None):
        while not ready.is_over():
            await asyncio.sleep(0.01)
        await asyncio.sleep(2)  # longer than it may stand still: turns are what counts
        if readiness.os.environ["STUCK"]:
            time.sleep(60)

readiness.STUCK = 1.0
asyncio.run(main())
print("ended by itself")
"""
    for stuck, code in (("yes", 1), ("", 0)):
        environment = os.environ | {PROCESS: "8502 of 8502", "STUCK": stuck}
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, cwd=ROOT
        )
        assert (done.returncode, done.stdout) == (code, "" if code else "ended by itself\n"), done.stderr
        assert ("in main" in done.stderr) == bool(code)


@awaited
async def test_a_failed_warm_up_is_logged_and_never_ready_but_lets_visitors_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = io.StringIO()
    monkeypatch.setattr(get_logger("ui.server.readiness"), "handlers", [logging.StreamHandler(log)])

    def fail() -> None:
        raise RuntimeError("no vocabulary")

    readiness = Readiness(fail)
    served: list[str] = []
    application = readiness.middleware()
    held = application.cls(noting(served), *application.args, **application.kwargs)
    async with readiness.lifespan(None):
        await until(lambda: readiness.state == "failed")
        assert await readyz(readiness) == (503, b'{"state":"failed"}')
        await held({"type": "websocket"}, None, None)
        assert served == ["websocket"]
    assert "no vocabulary" in log.getvalue()


def noting(served: list[str]) -> Callable[..., Any]:
    async def application(scope: dict[str, str], _receive: object, _send: object) -> None:
        served.append(scope["type"])

    return application


@awaited
async def test_a_websocket_waits_for_the_warm_up_and_a_plain_request_does_not() -> None:
    go = threading.Event()
    readiness = Readiness(waiting_for(go))
    served: list[str] = []
    middleware = readiness.middleware()
    application = middleware.cls(noting(served), *middleware.args, **middleware.kwargs)
    async with readiness.lifespan(None):
        websocket = asyncio.create_task(application({"type": "websocket"}, None, None))
        await application({"type": "http"}, None, None)
        await asyncio.sleep(0.05)
        assert served == ["http"]
        go.set()
        await websocket
        assert served == ["http", "websocket"]


@awaited
async def test_work_waits_for_the_warm_up_and_until_nobody_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "QUIET", float("inf"))
    monkeypatch.delenv(module.OPTION)
    go = threading.Event()
    readiness = Readiness(waiting_for(go))
    async with readiness.lifespan(None):
        waits = asyncio.create_task(asyncio.to_thread(readiness.until_quiet))
        monkeypatch.setattr(module, "QUIET", 0.0)
        await asyncio.sleep(0.1)
        assert not waits.done()  # the warm-up is not over
        go.set()
        assert await waits
        monkeypatch.setattr(module, "QUIET", float("inf"))
        waits = asyncio.create_task(asyncio.to_thread(readiness.until_quiet))
        await asyncio.sleep(0.1)
        assert not waits.done()
    assert not await waits  # the server has ended


@pytest.mark.parametrize("wanted", ["all", "first"])
@awaited
async def test_nothing_is_made_ready_that_nobody_asks_for_where_the_administrator_wants_that(
    monkeypatch: pytest.MonkeyPatch, wanted: str
) -> None:
    monkeypatch.setattr(module, "QUIET", 0.0)
    monkeypatch.setenv(module.OPTION, wanted)
    readiness = Readiness(lambda: None)
    async with readiness.lifespan(None):
        assert await asyncio.to_thread(readiness.until_quiet) == (wanted == "all")


@awaited
async def test_whoever_asks_and_is_answered_is_noted_and_who_only_looks_whether_it_is_ready_is_not() -> None:
    noted: list[str] = []

    async def application(scope: dict[str, str], _receive: object, send: Callable[..., Any]) -> None:
        noted.append(scope["path"])
        await send({"type": "websocket.send"})

    async def send(_message: object) -> None:
        noted.append("sent")

    readiness = Readiness(lambda: None)
    async with readiness.lifespan(None):
        await until(readiness.is_over)
        readiness.note_traffic = lambda: noted.append("note")  # type: ignore[method-assign]
        middleware = readiness.middleware()
        watched = middleware.cls(application, *middleware.args, **middleware.kwargs)
        for kind, path in (("http", "/"), ("http", "/base/readyz"), ("websocket", "/stream")):
            await watched({"type": kind, "path": path}, None, send)
    http, probe = ["note", "/", "note", "sent"], ["/base/readyz", "sent"]
    assert noted == [*http, *probe, "note", "/stream", "note", "sent"]


async def accepted_without_delay(*, prepared: bool) -> bool:
    """Serve on a socket bound as Streamlit binds it; tell whether a connection to it has Nagle's algorithm off."""
    loop = asyncio.get_running_loop()
    if prepared:
        disable_nagle(loop)
    found: asyncio.Future[bool] = loop.create_future()

    class Look(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            accepted = transport.get_extra_info("socket")
            found.set_result(bool(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)))
            transport.close()

    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as bound:
        bound.bind(("127.0.0.1", 0))
        bound.setblocking(False)
        async with await loop.create_server(Look, sock=bound):
            _, writer = await asyncio.open_connection(*bound.getsockname())
            result = await asyncio.wait_for(found, PATIENCE)
            writer.close()
            return result


def test_connections_of_a_prepared_loop_send_at_once() -> None:
    assert run(accepted_without_delay(prepared=True))


@pytest.mark.skipif(not hasattr(socket, "TCP_QUICKACK"), reason="other systems set the option by themselves")
def test_without_it_they_would_wait() -> None:
    assert not run(accepted_without_delay(prepared=False))


def test_the_policy_allows_each_inline_script_by_its_hash_and_no_other() -> None:
    html = '<script>\n  let a = "<b>&amp;"\n</script><script src="x.js"></script><script type="module">b()</script>'
    scripts = ['\n  let a = "<b>&amp;"\n', "b()"]
    assert inline_scripts(html) == scripts
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    policy = content_security_policy(html)
    assert re.findall(r"'sha256-([^']+)'", policy) == hashes
    assert "unsafe-eval" not in policy
    script_sources = policy.split("script-src ")[1].split(";")[0]
    assert "unsafe-inline" not in script_sources


def test_the_headers_replace_those_that_an_answer_already_has() -> None:
    middleware = security_headers()
    theirs = Response("x", headers={"referrer-policy": "unsafe-url"})
    answer = TestClient(middleware.cls(theirs, *middleware.args, **middleware.kwargs)).get("/")
    assert answer.headers.get_list("referrer-policy") == ["no-referrer"]
    assert answer.text == "x"


@pytest.mark.parametrize(
    ("origin", "own"),
    [
        (None, True),
        ("http://example.org:8501", True),
        ("http://localhost:3000", True),
        ("http://127.0.0.1", True),
        ("http://[::1]:8501", True),
        ("http://example.org:9999", False),
        ("http://other.example", False),
        ("http://localhost.other.example", False),
        ("http://[", False),
        ("null", False),
        ("", False),
    ],
)
def test_only_pages_of_this_server_or_this_machine_may_open_a_session(origin: str | None, own: bool) -> None:
    assert is_own_origin(origin, "example.org:8501") is own


def test_a_failed_page_shows_one_sentence_and_nothing_of_the_exception() -> None:
    def script() -> None:
        from ui.server.errors import show_script_error

        assert show_script_error(ValueError("a <b>secret</b> of /etc/passwd")) is True

    app = AppTest.from_function(script, default_timeout=PATIENCE).run()
    assert not app.exception
    assert len(app.error) == 1
    assert "secret" not in app.error[0].value
    assert app.error[0].value.endswith(".")


def test_every_setting_is_one_that_streamlit_knows() -> None:
    def names(table: dict[str, Any], prefix: str) -> list[str]:
        return [
            name
            for key, value in table.items()
            for name in (names(value, f"{prefix}{key}.") if isinstance(value, dict) else [f"{prefix}{key}"])
        ]

    for name in names(SETTINGS, ""):
        config.get_option(name)  # RuntimeError for a name that does not exist


def luminance(colour: str) -> float:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def faded(ink: str, ground: str) -> str:
    """Mix 60 % ink with 40 % ground, which is what Streamlit does for captions."""
    pairs = [(int(ink[start : start + 2], 16), int(ground[start : start + 2], 16)) for start in (1, 3, 5)]
    return "#" + "".join(f"{round(0.6 * a + 0.4 * b):02x}" for a, b in pairs)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("ground", ["backgroundColor", "secondaryBackgroundColor"])
def test_inks_are_readable_on_both_grounds(theme: str, ground: str) -> None:
    colours = SETTINGS["theme"][theme]
    for ink in ("textColor", "primaryColor", "linkColor"):
        assert contrast(colours[ink], colours[ground]) >= 4.5, ink
    assert contrast(faded(colours["textColor"], colours[ground]), colours[ground]) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_figures_have_the_ground_of_the_page(theme: Theme) -> None:
    assert SETTINGS["theme"][theme]["backgroundColor"] == GROUND[theme]


def test_no_chart_needs_code_made_at_run_time() -> None:
    # Plotly compiles these traces' shaders with `new Function`, which the policy on scripts forbids: the chart would
    # say that the browser has no WebGL. plotly.express picks Scattergl by itself above 1,000 points.
    forbidden = re.compile(r"Scatter(polar)?gl\b|scattergl|\bSplom\b|Parcoords|plotly\.express|plotly import express")
    to_take_along = ROOT / "embedlib" / "figures" / "cloud.py"  # drawn in a file of its own, under no policy of ours
    sources = [*ROOT.glob("embedlib/**/*.py"), *ROOT.glob("ui/**/*.py"), *ROOT.glob("pages/*.py")]
    sources.remove(to_take_along)
    shown = [
        path.read_text(encoding="utf-8") for path in ROOT.glob("ui/**/*.py") if "plotly_chart(" in path.read_text()
    ]
    assert not any("cloud_figure" in text and "st.plotly_chart" in text for text in shown)
    assert [str(path) for path in sources if forbidden.search(path.read_text(encoding="utf-8"))] == []
