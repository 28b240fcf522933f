"""Operators and functions of formulas: how torch computes each, how LaTeX writes it, and how many values it takes."""

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

import torch
from torch import Tensor

# How tightly LaTeX binds its operands, from not at all to never in need of brackets.
LOOSE, COMPARED, ADDED, NEGATED, TIMES, RAISED, ATOM = range(7)

Key = str | type[ast.AST]  # a function's name, or Python's class of an operator


@dataclass(frozen=True, slots=True)
class Operation:
    """One operator or function on float64 tensors.

    Attributes:
        latex: a template: {0}, {1}, {2} are the operands, {all} is all of them, {last} the last i of a sum.
        binds: how tightly the LaTeX binds.
        inside: how tightly each operand must bind to go without brackets; LOOSE for those beyond.
        arity: the least and the greatest number of values that a function takes.
    """

    compute: Callable[..., Tensor]
    latex: str
    binds: int = ATOM
    inside: tuple[int, ...] = ()
    arity: tuple[int, int] = (1, 1)


def _comparison(compare: Callable[[Tensor, Tensor], Tensor], sign: str) -> Operation:
    return Operation(lambda x, y: compare(x, y).double(), f"{{0}} {sign} {{1}}", COMPARED, (ADDED, ADDED))


def _function(compute: Callable[..., Tensor], name: str, arity: tuple[int, int] = (1, 1)) -> Operation:
    return Operation(compute, rf"{name}\left( {{all}} \right)", RAISED, arity=arity)


def _table_entry(table: Tensor, index: Tensor) -> Tensor:
    """Read a table, (n_entries, 1 or n_heads, 1, …), at each index; NaN outside the table."""
    inside = (index >= 0) & (index < len(table)) & (index == index.floor())
    row = torch.where(inside, index, 0.0).long()
    head = torch.arange(table.shape[1], device=table.device).view(-1, *[1] * (table.ndim - 2))
    return torch.where(inside, table.flatten(1)[row, head], torch.nan)


_MODULO = Operation(torch.remainder, r"{0} \bmod {1}", COMPARED, (RAISED, RAISED), (2, 2))

OPERATIONS: dict[Key, Operation] = {
    ast.Add: Operation(torch.add, "{0} + {1}", ADDED, (ADDED, TIMES)),
    ast.Sub: Operation(torch.sub, "{0} - {1}", ADDED, (ADDED, TIMES)),
    ast.Mult: Operation(torch.mul, r"{0} \cdot {1}", TIMES, (NEGATED, RAISED)),
    ast.Div: Operation(torch.div, r"\frac{{{0}}}{{{1}}}"),
    ast.FloorDiv: Operation(lambda x, y: (x / y).floor(), r"\left\lfloor\frac{{{0}}}{{{1}}}\right\rfloor"),
    ast.Mod: _MODULO,
    ast.Pow: Operation(torch.pow, "{0}^{{{1}}}", RAISED, (ATOM,)),
    ast.USub: Operation(torch.neg, "-{0}", NEGATED, (TIMES,)),
    ast.Lt: _comparison(torch.lt, "<"),
    ast.LtE: _comparison(torch.le, r"\le"),
    ast.Gt: _comparison(torch.gt, ">"),
    ast.GtE: _comparison(torch.ge, r"\ge"),
    ast.Eq: _comparison(torch.eq, "="),
    ast.NotEq: _comparison(torch.ne, r"\ne"),
    ast.Subscript: Operation(_table_entry, r"{0}\left[ {1} \right]"),
    "sin": _function(torch.sin, r"\sin"),
    "cos": _function(torch.cos, r"\cos"),
    "tan": _function(torch.tan, r"\tan"),
    "exp": Operation(torch.exp, "e^{{{0}}}", RAISED),
    "log": _function(torch.log, r"\ln"),
    "sqrt": Operation(torch.sqrt, r"\sqrt{{{0}}}"),
    "abs": Operation(torch.abs, r"\left| {0} \right|"),
    "floor": Operation(torch.floor, r"\left\lfloor {0} \right\rfloor"),
    "sign": _function(torch.sign, r"\operatorname{{sign}}"),
    "sigmoid": _function(torch.sigmoid, r"\sigma"),
    "relu": _function(torch.relu, r"\operatorname{{relu}}"),
    "even": Operation(lambda x: (x % 2 == 0).double(), r"{0} \text{{ even}}", COMPARED, (ADDED,)),
    "odd": Operation(lambda x: (x % 2 == 1).double(), r"{0} \text{{ odd}}", COMPARED, (ADDED,)),
    "sum": Operation(lambda terms: terms.sum(-1), r"\sum_{{i=0}}^{{{last}}} {0}", ADDED, (TIMES,)),
    "min": _function(lambda *values: reduce(torch.minimum, values), r"\min", (2, 8)),
    "max": _function(lambda *values: reduce(torch.maximum, values), r"\max", (2, 8)),
    "mod": _MODULO,
    "clip": _function(lambda x, low, high: x.maximum(low).minimum(high), r"\operatorname{{clip}}", (3, 3)),
    "where": Operation(
        lambda condition, x, y: torch.where(condition != 0, x, y),
        r"\begin{{cases}} {1} & \text{{if }} {0} \\ {2} & \text{{otherwise}} \end{{cases}}",
        RAISED,
        arity=(3, 3),
    ),
}
# Function -> the least and the greatest number of values that it takes.
FUNCTIONS = {key: operation.arity for key, operation in OPERATIONS.items() if isinstance(key, str)}


def operation(tree: ast.expr) -> tuple[Key, list[ast.expr]]:
    """Return the key of a tree's outermost operation in OPERATIONS, and its operands; none for a number or a name."""
    match tree:
        case ast.UnaryOp(op, operand):
            return type(op), [operand]
        case ast.BinOp(left, op, right):
            return type(op), [left, right]
        case ast.Compare(left, [op], [right]):
            return type(op), [left, right]
        case ast.Call(func=ast.Name(id=name), args=args):
            return name, args
        case ast.Subscript(table, index):
            return ast.Subscript, [table, index]
    return type(tree), []
