"""Text for Plotly, which reads its own small HTML: tags, links, entities, formulas between dollars."""

import re
import textwrap
import unicodedata

# Plotly decodes entities after it has looked for tags and formulas: the reader sees the character, and nothing runs.
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;"})
_RIGHT_TO_LEFT = {"R", "AL"}
# Where Unicode has all of those, and others beside: most texts are known by it in one step.
_MAY_BE_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\u200f\ufb1d-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]")


def plain(text: str) -> str:
    """Escape Plotly's pseudo-HTML, so that any text, such as a reader's token, is shown exactly as written.

    Right-to-left text is isolated, so that it cannot reorder what surrounds it.
    """
    escaped = text.translate(_ENTITIES)
    found = _MAY_BE_RIGHT_TO_LEFT.findall(text)
    if any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in found):
        return f"\u2068{escaped}\u2069"
    return escaped


def bold(text: str) -> str:
    """Return any text in bold, escaped."""
    return f"<b>{plain(text)}</b>"


def wrap_lines(text: str) -> str:
    """Wrap any text into lines of about 26 letters, escaped: a phone has room for no more beside a point."""
    return "<br>".join(plain(line) for line in textwrap.wrap(text, 26, break_long_words=False))


def columns(text: str) -> int:
    """Return the width of a text in letters: a wide character, such as a Chinese one, takes two."""
    if text.isascii():
        return len(text)
    return sum(1 + (unicodedata.east_asian_width(character) in "WF") for character in text)


def shorten(text: str, limit: int = 14) -> str:
    """Cut a text to at most `limit` letters of width, ending in an ellipsis if something was cut."""
    if len(text) <= limit and columns(text) <= limit:
        return text
    kept = text[: limit - 1]
    while columns(kept) > limit - 1:
        kept = kept[:-1]
    return f"{kept}…"


def hover(template: str, **fields: str) -> str:
    """Convert a translated sentence with {names} to Plotly's hovertemplate; the first of several lines is bold.

    `fields` has Plotly's expression for each name, such as "%{z:.4f}"; the sentence's own text is escaped. ValueError
    for an unknown name.
    """
    # A percent sign of the sentence's own must not begin an expression.
    escaped = plain(template).replace("%", "&#37;")
    try:
        first, *rest = escaped.format_map(fields).split("\n")
    except (KeyError, ValueError) as error:
        raise ValueError(f"template={template!r} may only name {', '.join(sorted(fields))}") from error
    return "<br>".join([f"<b>{first}</b>" if rest else first, *rest]) + "<extra></extra>"
