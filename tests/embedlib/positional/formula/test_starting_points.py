"""Schemes of the library written as formulas, against the schemes themselves, number by number."""

import re

import pytest
import torch

from embedlib.positional import STARTING_POINTS, PositionalScheme, StartingPoint, make_scheme
from embedlib.positional.formula import read_formula, read_parameters
from embedlib.positional.formula.latex import tree_latex

POINTS = pytest.mark.parametrize("point", STARTING_POINTS.values(), ids=lambda point: point.name)
# seq_len, d_model, n_heads, offset; heads of 4 dimensions and more, for NTK. Six heads are no power of two.
SIZES = [(1, 8, 2, 0), (40, 24, 3, 0), (17, 24, 6, 5), (300, 64, 4, 100)]


def both(point: StartingPoint, d_model: int, n_heads: int) -> tuple[PositionalScheme, PositionalScheme]:
    """The scheme of the library, and the formula with its learned numbers."""
    built_in = make_scheme(point.scheme, d_model=d_model, n_heads=n_heads, **point.arguments)
    formula = make_scheme("formula", d_model=d_model, n_heads=n_heads, **point.lines)
    for name, weight in formula.learned_parameters().items():
        weight.data.copy_(its_own(built_in, name).movedim(0, -1))
    return built_in, formula


def its_own(built_in: PositionalScheme, name: str) -> torch.Tensor:
    """What a scheme of the library learns where the formula learns `name`."""
    return built_in.get_parameter({"t": "table"}.get(name, name.replace("log_", "raw_")))


@POINTS
@pytest.mark.parametrize(("seq_len", "d_model", "n_heads", "offset"), SIZES)
@pytest.mark.parametrize(("dtype", "apart"), [(torch.float64, 1e-12), (torch.float32, 1e-5)])
def test_a_starting_point_equals_its_scheme(
    point: StartingPoint, seq_len: int, d_model: int, n_heads: int, offset: int, dtype: torch.dtype, apart: float
) -> None:
    if point.name == "rope_ntk" and d_model // n_heads < 4:
        d_model = 4 * n_heads
    built_in, formula = (scheme.to(dtype) for scheme in both(point, d_model, n_heads))
    assert formula.acts_on == built_in.acts_on
    assert formula.causal_only == built_in.causal_only

    def close(mine: torch.Tensor, theirs: torch.Tensor) -> None:
        assert mine.dtype == theirs.dtype == dtype
        torch.testing.assert_close(mine, theirs, rtol=apart, atol=apart)

    if "embedding" in built_in.acts_on:
        close(formula.position_table(seq_len, offset=offset), built_in.position_table(seq_len, offset=offset))
    if "score" in built_in.acts_on:
        for causal in (True, False):
            close(*(s.bias(seq_len, causal=causal, offset=offset) for s in (formula, built_in)))
    q, k, v = torch.randn(
        3, 2, n_heads, seq_len, d_model // n_heads, dtype=dtype, generator=torch.Generator().manual_seed(0)
    )
    for mine, theirs in zip(formula.rotate(q, k, offset=offset), built_in.rotate(q, k, offset=offset), strict=True):
        close(mine, theirs)
    close(formula.attend(q, k, v, offset=offset), built_in.attend(q, k, v, offset=offset))
    close(formula.similarity(seq_len), built_in.similarity(seq_len))


@POINTS
def test_gradients_reach_the_same_numbers(point: StartingPoint) -> None:
    built_in, formula = (scheme.double() for scheme in both(point, 16, 2))
    weights = torch.randn(2, 30, 30, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    learned = {"kerple": {"log_r1", "log_r2"}, "t5": {"t"}}.get(point.name, set())
    assert formula.learned_parameters().keys() == learned
    if learned:
        for scheme in (built_in, formula):
            (scheme.bias(30) * weights).sum().backward()
    for name, weight in formula.learned_parameters().items():
        torch.testing.assert_close(weight.grad, its_own(built_in, name).grad.movedim(0, -1))


@POINTS
def test_a_starting_point_reads_as_mathematics(point: StartingPoint) -> None:
    parameters = read_parameters(point.lines.get("parameters", ""))
    for line in point.lines.keys() - {"parameters", "pairing", "scale"}:
        latex = tree_latex(read_formula(point.lines[line], line=line, parameters=parameters), line=line)
        depth = 0
        for bracket in re.findall(r"(?<!\\)[{}]", latex):
            depth += 1 if bracket == "{" else -1
            assert depth >= 0
        assert depth == 0
        assert latex.count(r"\left") - latex.count(r"\leftarrow") == latex.count(r"\right")
        assert latex.count(r"\begin{cases}") == latex.count(r"\end{cases}") == point.lines[line].count("where(")
        for name in parameters:
            assert name.replace("_", r"\_") in latex
