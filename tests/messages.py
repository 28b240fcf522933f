"""Find a sentence of the screen by where it is said, so that no test changes when it is worded anew."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parent.parent
MARKERS = {"_", "N_", "ngettext"}
MARKER = re.compile(rf"\b(?:{'|'.join(MARKERS)})\(")
PLACEHOLDER = re.compile(r"\{(\w+)[^{}]*\}")
NAME = re.compile(r"[a-z][\w-]*")  # of a widget or a setting
# What a browser does not show of markdown.
UNSEEN = re.compile(r"(\\\*|`)")


def wording(place: str, /, **values: object) -> re.Pattern[str]:
    """Return the pattern of a sentence as it stands on the screen, in English.

    Args:
        place: the module or package and, after a colon, the names on the way to the sentence: of functions, of
            constants, of keys of a dictionary that are texts, of keywords, of widgets' keys; as many as it takes, in
            their order: "ui.shared:prepare", "ui.components.token_chips:LABELS.hint". Where several sentences are left
            they are told apart by the names of the values in them, and then by "#2" for the second.
        **values: what stands for values in the sentence, as it is shown; `...` and what is not given may be anything.

    Raises:
        LookupError: there is no such sentence, or there are several.
    """
    return re.compile("|".join(_pattern(form, values) for form in _forms(place, set(values))), re.DOTALL)


def message(place: str, /, **values: object) -> str:
    """Return a sentence in English, its last form, with all its values; `place` and the errors as of `wording`."""
    return _forms(place, set(values))[-1].format(**values)


def value_in(text: str, place: str, name: str, /) -> str | None:
    """Return what stands for a value where a text says a sentence; None where it does not. `place` as of `wording`."""
    for form in _forms(place, {name}):
        if found := re.search(_pattern(form, {name: "SOUGHT"}).replace("SOUGHT", "(.+?)"), text, re.DOTALL):
            return found[1]
    return None


def _forms(place: str, values: set[str]) -> tuple[str, ...]:
    module, _, path = place.partition(":")
    path, _, number = path.partition("#")
    names = path.split(".") if path else []
    found = [forms for way, forms in _messages(module) if _leads(names, way)]
    found = [forms for forms in found if values <= {name for form in forms for name in PLACEHOLDER.findall(form)}]
    if number:
        found = found[int(number) - 1 : int(number)]
    if len(found) != 1:
        raise LookupError(f"{place} {sorted(values)}: {found or 'no such sentence'}")
    return found[0]


def _leads(names: list[str], way: tuple[str, ...]) -> bool:
    left = iter(way)
    return all(name in left for name in names)


def _pattern(form: str, values: dict[str, object]) -> str:
    parts = PLACEHOLDER.split(form.replace("{{", "\0").replace("}}", "\1"))
    for index, part in enumerate(parts):
        if index % 2 == 0:
            fixed = re.escape(part.replace("\0", "{").replace("\1", "}")).replace(r"\ ", r"\s+")
            parts[index] = UNSEEN.sub(r"\1?", fixed)
        else:
            value = values.get(part, ...)
            parts[index] = ".+?" if value is ... else re.escape(str(value))
    return "(?:" + "".join(parts) + ")"


@cache
def all_messages() -> set[tuple[str, ...]]:
    """Return every sentence that is marked for translation, each once, with all its forms."""
    files = [ROOT / "app.py", *(file for name in ("embedlib", "pages", "ui") for file in (ROOT / name).rglob("*.py"))]
    texts = [file.read_text(encoding="utf-8") for file in files]
    trees = [ast.parse(text) for text in texts if MARKER.search(text)]
    return {forms for tree in trees for node in ast.walk(tree) if (forms := _marked(node))}


def extracted(
    fileobj: IO[bytes], keywords: object, comment_tags: object, options: object
) -> Iterator[tuple[int, str, str | tuple[str, ...], list[str]]]:
    """Find the sentences of a file for Babel, whose own way misses those in f-strings and takes keys for some."""
    for node in ast.walk(ast.parse(fileobj.read())):
        if forms := _marked(node):
            yield node.lineno, "ngettext" if forms[1:] else "_", forms if forms[1:] else forms[0], []


def _marked(node: ast.AST) -> tuple[str, ...]:
    """Return the forms of the sentence that a call marks; none where it is no such call."""
    match node:
        case ast.Call(func=ast.Name(id=marker), args=args) if marker in MARKERS:
            return tuple(arg.value for arg in args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))
    return ()


@cache
def _messages(module: str) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """List the sentences of a module or package: the names on the way to each, and its forms."""
    path = ROOT.joinpath(*module.split("."))
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    found = []
    for text in (file.read_text(encoding="utf-8") for file in files):
        marked = [number for number, line in enumerate(text.split("\n"), 1) if MARKER.search(line)]
        if marked:
            found += _walk(ast.parse(text), (), marked)
    return found


def _walk(node: ast.AST, way: tuple[str, ...], marked: list[int]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Find the sentences under a node; `marked` lists the lines that have any: the rest is not looked through."""
    if isinstance(node, ast.stmt):
        first = min(part.lineno for part in (node, *getattr(node, "decorator_list", ())))
        if not any(first <= line <= (node.end_lineno or first) for line in marked):
            return
    if forms := _marked(node):
        yield way, forms
        return
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.keyword(arg=str(name)):
            way = (*way, name)
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            way = (*way, name)
        case ast.Call(func=func, args=args, keywords=keywords):
            called = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
            given = [*args, *(word.value for word in keywords if word.arg in {"key", "name", "url_path"})]
            names = [arg.value for arg in given if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            way = (*way, called, *(name for name in names if NAME.fullmatch(name)))
        case ast.Dict(keys=keys, values=items):
            for key, item in zip(keys, items, strict=True):
                named = isinstance(key, ast.Constant) and isinstance(key.value, str)
                yield from _walk(item, (*way, key.value) if named else way, marked)
            return
    for child in ast.iter_child_nodes(node):
        yield from _walk(child, way, marked)


def whole(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """Return the pattern of a text that says this and nothing else."""
    return re.compile(rf"^\s*(?:{pattern.pattern})\s*$", pattern.flags)
