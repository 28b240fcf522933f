"""What the library costs: its import, and its principal components."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from torch import Tensor

from bench.table import Row
from bench.timing import interleaved, ratio, seconds_of

VOCAB_SIZE, D_MODEL = 50_257, 768  # GPT-2's embedding matrix

# Each fits three components in a process of its own and prints by how many kB that raised the memory that it holds at
# most. Linux forgets the earlier maximum when 5 is written to clear_refs: making the table took more than the fit does.
PEAK = """
from pathlib import Path
from embedlib.embedding.table import embedding_table
table = embedding_table({vocab_size}, {d_model})
array = table.numpy()
{prepare}
def kilobytes(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))
Path("/proc/self/clear_refs").write_text("5")
before = kilobytes("VmRSS")
{fit}
print(kilobytes("VmHWM") - before)
"""


def rows() -> Iterator[Row]:
    """Measure one row of the table after the other."""
    yield import_row()
    yield from pca_rows()


def import_row() -> Row:
    """Compare `import embedlib` with `import torch`, each in a fresh process, from inside it."""
    ours, torchs = interleaved(lambda: import_seconds("torch, embedlib"), lambda: import_seconds("torch"), rounds=9)
    return Row("import embedlib", str(ours), f"import torch: {torchs}", ratio(ours, torchs), 1.05)


def import_seconds(module: str) -> float:
    """Return how long a fresh process takes to import a module."""
    program = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    return float(output_of(program))


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

    mine, other = interleaved(
        lambda: seconds_of(lambda: fit_pca(table, 3)), lambda: seconds_of(lambda: PCA(3).fit(array)), rounds=7
    )
    yield Row(what, str(mine), f"scikit-learn PCA(3): {other}", ratio(mine, other), 0.95)

    if Path("/proc/self/clear_refs").exists():
        mine_mb = peak_megabytes("from embedlib.projection import fit_pca", "fit_pca(table, 3)")
        other_mb = peak_megabytes("from sklearn.decomposition import PCA", "PCA(3).fit(array)")
        yield Row(
            f"{what}: memory on top of the table, as a share of it",
            f"{mine_mb:.0f} MB",
            f"scikit-learn PCA(3): {other_mb:.0f} MB",
            mine_mb / (table.nbytes / 1e6),
            1.0,
        )

    if torch.cuda.is_available():
        on_gpu = table.to("cuda")
        gpu, cpu = interleaved(
            lambda: seconds_of(synchronised(fit_pca, on_gpu)), lambda: seconds_of(lambda: PCA(3).fit(array)), rounds=7
        )
        name = torch.cuda.get_device_name()
        yield Row(f"{what}, on {name}", str(gpu), f"scikit-learn PCA(3): {cpu}", ratio(gpu, cpu), 0.1)


def synchronised(fit: Callable[[Tensor, int], object], table: Tensor) -> Callable[[], None]:
    """Return a call that ends only when the GPU has."""

    def call() -> None:
        fit(table, 3)
        torch.cuda.synchronize()

    return call


def peak_megabytes(prepare: str, fit: str) -> float:
    """Return by how much a fit raises the peak memory of a process that already holds the table."""
    program = PEAK.format(vocab_size=VOCAB_SIZE, d_model=D_MODEL, prepare=prepare, fit=fit)
    return int(output_of(program)) * 1024 / 1e6


def output_of(program: str) -> str:
    """Run a program as a process of its own and return what it prints."""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
