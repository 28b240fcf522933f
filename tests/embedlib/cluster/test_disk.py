"""Tables on disk, cut into parts, and what is worked out of them part by part on one machine."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
import torch
from numpy.typing import NDArray
from pyarrow import parquet

from embedlib import fit_pca, nearest_neighbours
from embedlib.cluster import ClusterError, table_on_disk
from embedlib.cluster import fit_pca as fit_parts
from embedlib.cluster import nearest_neighbours as nearest_in_parts
from embedlib.progress import Cancelled
from embedlib.projection import Pca
from embedlib.tables import TableError

D_MODEL = 12


def rows_of(n_rows: int, *, dtype: Any = np.float32, offset: float = 0.0, spread: float = 2.0) -> NDArray[Any]:
    """Rows whose axes lie apart, each with half the variance of the one before it or so."""
    numbers = np.random.default_rng(0).standard_normal((n_rows, D_MODEL))
    turned = np.linalg.qr(np.random.default_rng(1).standard_normal((D_MODEL, D_MODEL)))[0]
    return ((numbers / spread ** (np.arange(D_MODEL) / 2)) @ turned + offset).astype(dtype)


def save(rows: NDArray[Any], path: Path, *, group: int = 100) -> Path:
    if path.suffix == ".npy":
        np.save(path, rows)
    elif path.suffix == ".zarr":
        import zarr  # half a second that not every line of tests needs

        zarr.create_array(path, data=rows, chunks=(group, 5))
    else:
        lists = pyarrow.FixedSizeListArray.from_arrays(rows.ravel(), rows.shape[1])
        parquet.write_table(pyarrow.table({"vector": lists}), path, row_group_size=group)
    return path


def same_basis(found: Pca, wanted: Pca, tolerance: float = 1e-6) -> None:
    for name in ("mean", "components", "explained_variance_ratio", "rounded_off"):
        assert torch.allclose(getattr(found, name), getattr(wanted, name), rtol=0, atol=tolerance), name
    assert found.total_variance == pytest.approx(wanted.total_variance, rel=tolerance)


@pytest.mark.parametrize(
    ("kind", "rows_per_part", "count"),
    [
        (".npy", 7, 143),
        (".npy", 130, 8),
        (".npy", 5000, 1),
        (".parquet", 1, 10),
        (".parquet", 130, 5),
        (".parquet", 5000, 1),
        (".zarr", 1, 10),
        (".zarr", 130, 5),
        (".zarr", 5000, 1),
    ],
)
def test_the_parts_of_a_table_have_each_row_once_and_in_order(
    tmp_path: Path, kind: str, rows_per_part: int, count: int
) -> None:
    rows = rows_of(1000)
    table = table_on_disk(save(rows, tmp_path / f"rows{kind}"), rows_per_part=rows_per_part)
    assert (table.n_rows, table.d_model, table.dtype) == (1000, D_MODEL, np.float32)
    assert [part.first for part in table.parts] == list(np.cumsum([0, *(part.n_rows for part in table.parts)])[:-1])
    assert len(table.parts) == count
    for part in table.parts:
        read = np.concatenate([block.copy() for block in part.blocks(37)])
        assert np.array_equal(read, rows[part.first : part.first + part.n_rows])


def test_a_folder_is_one_table_in_the_order_of_its_names(tmp_path: Path) -> None:
    rows = rows_of(300)
    for number, some in enumerate(np.split(rows, [90, 100])):
        save(some, tmp_path / f"{number}{'.parquet' if number == 1 else '.npy'}")
    table = table_on_disk(tmp_path, rows_per_part=50)
    assert np.array_equal(np.concatenate([np.array(block) for part in table.parts for block in part.blocks(40)]), rows)
    assert nearest_in_parts(table, rows[[270]], 1, "euclidean").ids.tolist() == [[270]]


@pytest.mark.parametrize("options", [{"shards": (60, 12)}, {"zarr_format": 2}, {"compressors": None}])
@pytest.mark.parametrize("dtype", ["<f2", ">f8", "<i4"])
def test_a_zarr_array_is_read_however_it_is_kept(tmp_path: Path, options: dict[str, Any], dtype: str) -> None:
    import zarr

    rows = rows_of(300, spread=1.1, dtype=np.float64) * 100
    path = tmp_path / "rows.zarr"
    zarr.create_array(path, data=rows.astype(dtype), chunks=(20, 6), **options)
    table = table_on_disk(path, rows_per_part=70)
    read = np.concatenate([np.array(block) for part in table.parts for block in part.blocks(17)])
    assert np.array_equal(read, rows.astype(dtype))
    assert read.dtype == table.dtype == (np.float32 if dtype == "<i4" else np.dtype(dtype).newbyteorder("="))


def test_where_zarr_is_missing_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save(rows_of(30), tmp_path / "rows.zarr")
    monkeypatch.setitem(sys.modules, "zarr", None)
    with pytest.raises(ClusterError, match="zarr"):
        table_on_disk(path)


def test_a_zarr_array_that_is_no_table_or_damaged_or_packed_as_objects_is_refused(tmp_path: Path) -> None:
    import zarr

    def change(name: str, heading: str = "zarr.json", **changed: Any) -> Path:
        path = save(rows_of(300), tmp_path / f"{name}.zarr")
        said = json.loads((path / heading).read_text())
        (path / heading).write_text(json.dumps(said | changed))
        return path

    zarr.create_array(tmp_path / "flat.zarr", data=np.zeros(9))
    zarr.create_array(tmp_path / "none.zarr", shape=(0, 4), dtype="f4")
    zarr.create_group(tmp_path / "group.zarr")
    zarr.create_array(tmp_path / "flags.zarr", data=np.array([[True], [False]]))
    old = tmp_path / "old.zarr"
    zarr.create_array(old, data=rows_of(300), zarr_format=2)
    heading = json.loads((old / ".zarray").read_text())
    (old / ".zarray").write_text(json.dumps(heading | {"filters": [{"id": "pickle", "protocol": 5}]}))
    (tmp_path / "nothing.zarr").mkdir()
    for path, code in (
        (tmp_path / "flat.zarr", "shape"),
        (tmp_path / "none.zarr", "shape"),
        (tmp_path / "group.zarr", "damaged"),
        (tmp_path / "flags.zarr", "shape"),
        (old, "file"),
        (
            change("nested", codecs=[{"name": "sharding_indexed", "configuration": {"codecs": [{"name": "x"}]}}]),
            "file",
        ),
        (change("lying", shape=[-3, 4]), "damaged"),
        (change("strange", codecs=7), "damaged"),
        (tmp_path / "nothing.zarr", "damaged"),
        (tmp_path / "absent.zarr", "file"),
    ):
        with pytest.raises(TableError) as caught:
            table_on_disk(path)
        assert caught.value.code == code, path
    whole = save(rows_of(300), tmp_path / "whole.zarr")
    table = table_on_disk(whole)
    (whole / "c" / "1" / "0").write_bytes(b"cut")
    with pytest.raises(TableError) as caught:
        fit_parts(table)
    assert caught.value.code == "damaged"


@pytest.mark.parametrize("kind", [".npy", ".parquet", ".zarr"])
@pytest.mark.parametrize("offset", [0.0, 30.0])
def test_components_of_parts_are_those_of_the_table(tmp_path: Path, kind: str, offset: float) -> None:
    rows = rows_of(70_000, offset=offset)
    path = save(rows, tmp_path / f"rows{kind}", group=9_000)
    shares: list[float] = []
    found = fit_parts(table_on_disk(path, rows_per_part=10_000), 4, progress=shares.append)
    assert found.method == "covariance, streamed"
    assert shares == sorted(shares)
    assert shares[-1] == 1
    # The rows' own mean is rounded to float32 first: at 30 that is 2e-6.
    same_basis(found, fit_pca(rows, 4), 1e-6 if not offset else 4e-6)


def test_variances_far_apart_are_told_in_float64(tmp_path: Path) -> None:
    rows = rows_of(60_000, spread=8.0)
    found = fit_parts(table_on_disk(save(rows, tmp_path / "rows.npy"), rows_per_part=9_000), D_MODEL)
    wanted = fit_pca(rows.astype(np.float64), D_MODEL)
    assert torch.allclose(
        found.explained_variance.double() / wanted.explained_variance, torch.ones(D_MODEL).double(), rtol=1e-4
    )


def test_components_of_float64_agree_to_the_last_digits(tmp_path: Path) -> None:
    rows = rows_of(50_000, dtype=np.float64)
    found = fit_parts(table_on_disk(save(rows, tmp_path / "rows.npy"), rows_per_part=7_000), 5)
    assert found.components.dtype == torch.float64
    same_basis(found, fit_pca(rows, 5), 1e-11)


@pytest.mark.parametrize("metric", ["cosine", "dot", "euclidean"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_neighbours_in_parts_are_those_in_the_table_to_the_bit(tmp_path: Path, metric: str, dtype: Any) -> None:
    rows = rows_of(2_000, dtype=dtype)
    rows[[700, 1500]] = rows[3]  # equal rows in three parts: the lower number comes first
    own = np.array([3, 700, 5])
    table = table_on_disk(save(rows, tmp_path / "rows.npy"), rows_per_part=300)
    found = nearest_in_parts(table, rows[own], 400, metric, exclude=own)
    wanted = nearest_neighbours(rows, rows[own], 400, metric, exclude=own)
    assert torch.equal(found.ids, wanted.ids)
    assert torch.equal(found.similarities, wanted.similarities)


def test_integers_are_read_as_numbers(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).integers(-9, 9, (400, 5))
    table = table_on_disk(save(rows, tmp_path / "rows.npy"), rows_per_part=100)
    wanted = nearest_neighbours(rows.astype(np.float32), rows[:2].astype(np.float32), 3)
    assert torch.equal(nearest_in_parts(table, rows[:2].astype(np.float32), 3).ids, wanted.ids)


def test_what_a_callback_raises_stops_the_work(tmp_path: Path) -> None:
    table = table_on_disk(save(rows_of(300), tmp_path / "rows.npy"), rows_per_part=100)
    shares: list[float] = []

    def stop(share: float) -> None:
        shares.append(share)
        raise Cancelled

    with pytest.raises(Cancelled):
        fit_parts(table, progress=stop)
    with pytest.raises(Cancelled):
        nearest_in_parts(table, rows_of(1), progress=stop)
    assert shares == [pytest.approx(1 / 3)] * 2


def test_a_row_that_is_no_number_is_named_by_its_place_in_the_whole_table(tmp_path: Path) -> None:
    rows = rows_of(300)
    rows[250, 3] = np.nan
    table = table_on_disk(save(rows, tmp_path / "rows.npy"), rows_per_part=100)
    with pytest.raises(ValueError, match="table row 250 has entries that are not finite"):
        nearest_in_parts(table, rows[:1])
    with pytest.raises(ValueError, match="not finite"):
        fit_parts(table)


def test_a_file_that_has_changed_is_not_read_further(tmp_path: Path) -> None:
    path = save(rows_of(300), tmp_path / "rows.npy")
    table = table_on_disk(path)
    save(rows_of(301), path)
    with pytest.raises(ClusterError) as caught:
        fit_parts(table)
    assert caught.value.code == "changed"


def test_files_that_cannot_be_one_table_are_refused_with_the_reason(tmp_path: Path) -> None:
    save(rows_of(30), tmp_path / "0.npy")
    save(rows_of(30)[:, :4], tmp_path / "1.npy")
    np.save(tmp_path / "flat.npy", np.zeros(9, np.float32))
    np.save(tmp_path / "none.npy", np.zeros((0, 4), np.float32))
    parquet.write_table(pyarrow.table({"word": ["a"]}), tmp_path / "words.parquet")
    (tmp_path / "cut.parquet").write_bytes(save(rows_of(300), tmp_path / "whole.parquet").read_bytes()[:-9])
    (tmp_path / "empty").mkdir()
    for files, code in (
        ([tmp_path / "0.npy", tmp_path / "1.npy"], "other_kind"),
        (tmp_path / "flat.npy", "shape"),
        (tmp_path / "none.npy", "shape"),
        (tmp_path / "words.parquet", "labels"),
        (tmp_path / "cut.parquet", "damaged"),
        (tmp_path / "absent.npy", "file"),
        (tmp_path / "rows.csv", "file"),
        (tmp_path / "empty", "file"),
    ):
        with pytest.raises(TableError) as caught:
            table_on_disk(files)
        assert caught.value.code == code, files


def test_what_is_out_of_range_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    table = table_on_disk(save(rows_of(30), tmp_path / "rows.npy"))
    (tmp_path / "rows.npy").unlink()
    with pytest.raises(ValueError, match="rows_per_part=0 must be at least 1"):
        table_on_disk(tmp_path, rows_per_part=0)
    with pytest.raises(ValueError, match="n_components=13 must be between 1 and n_features=12"):
        fit_parts(table, 13)
    with pytest.raises(ValueError, match="k=31 must be between 1 and 30"):
        nearest_in_parts(table, rows_of(1), 31)
    with pytest.raises(ValueError, match="queries has 3 columns"):
        nearest_in_parts(table, rows_of(1)[:, :3])
    with pytest.raises(ValueError, match="n_samples=1 must be at least 2"):
        fit_parts(save(rows_of(1), tmp_path / "one.npy"))
