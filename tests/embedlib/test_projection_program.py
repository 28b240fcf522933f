"""The program of the projection page prints what independent code finds."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

from embedlib.projection_program import projection_program

ROOT = Path(__file__).parents[2]


def printed(program: str, folder: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def check(lines: list[str], rows: np.ndarray, row: int) -> None:
    shares = [float(share) for share in lines[0].split(": ")[1].strip("[]").split(", ")]
    np.testing.assert_allclose(shares, PCA(3).fit(rows.astype(np.float64)).explained_variance_ratio_, rtol=1e-4)
    distances, ids = NearestNeighbors(n_neighbors=11, metric="cosine").fit(rows).kneighbors(rows[row : row + 1])
    assert [line.split()[0] for line in lines[-10:]] == [f"{1 - distance:.4f}" for distance in distances[0, 1:]]
    assert len(ids[0]) == 11


@pytest.mark.parametrize("tokenizer", ["bytes", "characters"])
def test_a_random_table(tokenizer: str, tmp_path: Path) -> None:
    text = 'abcdefghijklmnop "qu" {x} é'
    program = projection_program(
        "random", d_model=8, seed=3, tokenizer=tokenizer, text=text, metric="cosine", row=2, n_components=3
    )
    torch.manual_seed(3)
    size = 256 if tokenizer == "bytes" else len(set(text))
    check(printed(program, tmp_path), torch.nn.Embedding(size, 8).weight.detach().numpy(), 2)


def test_a_table_of_the_readers_own(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(30, 5)).astype(np.float32)
    np.save(tmp_path / "mine.npy", rows)
    program = projection_program(
        "mine.npy", d_model=5, seed=0, tokenizer="gpt2", text="", metric="cosine", row=4, n_components=3
    )
    check(printed(program, tmp_path), rows, 4)


def test_without_a_row_no_neighbours_are_printed(tmp_path: Path) -> None:
    program = projection_program(
        "random", d_model=4, seed=0, tokenizer="bytes", text="", metric="cosine", row=None, n_components=2
    )
    assert "nearest_neighbours(" not in program
    assert len(printed(program, tmp_path)) == 4
