"""The fitted basis: directions, the share of the variance along each, and rows placed in it."""

from dataclasses import dataclass

import torch
from torch import Tensor

from embedlib.projection.pca.sources import Source, open_table

# What `Pca.method` can say: which matrix was solved, and how the table was read.
METHODS = ("covariance", "gram", "block Krylov", "covariance, streamed")
_BLOCK_ROWS = 8192


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
    """

    mean: Tensor
    components: Tensor
    explained_variance_ratio: Tensor
    method: str
    total_variance: float

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
                return (x.to(self.mean.dtype) - self.mean) @ self.components.T
        rows = x if callable(x) else x.reshape(-1, width)
        placed = [self.mean.new_empty(0, len(self.components))]
        for block in open_table(rows, width).blocks(_BLOCK_ROWS):
            if isinstance(block, Tensor):
                centred = block - self.mean
            else:  # a fresh array: torch warns of one that cannot be written
                centred = torch.from_numpy(block - self.mean.cpu().numpy()).to(self.mean.device)
            placed.append(centred.to(self.mean.dtype) @ self.components.T)
        points = torch.cat(placed)
        return points if callable(x) else points.reshape(*x.shape[:-1], len(self.components))
