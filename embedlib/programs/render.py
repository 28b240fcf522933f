"""Programs from Jinja2 templates: values become literals, and imports move to the top."""

import re
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

_WIDTH = 88  # characters of a line, from which on arguments and imports get a line each


class Code(str):
    """Source text, inserted unchanged; any other value becomes a literal, so that nothing in it can be code."""


def program(*parts: str) -> str:
    """Join parts to one program, with its imports at the top, sorted, each module once."""
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
        sections[module in sys.stdlib_module_names].append(_import_line(module, sorted(classes, key=_import_sort_key)))
    head = "\n\n".join("\n".join(lines) for lines in sections.values() if lines)
    return head + "\n\n" + "\n".join(body).strip("\n") + "\n"


def fill(template: str, **values: Any) -> str:
    """Render a Jinja2 template of ``templates``, by its name without the extensions, to lines of a program.

    In it, ``{{ expression }}`` writes a value as a Python literal and ``{{ expression | code }}`` its text unchanged.
    An undefined name is an error.
    """
    source: str = _templates().get_template(f"{template}.py.txt").render(values)
    return source


@cache
def _templates() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # 0.05 s, for those alone who want a program

    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        finalize=literal,
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters["code"] = Code
    helpers = {"Code": Code, "call": call, "literal": literal, "lines": lines, "rows": rows}
    helpers["tokenizer_call"] = tokenizer_call
    templates.globals.update(helpers, list=list, tuple=tuple)
    return templates


def literal(value: Any) -> str:
    """Write a value as a Python literal, with double quotes if possible; long arguments and mappings in lines."""
    if isinstance(value, Code):
        return value
    if isinstance(value, str):
        written = repr(value)  # what is not printable, bidirectional controls among it, is escaped
        return f'"{written[1:-1]}"' if '"' not in written else written
    if isinstance(value, Mapping):
        return _join_items("{", [f"{literal(key)}: {literal(one)}" for key, one in value.items()], "}")
    if isinstance(value, tuple) and len(value) != 1:
        return f"({', '.join(map(literal, value))})"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    return repr(value)


def lines(text: str) -> Code:
    """Write a text as a literal, a long one in several lines, so that a program can be read without scrolling."""
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


def rows(items: Sequence[Any]) -> Code:
    """Write a list with each item in a line of its own."""
    return Code("[\n" + "".join(f"    {literal(item)},\n" for item in items) + "]")


def call(name: str, *arguments: Any, **named: Any) -> Code:
    """Write a call, its arguments as literals."""
    listed = [*map(literal, arguments), *(f"{key}={literal(value)}" for key, value in named.items())]
    return Code(_join_items(f"{name}(", listed, ")"))


def tokenizer_call(name: str, text: str = "text") -> Code:
    """Write the call that makes a tokenizer; `text` is the expression whose vocabulary some of them take."""
    return call("get_tokenizer", name, **({"text": Code(text)} if name in ("characters", "words") else {}))


def _join_items(start: str, items: Sequence[str], stop: str) -> str:
    """Join items in one line, or in a line each where that would be too long to read."""
    line = f"{start}{', '.join(items)}{stop}"
    if len(line) <= _WIDTH and "\n" not in line:
        return line
    return f"{start}\n" + "".join("    " + item.replace("\n", "\n    ") + ",\n" for item in items) + stop


def _import_line(module: str, names: Sequence[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    return line if len(line) <= _WIDTH else _join_items(f"from {module} import (", names, ")")


def _import_sort_key(name: str) -> tuple[bool, bool, str]:
    """Sort key of names, as ruff sorts them: constants, classes, the rest."""
    return not name.isupper(), not name[:1].isupper(), name
