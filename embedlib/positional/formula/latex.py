"""A formula as mathematics: LaTeX, as KaTeX reads it."""

from collections.abc import Mapping

from embedlib.positional.formula.language import ENTRY, FormulaParameter, Node, read_formula

_LEFT = {
    "rows": r"\mathrm{PE}(p, i)",
    "bias": r"b_h(q, k)",
    "turn": r"\theta_i(p)",
    "scale": r"s_h(q)",
}
_TERMS = {"rows": "d-1", "bias": "d/2-1", "turn": "d/2-1", "scale": "d/2-1"}  # the last i of a sum
_GREEK = {
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "mu", "nu", "xi", "pi",
    "rho", "sigma", "tau", "phi", "chi", "psi", "omega",
}  # fmt: skip
# Operation -> LaTeX of its arguments, how tightly it binds, and how tightly each argument must.
_LOOSE, _COMPARED, _ADDED, _NEGATED, _TIMES, _RAISED, _ATOM = range(7)
_INFIX: dict[str, tuple[str, int, int, int]] = {
    "lt": ("<", _COMPARED, _ADDED, _ADDED),
    "le": (r"\le", _COMPARED, _ADDED, _ADDED),
    "gt": (">", _COMPARED, _ADDED, _ADDED),
    "ge": (r"\ge", _COMPARED, _ADDED, _ADDED),
    "eq": ("=", _COMPARED, _ADDED, _ADDED),
    "ne": (r"\ne", _COMPARED, _ADDED, _ADDED),
    "add": ("+", _ADDED, _ADDED, _TIMES),
    "sub": ("-", _ADDED, _ADDED, _TIMES),
    "mul": (r"\cdot", _TIMES, _NEGATED, _RAISED),
    "mod": (r"\bmod", _COMPARED, _RAISED, _RAISED),
}
# What stands between its own brackets takes any argument.
_BRACKETS = {
    "div": r"\frac{{{0}}}{{{1}}}",
    "floordiv": r"\left\lfloor\frac{{{0}}}{{{1}}}\right\rfloor",
    "floor": r"\left\lfloor {0} \right\rfloor",
    "abs": r"\left| {0} \right|",
    "sqrt": r"\sqrt{{{0}}}",
    "exp": r"e^{{{0}}}",
    "where": r"\begin{{cases}} {1} & \text{{if }} {0} \\ {2} & \text{{otherwise}} \end{{cases}}",
}
_CALLED = {
    "sin": r"\sin", "cos": r"\cos", "tan": r"\tan", "log": r"\ln", "min": r"\min", "max": r"\max", "sigmoid": r"\sigma",
    "sign": r"\operatorname{sign}", "relu": r"\operatorname{relu}", "clip": r"\operatorname{clip}",
}  # fmt: skip


def formula_latex(text: str, *, line: str, parameters: Mapping[str, FormulaParameter] | None = None) -> str:
    r"""Return a formula as LaTeX.

    Args:
        text: as ``read_formula`` takes it.
        line: "rows", "bias", "turn" or "scale".
        parameters: those that the formula may name, as ``read_parameters`` returns them.

    Returns:
        An equation for math mode, such as ``b_h(q, k) = -m \cdot \left| q - k \right|``. Nothing in it comes from
        the text but numbers and names of letters, digits and underscores.

    Raises:
        FormulaError: it cannot be read.
    """
    return latex_of(read_formula(text, line=line, parameters=parameters), line=line)


def latex_of(tree: Node, *, line: str) -> str:
    """Return a tree as LaTeX, as ``formula_latex`` does for its text."""
    return f"{_LEFT[line]} = {_written(tree, _LOOSE, line)}"


def _written(node: Node, least: int, line: str) -> str:
    text, binds = _node(node, line)
    return text if binds >= least else rf"\left( {text} \right)"


def _node(node: Node, line: str) -> tuple[str, int]:
    """LaTeX, and how tightly it binds."""
    if node.kind == "number":
        text = _number(node.number)
        return text, _TIMES if r"\cdot" in text else _ATOM
    if node.kind == "name":
        return ("q - k", _ADDED) if not node.name.isidentifier() else (_name(node.name), _ATOM)
    if node.name in _INFIX:
        sign, binds, left, right = _INFIX[node.name]
        first, second = (_written(arg, bound, line) for arg, bound in zip(node.args, (left, right), strict=True))
        return f"{first} {sign} {second}", binds
    if node.name == "neg":
        return f"-{_written(node.args[0], _TIMES, line)}", _NEGATED
    if node.name == "pow":
        return f"{_written(node.args[0], _ATOM, line)}^{{{_written(node.args[1], _LOOSE, line)}}}", _RAISED
    if node.name == "sum":
        return rf"\sum_{{i=0}}^{{{_TERMS[line]}}} {_written(node.args[0], _TIMES, line)}", _ADDED
    if node.name in ("even", "odd"):
        return rf"{_written(node.args[0], _ADDED, line)} \text{{ {node.name}}}", _COMPARED
    args = [_written(arg, _LOOSE, line) for arg in node.args]
    if node.name == ENTRY:
        return rf"{args[0]}\left[ {args[1]} \right]", _ATOM
    if node.name in _BRACKETS:
        loose = node.name in ("where", "exp")
        return _BRACKETS[node.name].format(*args), _RAISED if loose else _ATOM
    return rf"{_CALLED[node.name]}\left( {', '.join(args)} \right)", _RAISED


def _number(number: float) -> str:
    if number == int(number) and abs(number) < 1e6:
        return str(int(number))
    text = f"{number:.15g}"
    digits, _, power = text.partition("e")
    if not power:
        return text
    return rf"10^{{{int(power)}}}" if digits == "1" else rf"{digits} \cdot 10^{{{int(power)}}}"


def _name(name: str) -> str:
    if name in _GREEK:
        return f"\\{name}"
    if len(name) == 1 and name.isalpha():
        return name
    escaped = name.replace("_", "\\_")
    return rf"\mathrm{{{escaped}}}"
