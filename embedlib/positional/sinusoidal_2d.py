"""Sinusoids in two dimensions: half of each row encodes the column of a grid, the other half its line."""

from typing import Literal

import torch
from torch import Tensor

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme, cached_by_length, check_positions
from embedlib.positional.parameters import Parameter
from embedlib.positional.rotation import geometric_frequencies

BASE = 10_000.0
Coordinate = Literal["column", "line"]
COORDINATES: tuple[Coordinate, ...] = ("column", "line")


def sinusoidal_grid(
    seq_len: int,
    d_model: int,
    *,
    grid_width: int,
    first: str = "column",
    offset: int = 0,
    dtype: torch.dtype = torch.float32,
    device: torch.device | None = None,
) -> Tensor:
    """Sinusoidal encodings of the cells of a grid, read line by line: of the column, then of the line.

    Returns (seq_len, d_model) of dtype, in [-1, 1]: sines then cosines of the first coordinate, then of the other, with
    frequencies 10000^(-4i/d_model). Each row has norm sqrt(d_model/2).

    Args:
        d_model: a multiple of 4: a sine and a cosine for each of two coordinates.
        grid_width: cells in a line; cell p lies in column p mod grid_width, line p // grid_width.
        first: coordinate in the first half of a row: "column" (ViT-MAE) or "line".
        offset: the first cell.

    Source: He et al. 2021 (MAE), §A, https://arxiv.org/abs/2111.06377, and the released code,
    https://github.com/facebookresearch/mae
    """
    check_positions(seq_len, offset)
    check_grid(d_model, grid_width=grid_width, first=first)
    frequency = geometric_frequencies(d_model // 2, base=BASE, device=device)  # (d_model/4,)
    cell = torch.arange(offset, offset + seq_len, device=frequency.device)  # (seq_len,)
    column, line = (x.to(torch.float64) for x in (cell % grid_width, cell // grid_width))
    waves = []
    for coordinate in (column, line) if first == "column" else (line, column):
        angle = torch.outer(coordinate, frequency)  # (seq_len, d_model/4)
        waves += [angle.sin(), angle.cos()]
    return torch.cat(waves, dim=-1).to(dtype).to(device)  # (seq_len, d_model)


def check_grid(d_model: int, *, grid_width: int, first: str) -> None:
    """Raise ValueError unless d_model is a multiple of 4, grid_width at least 1, and first a coordinate."""
    if d_model < 4 or d_model % 4:
        raise ValueError(
            f"d_model={d_model} must be a multiple of 4 (a sine and a cosine for each of two coordinates): "
            f"choose {max(d_model // 4, 1) * 4} or {(max(d_model // 4, 1) + 1) * 4}"
        )
    if grid_width < 1:
        raise ValueError(f"grid_width={grid_width} must be at least 1")
    if first not in COORDINATES:
        raise ValueError(f"first={first!r} must be one of {', '.join(COORDINATES)}")


class Sinusoidal2dPositions(PositionalScheme):
    """Fixed rows for the cells of a grid, such as the patches of an image, read line by line; nothing is learned.

    Source: He et al. 2021 (MAE), https://arxiv.org/abs/2111.06377

    >>> from embedlib import make_scheme
    >>> scheme = make_scheme("sinusoidal_2d", d_model=8, n_heads=2)
    >>> scheme.similarity(3).round(decimals=2)
    tensor([[4.0000, 3.5400, 2.5800],
            [3.5400, 4.0000, 3.5400],
            [2.5800, 3.5400, 4.0000]])
    """

    name = "sinusoidal_2d"
    title = N_("Sinusoidal in 2-D")
    acts_on = frozenset({"embedding"})
    summary = N_(
        "For images: one half of a row has sines and cosines of the patch’s column, the other half those of its line."
    )
    formula = (
        r"\mathrm{PE}(p) = \left[\,\sin x\omega,\ \cos x\omega,\ \sin y\omega,\ \cos y\omega\,\right], \qquad "
        r"x = p \bmod w,\quad y = \lfloor p / w \rfloor,\quad \omega_i = 10000^{-4i/d}"
    )
    source = "He et al. 2021 (MAE), https://arxiv.org/abs/2111.06377"
    past_training = "unseen angles"
    used_by = N_("ViT-MAE, MoCo v3, DiT")
    PARAMETERS = (
        Parameter(
            name="grid_width",
            default=14,
            minimum=1,
            maximum=65_536,
            summary=N_("Patches per line: 14 in ViT-MAE."),
        ),
        Parameter(
            name="first",
            default="column",
            choices=COORDINATES,
            summary=N_("First half of a row: the column in ViT-MAE."),
        ),
    )

    grid_width: int
    first: str

    def build(self) -> None:
        """Check the sizes; rows are computed on demand."""
        check_grid(self.d_model, grid_width=self.grid_width, first=self.first)  # raises here rather than at first use

    @cached_by_length
    def position_table(self, seq_len: int, *, offset: int = 0) -> Tensor:
        """Return ``sinusoidal_grid`` for this scheme's grid; see there."""
        return sinusoidal_grid(
            seq_len,
            self.d_model,
            grid_width=self.grid_width,
            first=self.first,
            offset=offset,
            dtype=self.dtype,
            device=self.device,
        )
