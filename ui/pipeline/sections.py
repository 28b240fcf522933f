"""Sections of the pipeline page, from the token chips to the program."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st
import torch
from torch import Tensor

from embedlib.figures import DIVERGING, sum_figure
from embedlib.i18n import N_
from embedlib.measures import Effect
from embedlib.programs import pipeline_program
from embedlib.tables import float32_rows
from embedlib.tokenizers import Token, token_counts
from ui import cache
from ui.cache import LEARNED_POSITIONS, Request
from ui.cache.bounded import memo
from ui.cache.minilm import MINILM
from ui.components import embedding_matrix as matrix_component
from ui.components import vector_sum as sum_component
from ui.components.token_chips import Chip
from ui.components.vector_sum import vector_sum
from ui.embed import embeddable, section_scope, shared_controls
from ui.export import Blocks, Drawing, Parts, decode_token, figure_drawing, save_menu, set_data_source, show_program
from ui.i18n import _, ngettext, separator, translate_labels
from ui.markdown import as_code
from ui.pipeline.charts import show_first_layer, show_lengths, show_projection
from ui.pipeline.effect import compute_effect, sampled_strip, scheme_in_view
from ui.pipeline.request import broken_rule, is_bert
from ui.settings import controls, state
from ui.shared.origin import MOST_NAMED, Origin, join_sources, rows_sentence
from ui.shared.own_scheme import show_scheme_problem
from ui.shared.page import current_theme, section
from ui.shared.rows import learned_rows_button
from ui.shared.schemes import (
    is_untrained,
    read_parameters,
    scheme_or_class,
    scheme_source,
    scheme_title,
    weights_sentence,
)
from ui.shared.token_choice import token_choice

WINDOW = sum_component.MAX_ROWS
DROWNED = 3  # times as long as token rows are position rows beside which token rows can hardly be seen
_PARTS = {
    "adds": ("token_embeddings", "position_vectors", "input_embeddings"),
    "turns": ("query", "angle", "turned"),
    "scores": ("score", "position_term", "sum"),
}
_STRIP_LABELS = {name: matrix_component.LABELS[name] for name in ("strip", "rows", "columns")}
_LABELS = {"adds": sum_component.LABELS, "turns": sum_component.ROTATION, "scores": sum_component.SCORES}


def show_embeddings(request: Request) -> None:
    """Show a text from tokens to input embeddings, as far as its settings fit together."""
    chosen = _show_chips(request)
    problem = broken_rule(request)
    window = _choose_window(len(cache.request_chips(request)), chosen)
    if problem:
        show_scheme_problem(problem, request.scheme, instead=True)
        if request.table == "by_hand":  # that matrix has other words
            return
        request = replace(request, scheme="none", parameters=())  # no width is wrong for rows without positions
    set_data_source(_data_source(request))
    _show_effect(request, window)
    if problem:
        return
    if is_bert(request):
        show_first_layer(request, chosen)
    show_projection(request, chosen)
    show_lengths(request)
    _show_code(request)


def _data_source(request: Request) -> str:
    rows = Origin(request.table, request.seed).in_files
    if request.table == "by_hand" or request.scheme == "none":
        return rows
    scheme = scheme_in_view(request)
    return join_sources(
        rows, [(scheme_title(request.scheme), scheme_source(scheme, len(cache.request_chips(request))))]
    )


def adds_to_rows(request: Request) -> bool:
    """Return whether the scheme adds anything to the rows."""
    return request.table == "by_hand" or "embedding" in scheme_or_class(request.scheme).acts_on


@section("rows-code", N_("Code"))
def _show_code(request: Request) -> None:
    positions = "position_vectors" if adds_to_rows(request) or request.scheme == "none" else "scheme"
    widget = f"""
