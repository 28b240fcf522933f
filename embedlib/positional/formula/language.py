"""The language of formulas: a line becomes a small tree, by Python's grammar and a list of what is allowed.

A line is checked character by character, then token by token, before Python's parser sees it, so that what the parser
is given is plain ASCII, short and shallow. Nothing of it is ever run: ``ast`` only says how operators bind.
"""

import ast
import keyword
import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from numbers import Real

from embedlib.positional.formula.errors import FormulaError

LINES = ("rows", "bias", "turn", "scale")
LONGEST = 500  # characters of a line
MOST_NODES = 200  # names, numbers and operators of a line
DEEPEST = 50  # brackets inside each other
_DEEPEST_TREE = 110  # a sum of 100 terms is 100 deep; each walk over a tree calls itself as often
MOST_PARAMETERS = 16

# What each line may name: p position, i column or pair, q and k the positions of query and key, h the head.
_EVERYWHERE = ("d", "H", "L", "pi", "e")
NAMES: dict[str, tuple[str, ...]] = {
    "rows": ("p", "i", *_EVERYWHERE),
    "bias": ("q", "k", "h", *_EVERYWHERE),
    "turn": ("p", "i", "h", *_EVERYWHERE),
    "scale": ("q", "h", *_EVERYWHERE),
}
# Function -> how many values it takes, at least and at most.
FUNCTIONS: dict[str, tuple[int, int]] = {
    **dict.fromkeys(("sin", "cos", "tan", "exp", "log", "sqrt", "abs", "floor", "sign", "sigmoid", "relu"), (1, 1)),
    **dict.fromkeys(("even", "odd", "sum"), (1, 1)),
    **dict.fromkeys(("min", "max"), (2, 8)),
    "mod": (2, 2),
    "clip": (3, 3),
    "where": (3, 3),
}
OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.USub: "neg", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq",
    ast.NotEq: "ne",
}  # fmt: skip
COMPARISONS = frozenset({"lt", "le", "gt", "ge", "eq", "ne", "even", "odd"})
RESERVED = {"p", "i", "q", "k", "h", *_EVERYWHERE, *FUNCTIONS, *keyword.kwlist, *keyword.softkwlist}
DISTANCE = "q - k"  # no name that a line could have: the distance, where a bias knows nothing else

