"""Find a sentence of the screen by its English msgid, wherever in the source it stands."""

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
# What a browser does not show of markdown.
UNSEEN = re.compile(r"(\\\*|`)")


def wording(msgid: str, /, **values: object) -> re.Pattern[str]:
    """Return the pattern of a sentence as it stands on the screen, in English.

    Args:
        msgid: the English sentence as it is marked for translation, of a plural its singular; or how it begins, with
            "…" behind.
        **values: what stands for values in the sentence, as it is shown; `...` and what is not given may be anything.

    Raises:
        LookupError: no sentence is so, or several begin so, or it has no such value.
    """
    return re.compile("|".join(_pattern(form, values) for form in _forms(msgid, set(values))), re.DOTALL)


def message(msgid: str, /, **values: object) -> str:
    """Return a sentence in English, its last form, with all its values; `msgid` and the errors as of `wording`."""
    return _forms(msgid, set(values))[-1].format(**values)


def value_in(text: str, msgid: str, name: str, /) -> str | None:
    """Return what stands for a value where a text says a sentence; None where it does not. `msgid` as of `wording`."""
    for form in _forms(msgid, {name}):
        if found := re.search(_pattern(form, {name: "SOUGHT"}).replace("SOUGHT", "(.+?)"), text, re.DOTALL):
            return found[1]
    return None


def _forms(msgid: str, values: set[str]) -> tuple[str, ...]:
    found = [forms for forms in all_messages() if forms[0] == msgid]
    if not found and msgid.endswith("…"):
        found = [forms for forms in all_messages() if forms[0].startswith(msgid[:-1])]
    found = [forms for forms in found if values <= {name for form in forms for name in PLACEHOLDER.findall(form)}]
    if len(found) != 1:
        raise LookupError(f"{msgid!r} with {sorted(values)}: {found or 'no such sentence'}")
    return found[0]


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


def whole(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """Return the pattern of a text that says this and nothing else."""
    return re.compile(rf"^\s*(?:{pattern.pattern})\s*$", pattern.flags)
