"""Templates of programs: what is not asked for is left out, values become literals, imports move to the top."""

import re
import sys
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

_WIDTH = 88  # characters of a line, from which on arguments and imports get a line each
_VALUE = re.compile(r"\{\{(!?)(.+?)\}\}(?!\})")


class Code(str):
    """Source text, whose literal is itself; any other value becomes a literal, so that nothing in it can be code."""


def program(*parts: str) -> str:
    """Join what was filled into one program, with its imports at the top, sorted, each module once."""
    plain: set[str] = set()
    names: dict[str, set[str]] = {}
    body = []
    for line in "".join(parts).splitlines():
        match line.split(" ", 3):
            case ["import", module]:
                plain.add(module)
            case ["from", module, "import", listed]:
                names.setdefault(module, set()).update(listed.split(", "))
            case _:
                body.append(line)
    sections: dict[bool, list[str]] = {True: [], False: []}
    for module in sorted(plain):
        sections[module in sys.stdlib_module_names].append(f"import {module}")
    for module, classes in sorted(names.items()):
        sections[module in sys.stdlib_module_names].append(_from(module, sorted(classes, key=_by_type)))
    head = "\n\n".join("\n".join(lines) for lines in sections.values() if lines)
    return head + "\n\n" + "\n".join(body).strip("\n") + "\n"


def fill(template: str, **values: Any) -> str:
    """Fill a file of ``templates``.

    In it, ``{{expression}}`` stands for a value as a literal and ``{{!expression}}`` for its text as it is;
    ``#if expression``, ``#else`` and ``#end`` around lines keep or drop them; ``#include other`` stands for the lines
    of another file. Expressions are Python's, ours, and never a reader's text.

    Args:
        template: name of the file, without its endings.
        **values: what the expressions name, besides the functions of this module.

    Returns:
        Lines of a program, its imports still among them.

    Raises:
        NameError: an expression names something that has no value.
    """
    names = {"Code": Code, "call": call, "literal": literal, "lines": lines, "tokenizer_call": tokenizer_call, **values}
    kept = []
    branches: list[bool] = []  # of the conditions around a line, whether it stands in the branch that is kept
    for line in _lines(template):
        if line.startswith("#if "):
            branches.append(all(branches) and bool(eval(line.removeprefix("#if "), names)))
        elif line == "#else":
            branches[-1] = not branches[-1]
        elif line == "#end":
            branches.pop()
        elif all(branches):
            kept.append(_VALUE.sub(lambda match: _written(match, names), line) + "\n")
    return "".join(kept)


def literal(value: Any) -> str:
    """Write a value as Python reads it, in double quotes where it can be; long arguments and mappings in lines."""
    if isinstance(value, Code):
        return value
    if isinstance(value, str):
        written = repr(value)  # what is not printable, bidirectional controls among it, is escaped
        return f'"{written[1:-1]}"' if '"' not in written else written
    if isinstance(value, Mapping):
        return _broken("{", [f"{literal(key)}: {literal(one)}" for key, one in value.items()], "}")
    if isinstance(value, tuple) and len(value) != 1:
        return f"({', '.join(map(literal, value))})"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    return repr(value)


def lines(text: str) -> Code:
    """Write a text as a literal, a long one in several lines, so that no program need be scrolled to be read."""
    whole = literal(text)
    if len(whole) <= _WIDTH - 12:
        return Code(whole)
    pieces = [""]
    for chunk in re.findall(r"\S{1,30}\s{0,9}|\s{1,9}", text):
        # One sign may be written as ten.
        for part in [chunk] if len(literal(chunk)) <= _WIDTH - 4 else chunk:
            if len(literal(pieces[-1] + part)) > _WIDTH - 4 and pieces[-1]:
                pieces.append("")
            pieces[-1] += part
    return Code("(\n" + "".join(f"    {literal(piece)}\n" for piece in pieces) + ")")


def call(name: str, *arguments: Any, **named: Any) -> Code:
    """Write a call, its arguments as literals."""
    listed = [*map(literal, arguments), *(f"{key}={literal(value)}" for key, value in named.items())]
    return Code(_broken(f"{name}(", listed, ")"))


def tokenizer_call(name: str, text: str = "text") -> Code:
    """Write what makes a tokenizer; `text` is the expression whose vocabulary some of them take."""
    return call("get_tokenizer", name, **({"text": Code(text)} if name in ("characters", "words") else {}))


def _lines(template: str) -> list[str]:
    source = files("embedlib.programs").joinpath("templates", f"{template}.py.txt").read_text(encoding="utf-8")
    lines = []
    for line in source.splitlines():
        lines += _lines(line.split()[1]) if line.startswith("#include ") else [line]
    return lines


def _written(value: re.Match[str], names: dict[str, Any]) -> str:
    raw, expression = value.groups()
    return str(eval(expression, names)) if raw else literal(eval(expression, names))


def _broken(start: str, items: Sequence[str], stop: str) -> str:
    """Join items in one line, or in a line each where that would be too long to read."""
    line = f"{start}{', '.join(items)}{stop}"
    if len(line) <= _WIDTH and "\n" not in line:
        return line
    return f"{start}\n" + "".join("    " + item.replace("\n", "\n    ") + ",\n" for item in items) + stop


def _from(module: str, names: Sequence[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    return line if len(line) <= _WIDTH else _broken(f"from {module} import (", names, ")")


def _by_type(name: str) -> tuple[bool, bool, str]:
    """Sort names as ruff does: constants, classes, the rest."""
    return not name.isupper(), not name[:1].isupper(), name
