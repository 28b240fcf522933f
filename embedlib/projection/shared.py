"""Principal axes that are fitted once and shared: by rows that move from step to step, or by two sets of rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional

from embedlib.projection.pca import fit_pca

AxesBasis = Literal["kinds", "principal"]


@dataclass(frozen=True, eq=False)
class RowAxes:
    """Axes in the space of the rows.

    Attributes:
        mean: (d_model,) float32, the origin.
        components: (3, d_model) float32, orthonormal; rows of zeros where d_model is less than 3.
        step: the step whose rows they were fitted to.
        basis: "kinds": to the mean row of each kind of words; "principal": to all rows.
    """

    mean: Tensor
    components: Tensor
    step: int
    basis: AxesBasis

    def coordinates(self, rows: Tensor) -> Tensor:
        """Return the coordinates of rows along the axes, (n_rows, 3) float32."""
        return (rows - self.mean) @ self.components.T

    def shares(self, rows: Tensor) -> Tensor:
        """Return the share of these rows' variance along each axis, (3,) float32; zeros without any variance."""
        total = rows.double().var(dim=0).sum()
        along = (rows.double() @ self.components.double().T).var(dim=0)  # (3,)
        return (along / total if total > 0 else torch.zeros(3)).float()


def fit_row_axes(rows: Tensor, *, kinds: Sequence[str | None] | None, step: int) -> RowAxes:
    """Fit axes to rows, (n_rows, d_model) with at least 2, on the CPU.

    AxesBasis kinds (None for words without one), they are the principal components of the mean row of each kind: the
    directions in which kinds differ most, whatever the scatter of single words. Without kinds, or fewer than two, of
    all rows.
    """
    if kinds is not None and len(kinds) != len(rows):
        raise ValueError(f"kinds={len(kinds)} of them must be as many as rows={len(rows)}")
    rows = rows.detach().to("cpu", torch.float32)
    named = dict.fromkeys(kind for kind in kinds or () if kind is not None)
    by: AxesBasis = "kinds" if kinds is not None and len(named) > 1 else "principal"
    fitted = kind_means(rows, kinds) if kinds is not None and by == "kinds" else rows
    d_model = rows.shape[1]
    pca = fit_pca(fitted, min(3, d_model))
    components = torch.zeros(3, d_model)
    components[: len(pca.components)] = pca.components
    return RowAxes(pca.mean, components, step, by)


def kind_means(rows: Tensor, kinds: Sequence[str | None]) -> Tensor:
    """Return the mean row of each kind, (n_kinds, d_model) float32, in the order of their first rows."""
    numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kind for kind in kinds if kind is not None))}
    kind = torch.tensor([-1 if name is None else numbers[name] for name in kinds])  # (n_rows,)
    return torch.stack([rows[kind == number].double().mean(dim=0) for number in range(len(numbers))]).float()


@dataclass(frozen=True, eq=False)
class SharedProjection:
    """Points of two sets along common principal axes.

    Attributes:
        before: (n_rows, n_components) float32.
        after: (n_rows, n_components) float32.
        explained_variance_ratio: (n_components,) float32, the share of both sets' variance along each axis, in [0, 1].
    """

    before: Tensor
    after: Tensor
    explained_variance_ratio: Tensor


def project_together(before: Tensor, after: Tensor, *, n_components: int = 3) -> SharedProjection:
    """Fit one exact PCA to both sets of rows, (n_rows, d_model) each, and project both, on the CPU.

    Where so few points or columns have fewer axes, the rest are zeros that explain nothing.
    """
    if before.shape != after.shape:
        raise ValueError(f"before is {tuple(before.shape)} but after is {tuple(after.shape)}: they must have one shape")
    n_rows, d_model = before.shape
    points = torch.cat([before, after])  # (2 n_rows, d_model)
    pca = fit_pca(points, min(n_components, d_model, 2 * n_rows))
    placed = pca.transform(points).cpu().float()  # (2 n_rows, k)
    missing = n_components - placed.shape[1]
    placed = functional.pad(placed, (0, missing))  # (2 n_rows, n_components)
    ratio = functional.pad(pca.explained_variance_ratio.cpu().float(), (0, missing))  # (n_components,)
    return SharedProjection(placed[:n_rows], placed[n_rows:], ratio)
