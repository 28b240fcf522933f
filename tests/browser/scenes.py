"""A page with one component alone, served to a real browser."""

import inspect
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.browser.serving import ROOT, Server, free_port

LAUNCHER = """
from pathlib import Path
import streamlit as st
from ui.server import browser_code
from ui.server.headers import security_headers
app = st.App(Path(__file__).parent / "scene.py", routes=[browser_code.route()], middleware=[security_headers()])
"""


@contextmanager
def scene_server(scene: Callable[[], None], folder: Path, *, wait: float = 60) -> Iterator[Server]:
    """Serve the page that a function draws, under the app's security headers, until the context ends.

    Args:
        scene: draws the page; imports what it needs itself.
        folder: where the page and its log go.
        wait: seconds until the server must answer.

    Raises:
        AssertionError: the page failed on the server.
    """
    (folder / "scene.py").write_text(f"{inspect.getsource(scene)}\n\n{scene.__name__}()\n")
    (folder / "app.py").write_text(LAUNCHER)
    port, log = free_port(), folder / "server.log"
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.address", "127.0.0.1"]
    command += ["--server.port", str(port), "--server.headless", "true", "--browser.gatherUsageStats", "false"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with log.open("w") as output:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT)
        try:
            url = f"http://127.0.0.1:{port}"
            deadline = time.monotonic() + wait
            while time.monotonic() < deadline and process.poll() is None:
                with suppress(OSError), urllib.request.urlopen(f"{url}/_stcore/health", timeout=5):
                    break
                time.sleep(0.1)
            yield Server(url, log, folder / "none", 0.0, [])
        finally:
            process.terminate()
            process.wait(timeout=20)
    assert "Traceback" not in log.read_text(), log.read_text()
