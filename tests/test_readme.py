"""What the README names is there, and its example runs."""

import os
import re
from pathlib import Path
from typing import Any

import pytest
import torch

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def folders() -> list[str]:
    """Read the paths out of the map of folders: the first cell of each line."""
    return re.findall(r"^\| `([^`]+)` \|", README.split("## Where things are")[1].split("\n## ")[0], re.MULTILINE)


@pytest.mark.parametrize("path", folders())
def test_every_path_of_the_map_exists(path: str) -> None:
    assert (ROOT / path).is_dir() if path.endswith("/") else (ROOT / path).is_file()


def test_the_map_names_every_folder_at_the_top() -> None:
    tops = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith((".", "_"))}
    assert tops - {"build", "dist", "node_modules"} == {path.rstrip("/") for path in folders() if path.count("/") == 1}


@pytest.mark.parametrize("command", sorted(set(re.findall(r"(?<![/\w])bin/[a-z-]+", README))))
def test_every_command_is_there_to_run(command: str) -> None:
    assert os.access(ROOT / command, os.X_OK)


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\((?!https?:)([^)#]+)\)", README))))
def test_every_link_leads_to_a_file(target: str) -> None:
    assert (ROOT / target).is_file()


def test_the_example_of_the_library_runs() -> None:
    program = README.split("```python")[1].split("```")[0]
    names: dict[str, Any] = {}
    exec(program, names)  # the project's own text
    found, promised = names["found"], re.search(r"# tensor\(\[(.*?)\]\)", program)
    assert promised
    assert found.token_ids.tolist() == [int(token_id) for token_id in promised[1].split(",")]
    assert torch.equal(found.input_embeddings, found.token_embeddings + found.position_vectors)
    assert found.input_embeddings.shape == (6, 64)
