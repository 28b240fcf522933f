"""What a formula comes to: tensors in float64, broadcast over positions, columns and heads."""

import math
from collections.abc import Callable, Mapping

import numpy as np
import torch
from torch import Tensor

from embedlib.positional.formula.errors import FormulaError
from embedlib.positional.formula.language import ENTRY, Node

# Numbers that one step holds at a time, 8 MB: what is larger is made in blocks of positions, or of terms of a sum.
AT_ONCE = 2**20
# Numbers that one line may compute in all, every step counted: some seconds on two cores.
MOST_WORK = 2**30
_MOST_AXES = 4  # of what a formula comes to: head, position, column or key, and the terms of a sum

OPERATIONS: dict[str, Callable[..., Tensor]] = {
    "add": torch.add,
    "sub": torch.sub,
    "mul": torch.mul,
    "div": torch.div,
    "floordiv": lambda x, y: (x / y).floor(),
    "mod": torch.remainder,
    "pow": torch.pow,
    "neg": torch.neg,
    "lt": lambda x, y: (x < y).to(torch.float64),
    "le": lambda x, y: (x <= y).to(torch.float64),
    "gt": lambda x, y: (x > y).to(torch.float64),
    "ge": lambda x, y: (x >= y).to(torch.float64),
    "eq": lambda x, y: (x == y).to(torch.float64),
    "ne": lambda x, y: (x != y).to(torch.float64),
    "sin": torch.sin,
    "cos": torch.cos,
    "tan": torch.tan,
    "exp": torch.exp,
    "log": torch.log,
    "sqrt": torch.sqrt,
    "abs": torch.abs,
    "floor": torch.floor,
    "sign": torch.sign,
    "sigmoid": torch.sigmoid,
    "relu": torch.relu,
    "even": lambda x: (x.remainder(2) == 0).to(torch.float64),
    "odd": lambda x: (x.remainder(2) == 1).to(torch.float64),
    "min": lambda first, *rest: _folded(torch.minimum, first, *rest),
    "max": lambda first, *rest: _folded(torch.maximum, first, *rest),
    "clip": lambda x, least, greatest: torch.minimum(torch.maximum(x, least), greatest),
    "where": lambda condition, x, y: torch.where(condition != 0, x, y),
}


def _folded(combine: Callable[[Tensor, Tensor], Tensor], first: Tensor, *rest: Tensor) -> Tensor:
    for other in rest:
        first = combine(first, other)
    return first


