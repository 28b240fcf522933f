"""Principal components of any table: exact, deterministic, also of tables larger than memory."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.blocks import is_mapped
from embedlib.errors import check_ints, check_tables
from embedlib.neighbours.blocks import tensor_blocks, work_dtype
from embedlib.notebook import Figure, facts_html, matrix_html, scree_figure

Array = NDArray[Any]
# A callable that returns a fresh iterator of (n_rows, n_features) blocks each time: rows may be read more than once.
Blocks = Callable[[], Iterable[Tensor | Array]]
Source = Tensor | Array | Blocks

# Up to here everything is float64, which costs milliseconds; past it products are formed in the table's own dtype.
_EXACT_ENTRIES = 2**19
# The widest table that is read in blocks: its scatter matrix has 2 GB.
_WIDEST_STREAMED = 16_384
# Float32 products are off by 1e-7 of the greatest variance: where the least one asked for is below this share of it,
# they are formed again in float64.
_LEAST_FLOAT32 = 1e-3
# Variance below this share of the greatest is rounding of float64.
_ROUNDING = 64 * np.finfo(np.float64).eps
# Tables of at least so many rows and columns are first tried by block Krylov: 20,000 x 4,096 take it 3 s, not 20.
_NARROWEST_KRYLOV = 2000
_SPARE = 12  # vectors of its start block beyond the components asked for
_KRYLOV_BUDGET = 0.25  # of the operations that the covariance would take
_KRYLOV_TOLERANCE = 1e-5  # of residuals beside their variance; the variance's own error is of the order of the square
_SEED = 20_020
_TRACY_WIDOM_MEAN = -1.2065335745820
_DRAWN_ENTRIES = 128


@dataclass(frozen=True, eq=False, slots=True)
class Pca:
    """A centred orthonormal basis, the directions of most variance first.

    Attributes:
        mean: (n_features,) subtracted first.
        components: (n_components, n_features) orthonormal rows; the entry of greatest magnitude in each is positive.
        explained_variance_ratio: (n_components,) share of the whole variance along each, in [0, 1], falling.
        method: "covariance": the n_features x n_features matrix was solved. "gram": the n_samples x
            n_samples matrix. "block Krylov": neither was formed, the table was multiplied by a few vectors until they
            had converged. "covariance, streamed": the table was read in blocks and never held whole.
        total_variance: variance of the rows summed over all features, divisor n_samples - 1.
        rounded_off: (n_components,) coordinates of the mean's rounding error, which `transform` subtracts too: far
            from 0 it exceeds the differences of rows.

    >>> from embedlib import fit_pca
    >>> table = torch.tensor([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
    >>> fit_pca(table, 1).transform(table).abs().flatten().round().tolist()
    [5.0, 0.0, 5.0]
    """

    mean: Tensor
    components: Tensor
    explained_variance_ratio: Tensor
    method: str
    total_variance: float
    rounded_off: Tensor

    def figure(self) -> Figure:
        """Draw the share of the variance along each axis, by Plotly."""
        return scree_figure(self.explained_variance_ratio.tolist(), level=1 / len(self.mean))

    def _repr_html_(self) -> str:
        """Show shares of the variance and components in a notebook."""
        shares = ", ".join(f"{share:.2%}" for share in self.explained_variance_ratio.tolist())
        facts = {"share of variance": shares, "features": len(self.mean), "solved by": self.method}
        return facts_html("Principal components", facts) + matrix_html("components", self.components)

    @property
    def explained_variance(self) -> Tensor:
        """The variance along each component, (n_components,), divisor n_samples - 1."""
        return self.explained_variance_ratio * self.total_variance

    def transform(self, x: Source) -> Tensor:
        """Return the coordinates of rows, (…, n_features), or of blocks of rows, in this basis.

        Returns:
            (…, n_components), dtype of the basis; the fitted rows have mean 0. A callable gives (n_samples, …).
        """
        width = len(self.mean)
        if not callable(x):
            check_tables(x=x)
        if not callable(x) and (x.ndim < 1 or x.shape[-1] != width):
            raise ValueError(f"x has shape {tuple(x.shape)}: it must be (…, n_features={width})")
        if isinstance(x, Tensor) and x.requires_grad:
            return self._coordinates(x)
        none = self.mean.new_empty(0, len(self.components))
        if callable(x):
            return torch.cat([none, *map(self._coordinates, read_blocks(x, self.mean.dtype, width))])
        rows = x.reshape(-1, width)
        points = none.new_empty(len(rows), len(self.components))  # no memory is taken between blocks: it would stay
        for into, block in zip(
            torch.split(points, block_rows(width)), read_blocks(rows, self.mean.dtype), strict=bool(len(rows))
        ):
            into.copy_(self._coordinates(block))
        return points.reshape(*x.shape[:-1], len(self.components))

    def _coordinates(self, rows: Tensor) -> Tensor:
        return (rows.to(self.mean) - self.mean) @ self.components.T - self.rounded_off


def fit_pca(x: Source, n_components: int = 3) -> Pca:
    """Fit principal components: no sampling, the same answer every time.

    The smaller of the two symmetric matrices is solved in float64, n_features or n_samples wide. Directions without any
    variance (beyond the rank of the data, or of constant data) are completed to an orthonormal basis and
    explain 0, so that two points can still be drawn in three dimensions.

    A table on disk or from an iterator is read in one pass, or two where variances span more than 1:1000, and held as
    one n_features x n_features matrix. If it is small, it is read into memory and treated as there.

    Args:
        x: (n_samples, n_features) finite, at least 2 rows. A Tensor, which is multiplied on its device; an array; an
            np.memmap; or a callable that returns a fresh iterator of (n_rows, n_features) blocks, each a Tensor or an
            array, with the same rows each time.
        n_components: in [1, n_features]; those beyond the rank, at most n_samples - 1, explain 0 and mean nothing.

    Returns:
        Pca on the device of x (the CPU if it is no tensor), float64 where x is, otherwise float32.

    Raises:
        ValueError: x not of two dimensions, not of real numbers, fewer than 2 rows, not finite, or so large that its
            squares overflow; blocks of different widths; more than 16,384 features where the table is read in blocks;
            n_components out of range.

    Source: Jolliffe 2002, Principal Component Analysis, §3.5; signs as in scikit-learn's svd_flip.

    >>> from embedlib import fit_pca
    >>> pca = fit_pca(torch.tensor([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]]), 1)
    >>> pca.explained_variance_ratio.tolist()
    [1.0]
    """
    check_ints(n_components=n_components)
    if not callable(x):
        check_tables(x=x)
    first = next(read_blocks(x), None) if callable(x) else _as_real_table(x)
    if first is None:
        raise ValueError("n_samples=0: x gave no rows")
    n_features, dtype = first.shape[1], work_dtype(first)
    device = x.device if isinstance(x, Tensor) else torch.device("cpu")
    if callable(x) or (not isinstance(x, Tensor) and is_mapped(x)):
        few = _read_few(x, max(n_features, _EXACT_ENTRIES // n_features))
        if few is None:
            check_sizes(2, n_features, n_components, streamed=True)
            streamed = _solve_covariance(x, n_components, dtype)
            return basis("covariance, streamed", streamed, n_components, dtype, device)
        x = few
    check_sizes(len(x), n_features, n_components, streamed=False)
    precision = torch.float64 if len(x) * n_features <= _EXACT_ENTRIES else dtype
    method, solution = "block Krylov", _solve_krylov(x, n_components, precision)
    if solution is None:
        method, solve = ("gram", _solve_gram) if len(x) <= n_features else ("covariance", _solve_covariance)
        solution = solve(x, n_components, precision)
    return basis(method, solution, n_components, dtype, device)


def check_sizes(n_samples: int, n_features: int, n_components: int, *, streamed: bool) -> None:
    """Refuse tables that are too short or too wide, and more components than columns."""
    if n_samples < 2:
        raise ValueError(f"n_samples={n_samples} must be at least 2: one point alone has no direction")
    if not 1 <= n_components <= n_features:
        raise ValueError(f"n_components={n_components} must be between 1 and n_features={n_features}")
    if streamed and n_features > _WIDEST_STREAMED:
        raise ValueError(
            f"n_features={n_features} must be at most {_WIDEST_STREAMED} for a table that is read in blocks,"
            " which needs a matrix of that width: pass the rows as a tensor"
        )


def read_blocks(x: Source, dtype: torch.dtype | None = None, width: int | None = None) -> Iterator[Tensor]:
    """Yield the rows, some thousands at a time, in a float dtype; a table's own dtype is None."""
    for block in _joined_blocks(x(), width) if callable(x) else _split_table(_as_real_table(x)):
        yield block if dtype is None else block.to(dtype)


def _as_real_table(x: Tensor | Array) -> Tensor | Array:
    """Return a table of real numbers, without gradients."""
    if isinstance(x, Tensor):
        x = x.detach().cpu() if x.device.type == "mps" else x.detach()  # mps has no float64
    else:
        x = np.asarray(x)
    if x.ndim != 2:
        raise ValueError(f"x has shape {tuple(x.shape)}: it must be (n_samples, n_features)")
    if x.is_complex() if isinstance(x, Tensor) else x.dtype.kind == "c":
        raise ValueError(f"x is {x.dtype}: it must be real")
    if not isinstance(x, Tensor) and x.dtype.kind not in "fiub":
        raise ValueError(f"x is {x.dtype}: it must be numbers")
    return x


def _split_table(x: Tensor | Array) -> Iterator[Tensor]:
    return (rows for _, rows in tensor_blocks(x, block_rows(x.shape[1])))


def block_rows(n_features: int) -> int:
    """Return how many rows are read at a time."""
    return max(1024, min(8192, 2**25 // max(n_features, 1)))  # 128 MB of float32 at most


def _joined_blocks(blocks: Iterable[Tensor | Array], width: int | None) -> Iterator[Tensor]:
    """Join short blocks and split long ones; they are copied, because the caller may reuse their memory."""
    waiting: list[Tensor] = []
    for block in map(_as_real_table, blocks):
        width = block.shape[1] if width is None and len(block) else width
        if width is not None and block.shape[1] != width:
            raise ValueError(
                f"a block has shape {tuple(block.shape)}: every block must be (n_rows, n_features={width})"
            )
        waiting += [rows.clone() for rows in _split_table(block)]
        if sum(map(len, waiting)) >= block_rows(block.shape[1]):
            yield from torch.split(torch.cat(waiting), block_rows(block.shape[1]))
            waiting = []
    if waiting:
        yield torch.cat(waiting)


def _read_few(x: Blocks | Array, limit: int) -> Tensor | None:
    """Read a table on disk or from an iterator into memory; None if it has more rows than the limit."""
    if not callable(x) and len(x) > limit:
        return None
    kept: list[Tensor] = []
    for block in read_blocks(x):
        kept.append(block)
        if sum(map(len, kept)) > limit:
            return None
    return torch.cat(kept)


class Moments(NamedTuple):
    """Sums over the rows of a table, in float64.

    Attributes:
        mean: (n_features,).
        scatter: (n_features, n_features) sum over rows of (row - mean)(row - mean)ᵀ; its upper triangle alone.
    """

    n_samples: int
    mean: Array
    scatter: Array


def moments(blocks: Iterable[Tensor]) -> Moments:
    """Add up at least one block of rows in one pass, each centred by its own mean."""
    counts, means, offsets, scatter = [], [], [], np.zeros(0)
    for block in blocks:
        rows = _for_blas(block)
        with np.errstate(over="ignore", invalid="ignore"):  # solve_scatter says it in words
            mean = rows.mean(0)
            centred = rows - mean
            offsets.append(_to_array(centred.mean(0)))  # what rounding left
            product = _self_product(centred)
        counts.append(len(block))
        means.append(_to_array(mean) + offsets[-1])
        scatter = np.add(scatter, product, out=scatter) if len(scatter) else product
    n_samples, mean = sum(counts), np.average(means, axis=0, weights=counts)
    # Once for all blocks: an outer product for each took a third of the time.
    roots = np.sqrt(counts)[:, None]
    between, left = roots * (np.stack(means) - mean), roots * np.stack(offsets)  # (n_blocks, n_features)
    scatter += _self_product(between) - _self_product(left)
    return Moments(n_samples, mean, scatter)


def merge_moments(a: Moments, b: Moments) -> Moments:
    """Return the moments of the rows of both.

    Source: Chan, Golub & LeVeque 1983, https://doi.org/10.1080/00031305.1983.10483115
    """
    n_samples = a.n_samples + b.n_samples
    between = b.mean - a.mean
    scatter = a.scatter + b.scatter
    scatter += np.outer(between, between * (a.n_samples * b.n_samples / n_samples))
    return Moments(n_samples, a.mean + between * (b.n_samples / n_samples), scatter)


def _for_blas(rows: Tensor) -> Any:
    """Return rows on the CPU as an array, others as they are."""
    # torch's threads go on waiting for work in the way of BLAS's: 330 ms for 50,257 x 768, not 215.
    return rows.numpy() if rows.device.type == "cpu" else rows


def _to_array(rows: Any) -> Array:
    """Return float64 on the CPU."""
    return np.asarray(rows.cpu() if isinstance(rows, Tensor) else rows, dtype=np.float64)


def _self_product(rows: Any) -> Array:
    """Return the upper triangle of rowsᵀ rows, formed in the dtype and on the device of the rows, in float64."""
    from scipy.linalg.blas import dsyrk, ssyrk  # scipy takes a while to import

    if isinstance(rows, Tensor):
        return _to_array(rows.T @ rows)
    return _to_array((dsyrk if rows.dtype == np.float64 else ssyrk)(1.0, rows.T))  # half the work of a product


class Solution(NamedTuple):
    """The directions of greatest variance, in float64.

    Attributes:
        mean: (n_features,).
        variance: (r,) the greatest eigenvalues of the scatter matrix, falling, without those that are only rounding.
        directions: (r, n_features) orthogonal but for rounding.
        total: the trace of the scatter matrix.
    """

    n_samples: int
    mean: Array
    variance: Array
    directions: Array
    total: float


def solve_scatter(of: Moments, n_components: int, *, exact: bool) -> Solution | None:
    """Eigendecompose a scatter matrix; None if its spectrum is too wide for the float32 products it was made of."""
    from scipy.linalg import eigh

    size, total = len(of.scatter), float(of.scatter.trace())
    if not math.isfinite(total):
        raise ValueError("x has entries that are not finite, or so large that their squares overflow: scale them down")
    variance, vectors = eigh(of.scatter, lower=False, subset_by_index=(size - n_components, size - 1))
    if not exact and variance[0] < _LEAST_FLOAT32 * variance[-1]:
        return None
    # Equal rows can miss their own mean by a rounding of float64.
    least = (4 * np.finfo(np.float64).eps) ** 2 * (total + of.n_samples * float(of.mean @ of.mean))
    kept = np.flatnonzero((variance > _ROUNDING * variance[-1]) & (variance > least))[::-1]  # the greatest first
    return Solution(of.n_samples, of.mean, variance[kept], vectors.T[kept], total)


def _solve_covariance(x: Source, n_components: int, dtype: torch.dtype) -> Solution:
    """Eigendecompose the (n_features, n_features) covariance, however the table is read."""
    solution = solve_scatter(moments(read_blocks(x, dtype)), n_components, exact=dtype == torch.float64)
    return _solve_covariance(x, n_components, torch.float64) if solution is None else solution


def _solve_gram(x: Tensor | Array, n_components: int, dtype: torch.dtype) -> Solution:
    """Eigendecompose the (n_samples, n_samples) Gram matrix of a centred copy of the table."""
    rows = _for_blas(torch.cat(list(read_blocks(x, dtype))))
    mean: Array = np.zeros(x.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):  # solve_scatter says it in words
        for _ in range(2):  # the second time takes out what rounding left
            centre = rows.mean(0)
            mean, rows = mean + _to_array(centre), rows - centre
        gram = Moments(len(rows), mean, _self_product(rows.T))
    solution = solve_scatter(gram, min(n_components, len(rows)), exact=dtype == torch.float64)
    if solution is None:
        return _solve_gram(x, n_components, torch.float64)
    rows = torch.as_tensor(rows)
    directions = torch.from_numpy(solution.directions).to(rows) @ rows  # (r, n_features)
    return solution._replace(directions=_to_array(torch.nn.functional.normalize(directions, dim=1)))


def _solve_krylov(x: Tensor | Array, n_components: int, dtype: torch.dtype) -> Solution | None:
    """Find the greatest variances of a large table without forming either matrix; None where that would take longer.

    Rayleigh and Ritz on the space that the scatter S spans from a random block V: V, S V, S² V, …, one pass over the
    table for each.

    Source: Musco and Musco 2015, https://arxiv.org/abs/1504.05477
    """
    n_samples, n_features = x.shape
    size = -8 * (-(n_components + _SPARE) // 8)
    most_passes = int(_KRYLOV_BUDGET * min(n_samples, n_features) / (4 * size))
    if min(n_samples, n_features) < _NARROWEST_KRYLOV or most_passes < 3:
        return None
    mean = torch.stack([block.sum(0, dtype=torch.float64) for block in read_blocks(x, dtype)]).sum(0) / n_samples
    shift = mean.to(dtype)
    left = mean - shift  # what rounding took from the mean
    total = -n_samples * float(left @ left)
    total += sum(float((block - shift).square().sum(dtype=torch.float64)) for block in read_blocks(x, dtype))
    block = torch.randn(n_features, size, dtype=torch.float64, generator=torch.Generator().manual_seed(_SEED))
    block = torch.linalg.qr(block.to(mean.device)).Q  # (n_features, size)
    space, images, before = block[:, :0], block[:, :0], math.inf
    for passes_left in range(most_passes - 1, -1, -1):
        narrow, constant, image = block.to(dtype), (left @ block).to(dtype), torch.zeros_like(block)
        for rows in read_blocks(x, dtype):
            centred = rows - shift
            image += centred.T @ (centred @ narrow - constant)
        space, images = torch.cat([space, block], dim=1), torch.cat([images, image], dim=1)  # (n_features, m)
        projected = space.T @ images
        values, vectors = torch.linalg.eigh((projected + projected.T) / 2)
        variance, top = values[-n_components:].flip(0), vectors[:, -n_components:].flip(1)  # (k,), (m, k)
        residuals = torch.linalg.vector_norm(images @ top - space @ top * variance, dim=0)
        worst = float((residuals / variance.clamp(min=0)).max())
        if worst <= _KRYLOV_TOLERANCE:
            return Solution(n_samples, _to_array(mean), _to_array(variance), _to_array((space @ top).T), total)
        # A flat spectrum converges too slowly; others get faster, up to 100 times beyond what the last pass lets hope.
        if len(values) >= 4 * size and worst * (worst / before) ** passes_left > 100 * _KRYLOV_TOLERANCE:
            return None
        block, before = image, worst
        for _ in range(2):  # the second time takes out what rounding left
            block = torch.linalg.qr(block - space @ (space.T @ block)).Q
    return None


def basis(method: str, solution: Solution, n_components: int, dtype: torch.dtype, device: torch.device) -> Pca:
    """Convert a solution to a basis of n_components, in a dtype and on a device."""
    found = torch.from_numpy(np.ascontiguousarray(solution.directions))  # (r, n_features)
    # Past the rank it goes on along coordinate axes.
    spanning = torch.cat([found, torch.eye(n_components + len(found), found.shape[1], dtype=found.dtype)])
    components = torch.linalg.qr(spanning.T).Q.T[:n_components]
    signs = components.gather(1, components.abs().argmax(dim=1, keepdim=True)).sign()  # (n_components, 1)
    ratio = torch.zeros(n_components, dtype=torch.float64)
    ratio[: len(found)] = torch.from_numpy(solution.variance / (solution.total or 1.0))
    exact_mean = torch.from_numpy(solution.mean)
    mean, components = exact_mean.to(dtype), (components * signs).to(dtype)
    return Pca(
        mean=mean.to(device),
        components=components.to(device),
        explained_variance_ratio=ratio.clamp(0, 1).to(dtype).to(device),
        method=method,
        total_variance=solution.total / (solution.n_samples - 1),
        rounded_off=(components.double() @ (exact_mean - mean)).to(dtype).to(device),
    )


def chance_variance_share(n_samples: int, n_features: int) -> float:
    """Return the share of the first axis of independent rows with equal column variances, in (0, 1].

    Small sizes are drawn, 1,000 normal tables from a fixed seed; for others it is the mean of the Tracy-Widom law that
    the greatest eigenvalue follows as both grow. Both are within 3 % of the mean over normal rows.

    Source: Johnstone 2001, https://doi.org/10.1214/aos/1009210544; centred as in Ma 2012,
    https://doi.org/10.1214/11-AOS949
    """
    if n_samples < 2 or n_features < 1:
        raise ValueError(f"n_samples={n_samples} must be at least 2 and n_features={n_features} at least 1")
    freedom = n_samples - 1  # the mean is taken out
    if min(freedom, n_features) == 1:
        return 1.0
    if freedom * n_features <= _DRAWN_ENTRIES:
        variances = np.linalg.svdvals(np.random.default_rng(0).standard_normal((1000, freedom, n_features))) ** 2
        return float((variances[:, 0] / variances.sum(axis=1)).mean())
    roots = math.sqrt(freedom - 0.5), math.sqrt(n_features - 0.5)
    spread = sum(roots) * (1 / roots[0] + 1 / roots[1]) ** (1 / 3)
    return float(min(1.0, (sum(roots) ** 2 + _TRACY_WIDOM_MEAN * spread) / freedom / n_features))
