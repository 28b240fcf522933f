"""Positional schemes: each overrides the same four hooks, all of them listed in SCHEMES."""

from typing import Any

import torch

from embedlib.errors import check_ints
from embedlib.positional.alibi import AlibiPositions, alibi_slopes, geometric_slopes
from embedlib.positional.base import HOOKS, PAST_TRAINING, PositionalScheme, with_cache
from embedlib.positional.conventions import Agreement, agreements
from embedlib.positional.cope import CopePositions
from embedlib.positional.deberta import DebertaPositions
from embedlib.positional.diagnosis import RotationCandidate, RotationDiagnosis, diagnose_rotation
from embedlib.positional.fire import FirePositions
from embedlib.positional.formula import (
    STARTING_POINTS,
    FormulaCode,
    FormulaError,
    FormulaPositions,
    StartingPoint,
    formula_python,
)
from embedlib.positional.kerple import KerplePositions
from embedlib.positional.learned import LearnedPositions
from embedlib.positional.no_positions import NoPositions
from embedlib.positional.parameters import Parameter, ParameterValue, validate_parameters
from embedlib.positional.rope import RotaryPositions
from embedlib.positional.rope_scaling import SCALINGS, RopeScaling
from embedlib.positional.rotation import halves_order, rotary_angles, rotate_pairs
from embedlib.positional.sandwich import SandwichPositions
from embedlib.positional.shaw import ShawPositions
from embedlib.positional.sinusoidal import SinusoidalPositions, sinusoidal_frequencies, sinusoidal_table
from embedlib.positional.sinusoidal_2d import Sinusoidal2dPositions, sinusoidal_grid
from embedlib.positional.t5 import T5Positions, bucket_starts, relative_buckets
from embedlib.positional.trained import N_TRAINED
from embedlib.positional.transformer_xl import TransformerXLPositions
from embedlib.positional.xpos import XposPositions

SCHEMES: dict[str, type[PositionalScheme]] = {
    scheme.name: scheme
    for scheme in (
        NoPositions,
        LearnedPositions,
        SinusoidalPositions,
        Sinusoidal2dPositions,
        RotaryPositions,
        XposPositions,
        AlibiPositions,
        T5Positions,
        KerplePositions,
        FirePositions,
        SandwichPositions,
        ShawPositions,
        TransformerXLPositions,
        DebertaPositions,
        CopePositions,
    )
}


def make_scheme(
    name: str,
    *,
    d_model: int,
    n_heads: int,
    max_seq_len: int = 1024,
    device: torch.device | None = None,
    **parameters: Any,
) -> PositionalScheme:
    """Build a positional scheme by name.

    Args:
        name: a key of SCHEMES, or "formula" for one defined by lines ``rows``, ``bias``, ``turn`` and ``scale``.
        d_model: width of the token rows.
        n_heads: number of attention heads; divides d_model.
        max_seq_len: positions 0 … max_seq_len - 1 exist where a scheme has a table of them.
        device: of its weights, tables and biases; None means CPU. Random weights are drawn on the CPU first, so
            every device holds the same numbers.
        **parameters: those of ``SCHEMES[name].PARAMETERS``, or of ``FormulaPositions``.

    Returns:
        A torch.nn.Module, float32.

    Raises:
        ValueError: an unknown name or parameter, with the choices; a size or value out of range, with the rule.
        FormulaError: a formula that cannot be read or computed, with the place.

    >>> from embedlib import make_scheme
    >>> scheme = make_scheme("rope", d_model=8, n_heads=2, base=100.0)
    >>> scheme.similarity(4).shape
    torch.Size([4, 4])
    """
    check_ints(d_model=d_model, n_heads=n_heads, max_seq_len=max_seq_len)
    if name == FormulaPositions.name:
        scheme_of_lines = FormulaPositions(d_model=d_model, n_heads=n_heads, max_seq_len=max_seq_len, **parameters)
        return scheme_of_lines.to(device)
    if name not in SCHEMES:
        raise ValueError(f"scheme={name!r} is unknown: choose among {', '.join((*SCHEMES, FormulaPositions.name))}")
    scheme = SCHEMES[name]
    values = validate_parameters(name, scheme.PARAMETERS, parameters)
    return scheme(d_model=d_model, n_heads=n_heads, max_seq_len=max_seq_len, **values).to(device)
