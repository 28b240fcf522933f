"""Computation of formulas: tensors in float64, broadcast over positions, columns and heads."""

import ast
import math
from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor

from embedlib.positional.formula.errors import FormulaError
from embedlib.positional.formula.language import names_in
from embedlib.positional.formula.operations import OPERATIONS, Key, operation

# Most numbers of one step, 8 MB: larger ones are computed in blocks of positions, or of terms of a sum.
AT_ONCE = 2**20
# Numbers that one line may compute in all, every step counted: some seconds on two cores.
MAX_WORK = 2**30
_MAX_AXES = 4  # of a result: head, position, column or key, and the terms of a sum
_SUMMED = 3  # the axis of these terms


def check_work(tree: ast.expr, sizes: Mapping[str, Mapping[int, int]], n_summed: int, *, line: str, stop: int) -> None:
    """Raise FormulaError if all steps together would compute more than MAX_WORK numbers.

    `sizes` has each name's axes.
    """
    total = 0

    def term_axes(tree: ast.expr, sizes: Mapping[str, Mapping[int, int]]) -> dict[int, int]:
        nonlocal total
        key, operands = operation(tree)
        within = {**sizes, "i": {_SUMMED: n_summed}} if key == "sum" else sizes
        axes = dict(sizes.get(tree.id, {})) if isinstance(tree, ast.Name) else {}
        for operand in operands:
            axes |= term_axes(operand, within)
        if key == "sum":
            axes.pop(_SUMMED, None)
        total += math.prod(axes.values())
        return axes

    term_axes(tree, sizes)
    if total > MAX_WORK:
        raise FormulaError("too_much", line=line, stop=stop)


def evaluate(
    tree: ast.expr, values: Mapping[str, Tensor], n_summed: int, results: dict[ast.expr, Tensor] | None = None
) -> Tensor:
    """Compute a formula in float64; gradients are 0, not undefined, through an entry that is not finite.

    Args:
        values: a float64 tensor for each name, all of which broadcast; a table has its entries on an axis before these.
        n_summed: number of terms of a sum.
        results: filled, if given, with the result of each part; inside a sum, of all terms at once.
    """
    key, operands = operation(tree)
    match tree:
        case ast.Constant(value=number):
            result = torch.tensor(number, dtype=torch.float64, device=values["pi"].device)
        case ast.Name(id=name):
            result = values[name]
        case _ if key == "sum":
            result = _sum_over_i(operands[0], values, n_summed, results)
        case _:
            result = _apply(key, [evaluate(operand, values, n_summed, results) for operand in operands])
    if results is not None:
        results[tree] = result
    return result


def _sum_over_i(
    term: ast.expr, values: Mapping[str, Tensor], n_summed: int, results: dict[ast.expr, Tensor] | None
) -> Tensor:
    """Add a term up over i, which runs along a new last axis, in blocks of at most AT_ONCE numbers."""
    with_axis = {name: value.unsqueeze(-1) for name, value in values.items()}
    shapes = [with_axis[name].shape[-_MAX_AXES:] for name in names_in(term) - {"i"}]
    block = n_summed if results is not None else max(1, AT_ONCE // math.prod(np.broadcast_shapes(*shapes)))
    total = torch.zeros((), dtype=torch.float64, device=values["pi"].device)
    for first in range(0, n_summed, block):
        i = torch.arange(first, min(first + block, n_summed), dtype=torch.float64, device=total.device)
        terms = evaluate(term, {**with_axis, "i": i}, n_summed, results)
        total = total + OPERATIONS["sum"].compute(terms.expand(np.broadcast_shapes(terms.shape, i.shape)))
    return total


def _apply(key: Key, operands: list[Tensor]) -> Tensor:
    """Compute one operation, with gradients of 0 where its result or slope is not finite."""
    compute = OPERATIONS[key].compute
    result = compute(*operands)
    if not result.requires_grad or key is ast.Subscript:
        return result
    # An entry that is not finite, or whose slope is not, would make the gradient of all others undefined, though
    # `where` may leave it out: 0 · ∞. There the step is taken at 1 instead, and its result set without a gradient.
    blocked = ~result.isfinite()
    if key == "sqrt" or key is ast.Pow:
        blocked = blocked | ((operands[0] == 0) & (key == "sqrt" or operands[-1] < 1))
    if not bool(blocked.any()):
        return result
    safe = compute(*(torch.where(blocked, 1.0, operand) for operand in operands))
    return torch.where(blocked, result.detach(), safe)


def find_fault(tree: ast.expr, values: Mapping[str, Tensor], n_summed: int) -> tuple[ast.expr, float]:
    """Return the innermost part that is not finite though its operands are, and its value; names have one value."""
    results: dict[ast.expr, Tensor] = {}
    with torch.no_grad():
        evaluate(tree, values, n_summed, results)
    term = 0

    def value(tree: ast.expr) -> float:
        found = results[tree].detach().flatten()
        return float(found[term] if len(found) > 1 else found[0])

    while True:
        key, operands = operation(tree)
        if key == "sum":
            bad = (~results[operands[0]].isfinite()).flatten().nonzero()
            if len(bad):
                term = int(bad[0])
            operands = operands if len(bad) else []
        elif key == "where":
            operands = operands[1:2] if value(operands[0]) != 0 else operands[2:]
        elif key is ast.Subscript:
            operands = operands[1:]
        inner = next((operand for operand in operands if not math.isfinite(value(operand))), None)
        if inner is None:
            return tree, value(tree)
        tree = inner
