"""Formulas as Python programs: a scheme of this library in one file, and a plain torch module.

Both hold each formula's own text, as a function under a prelude that says in torch what its names mean.
"""

import ast
import builtins
import importlib.util
import keyword
import math
import re
import sys
import unicodedata
from dataclasses import dataclass

import torch

from embedlib.positional.base import PositionalScheme
from embedlib.positional.formula.evaluate import evaluate
from embedlib.positional.formula.language import NAMES, names_in, span
from embedlib.positional.formula.operations import operation
from embedlib.positional.formula.scheme import FormulaPositions

_IMPORTS = """from functools import reduce

import torch
from torch import nn
"""
_PRELUDE = """

def f64(number):
    return torch.as_tensor(number, dtype=torch.float64)


def arange(first, stop):
    return torch.arange(first, stop, dtype=torch.float64)


def of_numbers(function):
    return lambda *numbers: function(*map(f64, numbers))


# The language of formulas.
pi, e = f64(torch.pi), f64(torch.e)
sin, cos, tan, exp, log = map(of_numbers, (torch.sin, torch.cos, torch.tan, torch.exp, torch.log))
sqrt, abs, floor, sign = map(of_numbers, (torch.sqrt, torch.abs, torch.floor, torch.sign))
sigmoid, relu, mod = map(of_numbers, (torch.sigmoid, torch.relu, torch.remainder))
even = of_numbers(lambda x: (x % 2 == 0).double())
odd = of_numbers(lambda x: (x % 2 == 1).double())
min = of_numbers(lambda *numbers: reduce(torch.minimum, numbers))
max = of_numbers(lambda *numbers: reduce(torch.maximum, numbers))
clip = of_numbers(lambda x, low, high: x.maximum(low).minimum(high))
where = of_numbers(lambda condition, x, y: torch.where(condition != 0, x, y))


def sum(term, count):
    return reduce(torch.add, map(term, arange(0, int(count))), f64(0))
"""
_TABLE = """

class Table:
    def __init__(self, entries):  # (n_entries,) or (n_heads, n_entries)
        self.entries = f64(entries)

    def __getitem__(self, index):  # NaN outside of the table
        index = f64(index)
        inside = (index >= 0) & (index < self.entries.shape[-1]) & (index == index.floor())
        at = torch.where(inside, index, 0.0).long()
        heads = torch.arange(len(self.entries))[:, None, None]
        found = self.entries[at] if self.entries.ndim == 1 else self.entries[heads, at]
        return torch.where(inside, found, torch.nan)
"""
_LONGEST_NAME = 60  # characters of a title that classes and files are called by
_LIBRARY = ("torch", "nn", "f64", "embedlib", "Parameter", "Table")  # imported or defined by the files
_LONGEST_INT = 2**63  # from which on torch takes no int


@dataclass(frozen=True, slots=True)
class FormulaCode:
    """Two programs for a formula's scheme.

    Attributes:
        scheme: a file for embedlib/positional/: a class such as ``MyWave`` of the name "my_wave".
        module: a file without embedlib, under 80 lines: ``MyWaveLogits``, whose call gives attention's logits, and
            whose ``rows`` are added to token rows, where there are any.
        name: of the scheme, and of its file without the ending; the module's is this and "_logits".
    """

    scheme: str
    module: str
    name: str


def formula_python(scheme: FormulaPositions, name: str = "My scheme") -> FormulaCode:
    """Write a formula's scheme as Python.

    Args:
        scheme: of make_scheme("formula", …); learned numbers are written as they are now.
        name: any text: the scheme's title. Classes and files are called by its letters and digits, or "MyScheme"; where
            Python or the library has that name, or it begins with a digit, by "My" and these.

    Returns:
        Both files. They compute in float64, as the formula does. Gradients are torch's own: undefined where ``where``
        leaves out an entry that has no value.
    """
    class_name, snake = _identifiers(name)
    title = name.strip() or "My scheme"
    uses_tables = any(isinstance(part, ast.Subscript) for tree in scheme.trees.values() for part in ast.walk(tree))
    language = _PRELUDE + _TABLE * uses_tables + "".join(_line_function(scheme, line) for line in scheme.trees)
    return FormulaCode(
        '"""A positional scheme, written from a formula."""\n\n'
        f"{_IMPORTS}\nfrom embedlib.positional import Parameter, PositionalScheme, rotate_pairs\n"
        f"{language}\n\n{_scheme_class(scheme, class_name, snake, title)}",
        f"{_IMPORTS}{language}\n\n{_module_class(scheme, f'{class_name}Logits')}",
        snake,
    )


