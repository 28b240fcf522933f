"""A formula taken home: as a scheme of this library in one file, and as a plain torch module."""

import ast
import builtins
import importlib.util
import keyword
import math
import sys
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import torch

from embedlib.positional.base import PositionalScheme
from embedlib.positional.formula.evaluate import evaluate
from embedlib.positional.formula.language import COMPARISONS, ENTRY, OPERATORS, FormulaParameter, Node
from embedlib.positional.formula.scheme import FormulaPositions

_SYMBOLS: dict[str, Any] = {name: kind for kind, name in OPERATORS.items()}
_TORCH = ("sin", "cos", "tan", "exp", "log", "sqrt", "abs", "floor", "sign", "sigmoid", "relu")
_F64 = """def f64(number):
    return torch.tensor(number, dtype=torch.float64)
"""
_TABLES = """

def entry(table, *at):  # undefined outside of the table
    inside = (at[-1] >= 0) & (at[-1] < table.shape[-1]) & (at[-1] == at[-1].floor())
    at = [one.long() for one in (*at[:-1], torch.where(inside, at[-1], 0.0))]
    return torch.where(inside, table[tuple(at)], torch.nan)
"""
_LONGEST_NAME = 60  # characters of a title that classes and files are called by
_LIBRARY = ("torch", "nn", "f64", "embedlib", "Parameter")  # what the files import or define, and no class may hide
# Names that the written code has for itself.
_OURS = {
    "torch", "nn", "f64", "entry", "range", "self", "seq_len", "offset", "causal", "result", "angle", "x", "first",
    "second", "turned", "logits", "float", "super", "later",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class FormulaCode:
    """Two ways to write a formula's scheme; both hold numbers, and nothing of the text but names.

    Attributes:
        scheme: a file for embedlib/positional/: a class such as ``MyWave`` of the name "my_wave".
        module: a file without embedlib, under 40 lines: ``MyWaveLogits``, whose call gives attention's logits, and
            whose ``rows`` are added to token rows, where there are any.
        name: of the scheme, and of its file without the ending; the module's is this and "_logits".
    """

    scheme: str
    module: str
    name: str


def formula_python(scheme: FormulaPositions, name: str = "My scheme") -> FormulaCode:
    """Write a formula's scheme as Python.

    Args:
        scheme: what make_scheme("formula", …) returns; learned numbers are written as they are now.
        name: any text: the scheme's title. Classes and files are called by its letters and digits, or "MyScheme"; where
            Python or the library has that name, or it begins with a digit, by "My" and these.

    Returns:
        Both files. They compute in float64, as the formula does. Gradients are torch's own: undefined where ``where``
        leaves out an entry that has no value.
    """
    class_name, snake = _identifiers(name)
    title = name.strip() or "My scheme"
    return FormulaCode(
        _scheme_file(scheme, class_name, snake, title), _module_file(scheme, f"{class_name}Logits"), snake
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


def _local(name: str) -> str:
    return f"{name}_" if name in _OURS else name


def _call(function: str, *args: ast.expr) -> ast.expr:
    return ast.Call(ast.parse(function, mode="eval").body, list(args), [])


def _literal(number: float) -> ast.expr:
    if not math.isfinite(number):
        return _call("float", ast.Constant(str(number)))
    size = abs(number)
    constant = ast.Constant(int(size) if size == int(size) and size < 1e15 else size)
    return ast.UnaryOp(ast.USub(), constant) if math.copysign(1, number) < 0 else constant


@dataclass(frozen=True, slots=True)
class _Writer:
    """Python's tree for a formula's: what is known beforehand as a number, all else as float64 tensors."""

    n_summed: str  # how many terms a sum has, as it is written
    per_head: Collection[str]  # parameters of which each head has its own

    def known(self, node: Node) -> float | None:
        """What a part without names comes to."""
        if node.names() - {"pi", "e"} or any(part.name == "sum" for part in node.walk()):
            return None
        values = {"pi": torch.tensor(math.pi, dtype=torch.float64), "e": torch.tensor(math.e, dtype=torch.float64)}
        return float(evaluate(node, values, 0))

    def expression(self, node: Node) -> ast.expr:
        """An operand: a number, or a float64 tensor."""
        number = self.known(node)
        if number is not None:
            return _literal(number)
        if node.name in COMPARISONS:
            return _call(f"({ast.unparse(ast.fix_missing_locations(self.condition(node)))}).double")
        if node.kind == "name":
            return ast.Name(_local(node.name))
        if node.name == ENTRY:
            table, index = node.args
            heads = [ast.Name("h")] * (table.name in self.per_head)
            return _call("entry", self.expression(table), *heads, self.tensor(index))
        args = [self.expression(arg) for arg in node.args]
        if node.name == "neg":
            return ast.UnaryOp(ast.USub(), args[0])
        if node.name == "floordiv":
            return _call("torch.floor", ast.BinOp(args[0], ast.Div(), args[1]))
        if node.name in _SYMBOLS:
            return ast.BinOp(args[0], _SYMBOLS[node.name](), args[1])
        if node.name == "mod":
            return ast.BinOp(args[0], ast.Mod(), args[1])
        if node.name == "sum":
            terms = ast.unparse(ast.fix_missing_locations(self.tensor(node.args[0])))
            return ast.parse(
                f"sum({terms} for i in torch.arange({self.n_summed}, dtype=torch.float64))", mode="eval"
            ).body
        tensors = [self.tensor(arg) for arg in node.args]
        if node.name in _TORCH:
            return _call(f"torch.{node.name}", *tensors)
        if node.name == "where":
            return _call("torch.where", self.condition(node.args[0]), *tensors[1:])
        if node.name == "clip":
            return _call("torch.minimum", _call("torch.maximum", *tensors[:2]), tensors[2])
        combined = tensors[0]
        for other in tensors[1:]:
            combined = _call(f"torch.{node.name}imum", combined, other)
        return combined

    def tensor(self, node: Node) -> ast.expr:
        number = self.known(node)
        return self.expression(node) if number is None else _call("f64", _literal(number))

    def condition(self, node: Node) -> ast.expr:
        """A tensor of bools."""
        if self.known(node) is not None or node.name not in COMPARISONS:
            return ast.Compare(self.tensor(node), [ast.NotEq()], [ast.Constant(0)])
        if node.name in ("even", "odd"):
            rest = ast.BinOp(self.tensor(node.args[0]), ast.Mod(), ast.Constant(2))
            return ast.Compare(rest, [ast.Eq()], [ast.Constant(int(node.name == "odd"))])
        left, right = self.tensor(node.args[0]), self.expression(node.args[1])
        return ast.Compare(left, [_SYMBOLS[node.name]()], [right])


def _numbers(parameter: FormulaParameter, scheme: FormulaPositions) -> str:
    """A learned parameter as it is now, as a number or as lists."""
    return repr(scheme.learned()[parameter.name].detach().double().tolist())


def _uses_tables(scheme: FormulaPositions) -> bool:
    return any(node.name == ENTRY for tree in scheme.trees.values() for node in tree.walk())


def _computed(
    scheme: FormulaPositions, line: str, *, sizes: dict[str, str], own: dict[str, str], together: bool = False
) -> list[str]:
    """Statements that leave what a line comes to in ``result``; sizes and parameters are written as given."""
    tree = scheme.trees[line]
    names = tree.names()
    width = sizes["d_model"] if line in ("rows", "bias") else sizes["head_dim"]
    columns = width if line == "rows" else f"{width} // 2"
    span = "torch.arange(offset, offset + seq_len, dtype=torch.float64)"
    written = {
        "p": f"{span}[:, None]",
        "q": f"{span}[:, None]",
        "k": "q.T" if "q" in names else span,
        "i": f"torch.arange({columns}, dtype=torch.float64)",
        "h": f"torch.arange({sizes['n_heads']}, dtype=torch.float64)[:, None, None]",
        "d": f"f64({width})",
        "H": f"f64({sizes['n_heads']})",
        "L": f"f64({sizes['max_seq_len']})",
        **own,
    }
    if line == "bias" and names & {
        "q",
        "k",
    }:  # later keys are hidden when causal: there the query's own position stands in
        names |= {"q", "k"}
        written["k"] = "torch.minimum(q.T, q) if causal else q.T"
    if line not in ("rows", "turn"):
        names -= {"i"}  # which only a sum has
    per_head = {name for name, parameter in scheme.own.items() if parameter.per_head}
    if any(node.name == ENTRY and node.args[0].name in per_head for node in tree.walk()):
        names |= {"h"}
    writer = _Writer(columns, per_head)
    formula = ast.unparse(ast.fix_missing_locations(writer.tensor(tree)))
    assigned = {_local(name): value for name, value in written.items() if name in names}
    if together:  # all but k, which reads q
        last = {name: assigned.pop(name) for name in ("k",) if name in assigned}
        first = {", ".join(assigned): ", ".join(assigned.values())} if assigned else {}
        assigned = first | last
    return [*(f"{name} = {value}" for name, value in assigned.items()), f"result = {formula}"]


def _own(scheme: FormulaPositions, written: dict[str, str]) -> dict[str, str]:
    """How each parameter is read inside a method."""
    return {
        name: (
            f"self.learned_{name}.double()" + "[:, None, None]" * (parameter.per_head and not parameter.entries)
            if parameter.learned
            else f"f64({written[name]})"
        )
        for name, parameter in scheme.own.items()
    }


def _lines(indent: int, *lines: str) -> str:
    return "".join(f"{' ' * indent}{line}\n" if line else "\n" for line in lines)


# The plain module -----------------------------------------------------------------------------------------------------


def _module_file(scheme: FormulaPositions, class_name: str) -> str:
    sizes = {name: str(getattr(scheme, name)) for name in ("d_model", "n_heads", "head_dim", "max_seq_len")}
    own = _own(scheme, {name: repr(parameter.values[0]) for name, parameter in scheme.own.items()})
    learned = [parameter for parameter in scheme.own.values() if parameter.learned]

    def computed(line: str) -> list[str]:
        return _computed(scheme, line, sizes=sizes, own=own, together=True)

    code = "import torch\nfrom torch import nn\n\n\n" + _F64 + _TABLES * _uses_tables(scheme)
    code += f"\n\nclass {class_name}(nn.Module):\n"
    if learned:
        numbers = ", ".join(f"{one.name!r}: {_numbers(one, scheme)}" for one in learned)
        code += _lines(4, "def __init__(self):", "    super().__init__()")
        code += _lines(8, f"for name, numbers in {{{numbers}}}.items():")
        code += _lines(12, 'self.register_parameter(f"learned_{name}", nn.Parameter(torch.tensor(numbers)))', "")
    if "rows" in scheme.trees:
        code += _lines(4, "def rows(self, seq_len, offset=0):")
        code += _lines(8, *computed("rows"), f"return result.expand(seq_len, {scheme.d_model})", "")
    code += _lines(4, "def forward(self, q, k, causal=True, offset=0):  # (…, n_heads, seq_len, head_dim) each")
    code += _lines(8, "x, seq_len = (q, k), q.shape[-2]")
    if "turn" in scheme.trees:
        code += _lines(8, *computed("turn"))
        code += _lines(8, f"result = result.expand(*result.shape[:-2], seq_len, {scheme.head_dim // 2})")
        code += _lines(8, "x = [self.turned(one, result.cos().to(one), result.sin().to(one)) for one in x]")
    code += _lines(8, "logits = x[0] @ x[1].transpose(-1, -2)")
    if "scale" in scheme.trees:
        code += _lines(8, *computed("scale"), "logits = logits * result.to(logits)")
    else:
        code += _lines(8, f"logits = logits * {scheme.logit_scale()!r}")
    if "bias" in scheme.trees:
        code += _lines(8, *computed("bias"), "logits = logits + result.to(logits)")
    code += _lines(8, "later = torch.ones(seq_len, seq_len, dtype=torch.bool).triu(1)")
    code += _lines(8, "return torch.where(later, float('-inf'), logits) if causal else logits")
    if "turn" in scheme.trees:
        width, half = scheme.head_dim // 2 * 2, scheme.head_dim // 2
        adjacent = scheme.pairing == "interleaved"
        picked = (f"0:{width}:2", f"1:{width}:2") if adjacent else (f":{half}", f"{half}:{width}")
        both = "[first * cos - second * sin, first * sin + second * cos]"
        both = f"torch.stack({both}, -1).flatten(-2)" if adjacent else f"torch.cat({both}, -1)"
        code += _lines(4, "", "def turned(self, x, cos, sin):")
        code += _lines(8, f"first, second = x[..., {picked[0]}], x[..., {picked[1]}]")
        code += _lines(8, f"return torch.cat([{both}, x[..., {width}:]], -1)")
    return code


# The scheme -----------------------------------------------------------------------------------------------------------


def _keyword(name: str) -> str:
    """A name that neither the base class nor its constructor has."""
    taken = hasattr(PositionalScheme, name) or name in (
        "d_model", "n_heads", "max_seq_len", "head_dim", "parameter_values", "title", "summary", "formula", "source",
        "used_by", "past_training", "name",
    )  # fmt: skip
    return f"{name}_" if taken else name


def _scheme_file(scheme: FormulaPositions, class_name: str, name: str, title: str) -> str:
    sizes = {name: f"self.{name}" for name in ("d_model", "n_heads", "head_dim", "max_seq_len")}
    own = _own(scheme, {name: f"self.{_keyword(name)}" for name in scheme.own})
    code = '"""A positional scheme, written from a formula."""\n\nimport torch\nfrom torch import nn\n\n'
    code += "from embedlib.positional import Parameter, PositionalScheme, rotate_pairs\n\n\n" + _F64
    code += _TABLES * _uses_tables(scheme) + "\n\n"
    code += f"class {class_name}(PositionalScheme):\n"
    code += _lines(
        4,
        '"""Acts as its formula says."""',
        "",
        f"name = {name!r}",
        f"title = {title!r}",
        f"acts_on = frozenset({{{', '.join(map(repr, sorted(scheme.acts_on)))}}})" if scheme.acts_on else "",
        'summary = "Acts as its formula says."',
        f"formula = {scheme.latex()!r}",
        'source = "https://example.org"',
        f"past_training = {scheme.past_training!r}",
        'used_by = "nobody yet"',
        f"causal_only = {scheme.causal_only}",
        "PARAMETERS = (",
        *(
            f"    Parameter(name={_keyword(name)!r}, default={parameter.values[0]!r}, minimum={parameter.least!r}, "
            f'maximum={parameter.greatest!r}, summary="Its value."),'
            for name, parameter in scheme.own.items()
            if not parameter.learned
        ),
        ")",
        "",
    )
    learned = [parameter for parameter in scheme.own.values() if parameter.learned]
    if learned:
        code += _lines(4, "def build(self):")
        for parameter in learned:
            now = scheme.learned()[parameter.name].detach()
            fresh = f"torch.tensor({_numbers(parameter, scheme)})"
            if parameter.per_head and bool((now == now[0]).all()):  # whatever number of heads there is
                fresh = f"torch.tensor({now[0].double().tolist()}).repeat(self.n_heads{', 1' * (now.ndim > 1)})"
            code += _lines(8, f"self.learned_{parameter.name} = nn.Parameter({fresh})")
        code += "\n"
    places = {"rows": "position_table", "bias": "bias"}
    for line, hook in places.items():
        if line in scheme.trees:
            wants = "causal=True, " if line == "bias" else ""
            code += _lines(4, f"def {hook}(self, seq_len, *, {wants}offset=0):")
            code += _lines(8, *_computed(scheme, line, sizes=sizes, own=own))
            shape = "seq_len, self.d_model" if line == "rows" else "self.n_heads, seq_len, seq_len"
            code += _lines(8, f"result = result.expand({shape}).to(self.dtype).to(self.device)")
            if line == "bias":
                code += _lines(8, "later = torch.ones(seq_len, seq_len, dtype=torch.bool, device=self.device).triu(1)")
                code += _lines(8, "return torch.where(later, 0.0, result) if causal else result", "")
            else:
                code += _lines(8, "return result", "")
    if "query_key" in scheme.acts_on:
        code += _lines(4, "def rotate(self, q, k, *, offset=0):")
        code += _lines(8, "x, seq_len = (q, k), q.shape[-2]")
        if "turn" in scheme.trees:
            code += _lines(8, *_computed(scheme, "turn", sizes=sizes, own=own))
            code += _lines(8, "result = result.expand(*result.shape[:-2], seq_len, self.head_dim // 2)")
            code += _lines(8, f"x = [rotate_pairs(one, result, pairing={scheme.pairing!r}) for one in x]")
        if scheme.scale_varies:
            code += _lines(8, *_computed(scheme, "scale", sizes=sizes, own=own))
            code += _lines(8, "x = (x[0] * result.to(x[0]), x[1])")
        code += _lines(8, "return x[0], x[1]", "")
    if "scale" in scheme.trees:
        code += _lines(4, "def logit_scale(self):")
        if scheme.scale_varies:
            code += _lines(8, "return 1.0  # queries carry it", "")
        else:
            code += _lines(8, *_computed(scheme, "scale", sizes=sizes, own=own), "return float(result)", "")
    if "turn" in scheme.trees and "rows" not in scheme.trees:
        code += _lines(4, "def _similarity(self, seq_len):", "    offset = 0")
        code += _lines(8, *_computed(scheme, "turn", sizes=sizes, own=own))
        code += _lines(
            8,
            "result = result.expand(*result.shape[:-2], seq_len, self.head_dim // 2)",
            "turned = torch.cat([result.cos(), result.sin()], dim=-1)",
            "products = (turned @ turned.transpose(-1, -2)).reshape(-1, seq_len, seq_len).mean(0) * 2",
            "return ((products + self.head_dim % 2) / self.head_dim).to(self.dtype).to(self.device)",
        )
    return code.rstrip("\n") + "\n"
