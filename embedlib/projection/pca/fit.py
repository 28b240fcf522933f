"""Principal components of a table: the choice of a method, the fitted basis, and what chance gives its first axis."""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from embedlib.projection.pca.krylov import solve_krylov
from embedlib.projection.pca.solvers import Solution, solve_covariance, solve_gram
from embedlib.projection.pca.sources import HostTable, Source, Table, first_rows, open_table

# What `Pca.method` can say: which matrix was solved, and how the table was read.
METHODS = ("covariance", "gram", "block Krylov", "covariance, streamed")
_BLOCK_ROWS = 8192
# Up to here everything is float64, which costs milliseconds; past it products are formed in the input's own dtype.
_EXACT_ENTRIES = 2**19
# A table that is read in blocks is kept down to one matrix of this width: 2 GB.
_WIDEST_STREAMED = 16_384
_TRACY_WIDOM_MEAN = -1.2065335745820
_DRAWN_ENTRIES = 128


@dataclass(frozen=True, eq=False, slots=True)
class Pca:
    """A centred orthonormal basis, the directions of most variance first.

    Attributes:
        mean: (n_features,) what is subtracted first.
        components: (n_components, n_features) orthonormal rows; the entry of greatest magnitude in each is positive.
        explained_variance_ratio: (n_components,) share of the whole variance along each, in [0, 1], falling.
        method: one of METHODS. "covariance": the n_features x n_features matrix was solved. "gram": the n_samples x
            n_samples matrix. "block Krylov": neither was formed, the table was multiplied by a few vectors until the
            variances were certain to 1e-4. "covariance, streamed": the table was read in blocks and never held whole.
        total_variance: the variance of the rows summed over all features (divisor n_samples - 1), so that a scree plot
            can also show what the components leave.
        rounded_off: (n_components,) coordinates of what rounding took from the mean, which `transform` subtracts
            too: far from 0 it is more than the rows differ by.
    """

    mean: Tensor
    components: Tensor
    explained_variance_ratio: Tensor
    method: str
    total_variance: float
    rounded_off: Tensor

    @property
    def explained_variance(self) -> Tensor:
        """The variance along each component, (n_components,), divisor n_samples - 1."""
        return self.explained_variance_ratio * self.total_variance

    def transform(self, x: Source) -> Tensor:
        """Return the coordinates of rows in this basis, read in blocks: no second copy of the rows is made.

        Args:
            x: (…, n_features): a Tensor on the device of the basis, an array, an np.memmap, or a callable that returns
                a fresh iterator of (n_rows, n_features) blocks.

        Returns:
            (…, n_components), dtype of the basis; the fitted rows have mean 0. A callable gives (n_samples, …).

        Raises:
            ValueError: x of another width, or not of real numbers.
        """
        width = self.mean.shape[0]
        if not callable(x):
            if x.ndim < 1 or x.shape[-1] != width:
                raise ValueError(f"x has shape {tuple(x.shape)}: it must be (…, n_features={width})")
            if isinstance(x, Tensor) and (x.numel() <= _BLOCK_ROWS * width or x.requires_grad):
                return (x.to(self.mean.dtype) - self.mean) @ self.components.T - self.rounded_off
        rows = x if callable(x) else x.reshape(-1, width)
        placed = [self.mean.new_empty(0, len(self.components))]
        for block in open_table(rows, width).blocks(_BLOCK_ROWS):
            if isinstance(block, Tensor):
                centred = block - self.mean
            else:  # a fresh array: torch warns of one that cannot be written
                centred = torch.from_numpy(block - self.mean.cpu().numpy()).to(self.mean.device)
            placed.append(centred.to(self.mean.dtype) @ self.components.T - self.rounded_off)
        points = torch.cat(placed)
        return points if callable(x) else points.reshape(*x.shape[:-1], len(self.components))


def greatest_share_by_chance(n_samples: int, n_features: int) -> float:
    """Return the share of the first axis of independent rows whose columns all vary alike.

    In a sample the axes of a round cloud are not alike: the first is the one that chance has favoured. Small
    sizes are drawn, 1,000 normal tables from a fixed seed; for others it is the mean of the Tracy-Widom law that the
    greatest eigenvalue follows as both grow. Both are within 3 % of the mean over normal rows.

    Args:
        n_samples: rows, at least 2.
        n_features: columns, at least 1.

    Returns:
        A share in (0, 1].

    Raises:
        ValueError: an argument out of range.

    Source: Johnstone 2001, https://doi.org/10.1214/aos/1009210544; centred as in Ma 2012,
        https://doi.org/10.1214/11-AOS949
    """
    if n_samples < 2 or n_features < 1:
        raise ValueError(f"n_samples={n_samples} must be at least 2 and n_features={n_features} at least 1")
    freedom = n_samples - 1  # the mean is taken out
    if min(freedom, n_features) == 1:
        return 1.0
    if freedom * n_features <= _DRAWN_ENTRIES:
        drawn = np.random.default_rng(0).standard_normal((1000, max(freedom, n_features), min(freedom, n_features)))
        variances = np.linalg.eigvalsh(drawn.transpose(0, 2, 1) @ drawn)  # (1000, n_axes), rising
        return float((variances[:, -1] / variances.sum(axis=1)).mean())
    roots = math.sqrt(freedom - 0.5), math.sqrt(n_features - 0.5)
    spread = sum(roots) * (1 / roots[0] + 1 / roots[1]) ** (1 / 3)
    greatest = sum(roots) ** 2 + _TRACY_WIDOM_MEAN * spread
    return float(min(1.0, greatest / freedom / n_features))