def _identifiers(name: str) -> tuple[str, str]:
    """Return what a class and a file may be called, as Python reads them (NFKC)."""
    kept = unicodedata.normalize("NFKC", name)[:_LONGEST_NAME]
    words = "".join(sign if f"a{sign}".isidentifier() and sign != "_" else " " for sign in kept).split()
    words = words or ["My", "scheme"]
    class_name = "".join(word[0].upper() + word[1:] for word in words)
    snake = "_".join(words).lower()
    taken = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *sys.stdlib_module_names, *_LIBRARY}
    ours: list[type] = [PositionalScheme, *PositionalScheme.__subclasses__()]
    taken |= {one.__name__ for one in ours if one.__module__.startswith("embedlib.")}
    in_library = importlib.util.find_spec(f"embedlib.positional.{snake}") is not None
    if {class_name, snake} & taken or in_library or not (class_name.isidentifier() and snake.isidentifier()):
        return f"My{class_name}", f"my_{snake}"
    return class_name, snake


# Formulas -------------------------------------------------------------------------------------------------------------


def _arguments(scheme: FormulaPositions, line: str) -> list[str]:
    """Return the names that a line's function takes, in order."""
    tree = scheme.trees[line]
    used = names_in(tree)
    if any(operation(part)[0] == "sum" for part in ast.walk(tree) if isinstance(part, ast.Call)):
        used |= {"d"}  # of which the number of terms is made
    return [name for name in (*NAMES[line], *scheme.own) if name in used - {"pi", "e"}]


def _line_function(scheme: FormulaPositions, line: str) -> str:
    text = re.sub(r"\s", " ", str(scheme.parameter_values[line]))
    formula = _program(scheme.trees[line], text, "d" if line == "rows" else "d / 2")
    return f"\n\ndef {line}({', '.join(_arguments(scheme, line))}):\n    return {formula}\n"


def _program(tree: ast.expr, text: str, n_summed: str, *, compares: bool = False) -> str:
    """Return a formula's text with only those parts changed that torch or Python would compute otherwise.

    Args:
        tree: the part of the formula.
        text: the whole line.
        n_summed: number of terms of a sum, as it is written.
        compares: whether the part is a condition, which may be of bools.
    """
    start, stop = span(tree)
    key, operands = operation(tree)
    if isinstance(tree, ast.Name):
        return tree.id  # a[h]
    if isinstance(tree, ast.Constant) and isinstance(tree.value, float):
        return text[start:stop] if tree.value < _LONGEST_INT else repr(tree.value)
    if isinstance(tree, ast.BinOp | ast.Compare) and _is_of_numbers(tree):
        number = float(evaluate(tree, {"pi": torch.tensor(math.pi)}, 0))
        return repr(number).replace("inf", "1e999").replace("nan", "(1e999 - 1e999)")
    written = [
        _program(operand, text, n_summed, compares=key == "where" and operand is operands[0]) for operand in operands
    ]
    if key == "sum":
        return f"sum(lambda i: {written[0]}, {n_summed})"
    if isinstance(tree, ast.Subscript):
        return f"{written[0]}[{written[1]}]"  # t[h, n]
    pieces, end = "", start
    for operand, program in zip(operands, written, strict=True):
        first, last = span(operand)
        between = text[end:first]
        pieces += (between.replace("//", "/") if key is ast.FloorDiv else between) + program
        end = last
    whole = pieces + text[end:stop]
    if key is ast.FloorDiv:  # torch rounds the exact quotient, not the one of float64
        return f"floor({whole})"
    return f"({whole}).double()" if isinstance(tree, ast.Compare) and not compares else whole


def _is_of_numbers(tree: ast.expr) -> bool:
    """Return whether a part has only numbers and operators, which Python would compute without torch."""
    if isinstance(tree, ast.Name | ast.Call):
        return False
    return all(map(_is_of_numbers, operation(tree)[1]))


