"""Several tokenizers on one text, row by row under its characters, and in numbers."""

from collections.abc import Iterator
from dataclasses import replace

import streamlit as st

from embedlib.components.token_rows import token_row as describe_row
from embedlib.tokenizers import token_label, vocabulary_spellings
from ui.cache.bounded import memo
from ui.components import token_rows as rows_component
from ui.components.token_rows import PackedRows, TokenRow, pack_rows, token_rows
from ui.embed import embeddable, section_scope
from ui.export import Cell, Drawing, Lines, decode_token, save_menu, show_texts
from ui.i18n import _, join_sentences, number, separator, translate_labels
from ui.settings import state
from ui.shared.page import reserve_height
from ui.tokens.cache import (
    TokenizerSpec,
    align_tokens,
    count_tokens,
    count_unknown,
    load_tokenizer,
    tokenize,
)
from ui.tokens.names import character_label, token_names, tokenizer_title, vocabulary_origin
from ui.tokens.request import Request

# Which split (nearly) everywhere: beside them every word would be a place of disagreement.
FINE = ("characters", "bytes")
MOST_SAVED = 500  # tokens of each in a picture


def side_by_side(request: Request) -> int | None:
    """Draw a row for each tokenizer; return the chosen character's column."""
    n_rows = len(request.specs)
    reserve_height("token-rows", wide=180 + 84 * n_rows, narrow=250 + 160 * n_rows)
    as_before = replace(request, closely=request.specs[0])  # which is looked at closely is not shown here
    labels = translate_labels(rows_component.LABELS)
    if any(_is_respelled(spec, request.text, request.specials) for spec in request.specs):
        hatched = _("In hatched boxes the token is not written as your text is, but for example in small letters.")
        labels |= {name: join_sentences(labels[name], hatched) for name in ("hint", "hint_touch")}
    with section_scope("tokens-rows"):
        save_menu(all_tokens, request)
        chosen = token_rows(
            _pack(as_before, labels),
            chosen=state.get("character"),
            key="token-rows",
            on_chosen=state.dismiss_notices,
        )
    state.put(character=chosen)
    return chosen


# A long text takes a tenth of a second to pack; most of what a reader changes leaves it as it is.
@memo(
    64_000_000,
    size=lambda made: 200 + made.size,
    key=lambda request, labels: (request, *labels.values()),
)
def _pack(request: Request, labels: dict[str, str]) -> PackedRows:
    aligned = align_tokens(request.specs, request.text, request.specials)
    return pack_rows(
        [character_label(column) for column in aligned.columns],
        [token_row(request, spec) for spec in request.specs],
        differing=differing_columns(request),
        labels=labels,
    )


def compared_names(request: Request) -> list[str]:
    """Return the tokenizers among which disagreement is marked: without FINE ones if two others are left."""
    coarse = [spec.name for spec in request.specs if spec.name not in FINE]
    return coarse if len(coarse) > 1 else [spec.name for spec in request.specs]


def differing_columns(request: Request) -> list[tuple[int, int]]:
    """Return the ranges of columns that tokenizers cut differently."""
    return _differing_columns(request.specs, request.text, request.specials, tuple(compared_names(request)))


def token_row(request: Request, spec: TokenizerSpec) -> TokenRow:
    """Describe the tokens of one tokenizer."""
    tokens = tokenize(spec, request.text, request.specials)
    return describe_row(
        tokenizer_title(spec.name),
        tokens,
        align_tokens(request.specs, request.text, request.specials).rows[spec.name],
        count_tokens(spec, request.text, request.specials),
        names=vocabulary_spellings(load_tokenizer(spec), (token.id for token in tokens)),
        unknown=count_unknown(spec, request.text, request.specials),
    )


@memo()
def _differing_columns(
    specs: tuple[TokenizerSpec, ...], text: str, specials: bool, names: tuple[str, ...]
) -> list[tuple[int, int]]:
    disagreements = align_tokens(specs, text, specials).disagreements(names)
    return [(int(start), int(stop)) for start, stop in disagreements.stretches[disagreements.disputed]]


