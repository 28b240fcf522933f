from pathlib import Path

import numpy as np
import pytest

from embedlib.blocks import row_blocks


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "table.npy"
    np.save(path, np.random.default_rng(0).standard_normal((100, 7), dtype=np.float32))
    return path


@pytest.mark.parametrize("dtype", ["f2", "f4", ">f4", "f8", "i4"])
def test_blocks_are_the_rows_in_order(dtype: str) -> None:
    table = np.arange(23 * 3).reshape(23, 3).astype(dtype)
    blocks = list(row_blocks(table, 5))
    assert [start for start, _ in blocks] == [0, 5, 10, 15, 20]
    np.testing.assert_array_equal(np.concatenate([block for _, block in blocks]), table)
    assert blocks[0][1].dtype == table.dtype


@pytest.mark.parametrize(
    "part", [np.s_[:], np.s_[10:], np.s_[10:11], np.s_[::3], np.s_[::-1], np.s_[:, 2:5], np.s_[:0]]
)
def test_every_part_of_a_mapped_file_reads_as_that_part(file: Path, part: object) -> None:
    table = np.load(file)
    mapped = np.load(file, mmap_mode="r")
    for view, expected in (
        (mapped[part], table[part]),
        (np.asarray(mapped)[part], table[part]),
        (mapped[4:][part], table[4:][part]),
    ):
        blocks = [block for _, block in row_blocks(view, 8)]
        np.testing.assert_array_equal(np.concatenate([expected[:0], *blocks]), expected)


def test_changes_that_are_kept_out_of_the_file_are_seen(file: Path) -> None:
    mapped = np.load(file, mmap_mode="c")
    mapped[50] = 7
    expected = np.array(mapped)
    np.testing.assert_array_equal(np.concatenate([block for _, block in row_blocks(mapped, 8)]), expected)


def test_another_file_of_the_same_name_is_not_mistaken_for_the_table(file: Path) -> None:
    mapped = np.load(file, mmap_mode="r")
    before = mapped.copy()
    other = file.with_name("other.npy")
    np.save(other, np.zeros((100, 7), dtype=np.float32))
    other.replace(file)
    np.testing.assert_array_equal(np.concatenate([block for _, block in row_blocks(mapped, 8)]), before)


def test_blocks_need_a_size() -> None:
    with pytest.raises(ValueError, match="rows_per_block=0 must be at least 1"):
        next(row_blocks(np.zeros((3, 2)), 0))
