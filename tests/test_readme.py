"""The README's file tree is true, and its example runs."""

import re
import subprocess
from pathlib import Path
from typing import Any

import torch

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
# Described together, in the line of their folder: tests, the parts of a page, the components of the browser.
TOGETHER = re.compile(r"^tests/.+/.+|^ui/[a-z_]+/.+|^docs/|/__init__\.py$")


def tree() -> set[str]:
    """Read the paths out of the tree, by its indentation."""
    block = README.split("## Where things are")[1].split("```")[1]
    found, folders = set(), []
    for line in block.strip("\n").splitlines():
        depth = (len(line) - len(line.lstrip())) // 3
        name = line.split()[0]
        folders = [*folders[:depth], name]
        found.add("".join(folders))
    return found


def test_every_path_of_the_tree_exists() -> None:
    for path in tree():
        assert (ROOT / path).is_dir() if path.endswith("/") else (ROOT / path).is_file(), path


def test_every_file_is_in_the_tree() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    outside = {".gitignore", "README.md"}
    missing = [path for path in listed if path not in tree() | outside and not TOGETHER.search(path)]
    assert missing == []


def test_every_line_of_the_tree_says_something() -> None:
    block = README.split("## Where things are")[1].split("```")[1]
    for line in block.strip("\n").splitlines():
        assert len(line.split()) > 1, line


def test_the_example_of_the_library_runs() -> None:
    program = README.split("```python")[1].split("```")[0]
    names: dict[str, Any] = {}
    exec(program, names)  # the project's own text
    found, promised = names["found"], re.search(r"# tensor\(\[(.*?)\]\)", program)
    assert promised
    assert found.token_ids.tolist() == [int(token_id) for token_id in promised[1].split(",")]
    assert torch.equal(found.input_embeddings, found.token_embeddings + found.position_vectors)
    assert found.input_embeddings.shape == (6, 64)
