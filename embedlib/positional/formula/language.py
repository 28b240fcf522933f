"""The language of formulas: Python's syntax and its ``ast``, of which only arithmetic and a list of names are allowed.

A line is checked character by character, then token by token, before Python's parser sees it, so that what the parser
is given is plain ASCII, short and shallow. Nothing of it is ever run.
"""

import ast
import keyword
import math
import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Real

from embedlib.positional.formula.errors import FormulaError
from embedlib.positional.formula.operations import FUNCTIONS, OPERATIONS, operation

LINES = ("rows", "bias", "turn", "scale")
LONGEST = 500  # characters of a line
MAX_NODES = 200  # names, numbers and operators of a line
DEEPEST = 50  # brackets inside each other
_DEEPEST_TREE = 110  # a sum of 100 terms is 100 deep; each walk over a tree calls itself as often
MAX_PARAMETERS = 16
MAX_ENTRIES = 256  # of a table

# Names of each line: p position, i column or pair, q and k the positions of query and key, h the head.
_EVERYWHERE = ("d", "H", "L", "pi", "e")
NAMES: dict[str, tuple[str, ...]] = {
    "rows": ("p", "i", *_EVERYWHERE),
    "bias": ("q", "k", "h", *_EVERYWHERE),
    "turn": ("p", "i", "h", *_EVERYWHERE),
    "scale": ("q", "h", *_EVERYWHERE),
}
RESERVED = {"p", "i", "q", "k", "h", "__debug__", *_EVERYWHERE, *FUNCTIONS, *keyword.kwlist, *keyword.softkwlist}
DISTANCE = "q - k"  # no name that a line could have: the distance, where a bias knows nothing else

_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])"
_NAME = r"[A-Za-z_]\w{0,29}(?!\w)"
_TOKEN = re.compile(
    rf"(?P<number>{_NUMBER})|(?P<name>{_NAME})|(?P<operator>\*\*|//|[<>=!]=|[-+*/%<>])|"
    r"(?P<mark>[(),\[\]])|(?P<space> +)",
    re.ASCII,
)
_WORD = re.compile(r"[\w.]+", re.ASCII)
_TIMES = re.compile(r"(?!0[xXoObB])((?:\d+\.?\d*|\.\d+)(?:[eE]\d+)?)([A-Za-z]\w*)", re.ASCII)
_SPACES = dict.fromkeys(map(ord, "\t\n\r\xa0"), " ")  # one for each, so that places stay
_ALLOWED = "a–z 0–9 , + - * / ** % < > ( )"
_SUPPORTED = "+ - * / ** % < >, where(…)"
# What people write elsewhere -> what it is here.
_SIGNS = {
    "^": "**", "=": "==", "&": "*", "|": "abs(…)", "!": "1 - …", "×": "*", "·": "*", "⋅": "*", "∙": "*", "÷": "/",
    "−": "-", "–": "-", "—": "-", "²": "**2", "³": "**3", "√": "sqrt(…)", "≤": "<=", "≥": ">=", "≠": "!=",
    "∑": "sum(…)", "{": "(", "}": ")", "λ": "lam",
}  # fmt: skip
_WORDS = {"if": "where(…)", "else": "where(…)", "and": "*", "or": "max(…)", "not": "1 - …"}
_KEYWORDS = frozenset(keyword.kwlist) - {"True", "False", "None"}
_CLOSING = {"(": ")", "[": "]"}
_NAMED_ELSEWHERE = {
    "pos": "p", "position": "p", "j": "k", "d_model": "d", "dim": "d", "head_dim": "d", "head": "h",
    "n_heads": "H", "max_seq_len": "L", "inf": "1e308",
}  # fmt: skip
_CALLED_ELSEWHERE = {
    "ln": "log(…)", "cosine": "cos(…)", "pow": "**", "power": "**", "square": "**2",
    "maximum": "max(…)", "minimum": "min(…)",
    "absolute": "abs(…)", "fabs": "abs(…)", "clamp": "clip(…)", "heaviside": "p > 0", "round": "floor(… + 0.5)",
    "ceil": "-floor(-…)", "log2": "log(…) / log(2)", "log10": "log(…) / log(10)", "log1p": "log(1 + …)",
    "tanh": "2 * sigmoid(2 * …) - 1", "fmod": "mod(…)", "remainder": "mod(…)", "arange": "p",
}  # fmt: skip