from embedlib.tokenizers import token_labels
from embedlib.widgets import vector_sum
labels = token_labels(tokenizer.tokenize(text))[: len(token_ids)]
vector_sum(token_embeddings, {positions}, labels=labels)
"""
    show_program(program(request), "text_to_input", widget)


def program(request: Request) -> str:
    """Write the program that prints the page's numbers."""
    scheme = cache.by_hand_scheme() if request.table == "by_hand" else scheme_in_view(request)
    return pipeline_program(
        request.text,
        tokenizer=request.tokenizer,
        table=request.table,
        d_model=request.d_model,
        seed=request.seed,
        scale_by_sqrt_d=request.scale,
        scheme=request.scheme,
        parameters=read_parameters(scheme),
        adds_positions=adds_to_rows(request),
        max_seq_len=LEARNED_POSITIONS,
        first_layer=is_bert(request),
        max_tokens=request.max_tokens
        if len(cache.tokenize_text(request.text, request.tokenizer)) > request.max_tokens
        else None,
        n_heads=scheme.n_heads,
    )


def _show_chips(request: Request) -> int | None:
    """Show the tokens of the text, and its sizes."""
    with section_scope("rows-chips"), shared_controls("tokens", "rows-first-layer", "rows-projection"):
        return token_choice(cache.request_chips(request), key="token-chips", note=_sizes_sentence(request))


def _sizes_sentence(request: Request) -> str:
    tokens = cache.tokenize_text(request.text, request.tokenizer)
    counts = token_counts(request.text, tokens)
    cut = ngettext(
        "The text is one token, from a vocabulary of {vocabulary:,}.",
        "The text is cut into {tokens:,} tokens, pieces from a vocabulary of {vocabulary:,}.",
        len(tokens),
    ).format(tokens=len(tokens), vocabulary=cache.tokenizer_for(request.tokenizer, request.text).vocab_size)
    sizes = _("Characters: {characters:,}, bytes: {bytes:,}.").format(characters=counts.characters, bytes=counts.bytes)
    return cut + separator(" ") + sizes


