"""Text for Plotly, which reads a small HTML of its own: tags, links, entities, formulas between dollars."""

import re
import unicodedata

# Plotly decodes entities after it has looked for tags and formulas: the reader sees the character, and nothing runs.
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;"})
_RIGHT_TO_LEFT = {"R", "AL"}
# Where Unicode has all of those, and others beside: most texts are known by it in one step.
_MAY_BE_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\u200f\ufb1d-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]")


def plain(text: str) -> str:
    """Neutralise Plotly's pseudo-HTML in any text, such as a reader's token, so that it is shown exactly as written.

    Right-to-left text is isolated, so that it cannot reorder what surrounds it.
    """
    escaped = text.translate(_ENTITIES)
    found = _MAY_BE_RIGHT_TO_LEFT.findall(text)
    if any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in found):
        return f"\u2068{escaped}\u2069"
    return escaped


def bold(text: str) -> str:
    """Return any text in bold, as written."""
    return f"<b>{plain(text)}</b>"


def columns(text: str) -> int:
    """Return how many letters wide a text is: a Chinese character, as any that is as wide as tall, takes two."""
    if text.isascii():
        return len(text)
    return sum(1 + (unicodedata.east_asian_width(character) in "WF") for character in text)


def shorten(text: str, limit: int = 14) -> str:
    """Return text at most `limit` letters wide, the last one an ellipsis where something was cut."""
    if len(text) <= limit and columns(text) <= limit:
        return text
    kept = text[: limit - 1]
    while columns(kept) > limit - 1:
        kept = kept[:-1]
    return f"{kept}…"


def hover(template: str, **fields: str) -> str:
    """Make Plotly's hovertemplate from a translated sentence.

    The sentence has {names} where values go, and its own text is neutralised; the first of several lines is bold.
    `fields` has for each name Plotly's own expression, such as "%{z:.4f}"; another name raises ValueError.
    """
    # A percent sign of the sentence's own must not begin an expression.
    escaped = plain(template).replace("%", "&#37;")
    try:
        first, *rest = escaped.format_map(fields).split("\n")
    except (KeyError, ValueError) as error:
        raise ValueError(f"template={template!r} may only name {', '.join(sorted(fields))}") from error
    return "<br>".join([f"<b>{first}</b>" if rest else first, *rest]) + "<extra></extra>"