def read_formula(text: str, *, line: str, parameters: Mapping[str, "FormulaParameter"] | None = None) -> ast.expr:
    """Read one of LINES, or raise FormulaError.

    Returns a tree of numbers, names and the operations in OPERATIONS, whose columns count characters of text.
    """
    parameters, text = parameters or {}, text.translate(_SPACES)
    _check_tokens(text, line)
    try:
        tree = ast.parse(text.strip(" "), mode="eval").body
    except SyntaxError:
        raise _syntax_error(text, line) from None
    except (ValueError, RecursionError, MemoryError):  # not met within these limits; each caller's stack is its own
        raise FormulaError("too_deep", line=line, stop=len(text), limit=DEEPEST) from None
    indent = len(text) - len(text.lstrip(" "))
    for part in ast.walk(tree):
        if isinstance(part, ast.expr):
            part.col_offset, part.end_col_offset = (indent + column for column in span(part))
    usable = [*NAMES[line], *(name for name, one in parameters.items() if line != "rows" or not one.per_head)]
    tree = _Validator(text, line, usable, parameters).validate(tree)
    if _depth(tree) > _DEEPEST_TREE:
        raise FormulaError("too_deep", line=line, stop=len(text), limit=DEEPEST)
    return tree


def span(tree: ast.expr) -> tuple[int, int]:
    """Return the index of the first character of a part of a formula, and one past its last."""
    return tree.col_offset, tree.end_col_offset or tree.col_offset


def names_in(tree: ast.expr) -> set[str]:
    """Return all names in a formula except functions."""
    return {part.id for part in ast.walk(tree) if isinstance(part, ast.Name)} - FUNCTIONS.keys()


def _depth(tree: ast.expr) -> int:
    return 1 + max(map(_depth, operation(tree)[1]), default=0)


def _check_tokens(text: str, line: str) -> None:
    """Raise unless the text is short, shallow, and made of the language's own characters."""
    if len(text) > LONGEST:
        raise FormulaError("too_long", line=line, start=LONGEST, stop=len(text), limit=LONGEST)
    at = nodes = depth = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise _character_error(text, at, line)
        nodes += token.lastgroup in ("number", "name", "operator")
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(token[0], 0)
        if depth > DEEPEST:
            raise FormulaError("too_deep", line=line, start=at, stop=at + 1, limit=DEEPEST)
        if nodes > MAX_NODES:
            raise FormulaError("too_many", line=line, start=at, stop=len(text), limit=MAX_NODES)
        at = token.end()


def _character_error(text: str, at: int, line: str) -> FormulaError:
    """Return the error of characters that no token of the language begins with."""
    word = _WORD.match(text, at)
    is_number = word is not None and any(sign in "0123456789" for sign in word[0][:2])
    stop = word.end() if word and (is_number or text[at] != ".") else at + 1
    if is_number and (parts := _TIMES.fullmatch(text, at, stop)) is not None:  # 2i
        instead = f"{parts[1]}*{parts[2]}"
        return FormulaError("construct", line=line, start=at, stop=stop, found=text[at:stop], instead=instead)
    if is_number and re.fullmatch(_NUMBER, plain := text[at:stop].replace("_", "")) is not None:  # 1_000
        return FormulaError("construct", line=line, start=at, stop=stop, found=text[at:stop], instead=plain)
    if is_number:
        return FormulaError("number", line=line, start=at, stop=stop, found=text[at:stop])
    if text[at] == "." and (before := re.search(r"[A-Za-z_]\w*$", text[:at], re.ASCII)) is not None:  # np.sin
        after = re.match(r"(?:\.[A-Za-z_]\w*)+", text[at:], re.ASCII)
        name = after[0].rpartition(".")[2] if after else ""
        start, stop = before.start(), at + len(after[0] if after else ".")
        instead = name if name in (*FUNCTIONS, *NAMES[line]) else _CALLED_ELSEWHERE.get(name, _ALLOWED)
        return FormulaError("construct", line=line, start=start, stop=stop, found=text[start:stop], instead=instead)
    sign = text[at]
    spoken = unicodedata.name(sign, "")
    letter = spoken.rpartition(" ")[2].lower() if spoken.startswith("GREEK SMALL LETTER ") else ""
    instead = _SIGNS.get(sign, f"{letter}_" if letter in RESERVED - {"pi"} else letter or _ALLOWED)
    return FormulaError("character", line=line, start=at, stop=stop, found=text[at:stop], instead=instead)