_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])"
_NAME = r"[A-Za-z_]\w{0,29}(?!\w)"
_TOKEN = re.compile(
    rf"(?P<number>{_NUMBER})|(?P<name>{_NAME})|(?P<operator>\*\*|//|[<>=!]=|[-+*/%<>])|(?P<mark>[(),])|(?P<space> +)",
    re.ASCII,
)
_WORD = re.compile(r"[\w.]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Node:
    """A number, a name, or an operation on others.

    Attributes:
        kind: "number", "name" or "call".
        name: of the name or of the operation; empty for a number.
        number: its value; 0 for the others.
        args: what the operation is applied to.
        start: its first character in the line.
        stop: the one after its last.
    """

    kind: str
    name: str = ""
    number: float = 0.0
    args: tuple["Node", ...] = ()
    start: int = 0
    stop: int = 0

    def walk(self) -> Iterator["Node"]:
        """Yield this node and all beneath it."""
        yield self
        for arg in self.args:
            yield from arg.walk()

    def names(self) -> set[str]:
        """Return every name that occurs."""
        return {node.name for node in self.walk() if node.kind == "name"}


def read_formula(text: str, *, line: str, parameters: Mapping[str, "FormulaParameter"] | None = None) -> Node:
    """Read one line.

    Args:
        text: at most 500 characters and 200 names, numbers and operators.
        line: one of LINES: which names mean something.
        parameters: those that the line may name too.

    Returns:
        The root of its tree; starts and stops count characters of text.

    Raises:
        FormulaError: it cannot be read, with the place.
    """
    parameters = parameters or {}
    _check_tokens(text, line)
    indent = len(text) - len(text.lstrip(" "))
    try:
        tree = ast.parse(text.strip(" "), mode="eval").body
    except SyntaxError as error:
        at = min(indent + error.offset - 1, len(text)) if error.offset else len(text)
        raise FormulaError("syntax", line=line, start=at, stop=min(at + 1, len(text))) from None
    except (ValueError, RecursionError, MemoryError):  # not met within these limits; each caller's stack is its own
        raise FormulaError("too_deep", line=line, stop=len(text), limit=DEEPEST) from None
    heads_free = line == "rows"
    usable = [
        *NAMES[line],
        *(name for name, parameter in parameters.items() if not (heads_free and parameter.per_head)),
    ]
    root = _Reader(text, line, indent, usable).node(tree, summed=False)
    if _depth(root) > _DEEPEST_TREE:
        raise FormulaError("too_deep", line=line, stop=len(text), limit=DEEPEST)
    return root


def _depth(node: Node) -> int:
    return 1 + max(map(_depth, node.args), default=0)


def _check_tokens(text: str, line: str) -> None:
    """Raise unless the text is short, shallow, and made of the language's own characters."""
    if len(text) > LONGEST:
        raise FormulaError("too_long", line=line, start=LONGEST, stop=len(text), limit=LONGEST)
    at = nodes = depth = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            word = _WORD.match(text, at)
            is_number = word is not None and any(sign in "0123456789" for sign in word[0][:2])
            stop = word.end() if word and (is_number or text[at] != ".") else at + 1
            raise FormulaError(
                "number" if is_number else "character", line=line, start=at, stop=stop, found=text[at:stop]
            )
        nodes += token.lastgroup in ("number", "name", "operator")
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if depth > DEEPEST:
            raise FormulaError("too_deep", line=line, start=at, stop=at + 1, limit=DEEPEST)
        if nodes > MOST_NODES:
            raise FormulaError("too_many", line=line, start=at, stop=len(text), limit=MOST_NODES)
        at = token.end()


@dataclass(frozen=True, slots=True)
class _Reader:
    """Takes allowed nodes of Python's tree, and says where another stands."""

    text: str
    line: str
    indent: int
    usable: Collection[str]

    def node(self, tree: ast.expr, *, summed: bool) -> Node:
        start, stop = self._span(tree)
        match tree:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                try:
                    number = float(value)
                except OverflowError:
                    number = math.inf
                if not math.isfinite(number):
                    raise self._error("number", tree, found=self.text[start:stop])
                return Node("number", number=number, start=start, stop=stop)
            case ast.Name(id=name):
                if name not in self.usable and not (summed and name == "i"):
                    if name == "i":
                        raise self._error("construct", tree, found="i", instead="sum(…)")
                    raise self._error("name", tree, found=name, choices=", ".join(self.usable))
                return Node("name", name, start=start, stop=stop)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.node(operand, summed=summed)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._call("neg", [operand], tree, summed)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                return self._call(OPERATORS[type(op)], [left, right], tree, summed)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in OPERATORS:
                return self._call(OPERATORS[type(op)], [left, right], tree, summed)
            case ast.Compare():
                raise self._error("construct", tree, found=self.text[start:stop], instead="(0 < p) * (p < 5)")
            case ast.Call(func=ast.Name(id=name) as function, args=args, keywords=[]):
                return self._function(name, function, args, tree, summed)
            case ast.IfExp():
                raise self._error("construct", tree, found="if", instead="where(…)")
        raise self._error("construct", tree, found=self.text[start:stop], instead="+ - * / ** % < >, where(…)")

    def _function(self, name: str, function: ast.expr, args: list[ast.expr], tree: ast.expr, summed: bool) -> Node:
        if name not in FUNCTIONS:
            raise self._error("name", function, found=name, choices=", ".join(FUNCTIONS))
        least, most = FUNCTIONS[name]
        if not least <= len(args) <= most:
            wanted = str(least) if least == most else f"{least}–{most}"
            raise self._error("arguments", tree, found=name, wanted=wanted, given=len(args))
        if name == "sum" and summed:
            raise self._error("construct", function, found="sum", instead="sum(…)")
        return self._call(name, args, tree, summed or name == "sum")

    def _call(self, name: str, args: list[ast.expr], tree: ast.expr, summed: bool) -> Node:
        start, stop = self._span(tree)
        return Node("call", name, args=tuple(self.node(arg, summed=summed) for arg in args), start=start, stop=stop)

    def _span(self, tree: ast.expr) -> tuple[int, int]:
        return self.indent + tree.col_offset, self.indent + (tree.end_col_offset or tree.col_offset)

    def _error(self, code: str, tree: ast.expr, **values: object) -> FormulaError:
        start, stop = self._span(tree)
        return FormulaError(code, line=self.line, start=start, stop=stop, **values)


def by_distance(node: Node) -> Node | None:
    """Return a bias as a formula of the distance q - k alone; None where it knows more than that."""
    put = _with_distance(node)
    return None if put.names() & {"q", "k"} else put


def _with_distance(node: Node) -> Node:
    if node.name == "sub" and all(arg.kind == "name" for arg in node.args):
        pair = tuple(arg.name for arg in node.args)
        distance = Node("name", DISTANCE, start=node.start, stop=node.stop)
        if pair == ("q", "k"):
            return distance
        if pair == ("k", "q"):
            return Node("call", "neg", args=(distance,), start=node.start, stop=node.stop)
    args = tuple(_with_distance(arg) for arg in node.args)
    return node if not args else Node(node.kind, node.name, node.number, args, node.start, node.stop)


@dataclass(frozen=True, slots=True)
class FormulaParameter:
    """A name of one's own.

    Attributes:
        name: letters, digits and underscores, of ASCII.
        values: one number, or for one that is learned in each head one a head.
        learned: whether gradients reach it.
        per_head: whether each head has its own.
        least: where its slider begins; None for one without bounds.
        greatest: where its slider ends, or None.
    """

    name: str
    values: tuple[float, ...]
    learned: bool = False
    per_head: bool = False
    least: float | None = None
    greatest: float | None = None

    def __str__(self) -> str:
        """Return its line: ``read_parameters`` reads the same out of it."""
        name = f"{self.name}[h]" if self.per_head else self.name
        between = "" if self.least is None else f" ({self.least!r}..{self.greatest!r})"
        return f"{name} {'~' if self.learned else '='} {', '.join(map(repr, self.values))}{between}"


_SIGNED = rf"[-+]?{_NUMBER}"
_END = r"[-+]?(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?"  # of a range: "10..1e6" begins with 10, not with "10."
_PARAMETER = re.compile(
    rf" *(?P<name>{_NAME})(?P<heads> *\[ *h *\])? *(?P<sign>[=~]) *(?P<values>{_SIGNED}(?: *, *{_SIGNED})*)"
    rf"(?: *\( *(?P<least>{_END}) *\.\. *(?P<greatest>{_END}) *\))? *",
    re.ASCII,
)


def read_parameters(text: str | Mapping[str, object]) -> dict[str, FormulaParameter]:
    """Read parameters, one a line or with semicolons between them.

    Args:
        text: ``base = 10000 (10..1e6)`` fixes a value and gives its slider bounds, which may be left out; ``a ~ 0.1``
            is one learned number, ``a[h] ~ 0.1`` one for each head, and ``a[h] ~ 0.1, 0.2`` says each. Or a mapping
            of name to a number, or to what stands after the name: ``{"base": 1e4, "a": "~ 0.1", "b[h]": "~ 1"}``.

    Returns:
        Name to parameter, in their order.

    Raises:
        FormulaError: a line that is no parameter, a name that is taken, too many, or a value outside its bounds.
    """
    if not isinstance(text, str):
        text = "\n".join(_as_line(name, value) for name, value in text.items())
    parameters: dict[str, FormulaParameter] = {}
    if len(text) > MOST_PARAMETERS * LONGEST:
        raise FormulaError("too_long", line="parameters", stop=len(text), limit=MOST_PARAMETERS * LONGEST)
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
    if found is None or (found["heads"] and not is_learned) or (found["least"] and is_learned):
        raise FormulaError("parameter", line="parameters", start=at, stop=stop)
    name = found["name"]
    if name in RESERVED or name in before:
        raise FormulaError("taken", line="parameters", start=at, stop=stop, found=name)
    if len(before) >= MOST_PARAMETERS:
        raise FormulaError("too_many", line="parameters", start=at, stop=stop, limit=MOST_PARAMETERS)
    values = tuple(float(value) for value in found["values"].split(","))
    ends = (float(found["least"]), float(found["greatest"])) if found["least"] else (None, None)
    if not all(math.isfinite(number) for number in (*values, *ends) if number is not None):
        raise FormulaError("number", line="parameters", start=at, stop=stop, found=text)
    if len(values) > 1 and not found["heads"]:
        raise FormulaError("parameter", line="parameters", start=at, stop=stop)
    least, greatest = ends
    if least is not None and greatest is not None and not least <= values[0] <= greatest:
        raise FormulaError("range", line="parameters", start=at, stop=stop, found=name, least=least, greatest=greatest)
    return FormulaParameter(name, values, is_learned, bool(found["heads"]), least, greatest)
