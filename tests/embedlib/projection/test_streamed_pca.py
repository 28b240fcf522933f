"""Principal components of tables read in blocks: the same as in memory, and in little memory."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from embedlib.blocks import is_mapped
from embedlib.projection import Pca, fit_pca

ROOT = Path(__file__).parents[3]


def rows_of(n_samples: int = 40_000, n_features: int = 64, offset: float = 0.0) -> NDArray[np.float32]:
    generator = np.random.default_rng(0)
    strengths = 0.9 ** np.arange(n_features, dtype=np.float32)
    turn = np.linalg.qr(generator.standard_normal((n_features, n_features)))[0].astype(np.float32)
    rows = generator.standard_normal((n_samples, n_features), dtype=np.float32)
    return (rows * strengths) @ turn + np.float32(offset)


def mapped(tmp_path: Path, array: NDArray[Any], mode: Any = "r") -> NDArray[Any]:
    path = tmp_path / "table.bin"
    path.write_bytes(b"head" + array.tobytes())
    return np.memmap(path, dtype=array.dtype, mode=mode, offset=4, shape=array.shape)


def assert_exact(pca: Pca, x: NDArray[Any], method: str = "covariance, streamed") -> None:
    assert pca.method == method
    exact = x.astype(np.float64)
    mean = exact.mean(axis=0)
    centred = exact - mean
    variance, directions = (part[..., ::-1] for part in np.linalg.eigh(centred.T @ centred / (len(x) - 1)))
    count = len(pca.components)
    np.testing.assert_allclose(pca.explained_variance.double().numpy(), variance[:count], rtol=2e-6)
    assert pca.total_variance == pytest.approx(variance.sum(), rel=1e-6)
    np.testing.assert_allclose(
        np.abs(np.sum(pca.components.double().numpy() * directions.T[:count], axis=1)), 1, rtol=1e-6
    )
    np.testing.assert_allclose(pca.mean.numpy(), mean, rtol=1e-6, atol=2e-7 * np.abs(exact).max())
    placed = centred @ pca.components.double().numpy().T
    rounding = 1e-5 * (1 + np.abs(mean).max()) + 1e-6 * np.abs(placed).max()
    np.testing.assert_allclose(pca.transform(x).double().numpy(), placed, rtol=0, atol=rounding)


@pytest.mark.parametrize("offset", [0.0, 1000.0])
def test_a_mapped_file_is(tmp_path: Path, offset: float) -> None:
    x = rows_of(offset=offset)
    pca = fit_pca(mapped(tmp_path, x))
    assert_exact(pca, x)
    torch.testing.assert_close(pca.transform(mapped(tmp_path, x)), pca.transform(torch.from_numpy(x)))


def test_views_of_a_mapped_file_are(tmp_path: Path) -> None:
    x = rows_of()
    view = np.asarray(mapped(tmp_path, x))[100:30_000, 3:40]
    assert is_mapped(view)
    assert_exact(fit_pca(view), x[100:30_000, 3:40])


def test_changes_that_no_file_holds_stay(tmp_path: Path) -> None:
    x = rows_of()
    copy = mapped(tmp_path, x, "c")
    copy[:] *= np.arange(1, 65, dtype=np.float32)
    assert_exact(fit_pca(copy), x * np.arange(1, 65, dtype=np.float32))
    np.testing.assert_array_equal(copy, x * np.arange(1, 65, dtype=np.float32))


def test_changes_that_the_file_will_hold_stay_too(tmp_path: Path) -> None:
    x = rows_of()
    shared = mapped(tmp_path, x, "r+")
    shared[:] *= 2
    fit_pca(shared)
    np.testing.assert_array_equal(shared, x * 2)


@pytest.mark.parametrize("size", [7, 999, 40_000])
@pytest.mark.parametrize("offset", [0.0, 1000.0])
def test_blocks_of_any_size_are(size: int, offset: float) -> None:
    x = rows_of(offset=offset)
    pca = fit_pca(lambda: (x[start : start + size] for start in range(0, len(x), size)))
    assert_exact(pca, x)


def test_blocks_in_memory_that_is_used_again_and_of_different_lengths_are() -> None:
    x = rows_of()
    memory = np.empty((5000, 64), dtype=np.float32)

    def blocks() -> Iterator[NDArray[np.float32]]:
        start = 0
        for size in [3000, 0, 5000, 1, 4999] * 4:
            block = memory[: len(x[start : start + size])]
            block[:] = x[start : start + size]
            start += size
            yield block

    assert_exact(fit_pca(blocks), x)


def test_rows_unlike_those_before_them_cost_no_accuracy() -> None:
    x = rows_of()
    x[1024:] += 30
    assert_exact(fit_pca(lambda: np.array_split(x, 9)), x)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.int32, torch.float64])
def test_other_number_types_are_converted_block_by_block(dtype: torch.dtype) -> None:
    x = (torch.from_numpy(rows_of()) * 20).to(dtype)
    pca = fit_pca(lambda: torch.split(x, 5000))
    assert pca.components.dtype == (torch.float64 if dtype == torch.float64 else torch.float32)
    assert_exact(pca, x.double().numpy())
    assert_exact(fit_pca(x), x.double().numpy(), "covariance")


@pytest.mark.parametrize("dtype", [np.float16, np.int16, ">f4", np.bool_])
def test_arrays_of_other_number_types_are_too(dtype: Any) -> None:
    x = rows_of() > 0 if dtype is np.bool_ else (rows_of() * 20).astype(dtype)
    assert_exact(fit_pca(x), x, "covariance")


def test_an_array_that_cannot_be_written_or_lies_otherwise_in_memory_is_read_as_it_is() -> None:
    x = rows_of()
    x.flags.writeable = False
    assert_exact(fit_pca(x), x, "covariance")
    assert_exact(fit_pca(np.asfortranarray(x)), x, "covariance")
    assert_exact(fit_pca(x[:90]), x[:90], "covariance")
    assert_exact(fit_pca(x[:40]), x[:40], "gram")


def test_a_small_source_is_read_into_memory_and_solved_there(tmp_path: Path) -> None:
    x = rows_of()
    for few, method in ((x[:200], "covariance"), (x[:50], "gram")):
        expected = fit_pca(torch.from_numpy(few))
        for source in (mapped(tmp_path, few), lambda few=few: iter([few[:20], few[20:]])):
            pca = fit_pca(source)
            assert pca.method == expected.method == method
            assert torch.equal(pca.components, expected.components)


def test_rows_of_a_callable_can_be_placed_and_any_leading_shape_of_an_array() -> None:
    x = rows_of(600)
    pca = fit_pca(x)
    expected = pca.transform(torch.from_numpy(x))
    torch.testing.assert_close(pca.transform(lambda: iter([x[:1], x[1:]])), expected)
    torch.testing.assert_close(pca.transform(x.reshape(20, 30, 64)), expected.reshape(20, 30, 3))
    torch.testing.assert_close(pca.transform(x[0]), expected[0])
    assert pca.transform(x[:0]).shape == (0, 3)
    large = rows_of()
    torch.testing.assert_close(pca.transform(torch.from_numpy(large)), pca.transform(large))


def test_too_wide_a_table_in_blocks_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("embedlib.projection.pca._WIDEST_STREAMED", 50)
    x = rows_of()
    for source in (lambda: np.array_split(x, 9), mapped(tmp_path, x)):
        with pytest.raises(ValueError, match="n_features=64 must be at most 50 for a table that is read in blocks"):
            fit_pca(source)


# Linux forgets the earlier maximum when 5 is written to clear_refs.
PEAK = """
import sys
from pathlib import Path
import numpy as np
from embedlib.projection import fit_pca
def kilobytes(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))
table = np.memmap(sys.argv[1], dtype=np.float32, mode="r", shape=({n_samples}, {n_features}))
fit_pca(table[:9000])
Path("/proc/self/clear_refs").write_text("5")
before = kilobytes("VmRSS")
pca = fit_pca(table)
assert pca.method == "covariance, streamed"
assert pca.transform(table).shape == ({n_samples}, 3)
print(kilobytes("VmHWM") - before)
"""


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="Linux alone tells a process's peak this way")
def test_a_mapped_file_is_never_held_whole(tmp_path: Path) -> None:
    n_samples, n_features = 400_000, 128  # 205 MB
    path = tmp_path / "table.bin"
    np.tile(rows_of(20_000, n_features), (20, 1)).tofile(path)
    program = PEAK.format(n_samples=n_samples, n_features=n_features)
    done = subprocess.run([sys.executable, "-c", program, path], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(done.stdout) * 1024 < 60e6
