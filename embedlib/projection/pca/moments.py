"""Mean, scatter and products of a centred table, in passes over its rows and without a centred copy."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from embedlib.projection.pca.sources import Array, DeviceTable, HostTable, Table

# Float32 products are added up in float32 over this many rows, then in float64.
_FLUSH_ROWS = 65_536
# Float32 column sums likewise.
_SUM_ROWS = 1024
# A mean that holds more than this share of the sum of squares is taken out before products: afterwards, the difference
# would be mostly rounding.
_LARGE_MEAN = 0.75


@dataclass(frozen=True)
class Moments:
    """What the rows add up to, in float64, on the table's device.

    Attributes:
        n_samples: number of rows.
        mean: (n_features,).
        total: sum over rows of |row - mean|², the trace of the scatter.
        scatter: (n_features, n_features) sum over rows of (row - mean)(row - mean)ᵀ, or None where not asked for.
        shift: (n_features,) what has to be taken out of each block before a product, or None where the mean is small.
    """

    n_samples: int
    mean: Tensor
    total: float
    scatter: Tensor | None
    shift: Tensor | None


def moments(table: Table, *, with_scatter: bool) -> Moments:
    """Read the table in one pass, or two where the mean turns out to be large or float64 in memory asks for care."""
    if table.in_memory and table.dtype in (torch.float64, np.float64):
        n_samples, sums, _, _ = _pass(table, None, with_scatter=None)
        shift: Tensor | None = sums / max(n_samples, 1)
    else:
        shift = _large_mean_of_first_rows(table)
    for last in (False, True):
        shift = None if shift is None else _rounded(shift, table)
        n_samples, sums, raw_total, scatter = _pass(table, shift, with_scatter=with_scatter)
        offset = sums / max(n_samples, 1)  # (n_features,) from shift to mean
        total = raw_total - n_samples * float(offset.square().sum())
        mean = offset if shift is None else shift + offset
        if last or not total < (1 - _LARGE_MEAN) * raw_total:  # also where they are not finite
            break
        shift = mean
    if scatter is not None:
        scatter -= n_samples * torch.outer(offset, offset)
    return Moments(n_samples, mean, total, scatter, shift)


def merged(parts: Sequence[Moments]) -> Moments:
    """Return the moments of all rows together from those of parts, at least one, all with a scatter or all without.

    Source: Chan, Golub & LeVeque 1983, https://doi.org/10.1080/00031305.1983.10483115
    """
    n_samples = sum(part.n_samples for part in parts)
    mean = sum((part.n_samples * part.mean for part in parts[1:]), parts[0].n_samples * parts[0].mean) / n_samples
    total, scatter = 0.0, None
    for part in parts:
        away = part.mean - mean
        total += part.total + part.n_samples * float(away.square().sum())
        if part.scatter is not None:
            own = torch.addr(part.scatter, away, away, alpha=part.n_samples)
            scatter = own if scatter is None else scatter.add_(own)
    return Moments(n_samples, mean, total, scatter, None)


def scatter_times(table: Table, of: Moments, vectors: Tensor) -> Tensor:
    """Return scatter @ vectors in one pass, without the scatter: the centred table twice, 4·n·d·k operations.

    Returns: (n_features, k) float64; products in the table's dtype, block sums in float64.
    """
    if isinstance(table, DeviceTable):
        return _device_scatter_times(table, of, vectors)
    narrow = vectors.numpy().astype(table.dtype)
    shift = None if of.shift is None else of.shift.numpy().astype(table.dtype)
    # Where the mean is small it is taken out of the products: (rows - mean) v = rows v - mean·v.
    left = (of.mean if of.shift is None else of.mean - of.shift).numpy()  # (n_features,)
    along = (left @ vectors.numpy()).astype(table.dtype)  # (k,)
    product = np.zeros(vectors.shape)
    coordinate_sums = np.zeros(vectors.shape[1])
    for block in table.blocks(block_rows(table)):
        near = block if shift is None else block - shift
        coordinates = near @ narrow - along  # (n_rows, k)
        product += near.T @ coordinates
        coordinate_sums += coordinates.sum(axis=0, dtype=np.float64)
    return torch.from_numpy(product - np.outer(left, coordinate_sums))


def block_rows(table: Table) -> int:
    """Return how many rows to read at a time: 128 MB of float32 at most."""
    return max(1024, min(8192, 2**25 // table.n_features))


def _rounded(vector: Tensor, table: Table) -> Tensor:
    """Return float64 numbers that the table's dtype holds exactly."""
    return vector if table.dtype in (torch.float64, np.float64) else vector.to(torch.float32).to(torch.float64)