def _syntax_error(text: str, line: str) -> FormulaError:
    """Return the error of a line whose tokens are right but do not make a formula."""
    opened: list[re.Match[str]] = []
    last: re.Match[str] | None = None  # the token before this one; a value is wanted after an operator or an opening

    def error(code: str, token: re.Match[str], **values: str) -> FormulaError:
        return FormulaError(code, line=line, start=token.start(), stop=token.end(), found=token[0], **values)

    for token in _TOKEN.finditer(text):
        sign, wants_value = token[0], last is None or last.lastgroup == "operator" or last[0] in "([,"
        if token.lastgroup == "space":
            continue
        if sign in _KEYWORDS:
            return error("construct", token, instead=_WORDS.get(sign, _SUPPORTED))
        if token.lastgroup in ("number", "name"):
            if not wants_value:
                in_call = bool(opened) and opened[-1].start() and text[opened[-1].start() - 1].isidentifier()
                return error("between", token, instead=", + - * /" if in_call else "+ - * /")
            if re.fullmatch(r"0+\d+", sign):  # 007
                return error("construct", token, instead=str(int(sign)))
        elif sign in "([":
            opened.append(token)
        elif wants_value and sign not in "+-":
            if last is not None and last.lastgroup == "operator" and sign in "),]":
                return error("after", last)
            return error("before", token)
        elif sign in ")]":
            if not opened:
                return error("unopened", token)
            if _CLOSING[opened[-1][0]] != sign:
                return error("unclosed", opened[-1], instead=_CLOSING[opened[-1][0]])
            opened.pop()
        last = token
    if last is None:
        return FormulaError("nothing", line=line)
    if last.lastgroup == "operator":
        return error("after", last)
    if opened:
        return error("unclosed", opened[-1], instead=_CLOSING[opened[-1][0]])
    return FormulaError("construct", line=line, stop=len(text), found=text, instead=_SUPPORTED)


@dataclass(frozen=True, slots=True)
class _Validator:
    """Reduces Python's tree to the OPERATIONS, with an error for anything else that suggests what to write instead."""

    text: str
    line: str
    usable: Collection[str]
    parameters: Mapping[str, "FormulaParameter"]

    def validate(self, tree: ast.expr, *, summed: bool = False) -> ast.expr:
        """Return a tree, changed in place, with float constants, without unary plus, a[h] as a and t[h, n] as t[n]."""

        def each(*operands: ast.expr) -> list[ast.expr]:
            return [self.validate(operand, summed=summed) for operand in operands]

        match tree:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                try:
                    tree.value = float(value)
                except OverflowError:
                    tree.value = math.inf
                if not math.isfinite(tree.value):
                    raise self._error("number", tree)
            case ast.Name(id=name):
                self._check_name(tree, name, summed)
                if name in self.parameters and self.parameters[name].entries:
                    raise self._error("construct", tree, instead=f"{name}[0]")
            case ast.Subscript(ast.Name(id=name) as table, index):
                self._check_name(table, name, summed)
                return self._table_entry(tree, name, index, summed)
            case ast.UnaryOp(ast.UAdd(), operand):
                return self.validate(operand, summed=summed)
            case ast.UnaryOp(ast.USub(), operand):
                (tree.operand,) = each(operand)
            case ast.BinOp(left, op, right) if type(op) in OPERATIONS:
                tree.left, tree.right = each(left, right)
            case ast.Compare(left, [op], [right]) if type(op) in OPERATIONS:
                tree.left, *tree.comparators = each(left, right)
            case ast.Call(ast.Name(id=name), args, []):
                self._check_call(tree, name, summed)
                summed = summed or name == "sum"
                tree.args = each(*args)
            case _:
                raise self._unsupported_error(tree)
        return tree

    def _check_name(self, tree: ast.Name, name: str, summed: bool) -> None:
        if name in self.usable or (summed and name == "i"):
            return
        if name == "i":
            raise self._error("construct", tree, instead="sum(…)")
        if (known := _NAMED_ELSEWHERE.get(name)) in (*self.usable, "1e308"):
            raise self._error("construct", tree, instead=known)
        raise self._error("name", tree, choices=_nearest(name, self.usable))

    def _check_call(self, tree: ast.Call, name: str, summed: bool) -> None:
        if name not in FUNCTIONS:
            if name in self.usable:  # p(i + 1)
                raise self._error("construct", tree, instead=f"{name}*(…)")
            instead = _CALLED_ELSEWHERE.get(name) or _nearest(name, FUNCTIONS)
            raise self._error("construct", tree.func, instead=instead)
        least, most = FUNCTIONS[name]
        if not least <= len(tree.args) <= most:
            wanted = str(least) if least == most else f"{least}–{most}"
            raise self._error("arguments", tree, found=name, wanted=wanted, given=len(tree.args))
        if name == "sum" and summed:
            raise self._error("construct", tree.func, instead="sum(…)")

    def _table_entry(self, tree: ast.Subscript, name: str, index: ast.expr, summed: bool) -> ast.expr:
        """Check t[n]; h may be written as in the parameter's declaration: a[h], t[h, n]."""
        parameter = self.parameters.get(name)
        per_head, entries = (parameter.per_head, parameter.entries) if parameter else (False, 0)
        match index:
            case ast.Name(id="h") if per_head and not entries:
                return ast.copy_location(ast.Name(name), tree)
            case ast.Tuple([ast.Name(id="h"), of_head]) if per_head:
                index = of_head
        if not entries or isinstance(index, ast.Tuple):
            instead = f"{name}[…]" if entries else f"{name}[h]" if per_head else name
            raise self._error("construct", tree, instead=instead)
        tree.slice = self.validate(index, summed=summed)
        return tree

    def _unsupported_error(self, tree: ast.expr) -> FormulaError:
        match tree:
            case ast.Compare(left, ops, comparators) if all(type(op) in OPERATIONS for op in ops):  # 2 < i < 3
                steps = zip([left, *comparators], ops, comparators, strict=False)
                pairs = [ast.unparse(ast.Compare(before, [op], [after])) for before, op, after in steps]
                return self._error("construct", tree, instead=" * ".join(f"({pair})" for pair in pairs))
            case ast.IfExp():
                return self._error("construct", tree, found="if", instead=_WORDS["if"])
            case ast.BoolOp(op):
                found = "and" if isinstance(op, ast.And) else "or"
                return self._error("construct", tree, found=found, instead=_WORDS[found])
            case ast.UnaryOp(ast.Not()):
                return self._error("construct", tree, found="not", instead=_WORDS["not"])
            case ast.Call(func=function, args=[_]) if not isinstance(function, ast.Name | ast.Call):
                return self._error("construct", tree, instead=f"{self.text[slice(*span(function))]}*(…)")  # 2(p + 1)
        return self._error("construct", tree, instead=_SUPPORTED)

    def _error(self, code: str, tree: ast.expr, **values: object) -> FormulaError:
        start, stop = span(tree)
        return FormulaError(code, line=self.line, start=start, stop=stop, **{"found": self.text[start:stop], **values})


