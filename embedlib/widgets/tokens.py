"""Widgets of tokens: one text as chips, or cut by several tokenizers."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from embedlib.components import chips as chips_component
from embedlib.components import token_rows as rows_component
from embedlib.components.chips import chips, chips_data
from embedlib.components.token_rows import pack_rows, token_row
from embedlib.notebook import chips_html
from embedlib.pipeline import InputEmbeddings
from embedlib.tokenizers import (
    Token,
    Tokenizer,
    align,
    character_label,
    get_tokenizer,
    token_label,
    vocabulary_spellings,
)
from embedlib.widgets.widget import ChoiceWidget

MAX_TOKENS = 4_096  # chips that the widget holds
MAX_CHARACTERS = 20_000  # of a text in rows
FINE = ("characters", "bytes")  # tokenizers that split nearly everywhere: beside them every word would be a difference


def token_chips(
    source: str | InputEmbeddings | Sequence[Token], *, tokenizer: str | Tokenizer = "gpt2", chosen: int | None = None
) -> ChoiceWidget:
    """Show the tokens of a text as chips to choose from.

    Args:
        source: a text, what ``embed_text`` returned, or tokens.
        tokenizer: of a text, a name in TOKENIZERS or a Tokenizer.
        chosen: position of the chosen token, from 0; None for none.

    Returns:
        A widget whose trait ``chosen`` is the position of the token that is chosen, or None.

    Raises:
        ValueError: no token, more than 4,096, or no such position.

    >>> from embedlib import embed_text
    >>> from embedlib.widgets import token_chips
    >>> embedded = embed_text("the cat", d_model=8)
    >>> widget = token_chips(embedded, chosen=1)
    >>> embedded.tokens[widget.chosen].bytes
    b' cat'
    """
    names: dict[int, str] = {}
    if isinstance(source, InputEmbeddings):
        tokens, names = source.tokens, vocabulary_spellings(source.tokenizer, source.token_ids.tolist())
    elif isinstance(source, str):
        cutter = as_tokenizer(tokenizer, checked_text(source))
        tokens = cutter.tokenize(source)
        names = vocabulary_spellings(cutter, (token.id for token in tokens))
    else:
        tokens = list(source)
    found = chips(checked_tokens(tokens), names)
    return ChoiceWidget(
        _component="token_chips",
        _header=chips_data(found, chosen=chosen, turn=0, note=f"Tokens: {len(found)}.", labels=chips_component.LABELS),
        chosen=chosen,
        n_choices=len(found),
        summary=f"{len(found)} tokens: {' '.join(chip.label for chip in found[:20])}{' …' if len(found) > 20 else ''}",
        static_html=chips_html([chip.label for chip in found], [chip.id for chip in found]),
    )


def token_rows(
    text: str,
    tokenizers: Sequence[str | Tokenizer] | Mapping[str, str | Tokenizer] = ("words", "gpt2", "bytes"),
    *,
    chosen: int | None = None,
) -> ChoiceWidget:
    """Show one text cut by several tokenizers, a row for each, and the places where they disagree.

    Args:
        text: of at most 20,000 characters.
        tokenizers: names in TOKENIZERS or Tokenizers; by their titles, if a mapping.
        chosen: index of the chosen character, counted as they are displayed; None for none.

    Returns:
        A widget whose trait ``chosen`` is the index of the character that is chosen, or None.

    Raises:
        ValueError: an empty or too long text, no tokenizer, two of one title, or no such character.

    >>> from embedlib.widgets import token_rows
    >>> widget = token_rows("the cat", ["words", "gpt2"])
    >>> widget.chosen = 4
    >>> widget
    7 characters, tokens by tokenizer: words 2, gpt2 2
    """
    checked_text(text)
    if isinstance(tokenizers, Mapping):
        cutters = {title: as_tokenizer(one, text) for title, one in tokenizers.items()}
    else:
        made = [as_tokenizer(one, text) for one in tokenizers]
        cutters = {one.name: one for one in made}
        if len(cutters) < len(made):
            raise ValueError("tokenizers has two of one name: give a mapping from titles to tokenizers")
    if not cutters:
        raise ValueError("tokenizers is empty: give at least one name in TOKENIZERS, or a Tokenizer")
    tokens = {title: one.tokenize(text) for title, one in cutters.items()}
    aligned = align(text, tokens)
    rows = []
    for title, one in cutters.items():
        unknown_id = getattr(one, "unknown_id", None)
        names = vocabulary_spellings(one, (token.id for token in tokens[title]))
        unknown = sum(token.id == unknown_id for token in tokens[title])
        rows.append(
            token_row(title, tokens[title], aligned.rows[title], aligned.counts(title), names=names, unknown=unknown)
        )
    coarse = [title for title, one in cutters.items() if one.name not in FINE]
    differing = aligned.disagreements(coarse if len(coarse) > 1 else None)
    packed = pack_rows(
        [character_label(column) for column in aligned.columns],
        rows,
        differing=[(int(start), int(stop)) for start, stop in differing.stretches[differing.disputed]],
        labels=rows_component.LABELS,
    )
    counts = ", ".join(f"{title} {len(found)}" for title, found in tokens.items())
    return ChoiceWidget(
        _component="token_rows",
        _header=json.loads(packed.header),
        _tail=packed.numbers,
        chosen=chosen,
        n_choices=packed.count,
        summary=f"{packed.count} characters, tokens by tokenizer: {counts}",
        static_html="".join(
            chips_html(
                [token_label(token.bytes) for token in found],
                [token.id for token in found],
                title=f"{title} ({len(found)})",
            )
            for title, found in tokens.items()
        ),
    )


def as_tokenizer(tokenizer: str | Tokenizer, text: str) -> Tokenizer:
    """Return a tokenizer, made by name where only that is given."""
    return get_tokenizer(tokenizer, text=text) if isinstance(tokenizer, str) else tokenizer


def checked_text(text: Any) -> str:
    """Return a text that a widget can hold, or raise ValueError."""
    if not isinstance(text, str) or not text.strip():
        raise ValueError("text is empty: give at least one character that is not a space")
    if len(text) > MAX_CHARACTERS:
        raise ValueError(
            f"text has {len(text):,} characters: the widget holds {MAX_CHARACTERS:,}; give text[:{MAX_CHARACTERS:_}]"
        )
    return text


def checked_tokens(tokens: list[Token]) -> list[Token]:
    """Return tokens that a widget can hold, or raise ValueError."""
    if not tokens:
        raise ValueError("source has no token: give at least one character that the tokenizer keeps")
    if len(tokens) > MAX_TOKENS:
        raise ValueError(
            f"source has {len(tokens):,} tokens: the widget holds {MAX_TOKENS:,}; give fewer, such as by "
            f"embed_text(text, max_tokens={MAX_TOKENS:_})"
        )
    return tokens
