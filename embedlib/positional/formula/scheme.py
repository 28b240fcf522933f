"""The positional scheme of typed formulas, one for each place in which it acts."""

import ast
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme, cached_by_length, check_positions
from embedlib.positional.bias import along_diagonals
from embedlib.positional.formula.errors import FormulaError
from embedlib.positional.formula.evaluate import AT_ONCE, check_work, evaluate, find_fault
from embedlib.positional.formula.language import (
    DISTANCE,
    LINES,
    NAMES,
    FormulaParameter,
    distance_tree,
    names_in,
    read_formula,
    read_parameters,
    span,
)
from embedlib.positional.formula.latex import tree_latex
from embedlib.positional.parameters import Parameter
from embedlib.positional.rotation import PAIRING, float64_device, rotate_pairs

_PROBE = 4  # positions that every line is computed for when a scheme is made
_LATER = 32  # positions within which later keys tell whether a bias means something for them
# Axis of each name in the result of a line: (head, position, column or key).
_AXES = {"h": 0, "p": 1, "q": 1, "i": 2, "k": 2, DISTANCE: 2}


class FormulaPositions(PositionalScheme):
    """Positions by typed formulas: ``rows``, ``bias``, ``turn`` and ``scale``, one line each.

    - rows: what is added to column i of the row at position p; d is d_model.
    - bias: what is added to the logit of a query at q and a key at k, in head h; d is d_model. Where keys are never
      after the query (causal), only those pairs are computed. One that means nothing for later keys is causal only,
      and its similarity to them is NaN.
    - turn: the angle of pair i at position p, in head h; d is head_dim. ``pairing`` says which columns pair up.
    - scale: what q·k is multiplied by, for a query at q in head h, instead of 1/sqrt(head_dim); d is head_dim.

    H is the number of heads, h counts them from 0, L is max_seq_len. ``sum(x)`` adds x up over i: over all columns in
    rows, over all pairs of d elsewhere. Everything is computed in float64 and then rounded to the scheme's dtype.

    Attributes:
        trees: line to its tree, as ``read_formula`` returns it.
        own: name to parameter, as they were given.
        scale_varies: whether ``scale`` is more than one fixed number, so that queries carry it.

    Raises:
        FormulaError: a line or a parameter that cannot be read, or that is infinite or undefined at a position.
    """

    name = "formula"
    title = N_("Your formula")
    summary = N_("Does what its formulas say.")
    formula = r"f(p, i), \quad b_h(q, k), \quad \theta_i(p)"
    source = "https://arxiv.org/abs/2102.11090"  # a survey of schemes
    past_training = "continues"
    used_by = "–"
    PARAMETERS = (
        *(Parameter(name=line, default="") for line in LINES),
        replace(PAIRING, only_with=("turn", ())),
        Parameter(name="parameters", default=""),
    )

    rows: str
    turn: str
    scale: str
    pairing: str

    def __init__(
        self,
        *,
        d_model: int,
        n_heads: int,
        max_seq_len: int = 1024,
        parameters: str | Mapping[str, object] = "",
        **lines: Any,
    ) -> None:
        """Read the lines, and compute each for the first positions.

        Args:
            d_model: as for every scheme.
            n_heads: as for every scheme.
            max_seq_len: L in formulas; longer texts are possible.
            parameters: as ``read_parameters`` takes them.
            **lines: ``rows``, ``bias``, ``turn`` and ``scale``, each up to 500 characters; and ``pairing``.
        """
        self.own = read_parameters(parameters)
        text = "\n".join(map(str, self.own.values()))
        given = {name: value for name, value in lines.items() if value is not None}
        super().__init__(d_model=d_model, n_heads=n_heads, max_seq_len=max_seq_len, parameters=text, **given)

    def build(self) -> None:
        """Read the lines, and compute each for the first positions."""
        self.trees: dict[str, ast.expr] = {}
        for line in LINES:
            if self._text(line).strip(" "):
                self.trees[line] = self._read_line(line)
        if not self.trees:
            raise FormulaError("nothing", line=LINES[0])
        if "turn" in self.trees and self.head_dim < 2:
            raise FormulaError("pairs", line="turn", stop=len(self.turn))
        for parameter in self.own.values():
            if parameter.learned:
                self.register_parameter(f"learned_{parameter.name}", self._initial_weight(parameter))
        learned = {name for name, parameter in self.own.items() if parameter.learned}
        self.scale_varies = "scale" in self.trees and bool(names_in(self.trees["scale"]) & {"q", "h", *learned})
        self._distance_tree = distance_tree(self._read_line("bias")) if "bias" in self.trees else None
        acts = {"embedding": "rows" in self.trees, "score": "bias" in self.trees}
        acts["query_key"] = "turn" in self.trees or self.scale_varies
        self.acts_on = frozenset(place for place, does in acts.items() if does)
        if self.trees.keys() & {"rows", "turn"}:
            self.past_training = "unseen angles" if "turn" in self.trees else "unseen values"
        with torch.no_grad():
            for line in self.trees:
                self._values(line, _PROBE, causal=line == "bias")
            is_fixed = "scale" in self.trees and not self.scale_varies
            self._fixed_scale = self._values("scale", 1).item() if is_fixed else super().logit_scale()
            if "bias" in self.trees:
                try:
                    self.bias(_LATER, causal=False)
                except FormulaError:
                    self.causal_only = True

    def _text(self, line: str) -> str:
        return str(self.parameter_values[line])  # the attribute ``bias`` is a method

    def _read_line(self, line: str) -> ast.expr:
        return read_formula(self._text(line), line=line, parameters=self.own)

    def _initial_weight(self, parameter: FormulaParameter) -> nn.Parameter:
        shape = (self.n_heads,) * parameter.per_head + (parameter.entries,) * (parameter.entries > 0)
        given, last = len(parameter.values), parameter.entries or self.n_heads
        if parameter.per_head and given not in (1, last, math.prod(shape)):
            raise FormulaError("heads", line="parameters", found=parameter.name, heads=last)
        values = torch.tensor(parameter.values, dtype=torch.float32)
        values = values.view(shape) if given == math.prod(shape) else values.expand(shape)
        return nn.Parameter(values.clone())

    def check(self, seq_len: int) -> None:
        """Raise FormulaError where a line is not finite at one of the first seq_len positions, keys up to the query."""
        with torch.no_grad():
            for line in self.trees:
                self._values(line, seq_len, causal=line == "bias", dtype=self.dtype)

    def learned_parameters(self) -> dict[str, nn.Parameter]:
        """Return the learned parameters by name: (), (n_heads,), (n_entries,) or (n_heads, n_entries)."""
        return {name: self.get_parameter(f"learned_{name}") for name in self.own if self.own[name].learned}

    def latex(self) -> str:
        """Return all lines as LaTeX, one under another."""
        return r" \\ ".join(tree_latex(tree, line=line) for line, tree in self.trees.items())

    @cached_by_length
    def position_table(self, seq_len: int, *, offset: int = 0) -> Tensor:
        """Return the values of ``rows``; gradients reach learned parameters."""
        if "rows" not in self.trees:
            return super().position_table(seq_len, offset=offset)
        return self._values("rows", seq_len, offset)[0].to(self.device)  # (seq_len, d_model)

    @cached_by_length
    def angles(self, seq_len: int, *, offset: int = 0, device: torch.device | None = None) -> Tensor:
        """Return the values of ``turn``, (1 or n_heads, seq_len, head_dim/2) float64, radians."""
        if "turn" not in self.trees:
            raise self._wrong_hook_error("query_key")
        return self._values("turn", seq_len, offset)

    def rotate(self, q: Tensor, k: Tensor, *, offset: int = 0) -> tuple[Tensor, Tensor]:
        """Rotate queries and keys by ``turn``, and multiply queries by a ``scale`` that varies."""
        q, k = super().rotate(q, k, offset=offset)
        seq_len = q.shape[-2]
        if "turn" in self.trees:
            angle = self.angles(seq_len, offset=offset)  # (1 or n_heads, seq_len, n_pairs)
            q, k = (rotate_pairs(x, angle, pairing=self.pairing) for x in (q, k))
        if self.scale_varies:
            q = q * self._scales(seq_len, offset).to(q)
        return q, k

    @cached_by_length
    def _scales(self, seq_len: int, offset: int) -> Tensor:
        """Return the factor of each query, (1 or n_heads, seq_len, 1)."""
        return self._values("scale", seq_len, offset)

    def logit_scale(self) -> float:
        """Return ``scale``, or 1 where it varies and ``rotate`` multiplies queries by it."""
        return 1.0 if self.scale_varies else self._fixed_scale

    @cached_by_length
    def bias(self, seq_len: int, *, causal: bool = True, offset: int = 0) -> Tensor:
        """Return the values of ``bias``; gradients reach learned parameters."""
        if "bias" not in self.trees:
            return super().bias(seq_len, causal=causal, offset=offset)
        values = self._values("bias", seq_len, offset, causal=causal)
        if self._distance_tree is not None:
            if causal:  # later keys come first along the distances
                values = nn.functional.pad(values, (seq_len - 1, 0))
            values = along_diagonals(values[:, 0])  # (1 or n_heads, seq_len, seq_len)
        elif causal:
            later = torch.ones(seq_len, seq_len, dtype=torch.bool, device=values.device).triu(1)
            values = torch.where(later, 0.0, values)
        return values.expand(self.n_heads, -1, -1).to(self.device)

    def distance_bias(self, distance: Tensor) -> Tensor | None:
        """Return ``bias`` at each distance where it reads q and k as q - k alone; entries may be infinite."""
        if self._distance_tree is None:
            return None
        constants = self._constants("bias")
        heads = torch.arange(self.n_heads, dtype=torch.float64, device=constants["pi"].device).view(-1, 1, 1)
        values = {**constants, "h": heads, DISTANCE: distance.to(heads).view(1, 1, -1)}
        found = evaluate(self._distance_tree, values, self.d_model // 2)
        return found.expand(self.n_heads, 1, len(distance))[:, 0].to(distance.dtype)

    def _similarity(self, seq_len: int) -> Tensor:
        if "turn" not in self.trees or "embedding" in self.acts_on:
            if self.causal_only and "embedding" not in self.acts_on:
                bias = self.bias(seq_len).mean(0)
                return bias.masked_fill(torch.ones_like(bias, dtype=torch.bool).triu(1), torch.nan)
            return super()._similarity(seq_len)
        angle = self.angles(seq_len)  # (1 or n_heads, seq_len, n_pairs)
        turned = torch.cat([angle.cos(), angle.sin()], dim=-1)
        products = (turned @ turned.transpose(-1, -2)).mean(0) * 2 + self.head_dim % 2  # of vectors of ones
        return (products / self.head_dim).to(self.dtype).to(self.device)

    def _width(self, line: str) -> int:
        return self.d_model if line in ("rows", "bias") else self.head_dim

    def _constants(self, line: str) -> dict[str, Tensor]:
        """Return the values of names that do not run over positions, columns or heads, and of parameters."""
        numbers = {"d": self._width(line), "H": self.n_heads, "L": self.max_seq_len, "pi": math.pi, "e": math.e}
        numbers |= {name: parameter.values[0] for name, parameter in self.own.items() if not parameter.learned}
        device = float64_device(self.device)
        values = {name: torch.tensor(number, dtype=torch.float64, device=device) for name, number in numbers.items()}
        for name, weight in self.learned_parameters().items():
            values[name] = _broadcast_parameter(self.own[name], weight.to(device, torch.float64))
        return values

    def _axes(self, line: str, seq_len: int, offset: int, *, causal: bool) -> dict[str, Tensor]:
        """Return the values of names that run over positions, columns or heads, each along its own axis."""
        columns = self.d_model if line == "rows" else self.head_dim // 2
        ranges = {"h": (0, self.n_heads), "i": (0, columns), DISTANCE: (0 if causal else 1 - seq_len, seq_len)}
        by_distance = line == "bias" and self._distance_tree is not None
        axes = {}
        for name in ("h", DISTANCE) if by_distance else NAMES[line]:
            if name in _AXES:
                first, stop = ranges.get(name, (offset, offset + seq_len))
                numbers = torch.arange(first, stop, dtype=torch.float64, device=float64_device(self.device))
                axes[name] = numbers.view([-1 if axis == _AXES[name] else 1 for axis in range(3)])
        return axes

    def _values(
        self, line: str, seq_len: int, offset: int = 0, *, causal: bool = False, dtype: torch.dtype | None = None
    ) -> Tensor:
        """Compute a line, in blocks of positions: (1 or n_heads, seq_len or 1, width), all finite.

        In the scheme's dtype, float64 for angles, or `dtype`.
        """
        check_positions(seq_len, offset)
        dtype = dtype or (torch.float64 if line == "turn" else self.dtype)
        tree = self.trees[line] if line != "bias" or self._distance_tree is None else self._distance_tree
        constants, axes = self._constants(line), self._axes(line, seq_len, offset, causal=causal)
        n_summed = self._width(line) if line == "rows" else self._width(line) // 2
        sizes = {
            name: {axis: size for axis, size in enumerate(value.shape[-3:]) if size > 1}
            for name, value in (constants | axes).items()
        }
        hides_later = causal and "k" in axes
        if hides_later:  # later keys are taken at the query's own position, where a bias must be defined in any case
            sizes["k"] = {1: seq_len, 2: seq_len}
        check_work(tree, sizes, n_summed, line=line, stop=len(self._text(line)))
        by_position = next((name for name in ("p", "q") if name in axes), None)
        step = max(1, AT_ONCE // max(1, math.prod(value.numel() for value in axes.values()) // seq_len))
        blocks = []
        for first in range(0, seq_len, step) if by_position else (0,):
            here = dict(axes)
            if by_position:
                here[by_position] = axes[by_position][:, first : first + step]
            if hides_later:
                here["k"] = torch.minimum(axes["k"], here["q"])
            found = evaluate(tree, constants | here, n_summed)
            shape = [1, *np.broadcast_shapes(*(value.shape for value in here.values()))[1:]]
            found = found.expand(np.broadcast_shapes(found.shape, shape))
            rounded = found.to(dtype)
            if not bool(rounded.isfinite().all()):
                raise self._fault_error(line, tree, constants | here, n_summed, found, rounded)
            blocks.append(rounded)
        return blocks[0] if len(blocks) == 1 else torch.cat(blocks, dim=1)

    def _fault_error(
        self, line: str, tree: ast.expr, values: dict[str, Tensor], n_summed: int, found: Tensor, rounded: Tensor
    ) -> FormulaError:
        """Return the error of the first entry that is not finite: by position, then column or key, then head."""
        bad = (~rounded.isfinite()).permute(1, 2, 0).nonzero()  # (count, 3), in that order
        if DISTANCE in values and len(first := bad[values[DISTANCE].flatten()[bad[:, 1]] <= 0]):
            bad = first[first[:, 1] == first[-1, 1]]  # the query at 0 comes first, with the nearest of its later keys
        position, column, head = bad[0].tolist()
        at = (..., slice(head, head + 1), slice(position, position + 1), slice(column, column + 1))
        here = {
            name: value.expand(*value.shape[:-3], *np.broadcast_shapes(value.shape[-3:], found.shape))[at]
            if value.ndim
            else value
            for name, value in values.items()
        }
        part, code = tree, "overflow"
        if not bool(found[at].isfinite()):
            part, number = find_fault(tree, here, n_summed)
            code = "infinite" if math.isinf(number) else "undefined"
            if not names_in(part) - {"pi", "e"}:  # 9**9**9: the same everywhere, so where(…) is no remedy
                code = "number"
            elif code == "undefined" and isinstance(part, ast.Subscript):
                code = "entry"
        place = {name: int(here[name]) for name in "pqkih" if name in here}
        if DISTANCE in here:
            distance = int(here[DISTANCE])
            place = {"q": max(distance, 0), "k": max(-distance, 0)} | place
        if found.shape[0] == 1:
            place.pop("h", None)
        start, stop = span(part)
        return FormulaError(
            code,
            line=line,
            start=start,
            stop=stop,
            found=self._text(line)[start:stop],
            place=", ".join(f"{name} = {number}" for name, number in place.items()),
            dtype=str(rounded.dtype).removeprefix("torch."),
        )


def _broadcast_parameter(parameter: FormulaParameter, weight: Tensor) -> Tensor:
    """Reshape a parameter to broadcast: heads on axis 0, the entries of a table on a new leading axis."""
    if parameter.entries:
        return weight.movedim(-1, 0).reshape(parameter.entries, -1, 1, 1)
    return weight.reshape(-1, 1, 1) if parameter.per_head else weight
