"""Preparation of a text for tokenizing, with notices of what was changed."""

from dataclasses import dataclass, field

from ui.i18n import _

MAX_CHARACTERS = 20_000
MAX_TOKENS = 2_000


@dataclass(frozen=True)
class PreparedText:
    """A text that is safe to tokenize, with notices of what was left out.

    Attributes:
        text: valid Unicode of at most MAX_CHARACTERS characters, perhaps empty.
        notices: one plain sentence for each difference from the typed text.
    """

    text: str
    notices: list[str] = field(default_factory=list)


def prepare(text: str, *, total_characters: int | None = None, limit: int = MAX_CHARACTERS) -> PreparedText:
    """Cut a text to the limit, and drop halves of surrogate pairs, which have no UTF-8 form.

    Args:
        text: as sent by the browser, perhaps cut.
        total_characters: length of the text in the browser; None if `text` is all of it.
        limit: most characters that are kept.

    Returns:
        PreparedText; white space alone stays, since it has tokens of its own.
    """
    notices = []
    total = len(text) if total_characters is None else total_characters
    if total > limit:
        notices.append(_("Used: {limit:,} of {total:,} characters.").format(total=total, limit=limit))
        text = text[:limit]
    whole = text.encode(errors="ignore").decode()
    halves = len(text) - len(whole)
    if halves:
        notices.append(_("Halves of surrogate pairs left out: {count}.").format(count=halves))
    return PreparedText(whole, notices)
