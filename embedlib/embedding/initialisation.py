"""Initialisations of an embedding matrix: five usual ways, and the row norms of each."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from embedlib.i18n import N_

# Keras' own start for an embedding layer, on both sides of zero.
_KERAS_BOUND = 0.05


@dataclass(frozen=True)
class Initialisation:
    """One way to draw a fresh table.

    Attributes:
        title: marked for translation.
        summary: what it does and why, marked for translation.
        formula: of one number of the table, LaTeX.
        source: with a link.
        normal: True for the normal distribution, False for the uniform one; both around 0.
        std: standard deviation of one number, for vocab_size and d_model.
        fill: draws into a table from a generator, by torch.nn.init.
    """

    name: str
    title: str
    summary: str
    formula: str
    source: str
    normal: bool
    std: Callable[[int, int], float]
    fill: Callable[[Tensor, torch.Generator], Tensor]


@dataclass(frozen=True)
class NormLaw:
    """Expected norms of the rows of a fresh table.

    Attributes:
        mean: expected Euclidean length of a row.
        std: standard deviation of that length from row to row.
        entry_std: standard deviation of one number of the table.
    """

    mean: float
    std: float
    entry_std: float


def _xavier_std(vocab_size: int, d_model: int) -> float:
    return math.sqrt(2 / (vocab_size + d_model))


_GLOROT = "Glorot & Bengio 2010, §4.2.1, https://proceedings.mlr.press/v9/glorot10a.html"

INITIALISATIONS: dict[str, Initialisation] = {
    kind.name: kind
    for kind in (
        Initialisation(
            "normal_1",
            N_("Normal, 1"),
            N_("PyTorch’s embedding layer begins so. A row of d such numbers is about √d long."),
            r"E_{ij} \sim \mathcal{N}(0,\, 1)",
            "https://docs.pytorch.org/docs/stable/generated/torch.nn.Embedding.html",
            normal=True,
            std=lambda vocab_size, d_model: 1.0,
            fill=lambda table, generator: nn.init.normal_(table, generator=generator),
        ),
        Initialisation(
            "normal_0.02",
            N_("Normal, 0.02"),
            N_("GPT-2 begins so: with short rows the first products of rows are small, too."),
            r"E_{ij} \sim \mathcal{N}(0,\, 0.02^2)",
            "https://github.com/openai/gpt-2/blob/master/src/model.py",
            normal=True,
            std=lambda vocab_size, d_model: 0.02,
            fill=lambda table, generator: nn.init.normal_(table, std=0.02, generator=generator),
        ),
        Initialisation(
            "uniform",
            N_("Uniform, ±0.05"),
            N_("The program library Keras begins so: all numbers between −0.05 and 0.05 are equally likely."),
            r"E_{ij} \sim \mathcal{U}(-0.05,\, 0.05)",
            "https://keras.io/api/layers/core_layers/embedding/, https://keras.io/api/layers/initializers/",
            normal=False,
            std=lambda vocab_size, d_model: _KERAS_BOUND / math.sqrt(3),
            fill=lambda table, generator: nn.init.uniform_(table, -_KERAS_BOUND, _KERAS_BOUND, generator=generator),
        ),
        Initialisation(
            "xavier_uniform",
            N_("Xavier, uniform"),
            N_(
                "A rule by Xavier Glorot for layers that add up all their inputs: the more inputs and outputs, the "
                "smaller the numbers. So a table with many rows gets short ones."
            ),
            r"E_{ij} \sim \mathcal{U}(-a,\, a), \quad a = \sqrt{\tfrac{6}{V + d}}",
            _GLOROT,
            normal=False,
            std=_xavier_std,
            fill=lambda table, generator: nn.init.xavier_uniform_(table, generator=generator),
        ),
        Initialisation(
            "xavier_normal",
            N_("Xavier, normal"),
            N_("The same rule with numbers that are spread as widely, but follow a bell curve (normal distribution)."),
            r"E_{ij} \sim \mathcal{N}\!\left(0,\, \tfrac{2}{V + d}\right)",
            _GLOROT,
            normal=True,
            std=_xavier_std,
            fill=lambda table, generator: nn.init.xavier_normal_(table, generator=generator),
        ),
    )
}


def initial_table(
    name: str, vocab_size: int, d_model: int, *, seed: int = 123, device: torch.device | None = None
) -> Tensor:
    """Draw a fresh (vocab_size, d_model) float32 table in one of the usual ways.

    Bit-equal to ``torch.manual_seed(seed)`` and torch.nn.init's function on an empty table, without changing the global
    random state; "normal_1" is ``embedding_table``. The draw is always made on the CPU.

    Source: https://docs.pytorch.org/docs/stable/nn.init.html
    """
    kind = _find_initialisation(name, vocab_size, d_model)
    table = torch.empty(vocab_size, d_model, dtype=torch.float32)
    return kind.fill(table, torch.Generator().manual_seed(seed)).to(device)


def row_norm_law(name: str, vocab_size: int, d_model: int) -> NormLaw:
    """Return the expected norms of the rows of a fresh table, computed without a draw, right to about 1e-9 of the mean.

    An integral over the Laplace transform of one number's square; the mean is a little below ``entry_std *
    sqrt(d_model)``, and the closer to it the wider the rows. vocab_size matters to Xavier's ways only.

    Source: √s = 1/(2√π) ∫₀^∞ (1 - e^(-ts)) t^(-3/2) dt, which is Γ(-1/2), https://dlmf.nist.gov/5.9#E5
    """
    kind = _find_initialisation(name, vocab_size, d_model)
    mean = _mean_norm(kind.normal, d_model)
    std = math.sqrt(max(0.0, d_model - mean**2))
    scale = kind.std(vocab_size, d_model)
    return NormLaw(scale * mean, scale * std, scale)


def _mean_norm(normal: bool, d_model: int) -> float:
    """Return the expected length of d_model numbers of variance 1."""
    u = torch.arange(-90, 90, 0.02, dtype=torch.float64)  # t = e^u: the trapezoid rule is then exact to rounding
    t = u.exp()
    log_transform = -0.5 * torch.log1p(2 * t) if normal else _log_transform_of_uniform(t)
    integrand = -torch.expm1(d_model * log_transform) * (-u / 2).exp()
    return float(integrand.sum()) * 0.02 / (2 * math.sqrt(math.pi))


def _log_transform_of_uniform(t: Tensor) -> Tensor:
    """Return the logarithm of E e^(-t x²) for x uniform on ±√3."""
    square = 3 * t
    root = square.sqrt()
    # What is left of 1 by a difference is noise where t is tiny: there the power series counts.
    series = sum((-square).clamp(min=-0.01) ** k / ((2 * k + 1) * math.factorial(k)) for k in range(1, 8))
    direct = math.sqrt(math.pi) / 2 * torch.erf(root) / root
    return torch.where(square < 0.01, torch.log1p(torch.as_tensor(series)), direct.log())


def _find_initialisation(name: str, vocab_size: int, d_model: int) -> Initialisation:
    if name not in INITIALISATIONS:
        raise ValueError(f"name={name!r} is unknown: choose among {', '.join(INITIALISATIONS)}")
    for size_name, size in (("vocab_size", vocab_size), ("d_model", d_model)):
        if size < 1:
            raise ValueError(f"{size_name}={size} must be at least 1")
    return INITIALISATIONS[name]
