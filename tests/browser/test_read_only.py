"""The app as its container runs it: what .dockerignore lets in, read-only, and one folder to write to."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from streamlit import config

from tests.browser.conftest import NewPage
from tests.browser.idle import draw_all, idle, rerun
from tests.browser.serving import ROOT, Server, running_server

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def let_in() -> list[Path]:
    """List the files of the checkout that .dockerignore does not keep out, from the root."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert "*" in lines, "all is kept out but what is named"
    named = [path for line in lines if line.startswith("!") for path in ROOT.glob(line[1:])]
    files = [file for path in named for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file()]
    return [file.relative_to(ROOT) for file in files if "__pycache__" not in file.parts]


def environment(data: Path) -> dict[str, str]:
    """Give what the Dockerfile's ENV sets, with a folder of this machine in place of /data."""
    found = re.search(r"^ENV ((?:.+\\\n)*.+)$", DOCKERFILE, re.MULTILINE)
    assert found is not None
    pairs = [pair.partition("=") for pair in shlex.split(found[1].replace("\\\n", " "))]
    return {name: value.replace("/data", str(data)) for name, _, value in pairs}


def without_roots_rights() -> list[str]:
    """Give what takes root's right to write everywhere from a command; nothing where it is not root who tests."""
    if os.geteuid() != 0:
        return []
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        pytest.skip("root may write to what is read-only, and there is no setpriv to change that")
    return [setpriv, "--bounding-set", "-dac_override"]


@pytest.fixture
def contained(browser: Browser, tmp_path: Path) -> Iterator[Server]:
    project, data, elsewhere = tmp_path / "app", tmp_path / "data", tmp_path / "server"
    for file in let_in():
        (project / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, project / file)
    data.mkdir()
    elsewhere.mkdir()
    for path in [project, *project.rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o222)
    start = elsewhere / "start"
    command = [*without_roots_rights(), sys.executable, "-m", "streamlit", "run", "app.py"]
    start.write_text(f'#!/bin/sh\ncd {shlex.quote(str(project))} && exec {shlex.join(command)} "$@"\n')
    start.chmod(0o755)
    with running_server(elsewhere, installed=start, settings=environment(data)) as server:
        yield server
    for path in [project, *project.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)  # or nobody could delete it
    assert "Traceback" not in server.log.read_text()
    assert not [path for path in project.rglob("*") if path.is_file() and path.relative_to(project) not in let_in()]


@pytest.mark.thorough  # a minute: the app is copied and compiled
def test_it_works_where_it_can_write_to_one_folder_alone(contained: Server, new_page: NewPage, tmp_path: Path) -> None:
    write = [*without_roots_rights(), sys.executable, "-c", "open('app.py', 'a')"]
    refused = subprocess.run(write, cwd=tmp_path / "app", capture_output=True, check=False)
    assert b"PermissionError" in refused.stderr  # or what follows would say nothing
    page = new_page(contained)
    page.goto("/?text=The+cat")
    idle(page)
    with rerun(page):
        page.get_by_test_id("live-text").fill("The cat sat")
    expect(page.get_by_test_id("token-chip")).to_have_count(3)
    page.goto("/training")  # whose download is put together in a folder for temporary files
    idle(page)
    draw_all(page, programs=True)
    for button in page.locator("[data-save][data-name]").all():
        with page.expect_download() as saved:
            button.click()
        assert Path(saved.value.path()).stat().st_size


def test_the_port_is_the_same_everywhere() -> None:
    port = config.get_option("server.port")
    assert f"EXPOSE {port}\n" in DOCKERFILE
    assert f"127.0.0.1:{port}/readyz" in DOCKERFILE
    assert f'"{port}:{port}"' in (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert f"\napp_port: {port}\n" in (ROOT / "deploy" / "space" / "README.md").read_text(encoding="utf-8")


def test_what_compose_hands_on_is_read_somewhere() -> None:
    names = re.findall(r"- ((?:EMBEDDING_EXPLORER|EMBEDLIB)_\w+)", (ROOT / "compose.yaml").read_text(encoding="utf-8"))
    assert names
    read = [path.read_text(encoding="utf-8") for room in ("ui", "embedlib") for path in (ROOT / room).rglob("*.py")]
    assert [name for name in names if not any(f'"{name}"' in text for text in read)] == []