def _call(scheme: FormulaPositions, line: str, sizes: dict[str, str], own: dict[str, str]) -> str:
    """Return the call of a line's function, with sizes and fixed parameters as they are given, at positions ``at``."""
    width = sizes["d_model"] if line in ("rows", "bias") else sizes["head_dim"]
    values = {
        "p": "at",
        "q": "at",
        # Later keys are hidden when causal: there the query's own position stands in.
        "k": "torch.minimum(at, at.T) if causal else at.T",
        "i": f"arange(0, {width if line == 'rows' else f'{width} // 2'})",
        "h": f"arange(0, {sizes['n_heads']})[:, None, None]",
        "d": f"f64({width})",
        "H": f"f64({sizes['n_heads']})",
        "L": f"f64({sizes['max_seq_len']})",
    }
    for name, parameter in scheme.own.items():
        values[name] = f"f64({own[name]})"
        if parameter.learned:
            per_head = "[:, None, None]" if parameter.per_head else ""
            weight = f"self.learned_{name}"
            values[name] = f"Table({weight})" if parameter.entries else f"f64({weight}){per_head}"
    return f"{line}({', '.join(values[name] for name in _arguments(scheme, line))})"


def _method(signature: str, *body: str) -> str:
    return f"\n    def {signature}:\n" + "".join(f"        {line}\n" for line in body)


# The plain module -----------------------------------------------------------------------------------------------------


def _module_class(scheme: FormulaPositions, class_name: str) -> str:
    sizes = {name: str(getattr(scheme, name)) for name in ("d_model", "n_heads", "head_dim", "max_seq_len")}
    own = {name: repr(parameter.values[0]) for name, parameter in scheme.own.items()}
    calls = {line: f"f64({_call(scheme, line, sizes, own)})" for line in scheme.trees}
    code = f'class {class_name}(nn.Module):\n    """Attention logits by a formula."""\n'
    at = "at = arange(offset, offset + seq_len)[:, None]"
    if learned := scheme.learned():
        numbers = {name: f"nn.Parameter(torch.tensor({_numbers(weight)}))" for name, weight in learned.items()}
        weights = (f"self.learned_{name} = {number}" for name, number in numbers.items())
        code += _method("__init__(self)", "super().__init__()", *weights)
    if "rows" in calls:
        rows = f"return {calls['rows']}.expand(seq_len, {scheme.d_model})"
        code += _method("rows(self, seq_len, offset=0)", at, rows)
    body = [f"seq_len = q.shape[-2]  # q and k: (…, {scheme.n_heads}, seq_len, {scheme.head_dim})", at]
    if "turn" in calls:
        body += [f"angle = {calls['turn']}", "q, k = self.rotate(q, angle), self.rotate(k, angle)"]
    body += ["logits = q @ k.transpose(-1, -2)"]
    scale = f"{calls['scale']}.to(logits)" if "scale" in calls else repr(scheme.logit_scale())
    body += [f"logits = logits * {scale}"]
    if "bias" in calls:
        body += [f"logits = logits + {calls['bias']}.to(logits)"]
    body += ['return torch.where(at.T > at, float("-inf"), logits) if causal else logits']
    code += _method("forward(self, q, k, causal=True, offset=0)", *body)
    if "turn" in calls:
        half = scheme.head_dim // 2
        parts, joined = f"x[..., :{half}], x[..., {half}:{2 * half}]", "torch.cat(turned, -1)"
        if scheme.pairing == "interleaved":
            parts = f"x[..., 0:{2 * half}:2], x[..., 1:{2 * half}:2]"
            joined = "torch.stack(turned, -1).flatten(-2)"
        code += _method(
            "rotate(self, x, angle)",
            "cos, sin = angle.cos().to(x), angle.sin().to(x)",
            f"first, second = {parts}",
            "turned = [first * cos - second * sin, first * sin + second * cos]",
            f"return torch.cat([{joined}, x[..., {2 * half}:]], -1)",
        )
    return code


def _numbers(weight: torch.Tensor) -> str:
    return repr(weight.detach().double().tolist())


# The scheme -----------------------------------------------------------------------------------------------------------


