"""The app under a path of its own, behind nginx with TLS, as docs/serving.md says to put it there."""

import io
import json
import os
import re
import shutil
import ssl
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPSConnection
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Response, expect

from tests.browser.idle import TRAFFIC, choose_page, draw_all, idle, rerun
from tests.browser.serving import ROOT, Server, free_port, running_server
from tests.browser.traffic import listening
from tests.waiting import PATIENCE, SOON, wait_until

HOST = "explorer.example.org"  # as in the document
UNTRUSTED = ssl._create_unverified_context()  # the certificate is its own

pytestmark = pytest.mark.thorough  # they take a server of their own


def document_block() -> str:
    blocks = re.findall(r"```nginx\n(.+?)```", (ROOT / "docs" / "serving.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 1
    return str(blocks[0])


def configuration(folder: Path, port: int, server: Server) -> str:
    """Write what the document says, with this machine's ports and files in it."""
    block = document_block()
    for named, here in (
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("/etc/ssl/explorer.", f"{folder}/explorer."),
        ("http://127.0.0.1:8501", server.url),
    ):
        assert named in block
        block = block.replace(named, here)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    own = [f"{kind}_temp_path {folder}/{kind};" for kind in kinds]
    own += ["access_log off;", block]
    user = "user root;\n" if os.geteuid() == 0 else ""
    return f"daemon off;\npid {folder}/pid;\n{user}events {{}}\nhttp {{\n" + "\n".join(own) + "}\n"


@pytest.fixture(scope="module")
def url(browser: Browser, nginx: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl on this machine, to make a certificate")
    folder = tmp_path_factory.mktemp("nginx")
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={HOST}", "-days", "2"]
    files = ["-keyout", str(folder / "explorer.key"), "-out", str(folder / "explorer.pem")]
    subprocess.run([openssl, *made, *files], check=True, capture_output=True)
    with running_server(folder, settings={"STREAMLIT_SERVER_BASE_URL_PATH": "explorer"}) as server:
        port = free_port()
        (folder / "nginx.conf").write_text(configuration(folder, port, server))
        command = [nginx, "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]
        with (folder / "nginx.log").open("w") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log)
            try:
                address = f"https://localhost:{port}"
                wait_until(lambda: process.poll() is not None or answers(f"{address}/explorer/_stcore/health"))
                assert process.poll() is None, (folder / "nginx.log").read_text()
                yield address
            finally:
                process.terminate()
                process.wait(timeout=PATIENCE)
        assert server.connections.read_text() == ""
        assert "Traceback" not in server.log.read_text()


def answers(address: str) -> bool:
    try:
        return status(address) == 200
    except OSError:
        return False


def status(address: str) -> int:
    with urllib.request.urlopen(address, timeout=PATIENCE, context=UNTRUSTED) as answer:
        return int(answer.status)


@pytest.fixture(scope="module")
def opened(browser: Browser, url: str) -> Iterator[tuple[Page, list[Response]]]:
    page = browser.new_page(ignore_https_errors=True, locale="en-US", viewport={"width": 1440, "height": 900})
    page.set_default_timeout(SOON * 1000)
    answered: list[Response] = []
    page.on("response", lambda response: answered.append(response))
    with listening(page, f"{url}/explorer") as traffic:  # whatever is asked for beside that path is a complaint
        TRAFFIC[page] = traffic
        yield page, answered
        page.close()


def test_every_file_message_and_link_goes_by_the_path(opened: tuple[Page, list[Response]], url: str) -> None:
    page, answered = opened
    page.goto(f"{url}/explorer/?text=The+cat&table=random&d_model=32")
    idle(page)
    area = page.get_by_test_id("live-text")
    area.press("Control+End")
    with rerun(page):
        area.press_sequentially(" sat", delay=30)
    expect(page.get_by_test_id("token-chip")).to_have_count(3)
    assert page.url == f"{url}/explorer/?text=The+cat+sat&table=random&d_model=32"
    menu = page.locator("[data-offer]").first
    menu.locator("[data-opens]").click()
    with page.expect_download() as saved:
        menu.get_by_role("button", name="PNG").click()
    assert Path(saved.value.path()).stat().st_size > 100
    choose_page(page, 1, 0)
    page.wait_for_url(re.compile(r"/explorer/positions\?"))
    idle(page)
    paths = {response.url.removeprefix(url) for response in answered}
    assert any(re.match(r"/explorer/components/\w+/first\.js", path) for path in paths)
    assert [response.url for response in answered if response.status >= 400] == []


def test_a_link_to_a_page_opens_it_and_a_file_is_taken_there(opened: tuple[Page, list[Response]], url: str) -> None:
    page, _answered = opened
    page.goto(f"{url}/explorer/projection?vectors=learned")
    idle(page)
    draw_all(page)
    file = io.BytesIO()
    np.save(file, np.random.default_rng(0).normal(size=(30, 5)).astype(np.float32))
    with rerun(page):
        mine = {"name": "mine.npy", "mimeType": "", "buffer": file.getvalue()}
        page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(mine)  # type: ignore[arg-type]
    expect(page.get_by_text("of 30 × 5")).to_be_visible()
    page.wait_for_url(re.compile(r"/explorer/projection\?.*vectors=yours"))
    names = ("/explorer/projection/_stcore/",)  # Streamlit's own, on any page but the first
    traffic = TRAFFIC[page]
    traffic.complaints = [said for said in traffic.complaints if not any(name in said for name in names)]


def test_readyz_answers_there_and_the_host_decides_who_may_open_a_session(url: str) -> None:
    with urllib.request.urlopen(f"{url}/explorer/readyz", timeout=PATIENCE, context=UNTRUSTED) as answer:
        assert json.load(answer) == {"state": "ready"}
    for origin, expected in ((f"https://{HOST}", 101), ("https://other.example.org", 403)):
        with closing(HTTPSConnection(url.removeprefix("https://"), timeout=PATIENCE, context=UNTRUSTED)) as connection:
            upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
            upgrade |= {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": origin, "Host": HOST}
            connection.request("GET", "/explorer/_stcore/stream", headers=upgrade)
            with closing(connection.getresponse()) as opening:
                assert opening.status == expected
