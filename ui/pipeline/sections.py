"""What the pipeline page shows of an embedded text, from its chips to the program that prints it."""

from dataclasses import replace

import streamlit as st
from plotly.graph_objects import Figure
from torch import Tensor

from embedlib.figures import DIVERGING, colour_limit, sum_figure
from embedlib.programs import pipeline_program
from embedlib.tokenizers import token_counts
from ui import cache
from ui.cache import LEARNED_POSITIONS, Request
from ui.cache.bounded import memo
from ui.components import embedding_matrix as matrix_component
from ui.components import vector_sum as sum_component
from ui.components.browser import comes_near, section
from ui.components.embedding_matrix import MatrixRow, embedding_matrix
from ui.components.vector_sum import vector_sum
from ui.export import embeddings_csv, parts_csv, show_program, source_is, take_along
from ui.i18n import _, between, translated
from ui.markdown import as_code
from ui.pipeline.charts import first_layer_chart, norms_chart, projection_chart
from ui.pipeline.effect import Effect, effect_of, scheme_in_view, strip_of
from ui.pipeline.request import broken_rule, is_bert
from ui.settings import controls, state
from ui.shared.own_scheme import say_problem
from ui.shared.page import current_theme
from ui.shared.rows import MOST_NAMED, learned_rows_button, origin, rows_source, take_picked
from ui.shared.schemes import is_untrained, of_entry, read_parameters, scheme_source, title_of, weights_sentence
from ui.shared.token_choice import token_choice

WINDOW = sum_component.MAX_ROWS
NUMBERS = 96  # dimensions beside the matrix: a few as numbers, the rest as colours
_PARTS = {
    "adds": ("token_embeddings", "position_vectors", "input_embeddings"),
    "turns": ("query", "angle", "turned"),
    "scores": ("score", "position_term", "sum"),
}
_LABELS = {"adds": sum_component.LABELS, "turns": sum_component.TURNED, "scores": sum_component.SCORES}


def show_embeddings(request: Request) -> None:
    """Show a text on its way from tokens to input embeddings, as far as its settings go together."""
    chosen = _chips(request)
    problem = broken_rule(request)
    window = _window(len(cache.chips_of(request)), chosen)
    if problem:
        say_problem(problem, request.scheme, instead=True)
    else:
        source_is(_source(request))
        _picture(request, window)
    if problem and request.table == "by_hand":  # the matrix has other words
        return

    if not problem and is_bert(request):
        _first_layer(request, chosen)
    with section():
        st.header(_("Embedding matrix"))
        if comes_near("rows-matrix", height=587 if request.table == "minilm" else 640, phone=682):
            st.caption(origin(request) + between(" ") + _shared_rows(request))
            learned_rows_button(request)
            # No width is wrong for rows without positions.
            _matrix(replace(request, scheme="none", parameters=()) if problem else request, window)
    if problem:
        return
    with section():
        st.header(_("Projection of the rows"))
        if comes_near("rows-projection", height=671, phone=735):
            projection_chart(request, cache.embedded(request), chosen)
    with section():
        st.header(_("Vector lengths"))
        if comes_near("rows-norms", height=520, phone=578):
            norms_chart(request, cache.embedded(request))
    with section():
        st.header(_("Code"))
        if comes_near("rows-code", height=581, phone=962):
            show_program(program(request), "text_to_input")


def _source(request: Request) -> str:
    rows = rows_source(request.table, seed=request.seed)
    if request.table == "by_hand" or request.scheme == "none":
        return rows
    scheme = scheme_in_view(request)
    said = scheme_source(scheme, len(cache.chips_of(request)))
    return f"{rows}{between('; ')}{title_of(request.scheme)}{between(': ')}{said}"


def _first_layer(request: Request, chosen: int | None) -> None:
    with section():
        st.header(title := _("Input of the first layer"))
        if comes_near("rows-first-layer", height=485, phone=538):
            first_layer_chart(request, chosen, title)


def adds(request: Request) -> bool:
    """Tell whether the scheme adds anything to the rows."""
    return request.table == "by_hand" or "embedding" in of_entry(request.scheme).acts_on


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
        adds_positions=adds(request),
        max_seq_len=LEARNED_POSITIONS,
        first_layer=is_bert(request),
        max_tokens=request.max_tokens
        if len(cache.tokens_of(request.text, request.tokenizer)) > request.max_tokens
        else None,
        n_heads=scheme.n_heads,
    )


def _chips(request: Request) -> int | None:
    """Show the tokens of the text, and how much of what it is."""
    return token_choice(cache.chips_of(request), key="token-chips", note=_sizes(request))


def _sizes(request: Request) -> str:
    tokens = cache.tokens_of(request.text, request.tokenizer)
    counts = token_counts(request.text, tokens)
    return _("{characters:,} characters, {bytes:,} bytes, {tokens:,} tokens (vocabulary: {vocabulary:,}).").format(
        characters=counts.characters,
        bytes=counts.bytes,
        tokens=len(tokens),
        vocabulary=cache.tokenizer_for(request.tokenizer, request.text).vocab_size,
    )


