"""Code points and UTF-8 bytes of each character, and the tokens that hold them."""

import streamlit as st

from embedlib.i18n import N_
from embedlib.tokenizers import CharacterView, byte_view
from ui.components import byte_table as bytes_component
from ui.components.byte_table import Character, CodePoint, NamedToken, byte_table
from ui.export import Lines, save_table
from ui.i18n import _, separator, translate_labels
from ui.shared.page import reserve_height, section
from ui.tokens.cache import align_tokens, tokenize
from ui.tokens.names import character_label, token_names, tokenizer_title
from ui.tokens.request import Request

SHOWN = 240  # characters


@section(
    "tokens-bytes",
    N_("Characters and bytes"),
    lead=N_(
        "A computer stores text as bytes. What you see as one character can be several code points (numbers "
        "of the Unicode list), and each code point takes 1 to 4 bytes. Tokenizers that merge bytes can "
        "therefore cut in the middle of a character: type é, 日 or an emoji to see it."
    ),
)
def bytes_of_characters(request: Request, chosen: int | None) -> None:
    """Draw the characters around the chosen one with their bytes, framed by the chosen tokenizer's tokens."""
    views = characters_in_view(request, chosen)
    wide, narrow = (min(600, 35 + 96 * _row_count(views, per_row)) for per_row in (20, 7))
    reserve_height("byte-table", wide=wide, narrow=narrow, until_drawn=True)
    tokens = tokenize(request.closely, request.text, request.specials)
    points = [(view, point) for view in views for point in view.code_points]
    numbers = sorted({byte.token for _, point in points for byte in point.bytes if byte.token is not None})
    names = dict(zip(numbers, token_names(request.closely, [tokens[number] for number in numbers]), strict=True))
    labels = translate_labels(bytes_component.LABELS)
    place = {number: index for index, number in enumerate(numbers)}

    def token_text(token: int | None) -> str:
        return "" if token is None else names[token]

    save_table(
        "bytes",
        _("Characters and bytes"),
        {
            labels["character"]: [character_label(view.text) for view, _point in points],
            labels["code_point"]: [f"{point.code} {point.name}" for _view, point in points],
            labels["bytes"]: [
                [(f"{byte.value:02X}", token_text(byte.token)) for byte in point.bytes] for _, point in points
            ],
        },
        numbers=Lines(
            ["column", "character", "code_point", "name", "byte", "bits", "token"],
            lambda: (
                [view.column, view.text, point.code, point.name, f"{byte.value:02X}", byte.bits, token_text(byte.token)]
                for view, point in points
                for byte in point.bytes
            ),
        ),
        source=tokenizer_title(request.closely.name),
    )
    byte_table(
        [_character(view) for view in views],
        [NamedToken(name, tokens[number].id) for number, name in names.items()],
        [-1 if byte.token is None else place[byte.token] for _, point in points for byte in point.bytes],
        first_column=views[0].column,
        labels=labels,
        key="byte-table",
    )
    st.caption(_view_caption(request, views))


def characters_in_view(request: Request, chosen: int | None) -> list[CharacterView]:
    """Return the characters in view with their bytes: all, or as many as fit around the chosen one."""
    total = len(align_tokens(request.specs, request.text, request.specials).columns)
    first = min(max(0, (chosen or 0) - SHOWN // 2), max(0, total - SHOWN))
    tokens = tokenize(request.closely, request.text, request.specials)
    return byte_view(request.text, tokens, first=first, stop=first + SHOWN)


def _row_count(views: list[CharacterView], per_row: int) -> int:
    """Return how many rows the characters take where so many of one byte stand side by side."""
    rows = side_by_side = 0
    for view in views:
        is_single = sum(len(point.bytes) for point in view.code_points) == 1
        side_by_side = side_by_side % per_row + 1 if is_single else 0
        rows += len(view.code_points) if not is_single else side_by_side == 1
    return rows


def _character(view: CharacterView) -> Character:
    return Character(
        character_label(view.text),
        [CodePoint(point.code, point.name, [byte.value for byte in point.bytes]) for point in view.code_points],
    )


def _view_caption(request: Request, views: list[CharacterView]) -> str:
    total = len(align_tokens(request.specs, request.text, request.specials).columns)
    sentence = _("Each frame around bytes is one token of {name}.").format(name=tokenizer_title(request.closely.name))
    if len(views) < total:
        sentence += separator(" ") + _(
            "Shown are characters {first:,} to {last:,} of {total:,}; choose another one above."
        ).format(first=views[0].column + 1, last=views[-1].column + 1, total=total)
    return sentence
