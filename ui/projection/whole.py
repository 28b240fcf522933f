"""Tables with more rows than a picture has points: their axes, and every row's coordinates along the first two.

Both are worked out once in the background. What comes of a file in the server's folder is kept on disk, for all
processes and for the next start.
"""

import hashlib
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st
import torch
from numpy.typing import NDArray

from embedlib import cluster, fit_pca
from embedlib.neighbours import Neighbours, nearest_neighbours
from embedlib.projection import Pca, Window, write_coordinates
from embedlib.tables import TableError
from embedlib.tokenizers import cache_folder
from embedlib.whole_files import remove_stale_folders
from ui.i18n import _
from ui.jobs import Report, cluster_address, connect_cluster, jobs, result_or_progress
from ui.projection.tables import ShownTable, error_sentence

SCREE_AXES = 30
_FITTED = ("mean", "components", "explained_variance_ratio", "rounded_off")


@dataclass(frozen=True, eq=False)
class WholeTable:
    """Principal axes and coordinates of all rows of a large table."""

    pca: Pca
    places: NDArray[np.float32]  # (2, n_rows), mapped where it is kept on disk
    box: Window  # the smallest that all places lie in


def load_whole(table: ShownTable) -> WholeTable | None:
    """Return axes and coordinates of all rows once computed; until then show progress."""

    def work(report: Report) -> WholeTable:
        return _load_saved(table) or _place_rows(table, report)

    title = _("{method} of {count:,} rows").format(method=_("PCA"), count=table.n_rows)
    return result_or_progress(
        work,
        job=("whole", table.key),
        title=title,
        key="whole-job",
        failure=lambda error: _failure_sentence(error, title),
    )


def known_whole(table: ShownTable) -> WholeTable | None:
    """Return axes and coordinates of all rows if they are already computed, else None."""
    job = jobs.find(("whole", table.key))
    return job.result() if job is not None and job.state == "done" else None


def known_neighbours(table: ShownTable, row: int, metric: str, k: int) -> Neighbours | None:
    """Return a row's nearest among all rows if they are already found, else None."""
    job = jobs.find(("near", table.key, row, metric, k))
    return job.result() if job is not None and job.state == "done" else None


def find_neighbours(table: ShownTable, row: int, metric: str, k: int) -> None:
    """Find a row's nearest among all rows in the background, with progress."""

    def work(report: Report) -> Neighbours:
        query = table.rows([row])
        if _blockwise_path(table) is None:
            return nearest_neighbours(table.vectors, query, k, metric, exclude=[row])
        where = connect_cluster() if cluster_address() else None
        return cluster.nearest_neighbours(
            str(table.path), query, k, metric, exclude=[row], cluster=where, progress=report
        )

    job, title = ("near", table.key, row, metric, k), _("Nearest neighbours")
    found = result_or_progress(
        work, job=job, title=title, key="near-job", failure=lambda error: _failure_sentence(error, title)
    )
    if found is not None:  # since the page looked for it, and nothing else would draw what was found
        st.rerun()


def _failure_sentence(error: BaseException, title: str) -> str:
    return error_sentence(error) if isinstance(error, TableError) else _("{title}: failed.").format(title=title)


def _blockwise_path(table: ShownTable) -> Path | None:
    """Return the file of a table that is read block by block, here or on a cluster; None for others."""
    return table.path if table.path is not None and table.path.suffix == ".npy" else None


def _place_rows(table: ShownTable, report: Report) -> WholeTable:
    """Fit the axes, the first half of the job's progress, and place the rows along them, the second."""
    n_axes = min(SCREE_AXES, table.d_model)
    report(0.0)
    if (path := _blockwise_path(table)) is None:
        pca = fit_pca(table.vectors, n_axes)
    else:
        where = connect_cluster() if cluster_address() else None
        pca = cluster.fit_pca(str(path), n_axes, cluster=where, progress=lambda share: report(share / 2))

    def second_half(share: float) -> None:
        report(0.5 + share / 2)

    file = _file_for(table)
    if file is not None:
        with suppress(OSError):  # a disk that is full or may not be written to: memory then
            file.parent.mkdir(parents=True, exist_ok=True)
            remove_stale_folders(file.parent)
            with tempfile.TemporaryDirectory(dir=file.parent) as folder:
                own = Path(folder) / "places.npy"
                places = np.lib.format.open_memmap(own, "w+", np.float32, (2, table.n_rows))
                write_coordinates(table.vectors, pca, places, progress=second_half)
                places.flush()
                del places
                np.savez(Path(folder) / "axes.npz", allow_pickle=False, **_pca_arrays(pca))
                for other in file.parent.glob(f"{file.name.partition('-')[0]}-*"):  # of the same file as it was before
                    other.unlink(missing_ok=True)
                own.replace(file.with_suffix(".npy"))
                (Path(folder) / "axes.npz").replace(file.with_suffix(".npz"))  # last: where it is, both are
            if (kept := _load_saved(table)) is not None:
                return kept
    in_memory = np.empty((2, table.n_rows), dtype=np.float32)
    write_coordinates(table.vectors, pca, in_memory, progress=second_half)
    return WholeTable(pca, in_memory, _box(in_memory))


def _box(places: NDArray[np.float32]) -> Window:
    (left, bottom), (right, top) = places.min(axis=1).tolist(), places.max(axis=1).tolist()
    return Window(left, bottom, right, top)


def _pca_arrays(pca: Pca) -> dict[str, NDArray[np.generic]]:
    about = {"method": np.array(pca.method), "total_variance": np.array(pca.total_variance)}
    return {name: getattr(pca, name).numpy() for name in _FITTED} | about


def _file_for(table: ShownTable) -> Path | None:
    """Return the path, without its ending, at which axes (.npz) and coordinates (.npy) of a file are saved."""
    if table.path is None:
        return None
    whose, which = (hashlib.sha256(text.encode()).hexdigest()[:24] for text in (str(table.path.resolve()), table.key))
    return cache_folder() / "projections" / f"{whose}-{which}"


def _load_saved(table: ShownTable) -> WholeTable | None:
    """Load the axes and coordinates saved on disk; None where a file is missing or damaged."""
    file = _file_for(table)
    if file is None:
        return None
    with suppress(OSError, ValueError, KeyError, EOFError):
        places = np.load(file.with_suffix(".npy"), mmap_mode="r")
        with np.load(file.with_suffix(".npz")) as kept:
            tensors = {name: torch.from_numpy(kept[name]) for name in _FITTED}
            pca = Pca(method=str(kept["method"]), total_variance=float(kept["total_variance"]), **tensors)
        if places.shape == (2, table.n_rows) and places.dtype == np.float32 and len(pca.mean) == table.d_model:
            return WholeTable(pca, places, _box(places))
    return None