def _choose_window(n_tokens: int, chosen: int | None) -> slice:
    """Draw the choice of the tokens drawn row by row: all, or a window around the chosen one or by a slider."""
    if n_tokens <= WINDOW:
        return slice(0, n_tokens)
    last = n_tokens - WINDOW
    first = min(state.get("window"), last)
    if chosen is not None and chosen != st.session_state.get("window_follows"):
        first = first if first <= chosen < first + WINDOW else min(max(0, chosen - WINDOW // 2), last)
    st.session_state["window_follows"] = chosen
    state.put(window=first)
    label = _("First of the {window} tokens that are shown, of {total:,}").format(window=WINDOW, total=n_tokens)
    controls.control("window", st.slider, 0, last, label=label)
    return slice(first, first + WINDOW)


def _matrix_sentence(request: Request) -> str:
    """Return what the strip of E shows, which rows the text reads, and where they come from."""
    lead = _(
        "The embedding matrix E is a table with one row for each token of the vocabulary; the strip shows all "
        "of it. Each token of your text picks the row that has the number of its id, so equal tokens pick the "
        "same row. The id itself would not do: it is only a place in a list, and a token with a larger id is not "
        "“a bit more” of anything. The many numbers of a row can say in what ways tokens are alike."
    )
    sentences = [lead, _picked_rows_sentence(request), rows_sentence(request), _shared_rows_sentence(request)]
    return separator(" ").join(filter(None, sentences))


def _picked_rows_sentence(request: Request) -> str:
    rows = cache.tokenizer_for(request.tokenizer, request.text).vocab_size
    different = len({chip.id for chip in cache.request_chips(request)})
    if different == rows:
        return _("Your text reads every row of E.")
    sentence = _("Of {rows:,} rows your text reads {different:,}; the other {rest:,} are not touched.")
    return sentence.format(rows=rows, different=different, rest=rows - different)


@embeddable("rows-sum")
def _show_effect(request: Request, window: slice) -> None:
    """Show how tokens become rows, and the scheme's effect on them, step by step."""
    effect = compute_effect(request, window.start, window.stop)
    chips = cache.request_chips(request)[window]
    # All tokens of what is added; of scores, as many as tokens squared, the window in view.
    taken = slice(0, len(cache.request_chips(request))) if effect.kind == "adds" else window
    save_menu(input_embeddings, request, taken.start, taken.stop)
    picks = effect.kind != "scores"  # so that the first band is the token rows
    vector_sum(
        effect.before,
        effect.change,
        rotated=effect.after if effect.kind == "turns" else None,
        pairs=effect.pairs,
        causal=effect.kind == "scores",
        labels_of_tokens=[chip.label for chip in chips],
        ids=[chip.id for chip in chips],
        first_position=window.start,
        total=len(cache.request_chips(request)),
        colours=DIVERGING[current_theme()],
        limits=_colour_limits(request, effect),
        adds=request.table == "by_hand" or request.scheme != "none",
        labels=translate_labels(_LABELS[effect.kind] | _STRIP_LABELS) | _step_sentences(request, effect, window.start),
        strip=sampled_strip(cache.strip_key(request)) if picks else None,
        # The strip shows E itself; scaled rows would leave its scale.
        strip_limit=cache.shared_colour_limit(request) / (request.d_model**0.5 if request.scale else 1.0),
        key="vector-sum",
    )
    st.caption(_effect_sentence(request, effect))
    if picks:
        st.caption(_matrix_sentence(request))
    learned_rows_button(request)
    if effect.kind == "adds" and effect.change.any():
        st.button(
            _("Why are position rows added, and not appended?"),
            type="tertiary",
            icon=":material/arrow_forward:",
            on_click=state.open_at,
            args=("word_order", "order-added"),
            key="why-added",
        )


def _colour_limits(request: Request, effect: Effect) -> tuple[float, float, float]:
    """Return where the colours end: of rows that are added, where those of all the page's rows do."""
    if effect.kind != "adds":
        return effect.colour_limits()
    limit = cache.shared_colour_limit(request)
    return limit, limit, limit


def input_embeddings(request: Request, first: int, stop: int) -> Drawing:
    """Draw the scheme's effect on the tokens of a window."""
    effect, tokens = compute_effect(request, first, stop), cache.embed_request(request).tokens[first:stop]
    parts = dict(zip(_PARTS[effect.kind], (effect.before, effect.change, effect.after), strict=True))
    labels = translate_labels(_LABELS[effect.kind])
    names = (labels["token_rows"], labels["position_rows"], labels["input_rows"])
    column = "key" if effect.kind == "scores" else "dim"
    return figure_drawing(
        "input-embeddings",
        names[2] if effect.kind == "turns" else f"{names[0]} + {names[1]} = {names[2]}",
        sum_numbers(parts, tokens) if effect.kind == "adds" else Parts(parts, column, tokens, first),
        sum_figure,
        *parts.values(),
        labels=cache.token_labels(request)[first:stop],
        names=names,
        x_title=labels["dimension"],
    )


def sum_numbers(parts: Mapping[str, Tensor], tokens: Sequence[Token]) -> Blocks:
    """Return the sum as one line per part and token: position, id, text, bytes in hex, part, then d_model numbers.

    Args:
        parts: `token_embeddings`, `position_vectors` and `input_embeddings`, (n_tokens, d_model) each.
        tokens: of the rows.
    """
    columns = [
        np.arange(len(tokens)),
        np.array([token.id for token in tokens]),
        [decode_token(token.bytes) for token in tokens],
        [token.bytes.hex(" ").upper() for token in tokens],
    ]
    d_model = parts["input_embeddings"].shape[1]
    return Blocks(
        ["position", "token_id", "token", "bytes", "part", *(f"dim_{index}" for index in range(d_model))],
        [[*columns, [name.partition("_")[0]] * len(tokens), *float32_rows(rows).T] for name, rows in parts.items()],
        by_name=parts,
    )


def _step_sentences(request: Request, effect: Effect, first: int) -> dict[str, str]:
    """Return the player's sentences that name the text's own tokens."""
    chips = cache.request_chips(request)[first : first + len(effect.before)]
    token = {"id": chips[0].id, "token": chips[0].label, "d_model": request.d_model}
    sentences = {
        "step_0_text": _(
            "The text is cut into tokens, pieces from a fixed vocabulary. Each has a number, its id: ‘{token}’ is "
            "{id}. The id is only a place in a list; a larger one is not more of anything."
        ).format(**token)
    }
    if effect.kind == "adds":
        sentences["step_1_text"] = _(
            "The id is a row number in the embedding matrix E, a table with a row for each token of the "
            "vocabulary. Row {id} holds the {d_model} numbers that stand for ‘{token}’."
        ).format(**token)
        sentences |= _sum_sentence(chips, effect)
    return sentences


def _sum_sentence(chips: Sequence[Chip], effect: Effect) -> dict[str, str]:
    """Return the sum's caption, which compares the input rows of the first token that stands twice; {} if none does."""
    places: dict[int, int] = {}
    for place, chip in enumerate(chips):
        before = places.setdefault(chip.id, place)
        if before == place:
            continue
        if torch.equal(effect.after[before], effect.after[place]):
            sentence = _(
                "The input rows go into the model. ‘{token}’ at position {first} and ‘{token}’ "
                "at position {second} have the same one: nothing says where they stand."
            )
        else:
            sentence = _(
                "The input rows go into the model. ‘{token}’ at position {first} and ‘{token}’ "
                "at position {second} picked the same token row; now they differ."
            )
        return {"step_4_text": sentence.format(token=chip.label, first=chips[before].position, second=chip.position)}
    return {}


def _effect_sentence(request: Request, effect: Effect) -> str:
    if request.table == "by_hand":
        return _("The numbers are written by hand, so that you can check each sum.")
    sentence = _("**{title}.** {summary}").format(
        title=scheme_title(request.scheme), summary=_(scheme_or_class(request.scheme).summary)
    )
    scheme = scheme_in_view(request)
    if is_untrained(scheme):
        sentence += separator(" ") + _("**Random, not trained** (seed {seed}).").format(
            seed=scheme.parameter_values["seed"]
        )
    if trained := weights_sentence(scheme, len(cache.request_chips(request))):
        sentence += separator(" ") + trained
    if scheme.parameter_values.get("weights") == MINILM:
        sentence += separator(" ") + _(
            "Here your first token gets the row of position 0. In use that row belongs to [CLS], a token that the "
            "model puts in front, and your text begins at position 1."
        )
    if effect.kind != "adds":
        sentence += separator(" ") + _(
            "Queries and keys are the token rows themselves here; a real model first multiplies them by two learned "
            "matrices, W_q and W_k."
        )
    if effect.kind == "scores" and scheme.n_heads > 1:
        sentence += separator(" ") + _("Only the first of {heads} attention heads is shown.").format(
            heads=scheme.n_heads
        )
    if effect.kind == "adds" and not request.scale and (times := _length_ratio(effect)) >= DROWNED:
        sentence += separator(" ") + _(
            "The position rows are {times:.0f} times as long as the token rows, so the input rows look like positions "
            "alone. Vaswani et al. multiply the token rows by √d for this reason: “{setting}” under “{more}” in the "
            "settings."
        ).format(times=times, setting=_(state.SETTINGS["scale"].label), more=_("More"))
    return sentence


def _length_ratio(effect: Effect) -> float:
    """Return how many times as long as the token rows the position rows are, on average."""
    return float(effect.change.norm(dim=1).mean() / effect.before.norm(dim=1).mean().clamp(min=1e-9))


@memo()
def tokens_of_one_row(request: Request) -> list[list[str]]:
    """Group tokens of a text that have different ids and the same trained row."""
    if request.table != "trained":
        return []
    groups: dict[bytes, dict[int, str]] = {}
    rows = cache.picked_rows(request, request.d_model)
    for chip, row in zip(cache.request_chips(request), rows.numpy(), strict=True):
        groups.setdefault(row.tobytes(), {})[chip.id] = chip.label
    return [list(group.values()) for group in groups.values() if len(group) > 1]


def _shared_rows_sentence(request: Request) -> str:
    groups = tokens_of_one_row(request)
    if not groups:
        return ""
    return _("These tokens have equal rows, because training ignored case and spaces: {tokens}.").format(
        tokens=separator(", ").join(" = ".join(map(as_code, group)) for group in groups[:MOST_NAMED])
    )
