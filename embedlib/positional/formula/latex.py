"""Formulas as LaTeX, as KaTeX reads it."""

import ast

from embedlib.positional.formula.operations import ATOM, LOOSE, OPERATIONS, TIMES, operation

_LEFT = {
    "rows": r"\mathrm{PE}(p, i)",
    "bias": r"b_h(q, k)",
    "turn": r"\theta_i(p)",
    "scale": r"s_h(q)",
}
_GREEK = {
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "mu", "nu", "xi", "pi",
    "rho", "sigma", "tau", "phi", "chi", "psi", "omega",
}  # fmt: skip


def tree_latex(tree: ast.expr, *, line: str) -> str:
    """Return the tree of a formula as LaTeX."""
    return f"{_LEFT[line]} = {_write(tree, line)[0]}"


def _write(tree: ast.expr, line: str) -> tuple[str, int]:
    """Return LaTeX, and how tightly it binds."""
    match tree:
        case ast.Constant(value=float() as number):
            text = _number(number)
            return text, TIMES if r"\cdot" in text else ATOM
        case ast.Name(id=name):
            return _name(name), ATOM
    key, operands = operation(tree)
    rule, written = OPERATIONS[key], []
    for number, operand in enumerate(operands):
        text, binds = _write(operand, line)
        least = rule.inside[number] if number < len(rule.inside) else LOOSE
        written.append(text if binds >= least else rf"\left( {text} \right)")
    last = "d-1" if line == "rows" else "d/2-1"  # the last i of a sum
    return rule.latex.format(*written, all=", ".join(written), last=last), rule.binds


def _number(number: float) -> str:
    if number == int(number) and abs(number) < 1e6:
        return str(int(number))
    digits, _, power = f"{number:.15g}".partition("e")
    if not power:
        return digits
    return rf"10^{{{int(power)}}}" if digits == "1" else rf"{digits} \cdot 10^{{{int(power)}}}"


def _name(name: str) -> str:
    if name in _GREEK:
        return f"\\{name}"
    if len(name) == 1 and name.isalpha():
        return name
    escaped = name.replace("_", "\\_")
    return rf"\mathrm{{{escaped}}}"