def fit_pca(x: Source, n_components: int = 3) -> Pca:
    """Fit principal components: no sampling, every variance right to 1e-4 of itself, the same answer every time.

    The smaller of the two symmetric matrices is solved, n_features or n_samples wide: "covariance" or "gram". Where
    both are at least 2,000 wide, "block Krylov" first tries to do with a fraction of that work, and is believed only
    where it can bound its own error; see `solve_krylov` for what is certain then. Directions without any variance
    (asked for past the rank of the data, or of constant data) are completed to an orthonormal basis and explain 0, so
    that two points can still be drawn in three dimensions.

    A table on disk or from an iterator is read in one pass, or in two where its first rows do not tell its mean and
    three where variances span more than 1:1000, and held as one n_features x n_features matrix: "covariance, streamed".
    If it has at most n_features rows, or is small, it is read into memory and treated as there.

    Args:
        x: (n_samples, n_features) finite, at least 2 rows. A Tensor, whose gradients are not followed and which is
            solved on its device; an array; an np.memmap; or a callable that returns a fresh iterator of
            (n_rows, n_features) blocks, each a Tensor or an array, with the same rows each time.
        n_components: in [1, n_features].

    Returns:
        Pca on the device of x (the CPU if it is no tensor), float64 where x is, otherwise float32.

    Raises:
        ValueError: x not of two dimensions, not of real numbers, fewer than 2 rows, not finite, or so large that its
            squares overflow; blocks of different widths; more than 16,384 features where the table is read in blocks;
            n_components out of range.

    Source: Jolliffe 2002, Principal Component Analysis, §3.5; signs as in scikit-learn's svd_flip.
    """
    table = _opened(x, n_components)
    dtype = torch.float64 if table.dtype in (torch.float64, np.float64) else torch.float32
    method, solved = _solve(table, n_components)
    device = x.device if isinstance(x, Tensor) else torch.device("cpu")
    return basis(method, solved, n_components, dtype, device)


def basis(method: str, solved: Solution, n_components: int, dtype: torch.dtype, device: torch.device) -> Pca:
    """Return what was solved as a basis of n_components, in a dtype and on a device."""
    components = _complete(solved.directions, n_components)
    signs = components.gather(1, components.abs().argmax(dim=1, keepdim=True)).sign()  # (n_components, 1)
    ratio = torch.zeros(n_components, dtype=torch.float64, device=components.device)
    ratio[: len(solved.variance)] = solved.variance / solved.total  # none is left where total is 0
    mean, components = solved.mean.to(dtype), (components * signs).to(dtype)
    return Pca(
        mean=mean.to(device),
        components=components.to(device),
        explained_variance_ratio=ratio.clamp(0, 1).to(dtype).to(device),
        method=method,
        total_variance=solved.total / (solved.n_samples - 1),
        rounded_off=(components.double() @ (solved.mean - mean)).to(dtype).to(device),
    )


def _opened(x: Source, n_components: int) -> Table:
    """Check x and say how to read it: from memory wherever that takes no more room than the covariance would."""
    if not callable(x) and x.ndim != 2:
        raise ValueError(f"x has shape {tuple(x.shape)}: it must be (n_samples, n_features)")
    table = open_table(x)
    n_samples = table.n_samples
    if n_samples is not None and n_samples < 2:
        raise ValueError(f"n_samples={n_samples} must be at least 2: one point alone has no direction")
    if not 1 <= n_components <= table.n_features:
        raise ValueError(f"n_components={n_components} must be between 1 and n_features={table.n_features}")
    if not isinstance(table, HostTable) or table.in_memory:
        return table
    limit = max(table.n_features, _EXACT_ENTRIES // table.n_features)
    if n_samples is None or n_samples <= limit:  # keeps no more than the covariance would
        rows = first_rows(table, limit)
        if rows is not None:
            return open_table(rows)
    check_streamed(table.n_features)
    return table


def check_streamed(n_features: int) -> None:
    """Refuse a table that is too wide to be read in blocks."""
    if n_features > _WIDEST_STREAMED:
        raise ValueError(
            f"n_features={n_features} must be at most {_WIDEST_STREAMED} for a table that is read in blocks,"
            " which needs a matrix of that width: pass the rows as a tensor"
        )


def _solve(table: Table, n_components: int) -> tuple[str, Solution]:
    """Choose the method by size."""
    if not table.in_memory:
        return "covariance, streamed", solve_covariance(table, n_components)
    n_samples = table.n_samples
    assert n_samples is not None  # known of what is in memory
    if n_samples * table.n_features <= _EXACT_ENTRIES:
        table = table.in_float64()
    solved = solve_krylov(table, n_components)
    if solved is not None:
        return "block Krylov", solved
    if n_samples <= table.n_features:
        return "gram", solve_gram(table, n_components)
    return "covariance", solve_covariance(table, n_components)


def _complete(components: Tensor, n_components: int) -> Tensor:
    """Add orthonormal rows until there are n_components: of each coordinate axis, the part outside the others."""
    while len(components) < n_components:
        outside = 1 - components.square().sum(dim=0)  # (n_features,) squared length of each axis's part outside
        axis = torch.zeros_like(outside)
        axis[outside.argmax()] = 1
        for _ in range(2):  # the second time takes out what rounding left
            axis = axis - (components @ axis) @ components
            axis = axis / torch.linalg.vector_norm(axis)
        components = torch.cat([components, axis[None]])
    return components