def _window(n_tokens: int, chosen: int | None) -> slice:
    """Choose which tokens are drawn row by row: all, or a stretch that follows the chosen one and a slider."""
    if n_tokens <= WINDOW:
        return slice(0, n_tokens)
    last = n_tokens - WINDOW
    first = min(state.get("window"), last)
    if chosen is not None and chosen != st.session_state.get("window_follows"):
        first = first if first <= chosen < first + WINDOW else min(max(0, chosen - WINDOW // 2), last)
    st.session_state["window_follows"] = chosen
    state.put(window=first)
    label = _("First token shown (showing {window} of {total:,})").format(window=WINDOW, total=n_tokens)
    controls.control("window", st.slider, 0, last, label=label)
    return slice(first, first + WINDOW)


def _matrix(request: Request, window: slice) -> None:
    # The strip shows E itself; scaled rows would leave its scale.
    limit = cache.limit_of(request) / (request.d_model**0.5 if request.scale else 1.0)
    strip = strip_of(cache.strip_key(request), limit)
    chips = cache.chips_of(request)[window]
    trained = cache.trained_tokens(request)[window] if request.table == "trained" else [True] * len(chips)
    embedding_matrix(
        strip.indices,
        lines=strip.lines,
        columns=strip.columns,
        vocab_size=cache.tokenizer_for(request.tokenizer, request.text).vocab_size,
        d_model=request.d_model,
        rows=[
            MatrixRow(chip.position, chip.id, chip.label, by_chance=not known)
            for chip, known in zip(chips, trained, strict=True)
        ],
        values=cache.picked_rows(request, NUMBERS)[window],
        colours=DIVERGING[current_theme()],
        limit=limit,
        labels=translated(matrix_component.LABELS),
        key="embedding-matrix",
    )
    drawn = cache.chips_of(request)
    take_picked(
        lambda: cache.picked_rows(request, request.d_model),
        [chip.id for chip in drawn],
        [chip.label for chip in drawn],
        source=rows_source(request.table, seed=request.seed),
    )


def _picture(request: Request, window: slice) -> None:
    """Show how tokens become rows, and what the scheme does with them, step by step."""
    effect = effect_of(request, window.start, window.stop)
    chips = cache.chips_of(request)[window]
    parts = (effect.before, effect.after) if effect.kind == "turns" else (effect.before, effect.change, effect.after)
    vector_sum(
        effect.before,
        effect.change,
        turned=effect.after if effect.kind == "turns" else None,
        causal=effect.kind == "scores",
        labels_of_tokens=[chip.label for chip in chips],
        ids=[chip.id for chip in chips],
        first_position=window.start,
        total=len(cache.chips_of(request)),
        colours=DIVERGING[current_theme()],
        limit=cache.limit_of(request) if effect.kind == "adds" else colour_limit(*parts),
        adds=request.table == "by_hand" or request.scheme != "none",
        labels=translated(_LABELS[effect.kind]) | _last_step(request),
        key="vector-sum",
    )
    st.caption(_explained(request, effect))
    _take_picture(request, window, effect.kind)


def _last_step(request: Request) -> dict[str, str]:
    """Say what follows the sum, where it is not what enters the first layer."""
    return {"step_4_text": _("A type row and LayerNorm follow.")} if is_bert(request) else {}


def _explained(request: Request, effect: Effect) -> str:
    if request.table == "by_hand":
        return _("Numbers by hand.")
    sentence = _("**{title}.** {summary}").format(
        title=title_of(request.scheme), summary=_(of_entry(request.scheme).summary)
    )
    scheme = scheme_in_view(request)
    if is_untrained(scheme):
        sentence += between(" ") + _("**Random, not trained** (seed {seed}).").format(
            seed=scheme.parameter_values["seed"]
        )
    if trained := weights_sentence(scheme, len(cache.chips_of(request))):
        sentence += between(" ") + trained
    if effect.kind != "adds":
        sentence += between(" ") + _("Queries and keys: token rows, not projected.")
    if effect.kind == "scores" and scheme.n_heads > 1:
        sentence += between(" ") + _("The first of {heads} heads.").format(heads=scheme.n_heads)
    return sentence


@memo()
def tokens_of_one_row(request: Request) -> list[list[str]]:
    """Group tokens of a text that have different ids and the same trained row."""
    if request.table != "trained":
        return []
    groups: dict[bytes, dict[int, str]] = {}
    rows = cache.picked_rows(replace(request, scheme="none", parameters=()), request.d_model)
    for chip, row in zip(cache.chips_of(request), rows.numpy(), strict=True):
        groups.setdefault(row.tobytes(), {})[chip.id] = chip.label
    return [list(group.values()) for group in groups.values() if len(group) > 1]


def _shared_rows(request: Request) -> str:
    groups = tokens_of_one_row(request)
    if not groups:
        return ""
    return _("Equal rows: {tokens}; training ignored case and spaces.").format(
        tokens=between(", ").join(" = ".join(map(as_code, group)) for group in groups[:MOST_NAMED])
    )


def _take_picture(request: Request, window: slice, kind: str) -> None:
    labels = translated(_LABELS[kind])
    names = (labels["token_rows"], labels["position_rows"], labels["input_rows"])
    # All tokens of what is added; of scores, as many as tokens squared, the window in view.
    taken = slice(0, len(cache.chips_of(request))) if kind == "adds" else window

    def figure() -> Figure:
        effect = effect_of(request, taken.start, taken.stop)
        return sum_figure(
            effect.before,
            effect.change,
            effect.after,
            labels=cache.labels_of(request)[taken],
            names=names,
            x_title=labels["dimension"],
            theme="light",
            title=names[2] if kind == "turns" else f"{names[0]} + {names[1]} = {names[2]}",
        )

    def table() -> str:
        if kind == "adds":
            return embeddings_csv(cache.embedded(request))
        tokens = cache.embedded(request).tokens[taken]
        return parts_csv(arrays(), column="dim" if kind == "turns" else "key", tokens=tokens, first=taken.start)

    def arrays() -> dict[str, Tensor]:
        effect = effect_of(request, taken.start, taken.stop)
        parts = (effect.before, effect.change, effect.after)
        return dict(zip(_PARTS[kind], parts, strict=True))

    take_along("input-embeddings", table=table, figure=figure, arrays=arrays)
