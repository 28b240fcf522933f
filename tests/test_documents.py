"""What the documents and the workflows name is there, and the README is short and its example runs."""

import os
import re
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.test_imports import ROOMS
from ui.lessons.lesson import read_lesson
from ui.lessons.quantities import QUANTITIES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "embedlib" / "data" / "NOTICE.md"]
WORKFLOWS = [*ROOT.glob(".github/workflows/*.yml")]
NAMING_COMMANDS = [*DOCUMENTS, *WORKFLOWS, ROOT / ".pre-commit-config.yaml"]


def found(pattern: str, paths: list[Path]) -> list[tuple[Path, str]]:
    """Find what matches in some files, each match once for each file."""
    return [
        (path, match) for path in sorted(paths) for match in sorted(set(re.findall(pattern, path.read_text("utf-8"))))
    ]


def said(case: Any) -> str:
    return str(case.relative_to(ROOT) if isinstance(case, Path) else case)


@pytest.mark.parametrize(("path", "command"), found(r"(?<![/\w])bin/[a-z-]+", NAMING_COMMANDS), ids=said)
def test_every_command_is_there_to_run(path: Path, command: str) -> None:
    assert os.access(ROOT / command, os.X_OK)


@pytest.mark.parametrize(("path", "target"), found(r"\]\((?!https?:)([^)#]+)\)", DOCUMENTS), ids=said)
def test_every_link_leads_to_a_file(path: Path, target: str) -> None:
    assert (path.parent / target).is_file()


@pytest.mark.parametrize(
    ("path", "name"), found(r"`((?:bench|docs|embedlib|pages|tests|ui)/[\w./-]*)`", DOCUMENTS), ids=said
)
def test_every_path_in_a_sentence_exists(path: Path, name: str) -> None:
    assert (ROOT / name).is_dir() if name.endswith("/") else (ROOT / name).is_file()


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=said)
def test_every_workflow_runs_what_is_run_by_hand(workflow: Path) -> None:
    assert re.search(r"^ *- run: bin/(reference|test)\b", workflow.read_text("utf-8"), re.MULTILINE)


def test_the_document_of_lessons_has_a_lesson_that_can_be_read_and_names_every_quantity() -> None:
    document = (ROOT / "docs" / "lessons.md").read_text("utf-8")
    assert read_lesson(document.split("```yaml\n")[1].split("```")[0]).stops[0].question is not None
    assert [name for name in QUANTITIES if f"`{name}`" not in document] == []


def test_the_table_of_the_librarys_packages_has_their_imports() -> None:
    document = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rows = re.findall(r"^\| `embedlib/(\w+)(?:/|\.py)` \|.*\| (.*)\|$", document, re.MULTILINE)
    assert {room: set(re.findall(r"`(\w+)`", used)) for room, used in rows if room != "data"} == ROOMS


def test_the_map_of_folders_names_every_folder_at_the_top() -> None:
    ignored = {"build", "dist", "node_modules"}
    tops = {f"{path.name}/" for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith((".", "_"))}
    assert {top for top in tops if top[:-1] not in ignored and f"\n| `{top}` |" not in README} == set()


def test_the_readme_is_read_in_a_few_minutes() -> None:
    assert len(README.splitlines()) <= 150


def test_the_example_of_the_library_runs() -> None:
    program = README.split("```python")[1].split("```")[0]
    names: dict[str, Any] = {}
    exec(program, names)  # the project's own text
    result, promised = names["found"], re.search(r"# tensor\(\[(.*?)\]\)", program)
    assert promised
    assert result.token_ids.tolist() == [int(token_id) for token_id in promised[1].split(",")]
    assert torch.equal(result.input_embeddings, result.token_embeddings + result.position_vectors)
    assert result.input_embeddings.shape == (6, 64)
