"""How alike rows are, and how that changes with the distance between them."""

import torch
from torch import Tensor


def cosine_similarity(x: Tensor) -> Tensor:
    """Return the cosine of the angle between every two rows.

    Args:
        x: (n, width) finite, any scale.

    Returns:
        (n, n) symmetric, in [-1, 1], dtype and device of x; 1 on the diagonal to rounding. A row of zeros has no angle:
        its row and column are 0, its diagonal entry too.

    Raises:
        ValueError: x not of two dimensions.
    """
    _check_matrix("x", x)
    # Dividing by the greatest entry first keeps squares of very small and very large rows inside the float range.
    greatest = x.abs().amax(dim=1, keepdim=True) if x.shape[1] else x.new_zeros(x.shape[0], 1)  # (n, 1)
    scaled = x / greatest.where(greatest > 0, 1)
    norm: Tensor = torch.linalg.vector_norm(scaled, dim=1, keepdim=True)  # (n, 1)
    unit = scaled / norm.where(norm > 0, 1)
    cosine: Tensor = unit @ unit.T
    return cosine.clamp(-1, 1)


def mean_by_distance(matrix: Tensor) -> Tensor:
    """Return the mean of each diagonal, from the main one down: all pairs whose row is delta after their column.

    What stands above the main diagonal is not looked at, so a causally masked matrix can be given as it is.

    Args:
        matrix: (n, n), row = query position, column = key position; n at least 1.

    Returns:
        (n,), entry delta the mean of matrix[m + delta, m] over the n - delta values of m; dtype and device of matrix.

    Raises:
        ValueError: matrix not square, or empty.
    """
    _check_matrix("matrix", matrix)
    size = matrix.shape[0]
    if size < 1 or matrix.shape[1] != size:
        raise ValueError(f"matrix has shape {tuple(matrix.shape)}: it must be square and not empty, (n, n)")
    # Under n rows of zeros, entry [m + delta, m] lies delta·n + m·(n + 1) places from the start: a view whose row delta
    # is that diagonal, ending in zeros. Summed in pairs, so equal entries keep their value at any n.
    padded = torch.cat([matrix, torch.zeros_like(matrix)])  # (2n, n)
    diagonals = padded.as_strided((size, size), (size, size + 1))  # (delta, m)
    return diagonals.sum(dim=1) / torch.arange(size, 0, -1, dtype=matrix.dtype, device=matrix.device)


def adjacent_distance(x: Tensor) -> Tensor:
    """Return how far each row is from the next.

    Args:
        x: (n, width), n at least 1.

    Returns:
        (n - 1,) Euclidean distances, dtype and device of x; empty for one row.

    Raises:
        ValueError: x not of two dimensions, or without rows.
    """
    _check_matrix("x", x)
    if x.shape[0] < 1:
        raise ValueError("x has no rows: it must have at least 1")
    distance: Tensor = torch.linalg.vector_norm(x[1:] - x[:-1], dim=1)  # (n - 1,)
    return distance


def pairwise_distance(x: Tensor) -> Tensor:
    """Return how far each row is from every other.

    Args:
        x: (n, width).

    Returns:
        (n, n) Euclidean distances, dtype and device of x; the diagonal is exactly 0, and no other entry is
        unless two rows are equal.

    Raises:
        ValueError: x not of two dimensions.
    """
    _check_matrix("x", x)
    # The faster way by a matrix product rounds the distance of close rows to 0.
    distance: Tensor = torch.cdist(x, x, compute_mode="donot_use_mm_for_euclid_dist")  # (n, n)
    return distance


def _check_matrix(name: str, matrix: Tensor) -> None:
    if matrix.ndim != 2 or not matrix.is_floating_point():
        raise ValueError(
            f"{name} is {matrix.dtype} of shape {tuple(matrix.shape)}: it must be floating point with two dimensions"
        )
