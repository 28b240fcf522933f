"""Ranges and pins agree, and where only the wheel is installed every page opens and every page's program runs."""

import asyncio
import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

import embedlib
from bench.visitors import Visitor, connect_visitor
from tests.browser.serving import running_server
from tests.waiting import PATIENCE
from tests.waiting import run as run_to_its_end

ROOT = Path(__file__).parent.parent
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
# Keeps short what the programs of Extrapolation and Training do; others begin with what the page shows at first.
LINK = "experiment=sort&ext_schemes=none,rope&ext_seeds=1&ext_steps=50&train_steps=10&train_d_model=16"
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
        for extra in ("", "app", "context", "figures", "serve", "tsne")
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
    own = sysconfig.get_path("purelib", "venv", {"base": str(folder / "venv")})
    Path(own, "needs.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder


def test_the_wheel_holds_every_file_of_its_packages_that_runs(installed: Path) -> None:
    (wheel,) = installed.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        held = {name.removeprefix("embedding_explorer/") for name in archive.namelist()}
    files = [path for package in ("embedlib", "ui", "pages") for path in (ROOT / package).rglob("*") if path.is_file()]
    # Of TypeScript the bundles are taken along.
    files = [path for path in files if path.suffix not in (".ts", ".tsx") and path.parent.name != "__pycache__"]
    wanted = {path.relative_to(ROOT).as_posix() for path in files}
    assert {name for name in held if ".dist-info/" not in name} == wanted | {"app.py", ".streamlit/config.toml"}


def run(installed: Path, *arguments: str | Path) -> str:
    """Run Python where the wheel is installed, away from the checkout, and return what it printed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [installed / "venv" / "bin" / "python", *arguments],
        cwd=installed, env=environment, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_library_alone_needs_nothing_that_an_extra_installs(installed: Path) -> None:
    asked = project()
    core = {wish.name for wish in asked.pop("")}
    extras = {wish.name.lower() for wishes in asked.values() for wish in wishes} - {"embedding-explorer"} - core
    program = """
import sys
from importlib.metadata import packages_distributions
from importlib.util import find_spec

blocked = {name for name, owners in packages_distributions().items() for owner in owners
           if owner.lower() in sys.argv[1:]}
sys.modules |= dict.fromkeys(blocked)  # importing one of them is an ImportError
import embedlib

for name in embedlib.__all__:
    getattr(embedlib, name)
embedded = embedlib.embed_text("the cat", d_model=8)
assert "the" in embedded._repr_html_()
try:
    embedded.figure()
except ImportError as error:
    print(error)
print(*sorted(blocked & {"plotly", "streamlit"}), find_spec("embedlib").origin)
"""
    message, names = run(installed, "-c", program, *extras).splitlines()
    assert Requirement(message.split('"')[1]) in asked["figures"]
    assert names.split()[:2] == ["plotly", "streamlit"]
    assert Path(names.split()[2]).is_relative_to(installed / "venv")


def test_every_file_that_states_a_version_states_the_librarys(installed: Path) -> None:
    (wheel,) = installed.glob("*.whl")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert wheel.name.split("-")[1] == citation["version"] == embedlib.__version__


@pytest.mark.thorough
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
    assert version == embedlib.__version__


@dataclass
class Reader(Visitor):
    """A visitor who reads the programs that pages show, and whether the server lets statistics be gathered."""

    programs: list[str] = field(default_factory=list)
    gathers_statistics: bool = False

    def _apply_message(self, frame: bytes, *, learn: bool) -> ForwardMsg:
        answer = super()._apply_message(frame, learn=learn)
        self.gathers_statistics |= answer.new_session.config.gather_usage_stats
        if "import" in (program := answer.delta.new_element.code.code_text):
            self.programs.append(program)
        return answer


async def programs_of(url: str) -> dict[str, str]:
    """Open every page in one visit, which is sent all of each; return their programs."""
    found = {}
    async with await connect_visitor(url) as socket:
        visitor = Reader(socket, "", LINK)
        for page in PAGES:
            visitor.programs.clear()
            await visitor.open("" if page == "pipeline" else page)
            assert visitor.arrived, page
            if page != "lessons":  # which shows no numbers
                async with asyncio.timeout(PATIENCE):
                    while not visitor.programs:  # a training shows its program once it has begun
                        await visitor.watch(1)
                found[page] = visitor.programs[-1]
        assert not visitor.gathers_statistics  # Streamlit's own default is to
    return found


@pytest.mark.thorough
def test_the_command_starts_the_app_with_its_settings_every_page_opens_and_every_pages_program_runs(
    installed: Path, tmp_path: Path
) -> None:
    command = installed / "venv" / "bin" / "embedding-explorer"
    with running_server(installed, installed=command) as server:
        assert server.states[-1] == (200, "ready")
        programs = run_to_its_end(programs_of(server.url))
        assert "Traceback" not in server.log.read_text()
        assert not server.connections.read_text()
    for page, program in programs.items():
        (tmp_path / f"{page}.py").write_text(program, encoding="utf-8")
    printed = run(installed, "-c", RUN_ALL, *(tmp_path / f"{page}.py" for page in programs)).split("## program ")[1:]
    assert [Path(text.splitlines()[0]).stem for text in printed] == list(programs)
    assert all(len(text.splitlines()) > 1 for text in printed)
