"""Cost of the library: its import, and its principal components."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from bench.table import Row
from bench.timing import CAN_SAY_PEAKS, interleave, ratio, run_alone, run_program, wall_seconds

VOCAB_SIZE, D_MODEL = 50_257, 768  # GPT-2's embedding matrix


def rows() -> Iterator[Row]:
    """Yield the rows of the table as they are measured."""
    yield import_row()
    yield from pca_rows()


def import_row() -> Row:
    """Compare `import embedlib` with `import torch`, each in a fresh process, from inside it."""
    ours, torchs = interleave(lambda: import_seconds("torch, embedlib"), lambda: import_seconds("torch"), rounds=9)
    return Row("import embedlib", str(ours), f"import torch: {torchs}", ratio(ours, torchs), 1.05)


def import_seconds(module: str) -> float:
    """Return how long a fresh process takes to import a module."""
    program = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    return float(run_program(program))


def pca_rows() -> Iterator[Row]:
    """Compare three exact components of a table of GPT-2's size with scikit-learn's default PCA(3)."""
    from sklearn.decomposition import PCA

    from embedlib.embedding import embedding_table
    from embedlib.projection import fit_pca

    table = embedding_table(VOCAB_SIZE, D_MODEL)
    array = table.numpy()
    what = f"exact PCA of {VOCAB_SIZE} x {D_MODEL}, 3 components"

    reference = PCA(3).fit(array)
    ours = fit_pca(table, 3).explained_variance_ratio.double()
    theirs = torch.from_numpy(reference.explained_variance_ratio_).double()
    difference = float(((ours - theirs).abs() / theirs).max())
    yield Row(
        f"{what}: explained variance, largest relative difference",
        f"{difference:.2g}",
        "scikit-learn",
        difference,
        1e-4,
    )

    mine, other = interleave(
        lambda: wall_seconds(lambda: fit_pca(table, 3)), lambda: wall_seconds(lambda: PCA(3).fit(array)), rounds=7
    )
    yield Row(what, str(mine), f"scikit-learn PCA(3): {other}", ratio(mine, other), 1.05)

    if CAN_SAY_PEAKS:
        made = (
            f"from embedlib.embedding.table import embedding_table\ntable = embedding_table({VOCAB_SIZE}, {D_MODEL})\n"
        )
        (mine_mb,) = run_alone(f"{made}from embedlib.projection import fit_pca", "fit_pca(table, 3)").peaks
        (other_mb,) = run_alone(f"{made}from sklearn.decomposition import PCA", "PCA(3).fit(table.numpy())").peaks
        yield Row(
            f"{what}: memory on top of the table, as a share of it",
            f"{mine_mb:.0f} MB",
            f"scikit-learn PCA(3): {other_mb:.0f} MB",
            mine_mb / (table.nbytes / 1e6),
            1.0,
        )

    if torch.cuda.is_available():
        on_gpu = table.to("cuda")
        gpu, cpu = interleave(
            lambda: wall_seconds(synchronise(fit_pca, on_gpu)),
            lambda: wall_seconds(lambda: PCA(3).fit(array)),
            rounds=7,
        )
        name = torch.cuda.get_device_name()
        yield Row(f"{what}, on {name}", str(gpu), f"scikit-learn PCA(3): {cpu}", ratio(gpu, cpu), 0.1)


def synchronise(fit: Callable[[Tensor, int], object], table: Tensor) -> Callable[[], None]:
    """Wrap a fit so that it returns only when the GPU has finished."""

    def call() -> None:
        fit(table, 3)
        torch.cuda.synchronize()

    return call