def _nearest(name: str, choices: Collection[str]) -> str:
    """Return the choice nearest to a misspelt name, or all if none is near."""
    # difflib alone finds "foo" nearer to "floor" than "sni" to "sin".
    as_long = [choice for choice in choices if abs(len(choice) - len(name)) <= 1]
    return ", ".join(get_close_matches(name, as_long, 1) or choices)


class _WithDistance(ast.NodeTransformer):
    """Replaces q - k by the distance, and k - q by its negative."""

    def visit_BinOp(self, tree: ast.BinOp) -> ast.AST:
        distance = ast.copy_location(ast.Name(DISTANCE), tree)
        match tree:
            case ast.BinOp(ast.Name(id="q"), ast.Sub(), ast.Name(id="k")):
                return distance
            case ast.BinOp(ast.Name(id="k"), ast.Sub(), ast.Name(id="q")):
                return ast.copy_location(ast.UnaryOp(ast.USub(), distance), tree)
        return self.generic_visit(tree)


def distance_tree(tree: ast.expr) -> ast.expr | None:
    """Rewrite a bias, in place, as a formula of the distance q - k; None where it reads q or k otherwise."""
    tree = _WithDistance().visit(tree)
    return None if names_in(tree) & {"q", "k"} else tree


@dataclass(frozen=True, slots=True)
class FormulaParameter:
    """A parameter that the author of a formula declared."""

    name: str
    values: tuple[float, ...]  # one for all, one for each head or entry, or all entries of head after head
    learned: bool = False
    per_head: bool = False
    entries: int = 0  # of a learned table; 0 for a number
    least: float | None = None  # of its slider
    greatest: float | None = None

    def __str__(self) -> str:
        """Return the declaration, as ``read_parameters`` reads it."""
        axes = ["h"] * self.per_head + [str(self.entries)] * (self.entries > 0)
        name = f"{self.name}[{', '.join(axes)}]" if axes else self.name
        between = "" if self.least is None else f" ({self.least!r}..{self.greatest!r})"
        return f"{name} {'~' if self.learned else '='} {', '.join(map(repr, self.values))}{between}"