def _keyword(name: str) -> str:
    """Return a parameter's name in a scheme, other than those of the base class and its constructor."""
    taken = hasattr(PositionalScheme, name) or name.startswith("__") or name in (
        "d_model", "n_heads", "max_seq_len", "head_dim", "parameter_values", "title", "summary", "formula", "source",
        "used_by", "past_training", "name",
    )  # fmt: skip
    return f"own_{name}" if taken else name


def _initial(scheme: FormulaPositions, name: str) -> str:
    """Return a learned parameter as it is now, for any number of heads where all heads have the same."""
    weight = scheme.learned()[name].detach()
    if scheme.own[name].per_head and bool((weight == weight[0]).all()):
        return f"torch.tensor({_numbers(weight[0])}).repeat(self.n_heads{', 1' * (weight.ndim > 1)})"
    return f"torch.tensor({_numbers(weight)})"


def _scheme_class(scheme: FormulaPositions, class_name: str, name: str, title: str) -> str:
    sizes = {name: f"self.{name}" for name in ("d_model", "n_heads", "head_dim", "max_seq_len")}
    own = {name: f"self.{_keyword(name)}" for name in scheme.own}
    calls = {line: f"f64({_call(scheme, line, sizes, own)})" for line in scheme.trees}
    at = "at = arange(offset, offset + seq_len)[:, None]"
    parameters = "".join(
        f"        Parameter(name={_keyword(name)!r}, default={parameter.values[0]!r}, minimum={parameter.least!r}, "
        f'maximum={parameter.greatest!r}, summary="Its value."),\n'
        for name, parameter in scheme.own.items()
        if not parameter.learned
    )
    code = f'''class {class_name}(PositionalScheme):
    """Acts as its formula says."""

    name = {name!r}
    title = {title!r}
    acts_on = frozenset({sorted(scheme.acts_on)!r})
    summary = "Acts as its formula says."
    formula = {scheme.latex()!r}
    source = "https://example.org"
    past_training = {scheme.past_training!r}
    used_by = "nobody yet"
    causal_only = {scheme.causal_only}
    PARAMETERS = (
{parameters}    )
'''
    if learned := scheme.learned():
        weights = (f"self.learned_{name} = nn.Parameter({_initial(scheme, name)})" for name in learned)
        code += _method("build(self)", *weights)
    if "rows" in calls:
        rows = f"return {calls['rows']}.expand(seq_len, self.d_model).to(self.dtype).to(self.device)"
        code += _method("position_table(self, seq_len, *, offset=0)", at, rows)
    if "bias" in calls:
        code += _method(
            "bias(self, seq_len, *, causal=True, offset=0)",
            at,
            f"values = {calls['bias']}.expand(self.n_heads, seq_len, seq_len)",
            "values = torch.where(at.T > at, 0.0, values) if causal else values",
            "return values.to(self.dtype).to(self.device)",
        )
    if "turn" in calls:
        code += _method(
            "angles(self, seq_len, *, offset=0)",
            at,
            f"angle = {calls['turn']}",
            "return angle.expand(*angle.shape[:-2], seq_len, self.head_dim // 2)",
        )
    if "query_key" in scheme.acts_on:
        body = ["at = arange(offset, offset + q.shape[-2])[:, None]"]
        if "turn" in calls:
            body += ["angle = self.angles(q.shape[-2], offset=offset)"]
            body += [f"q, k = (rotate_pairs(x, angle, pairing={scheme.pairing!r}) for x in (q, k))"]
        if scheme.scale_varies:
            body += [f"q = q * {calls['scale']}.to(q)"]
        code += _method("rotate(self, q, k, *, offset=0)", *body, "return q, k")
    if "scale" in calls:
        number = "1.0  # queries carry it" if scheme.scale_varies else f"float({calls['scale']})"
        code += _method("logit_scale(self)", f"return {number}")
    if "turn" in calls and "rows" not in calls:
        code += _method(
            "_similarity(self, seq_len)",
            "angle = self.angles(seq_len)",
            "turned = torch.cat([angle.cos(), angle.sin()], dim=-1)",
            "products = (turned @ turned.transpose(-1, -2)).reshape(-1, seq_len, seq_len).mean(0) * 2",
            "return ((products + self.head_dim % 2) / self.head_dim).to(self.dtype).to(self.device)",
        )
    return code