def work(node: Node, sizes: Mapping[str, Mapping[str, int]], n_summed: int) -> int:
    """Return how many numbers all steps of a formula compute.

    Args:
        node: the formula.
        sizes: for each name the axes that it runs over, by their length.
        n_summed: how many terms a sum has.
    """
    total = 0

    def axes_of(node: Node, sizes: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
        nonlocal total
        within = {**sizes, "i": {"sum": n_summed}} if node.name == "sum" else sizes
        axes = dict(sizes.get(node.name, {})) if node.kind == "name" else {}
        for arg in node.args:
            axes |= axes_of(arg, within)
        if node.name == "sum":
            axes.pop("sum", None)
        total += math.prod(axes.values())
        return axes

    axes_of(node, sizes)
    return total


def evaluate(node: Node, values: Mapping[str, Tensor], n_summed: int, seen: dict[int, Tensor] | None = None) -> Tensor:
    """Compute a formula.

    Args:
        node: the formula.
        values: a float64 tensor for each name, all of which broadcast; a table has its entries on an axis before these.
        n_summed: how many terms a sum has: i = 0 … n_summed - 1.
        seen: takes what every node comes to, by its id, where it is given; all terms of a sum at once.

    Returns:
        float64, of the shape that its own names broadcast to; entries may be infinite or undefined. Gradients reach
        what is learned, and are 0, not undefined, through an entry that is not finite and that ``where`` leaves out.
    """
    if node.kind == "number":
        result = torch.tensor(node.number, dtype=torch.float64, device=values["pi"].device)
    elif node.kind == "name":
        result = values[node.name]
    elif node.name == "sum":
        result = _summed(node.args[0], values, n_summed, seen)
    elif node.name == ENTRY:
        result = _entry(*(evaluate(arg, values, n_summed, seen) for arg in node.args))
    else:
        result = _apply(node.name, [evaluate(arg, values, n_summed, seen) for arg in node.args])
    if seen is not None:
        seen[id(node)] = result
    return result


def _entry(table: Tensor, index: Tensor) -> Tensor:
    """Read a table, (n_entries, 1 or n_heads, 1, …), at each index; what is no index of it is undefined."""
    inside = (index >= 0) & (index < len(table)) & (index == index.floor())
    at = torch.where(inside, index, 0.0).long()
    flat = table.flatten(1) if table.ndim > 1 else table[:, None]  # (n_entries, 1 or n_heads)
    heads = torch.arange(flat.shape[1], device=table.device).view(-1, *[1] * (table.ndim - 2))
    return torch.where(inside, flat[at, heads if table.ndim > 1 else 0], torch.nan)


def _summed(term: Node, values: Mapping[str, Tensor], n_summed: int, seen: dict[int, Tensor] | None) -> Tensor:
    lifted = {name: value.unsqueeze(-1) for name, value in values.items()}
    others = [lifted[name].shape[-_MOST_AXES:] for name in term.names() - {"i"}]
    at_once = n_summed if seen is not None else max(1, AT_ONCE // math.prod(np.broadcast_shapes(*others)))
    total = torch.zeros((), dtype=torch.float64, device=values["pi"].device)
    for first in range(0, n_summed, at_once):
        i = torch.arange(first, min(first + at_once, n_summed), dtype=torch.float64, device=total.device)
        terms = evaluate(term, {**lifted, "i": i}, n_summed, seen)
        total = total + terms.expand(np.broadcast_shapes(terms.shape, i.shape)).sum(-1)
    return total


def _apply(name: str, args: list[Tensor]) -> Tensor:
    operation = OPERATIONS[name]
    result = operation(*args)
    if not result.requires_grad:
        return result
    # An entry that is not finite, or whose slope is not, would make the gradient of all others undefined, though
    # `where` may leave it out: 0 · ∞. There the step is taken at 1 instead, and its result put back without a gradient.
    blocked = ~result.isfinite()
    if name == "sqrt" or name == "pow":
        blocked = blocked | ((args[0] == 0) & (name == "sqrt" or args[-1] < 1))
    if not bool(blocked.any()):
        return result
    safe = operation(*(torch.where(blocked, 1.0, arg) for arg in args))
    return torch.where(blocked, result.detach(), safe)


def first_fault(node: Node, values: Mapping[str, Tensor], n_summed: int) -> tuple[Node, float]:
    """Return the innermost part of a formula that is not finite though what it is made of is, and what it comes to.

    Args:
        node: a formula that is not finite at these values.
        values: one number for each name, without axes.
        n_summed: as for ``evaluate``.
    """
    seen: dict[int, Tensor] = {}
    with torch.no_grad():
        evaluate(node, values, n_summed, seen)
    term = 0

    def value(node: Node) -> float:
        found = seen[id(node)].detach().flatten()
        return float(found[term] if len(found) > 1 else found[0])

    while True:
        inner: Node | None = None
        if node.name == "sum":
            bad = ~seen[id(node.args[0])].isfinite().flatten()
            if bool(bad.any()):
                term, inner = int(bad.nonzero()[0]) if len(bad) > 1 else 0, node.args[0]
        else:
            read = node.args
            if node.name == "where":
                read = (node.args[1] if value(node.args[0]) != 0 else node.args[2],)
            inner = next((arg for arg in read if not math.isfinite(value(arg))), None)
        if inner is None:
            return node, value(node)
        node = inner


def check_work(node: Node, sizes: Mapping[str, Mapping[str, int]], n_summed: int, *, line: str, stop: int) -> None:
    """Raise FormulaError, before anything is computed, where it would take too long."""
    if work(node, sizes, n_summed) > MOST_WORK:
        raise FormulaError("too_much", line=line, stop=stop)