@memo()
def _is_respelled(spec: TokenizerSpec, text: str, specials: bool) -> bool:
    """Return whether any token is written otherwise than the text that it holds, apart from marks before it."""
    tokens = list({(token.id, token.bytes): token for token in tokenize(spec, text, specials)}.values())
    named = zip(token_names(spec, tokens), tokens, strict=True)
    return any(not name.endswith(token_label(token.bytes).removeprefix("·")) for name, token in named)


@embeddable("tokens-vocabularies")
def explain_rows(request: Request) -> None:
    """Explain the marks of the rows, with each tokenizer's vocabulary."""
    if notes := _notes(request):
        st.caption(separator(" ").join(notes))
    rows: dict[str, list[str]] = {_("Tokenizer"): [], _("Entries of the vocabulary"): [], _("How it was made"): []}
    titles, sizes, origins = rows.values()
    for spec in request.specs:
        titles.append(tokenizer_title(spec.name))
        sizes.append(number(load_tokenizer(spec).vocab_size, ","))
        origins.append(vocabulary_origin(spec))
    show_texts("vocabularies", rows, alt=_("Vocabulary size"))
    st.write(
        _(
            "Why pieces of words? Whole words give the fewest tokens, but a word that is not in the vocabulary is "
            "lost. Single characters or bytes (a character has one to four) give the most tokens, and bytes lose "
            "nothing. Pieces are the compromise: frequent words stay whole, rare ones are cut. A model needs one row "
            "of its embedding matrix for each entry of the vocabulary, so a large vocabulary makes a large model."
        )
    )


def _notes(request: Request) -> list[str]:
    names = {spec.name for spec in request.specs}
    notes = []
    if left_out := [tokenizer_title(spec.name) for spec in request.specs if spec.name not in compared_names(request)]:
        notes.append(
            _("Yellow: here the tokenizers cut differently (not counting {names}).").format(
                names=separator(", ").join(left_out)
            )
        )
    elif len(request.specs) < 2:
        notes.append(_("Choose a second tokenizer in the settings, and the places where both disagree are marked."))
    if {"wordpiece", "minilm"} & names:
        notes.append(_("`##` marks a piece that continues a word."))
    if "unigram" in names:
        notes.append(_("▁ marks a space."))
    if any(count_unknown(spec, request.text, request.specials) for spec in request.specs):
        notes.append(
            _("`[UNK]` or `<unk>` stands for text that the tokenizer does not know: what was written there is lost.")
        )
    return notes


def all_tokens(request: Request) -> Drawing:
    """Return each tokenizer's tokens with their ids, of a long text the first ones, and how many there are.

    Its numbers are one line per tokenizer and token: position, id, text, bytes in hex, and where it is in the text's
    UTF-8.
    """
    columns: dict[str, list[Cell]] = {_("Tokenizer"): [], _("Tokens"): [], "": []}
    titles, counts, chips = columns.values()
    for spec in request.specs:
        tokens, lost = (
            tokenize(spec, request.text, request.specials),
            count_unknown(spec, request.text, request.specials),
        )
        titles.append(tokenizer_title(spec.name))
        counts.append(number(len(tokens), ",") + (_(", {count:,} unknown").format(count=lost) if lost else ""))
        more = [("…", "")] if len(tokens) > MOST_SAVED else []
        saved = tokens[:MOST_SAVED]
        ids = [str(token.id) for token in saved]
        chips.append([*zip(token_names(spec, saved), ids, strict=True), *more])

    def lines() -> Iterator[list[object]]:
        for spec in request.specs:
            for place, token in enumerate(tokenize(spec, request.text, request.specials)):
                text = decode_token(token.bytes)
                yield [spec.name, place, token.id, text, token.bytes.hex(" ").upper(), token.start, token.stop]

    return Drawing(
        name="tokens",
        title=_("Tokens"),
        grid=columns,
        numbers=Lines(["tokenizer", "position", "token_id", "token", "bytes", "start", "stop"], lines),
        source=separator(", ").join(tokenizer_title(spec.name) for spec in request.specs),
    )
