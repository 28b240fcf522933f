"""Byte-pair encoding step by step: the pieces of the text, and how the chosen one is merged."""

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
import streamlit as st

from embedlib.i18n import N_
from embedlib.tokenizers import MAX_PIECE_BYTES, MergeStep, merge_steps, pre_tokens, split_specials, token_label
from ui.cache.bounded import memo
from ui.components import merge_player as player_component
from ui.components.merge_player import MAX_PARTS, MAX_PIECES, Piece, State, merge_player
from ui.export import Drawing, Lines, decode_token, save_menu
from ui.i18n import _, label_sentence, number, separator, translate_labels
from ui.markdown import as_code
from ui.shared.page import section
from ui.tokens.cache import TokenizerSpec, align_tokens, cached_merge_rules, encoding_specials
from ui.tokens.names import tokenizer_title
from ui.tokens.request import Request

LONGEST = min(MAX_PIECE_BYTES, MAX_PARTS)  # bytes of a piece whose merges are shown
_GPT2 = TokenizerSpec("gpt2")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of the text, in its UTF-8 bytes; `special` where it is a special token, which is never merged."""

    start: int
    stop: int
    special: bool = False


@dataclass(frozen=True, slots=True)
class Merging:
    """The merges of one piece of the text."""

    spec: TokenizerSpec
    piece: bytes
    steps: list[MergeStep]  # from single bytes to tokens, without a last one that was looked up and not merged
    whole_token_id: int | None  # the piece's own id, where it is a token that no order of merges makes


@section(
    "tokens-merges",
    N_("Byte-pair merges"),
    lead=N_(
        "How does a tokenizer such as GPT-2’s find its tokens? First the text is split into pieces, mostly at spaces. "
        "Then, inside each piece, two neighbours are merged again and again. Which pair first? A list made in "
        "training says so: it was filled pair by pair, each time with the pair that was then the most frequent in the "
        "training text. The number of a pair in this list is its rank, and the pair with the lowest rank is merged "
        "first."
    ),
)
def merges(request: Request, chosen: int | None) -> None:
    """Show the merges of the piece under the chosen character step by step, or why there are none."""
    spec = spec_that_merges(request)
    if spec != request.closely:
        sentence = _("{name} does not work with ranked merges of bytes, so these are the merges of {other}.")
        st.write(sentence.format(name=tokenizer_title(request.closely.name), other=tokenizer_title(spec.name)))
    spans = text_spans(spec, request.text, request.specials)
    index = span_in_view(request, spans, chosen)
    span, data = spans[index], request.text.encode()
    piece = data[span.start : span.stop]
    if span.special:
        st.info(
            _("{token} is a special token: it has an id of its own and is not made by merges.").format(
                token=as_code(token_label(piece))
            )
        )
        return
    if len(piece) > LONGEST:
        st.info(
            _("This piece has {count:,} bytes; merges are shown of at most {most}. Choose another piece.").format(
                count=len(piece), most=LONGEST
            )
        )
        return
    merging = merge_piece(spec, piece)
    around = _window(index, len(spans))
    save_menu(merge_steps_drawing, spec, piece)
    merge_player(
        _pieces(request, tuple(spans[around]), data),
        chosen=index - around.start,
        states=[
            State([token_label(part) for part in step.parts], list(step.ranks), step.merge_index)
            for step in merging.steps
        ],
        ids=[-1 if token_id is None else token_id for token_id in merging.steps[-1].ids],
        labels=translate_labels(player_component.LABELS),
        key="merge-player",
    )
    if _ids_are_ranks(merging):
        sentence = _(
            "The vocabulary of {name} begins with the 256 single bytes, which have the ids 0 to 255. Ranks are counted "
            "on from there: the first pair that training merged has rank 256, and the id of every longer token is the "
            "rank of the merge that made it. The last step shows the ids."
        )
        st.caption(sentence.format(name=tokenizer_title(spec.name)))
    if merging.whole_token_id is not None:
        st.caption(
            _(
                "{token} as a whole is in the vocabulary, with id {id}: the tokenizer takes it without any merges."
            ).format(token=as_code(token_label(piece)), id=merging.whole_token_id)
        )


def _ids_are_ranks(merging: Merging) -> bool:
    """Return whether each token of several bytes has the rank of the merge that made it as its id."""
    ranks = {step.rank for step in merging.steps if step.merge_index is not None}
    last = merging.steps[-1]
    ids = [token_id for part, token_id in zip(last.parts, last.ids, strict=True) if len(part) > 1]
    return bool(ids) and ranks.issuperset(ids)


def merge_steps_drawing(spec: TokenizerSpec, piece: bytes) -> Drawing:
    """Return the piece before each merge and after the last: under each part its rank with the next, then its id.

    Its numbers are one line per part, with its rank with the next.
    """
    merging, labels = merge_piece(spec, piece), translate_labels(player_component.LABELS)
    captions, parts = [labels["start"].format(count=len(piece))], list[list[tuple[str, str]]]()
    lines: list[list[object]] = []
    for number_of_step, step in enumerate(merging.steps):
        texts, ranks = [token_label(part) for part in step.parts], [*step.ranks, None]
        if step.merge_index is None:
            notes = ["" if token_id is None else str(token_id) for token_id in step.ids]
        else:
            notes = ["" if rank is None else number(rank, ",") for rank in ranks]
            left, right = texts[step.merge_index : step.merge_index + 2]
            captions.append(
                labels["merged"].format(left=left, right=right, whole=left + right, rank=number(step.rank or 0, ","))
            )
        parts.append(list(zip(texts, notes, strict=True)))
        lines += (
            [
                number_of_step,
                place,
                decode_token(part),
                part.hex(" ").upper(),
                token_id,
                rank,
                int(place == step.merge_index),
            ]
            for place, (part, token_id, rank) in enumerate(zip(step.parts, step.ids, ranks, strict=True))
        )
    captions[-1] += separator(" ") + labels["id_below"]
    return Drawing(
        name="merges",
        title=label_sentence(labels["merges"], token_label(piece)),
        grid={labels["merges"]: captions, labels["figure"] + separator(". ") + labels["rank_below"]: parts},
        numbers=Lines(["step", "part", "token", "bytes", "token_id", "rank_with_next", "merges_next"], lines),
        source=tokenizer_title(spec.name),
    )


def merging_in_view(request: Request, chosen: int | None) -> Merging | None:
    """Return the merges of the piece under the chosen character; None where there are none."""
    spec = spec_that_merges(request)
    spans = text_spans(spec, request.text, request.specials)
    span = spans[span_in_view(request, spans, chosen)]
    if span.special or span.stop - span.start > LONGEST:
        return None
    return merge_piece(spec, request.text.encode()[span.start : span.stop])


def spec_that_merges(request: Request) -> TokenizerSpec:
    """Return the byte-pair encoding in view: the chosen one, else the first one shown, else gpt2."""
    candidates = (request.closely, *request.specs)
    return next((spec for spec in candidates if spec.is_encoding or spec.name == "bpe"), _GPT2)


@memo()
def text_spans(spec: TokenizerSpec, text: str, specials: bool) -> list[Span]:
    """Cut a text into the pieces within which pairs are merged, and special tokens."""
    rules, spans, start = cached_merge_rules(spec), [], 0
    for part, token_id in split_specials(text, encoding_specials(spec.name) if specials else {}):
        if token_id is not None:
            stop = start + len(part.encode())
            spans.append(Span(start, stop, special=True))
        else:
            spans += [Span(start + first, start + last) for first, last in pre_tokens(rules, part)]
            stop = spans[-1].stop
        start = stop
    return spans


def span_in_view(request: Request, spans: list[Span], chosen: int | None) -> int:
    """Return the index of the piece in view: where the chosen character begins, else the first of the longest."""
    if chosen is None:
        playable = [span.stop - span.start if span.stop - span.start <= LONGEST else 0 for span in spans[:MAX_PIECES]]
        return playable.index(max(playable))
    offset = int(align_tokens(request.specs, request.text, request.specials).starts[chosen])
    return bisect_right([span.start for span in spans], offset) - 1


@memo()
def merge_piece(spec: TokenizerSpec, piece: bytes) -> Merging:
    """Merge one piece."""
    steps = merge_steps(cached_merge_rules(spec), piece)
    if steps[-1].is_whole_token:
        return Merging(spec, piece, steps[:-1], steps[-1].ids[0])
    return Merging(spec, piece, steps, None)


def _window(index: int, count: int) -> slice:
    """Return which pieces are drawn: all, or as many as fit around the chosen one."""
    start = min(max(0, index - MAX_PIECES // 2), max(0, count - MAX_PIECES))
    return slice(start, min(start + MAX_PIECES, count))


def _pieces(request: Request, spans: tuple[Span, ...], data: bytes) -> list[Piece]:
    starts = align_tokens(request.specs, request.text, request.specials).starts
    first = np.searchsorted(starts, [span.start for span in spans], side="right") - 1
    last = np.searchsorted(starts, [span.stop - 1 for span in spans], side="right") - 1
    return [
        Piece(token_label(data[span.start : span.stop]), int(begin), int(end))
        for span, begin, end in zip(spans, first, last, strict=True)
    ]