_SIGNED = rf"[-+]?{_NUMBER}"
_END = r"[-+]?(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?"  # of a range: "10..1e6" begins with 10, not with "10."
_PARAMETER = re.compile(
    rf" *(?P<name>{_NAME})(?P<axes> *\[ *(?:h|(?:h *, *)?\d{{1,4}}) *\])? *(?P<sign>[=~]) *"
    rf"(?P<values>{_SIGNED}(?: *, *{_SIGNED})*)"
    rf"(?: *\( *(?P<least>{_END}) *\.\. *(?P<greatest>{_END}) *\))? *",
    re.ASCII,
)


def read_parameters(text: str | Mapping[str, object]) -> dict[str, FormulaParameter]:
    """Read declarations of parameters, one a line or separated by semicolons.

    ``base = 10000 (10..1e6)`` fixes a value and its slider bounds, which are optional. ``a ~ 0.1`` is one learned
    number, ``a[h] ~ 0.1`` one for each head, and ``a[h] ~ 0.1, 0.2`` gives each its value. ``t[8] ~ 0`` is a learned
    table of 8 entries, ``t[h, 8] ~ 0`` one for each head; after ~ stands a number for all, one for each entry, or every
    one. A mapping has the name and a number, or what stands after the name: ``{"base": 1e4, "a": "~ 0.1", "b[h]": "~
    1"}``.
    """
    if not isinstance(text, str):
        text = "\n".join(_as_line(name, value) for name, value in text.items())
    parameters: dict[str, FormulaParameter] = {}
    if len(text) > MAX_PARAMETERS * LONGEST:
        raise FormulaError("too_long", line="parameters", stop=len(text), limit=MAX_PARAMETERS * LONGEST)
    for found in re.finditer(r"[^;\n]+", text):
        if found[0].strip(" "):
            parameter = _read_parameter(found[0], found.start(), parameters)
            parameters[parameter.name] = parameter
    return parameters


def _as_line(name: object, value: object) -> str:
    if isinstance(value, str):
        return f"{name} {value}"
    if isinstance(value, Real) and not isinstance(value, bool):
        try:
            return f"{name} = {float(value)!r}"
        except OverflowError:
            pass
    return f"{name} = ?"


def _read_parameter(text: str, at: int, before: Mapping[str, FormulaParameter]) -> FormulaParameter:
    stop = at + len(text)
    if len(text) > LONGEST:
        raise FormulaError("too_long", line="parameters", start=at, stop=stop, limit=LONGEST)
    found = _PARAMETER.fullmatch(text)
    is_learned = found is not None and found["sign"] == "~"
    if found is None or (found["axes"] and not is_learned) or (found["least"] and is_learned):
        raise FormulaError("parameter", line="parameters", start=at, stop=stop)
    name = found["name"]
    if name in RESERVED or name in before:
        raise FormulaError("taken", line="parameters", start=at, stop=stop, found=name)
    if len(before) >= MAX_PARAMETERS:
        raise FormulaError("too_many", line="parameters", start=at, stop=stop, limit=MAX_PARAMETERS)
    values = tuple(float(value) for value in found["values"].split(","))
    ends = (float(found["least"]), float(found["greatest"])) if found["least"] else (None, None)
    if not all(math.isfinite(number) for number in (*values, *ends) if number is not None):
        raise FormulaError("number", line="parameters", start=at, stop=stop, found=text)
    axes = [axis.strip() for axis in (found["axes"] or "").strip("[] ").split(",")]
    per_head, entries = axes[0] == "h", int(axes[-1]) if axes[-1].isdecimal() else 0
    if (len(values) > 1 and not found["axes"]) or entries > MAX_ENTRIES or axes[-1] == "0":
        raise FormulaError("parameter", line="parameters", start=at, stop=stop)
    if entries and len(values) not in (1, entries) and (not per_head or len(values) % entries):
        raise FormulaError("heads", line="parameters", start=at, stop=stop, found=name, heads=entries)
    least, greatest = ends
    if least is not None and greatest is not None and not least <= values[0] <= greatest:
        raise FormulaError("range", line="parameters", start=at, stop=stop, found=name, least=least, greatest=greatest)
    return FormulaParameter(name, values, is_learned, per_head, entries, least, greatest)
