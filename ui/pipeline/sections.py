"""What the pipeline page shows of an embedded text, from its chips to the program that prints it."""

from dataclasses import replace

import streamlit as st
from plotly.graph_objects import Figure

from embedlib.figures import DIVERGING, sum_figure
from embedlib.pipeline import InputEmbeddings
from embedlib.positional import SCHEMES
from embedlib.programs import pipeline_program
from ui import cache
from ui.cache import LEARNED_POSITIONS, Request
from ui.components import embedding_matrix as matrix_component
from ui.components import token_chips as chips_component
from ui.components import vector_sum as sum_component
from ui.components.embedding_matrix import MatrixRow, embedding_matrix
from ui.components.token_chips import token_chips
from ui.components.vector_sum import vector_sum
from ui.export import embeddings_csv, take_along
from ui.i18n import _, ngettext, translated
from ui.pipeline.charts import norms_chart, projection_chart
from ui.pipeline.request import broken_rule
from ui.settings import state
from ui.shared.page import current_theme, draw_first
from ui.shared.rows import origin, trained_rows_button

WINDOW = sum_component.MAX_ROWS
NUMBERS = 96  # dimensions beside the matrix: a few as numbers, the rest as colours


def show_embeddings(request: Request) -> None:
    """Show a text on its way from tokens to input embeddings, as far as its settings go together."""
    st.caption(_sizes(request))
    chosen = _chips(request)
    problem = broken_rule(request)
    if problem and request.table == "by_hand":  # the matrix has other words
        st.error(problem)
        return

    st.header(_("Each token picks a row of the matrix"))
    st.caption(origin(request))
    trained_rows_button(request)
    shown = _window(len(cache.chips_of(request)), chosen)
    # No width is wrong for rows without positions.
    _matrix(replace(request, scheme="none", parameters=()) if problem else request, shown)

    st.header(_("Token + position = input"))
    by_hand = request.table == "by_hand"
    st.caption(_("Three position rows by hand.") if by_hand else _(SCHEMES[request.scheme].summary))
    if problem:
        st.error(problem)
        return
    embeddings = cache.embedded(request)
    _sum(request, embeddings, shown)
    _take_sum(request)

    draw_first()
    st.header(_("Before and after, on the same axes"))
    projection_chart(request, embeddings, chosen)

    st.header(_("How long the vectors are"))
    norms_chart(request, embeddings)

    st.header(_("The code"))
    st.caption(_("Plain PyTorch; it prints the numbers of this page. Run it in the folder of this project."))
    st.code(program(request), language="python", wrap_lines=True)


def adds(request: Request) -> bool:
    """Tell whether the scheme adds anything to the rows."""
    return request.table == "by_hand" or "embedding" in SCHEMES[request.scheme].acts_on


def program(request: Request) -> str:
    """Write the program that prints the page's numbers."""
    return pipeline_program(
        request.text,
        tokenizer=request.tokenizer,
        table=request.table,
        d_model=request.d_model,
        seed=request.seed,
        scale_by_sqrt_d=request.scale,
        scheme=request.scheme,
        parameters=dict(request.parameters),
        adds_positions=adds(request),
        max_seq_len=LEARNED_POSITIONS,
        max_tokens=request.max_tokens
        if len(cache.tokens_of(request.text, request.tokenizer)) > request.max_tokens
        else None,
    )


def _sizes(request: Request) -> str:
    n_characters, n_bytes, n_tokens = len(request.text), len(request.text.encode()), len(cache.chips_of(request))
    mixed = request.table == "trained" and not all(cache.trained_tokens(request))
    return " · ".join(
        (
            ngettext("{count:,} character", "{count:,} characters", n_characters).format(count=n_characters),
            ngettext("{count:,} byte", "{count:,} bytes", n_bytes).format(count=n_bytes),
            ngettext("{count:,} token", "{count:,} tokens", n_tokens).format(count=n_tokens),
            _("vocabulary of {count:,}").format(count=cache.tokenizer_for(request.tokenizer, request.text).vocab_size),
            *((_("blue and grey only tell neighbours apart"),) if mixed else ()),
        )
    )


def _chips(request: Request) -> int | None:
    chosen = token_chips(
        cache.chips_of(request),
        chosen=state.get("token"),
        labels=translated(chips_component.LABELS),
        key="token-chips",
        on_chosen=state.dismiss_notices,
    )
    state.put(token=chosen)
    return chosen


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
    label = _("First of the {window} tokens drawn below, out of {total:,}").format(window=WINDOW, total=n_tokens)
    st.slider(label, 0, last, key="window")
    return slice(first, first + WINDOW)


def _matrix(request: Request, shown: slice) -> None:
    # The strip shows E itself; scaled rows would leave its scale.
    limit = cache.limit_of(request) / (request.d_model**0.5 if request.scale else 1.0)
    strip = cache.strip_of(cache.strip_key(request), limit)
    chips = cache.chips_of(request)[shown]
    trained = cache.trained_tokens(request)[shown] if request.table == "trained" else [True] * len(chips)
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
        values=cache.picked_rows(request, NUMBERS)[shown],
        colours=DIVERGING[current_theme()],
        limit=limit,
        labels=translated(matrix_component.LABELS),
        key="embedding-matrix",
    )


def _sum(request: Request, embeddings: InputEmbeddings, shown: slice) -> None:
    chips = cache.chips_of(request)[shown]
    vector_sum(
        embeddings.token_embeddings[shown],
        embeddings.position_vectors[shown],
        labels_of_tokens=[chip.label for chip in chips],
        ids=[chip.id for chip in chips],
        first_position=shown.start,
        total=len(embeddings.tokens),
        colours=DIVERGING[current_theme()],
        limit=cache.limit_of(request),
        adds=adds(request),
        labels=translated(sum_component.LABELS),
        key="vector-sum",
    )


def _take_sum(request: Request) -> None:
    look, title, x_title = current_theme(), _("Token + position = input"), _("dimension")
    names = (_("token rows"), _("position rows"), _("input rows"))

    def figure() -> Figure:
        found = cache.embedded(request)
        return sum_figure(
            found.token_embeddings,
            found.position_vectors,
            found.input_embeddings,
            labels=cache.labels_of(request),
            names=names,
            x_title=x_title,
            theme=look,
            title=title,
        )

    take_along("input-embeddings", table=lambda: embeddings_csv(cache.embedded(request)), figure=figure)
