"""Ranges and pins agree, and where only the wheel is installed every page opens and every page's program runs."""

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest

from bench.session import Session, session
from tests.browser.serving import running_server
from tests.ui.pages import open_page, wait_for
from tests.waiting import PATIENCE

ROOT = Path(__file__).parent.parent
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
# Links that keep short what a page's program does; others begin with what the page shows at first.
LINKS = {
    "extrapolation": {"ext_schemes": "none", "ext_seeds": "1", "ext_steps": "50"},
    "training": {"train_steps": "10", "train_d_model": "16"},
}
# Runs each program as if it were alone, all in one process: importing torch takes longer than most of them.
RUN_ALL = """
import runpy, sys, torch
for path in sys.argv[1:]:
    torch.set_printoptions(profile="default")
    print("## program", path)
    runpy.run_path(path, run_name="__main__")
"""


def project() -> dict[str, list[Requirement]]:
    """Read what pyproject.toml asks for: the library's own needs as "", and those of each extra."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lists = {"": table["dependencies"], **table["optional-dependencies"]}
    return {name: [Requirement(line) for line in lines] for name, lines in lists.items()}


def pins(name: str) -> dict[str, str]:
    """Read the lines of a lock file, each a name and one version."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    pinned = [line.partition("==") for line in lines if line and not line.startswith(("#", "-r "))]
    return {package: version for package, _, version in pinned}


def test_each_range_has_its_pin_and_each_pin_lies_in_its_range() -> None:
    asked = project()
    app = {
        wish.name: wish
        for extra in ("", "app", "context", "tsne")
        for wish in asked[extra]
        if wish.name != "embedding-explorer"
    }
    for file, ranges in (
        ("requirements.txt", app),
        ("requirements-metrics.txt", {wish.name: wish for wish in asked["metrics"]}),
        ("requirements-umap.txt", {wish.name: wish for wish in asked["umap"]}),
    ):
        assert pins(file).keys() == ranges.keys()
        assert [name for name, version in pins(file).items() if version not in ranges[name].specifier] == []


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and install it; what it needs is found among the packages of these tests, not in the checkout."""
    folder = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv")
    python = folder / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-deps", "--quiet", wheel]
    subprocess.run(pip, cwd=folder, capture_output=True, check=True)
    ask = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    own = Path(subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip())
    (own / "needs.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder


def run(installed: Path, *arguments: str | Path) -> str:
    """Run Python where the wheel is installed, away from the checkout, and return what it printed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [installed / "venv" / "bin" / "python", *arguments],
        cwd=installed, env=environment, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_in_the_repository_of_something_else_the_library_is_the_wheels_of_its_own_version_and_nothing_lies_beside_it(
    installed: Path,
) -> None:
    git = ["git", "-C", installed, "-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "--message", "another"], check=True)
    program = """
import importlib.util, embedlib
from embedlib.extrapolation.provenance import code_version
print(embedlib.__file__)
print([name for name in ("app", "pages", "ui", "tests", "bench") if importlib.util.find_spec(name)])
print(code_version())
"""
    path, found, version = run(installed, "-c", program).splitlines()
    assert Path(path).is_relative_to(installed / "venv")
    assert found == "[]"
    own = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert version == own


def test_every_pages_program_runs_where_only_the_wheel_is_installed(installed: Path, tmp_path: Path) -> None:
    programs = []
    for page in (page for page in PAGES if page != "lessons"):  # which shows no numbers
        app = open_page(page, **LINKS.get(page, {}))

        def programs_on(app: AppTest = app) -> list[str]:
            return [block.value for block in app.code if "import" in block.value]

        found = wait_for(app, programs_on)  # a training shows its program once it has begun
        programs.append(tmp_path / f"{page}.py")
        programs[-1].write_text(found[-1], encoding="utf-8")
    printed = run(installed, "-c", RUN_ALL, *programs).split("## program ")[1:]
    assert [text.splitlines()[0] for text in printed] == [str(path) for path in programs]
    assert all(len(text.splitlines()) > 1 for text in printed)


def test_the_command_starts_the_app_with_its_settings_and_every_page_opens(installed: Path) -> None:
    command = installed / "venv" / "bin" / "embedding-explorer"
    with running_server(installed, installed=command) as server, session(server.url, "") as visitor:
        assert server.states[-1] == (200, "ready")
        assert not gathers_statistics(visitor)  # Streamlit's own default is to
        for page in PAGES:
            visitor.open("" if page == "pipeline" else page)
            assert visitor.arrived, page
        assert "Traceback" not in server.log.read_text()
        assert not server.connections.read_text()


def gathers_statistics(visitor: Session) -> bool:
    """Open the first page, and read what the server tells a browser about statistics."""
    wish, answer = BackMsg(), ForwardMsg()
    wish.rerun_script.query_string = ""
    visitor.socket.send(wish.SerializeToString())
    while answer.WhichOneof("type") != "new_session":
        frame = visitor.socket.recv(timeout=PATIENCE)
        assert isinstance(frame, bytes)
        answer.ParseFromString(frame)
    return answer.new_session.config.gather_usage_stats