def _large_mean_of_first_rows(table: Table) -> Tensor | None:
    """Return the first rows' mean where it is large beside what they differ by, (n_features,) float64."""
    if isinstance(table, DeviceTable):
        rows = table.rows[:_SUM_ROWS].to(torch.float64)
    else:
        first = next(table.blocks(_SUM_ROWS), None)
        if first is None:
            return None
        rows = torch.from_numpy(first.astype(np.float64))
    mean = rows.mean(dim=0)
    return mean if float((rows - mean).square().sum()) < (1 - _LARGE_MEAN) * float(rows.square().sum()) else None


# number of rows, their sum (n_features,), the sum of their squares, and rowsᵀ rows where asked for
_Sums = tuple[int, Tensor, float, Tensor | None]


def _pass(table: Table, shift: Tensor | None, *, with_scatter: bool | None) -> _Sums:
    """Add up rows less shift; with_scatter=None leaves the squares out too."""
    if isinstance(table, DeviceTable):
        return _device_pass(table, shift, with_scatter=with_scatter)
    return _host_pass(table, shift, with_scatter=with_scatter)


def _host_pass(table: HostTable, shift: Tensor | None, *, with_scatter: bool | None) -> _Sums:
    """Through SciPy's BLAS, whose syrk does half the work of a product, and which the eigensolver uses too.

    Torch, NumPy and SciPy each have threads that go on waiting for work after a large operation, in the way of the
    others' (50257 x 768 on two cores: 330 ms with torch and NumPy mixed in, 215 without).
    """
    from scipy.linalg.blas import dsyrk, ssyrk  # only large tables need it

    syrk = dsyrk if table.dtype == np.float64 else ssyrk
    taken = None if shift is None else shift.numpy().astype(table.dtype)
    size = (table.n_features, table.n_features)
    n_samples, sums, raw_total = 0, np.zeros(table.n_features), 0.0
    upper = np.zeros(size if with_scatter else (0, 0), order="F")
    recent: Array | None = None  # float32 part of upper, not added to it yet
    with np.errstate(over="ignore", invalid="ignore"):  # who asked says it in words
        for block in table.blocks(block_rows(table)):
            near = block if taken is None else block - taken  # (n_rows, n_features)
            for start in range(0, len(near), _SUM_ROWS):
                sums += near[start : start + _SUM_ROWS].sum(axis=0)
            n_samples += len(near)
            if with_scatter:  # zeros below the diagonal
                recent = syrk(1.0, near.T) if recent is None else syrk(1.0, near.T, 1.0, recent, overwrite_c=True)
                if n_samples // _FLUSH_ROWS > (n_samples - len(near)) // _FLUSH_ROWS:
                    upper += recent
                    recent = None
            elif with_scatter is False:
                raw_total += float(np.einsum("ij,ij->i", near, near).sum(dtype=np.float64))
        if not with_scatter:
            return n_samples, torch.from_numpy(sums), raw_total, None
        if recent is not None:
            upper += recent
        scatter = upper + np.triu(upper, 1).T
    return n_samples, torch.from_numpy(sums), float(scatter.trace()), torch.from_numpy(scatter)


def _device_pass(table: DeviceTable, shift: Tensor | None, *, with_scatter: bool | None) -> _Sums:
    taken = None if shift is None else shift.to(table.dtype)
    zeros = torch.zeros(table.n_features, dtype=torch.float64, device=table.rows.device)
    sums, squares, scatter = zeros, zeros.clone(), torch.outer(zeros, zeros) if with_scatter else None
    for block in table.blocks(block_rows(table)):
        near = block if taken is None else block - taken
        sums = sums + near.sum(dim=0, dtype=torch.float64)
        if scatter is not None:
            scatter += near.T @ near
        elif with_scatter is False:
            squares += near.square().sum(dim=0, dtype=torch.float64)
    # One wait for the device, at the end.
    raw_total = float(squares.sum() if scatter is None else scatter.trace())
    return table.n_samples, sums, raw_total, scatter


def _device_scatter_times(table: DeviceTable, of: Moments, vectors: Tensor) -> Tensor:
    narrow = vectors.to(table.dtype)
    taken = None if of.shift is None else of.shift.to(table.dtype)
    left = of.mean if of.shift is None else of.mean - of.shift
    along = (left @ vectors).to(table.dtype)
    product, coordinate_sums = torch.zeros_like(vectors), torch.zeros_like(vectors[0])
    for block in table.blocks(block_rows(table)):
        near = block if taken is None else block - taken
        coordinates = near @ narrow - along  # (n_rows, k)
        product += near.T @ coordinates
        coordinate_sums += coordinates.sum(dim=0, dtype=torch.float64)
    return product - torch.outer(left, coordinate_sums)
