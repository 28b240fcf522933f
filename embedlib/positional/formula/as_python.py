"""Formulas as Python programs: a scheme of this library in one file, and a plain torch module.

Both hold each formula's own text, as a function under a prelude that defines its names in torch.
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
from pathlib import Path

import torch

from embedlib.positional.base import PositionalScheme
from embedlib.positional.formula.evaluate import evaluate
from embedlib.positional.formula.language import NAMES, span
from embedlib.positional.formula.operations import operation
from embedlib.positional.formula.scheme import FormulaPositions

_LONGEST_NAME = 60  # characters of a title that classes and files are called by
_LIBRARY = ("torch", "nn", "f64", "embedlib", "Parameter", "Table")  # imported or defined by the files
_LONGEST_INT = 2**63  # from which on torch takes no int


@dataclass(frozen=True, slots=True)
class FormulaCode:
    """Two programs for a formula's scheme.

    Attributes:
        scheme: a file for embedlib/positional/: a class such as ``MyWave`` of the name "my_wave".
        module: a file without embedlib, under 100 lines: ``MyWaveLogits``, whose call gives attention's logits, and
            whose ``rows`` are added to token rows, where there are any.
        name: of the scheme, and of its file without the ending; the module's is this and "_logits".
    """

    scheme: str
    module: str
    name: str


def formula_python(scheme: FormulaPositions, name: str = "My scheme") -> FormulaCode:
    """Write a formula's scheme as two Python files, which compute in float64, as the formula does.

    Learned numbers are written with their current values. Gradients are torch's own: undefined where ``where`` leaves
    out an entry that has no value. `name` is any text, the scheme's title; its letters and digits name classes and
    files, with "My" in front where it is empty, taken or begins with a digit.
    """
    from jinja2 import Environment, FileSystemLoader  # 0.05 s, for those alone who want a program

    class_name, snake = _identifiers(name)
    learned = {name: weight.detach() for name, weight in scheme.learned_parameters().items()}
    repeats = {}  # of what all heads have in common, whatever number of heads there is
    for parameter, weight in learned.items():
        if scheme.own[parameter].per_head and bool((weight == weight[0]).all()):
            repeats[parameter] = f"[:1].repeat(self.n_heads{', 1' * (weight.ndim > 1)})"
    values = {
        "calls": {line: _function_call(scheme, line) for line in scheme.trees},
        "functions": [_function(scheme, line) for line in scheme.trees],
        "has_tables": any(isinstance(part, ast.Subscript) for tree in scheme.trees.values() for part in ast.walk(tree)),
        "fixed": {_attribute(name): one for name, one in scheme.own.items() if not one.learned},
        "learned": {name: weight.double().tolist() for name, weight in learned.items()},
        "pairing": scheme.pairing,
    }
    templates = Environment(loader=FileSystemLoader(Path(__file__).parent / "templates"), trim_blocks=True)
    sizes = f"{scheme.d_model}, {scheme.n_heads}, {scheme.head_dim}, {scheme.max_seq_len}"
    module = templates.get_template("module.py.txt").render(
        values, class_name=f"{class_name}Logits", rows="rows", sizes=sizes, logit_scale=scheme.logit_scale()
    )
    whole = templates.get_template("scheme.py.txt").render(
        values,
        class_name=class_name,
        name=repr(snake),
        title=repr(name.strip() or "My scheme"),
        latex=repr(scheme.latex()),
        scheme=scheme,
        repeats=repeats,
        rows="position_table",
        cast=".to(self.dtype).to(self.device)",
        imports="from embedlib.positional import Parameter, PositionalScheme, rotate_pairs",
    )
    return FormulaCode(whole, module, snake)


def _identifiers(name: str) -> tuple[str, str]:
    """Return the names of a class and a file, as Python reads them (NFKC)."""
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


def _arguments(scheme: FormulaPositions, line: str) -> list[str]:
    """Return the names that a line's function takes, in order."""
    used = {part.id for part in ast.walk(scheme.trees[line]) if isinstance(part, ast.Name)} - {"pi", "e"}
    if "sum" in used:
        used |= {"d"}  # for the number of terms
    return [name for name in (*NAMES[line], *scheme.own) if name in used]


def _function(scheme: FormulaPositions, line: str) -> str:
    text = re.sub(r"\s", " ", str(scheme.parameter_values[line]))
    formula = _python_text(scheme.trees[line], text, "d" if line == "rows" else "d / 2")
    return f"def {line}({', '.join(_arguments(scheme, line))}):\n    return {formula}"


def _python_text(tree: ast.expr, text: str, n_summed: str, *, compares: bool = False) -> str:
    """Return a formula's text, changed only where Python or torch would compute something else."""
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
        _python_text(operand, text, n_summed, compares=key == "where" and operand is operands[0])
        for operand in operands
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


def _function_call(scheme: FormulaPositions, line: str) -> str:
    """Return the call of a line's function inside a method, at positions ``at`` and ``keys``."""
    width = "self.d_model" if line in ("rows", "bias") else "self.head_dim"
    columns = width if line == "rows" else f"{width} // 2"
    values = {
        "p": "at",
        "q": "at",
        "k": "keys",
        "i": f"torch.arange({columns}).double()",
        "h": "torch.arange(self.n_heads).double()[:, None, None]",
        "d": f"f64({width})",
        "H": "f64(self.n_heads)",
        "L": "f64(self.max_seq_len)",
    }
    for name, one in scheme.own.items():
        if not one.learned:
            values[name] = f"f64(self.{_attribute(name)})"
        elif one.entries:
            values[name] = f"Table(self.learned_{name})"
        else:
            values[name] = f"f64(self.learned_{name})" + "[:, None, None]" * one.per_head
    return f"f64({line}({', '.join(values[name] for name in _arguments(scheme, line))}))"


def _attribute(name: str) -> str:
    """Return the class attribute of a fixed parameter, renamed if a class already has that name."""
    taken = hasattr(PositionalScheme, name) or name.startswith("__") or name in (
        "d_model", "n_heads", "max_seq_len", "head_dim", "parameter_values", "title", "summary", "formula", "source",
        "used_by", "past_training", "name", "rows", "angles", "scales",
    )  # fmt: skip
    return f"own_{name}" if taken else name
