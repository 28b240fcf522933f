"""Layers beside E: one created right after it, and the table of position rows."""

import streamlit as st
import torch
from torch import Tensor

from embedlib.embedding import INITIALISATIONS, lookup
from embedlib.figures import DIVERGING, colour_limit, sum_figure
from embedlib.i18n import N_
from ui.components import vector_sum as sum_component
from ui.components.vector_sum import vector_sum
from ui.embed import embeddable, embedded_section
from ui.embedding_layer import cache
from ui.embedding_layer.request import Request, invalid_ids, parse_ids
from ui.export import Drawing, Parts, figure_drawing, save_menu, show_texts
from ui.i18n import _, number, separator, translate_labels
from ui.settings import controls, state
from ui.shared.page import current_theme, section


@section(
    "layer-positions",
    N_("Position table"),
    lead=N_(
        "Positions can have a table of their own: one row for each place in a sequence, up to the context "
        "length, the most tokens that the model reads at once. Every sequence in a batch gets the same "
        "position rows: row 0 is added to its first token, row 1 to its second, and so on."
    ),
)
def position_layer(request: Request) -> None:
    """Show the position table, whose row p is added to the token at position p of every sample."""
    if not request.by_hand:
        with st.columns([1, 2])[0]:
            controls.control("layer_context", help=_("Rows of the position table, and tokens of one sequence."))
    parts, context = _summed_rows(request), context_length(request)
    count, chips = len(request.token_ids), cache.token_chips(request)
    st.caption(shapes_sentence(count, context, request.d_model))
    save_menu(token_and_position_rows, request)
    vector_sum(
        parts["token"],
        parts["position"],
        labels_of_tokens=_labels(request),
        ids=[chip.id for chip in chips],
        first_position=0,
        places=token_positions(count, context).tolist(),
        total=count,
        colours=DIVERGING[current_theme()],
        limits=[colour_limit(*parts.values())] * 3,
        adds=True,
        labels=translate_labels(sum_component.LABELS),
        key="vector-sum",
    )
    st.caption(_origin(request))


def token_and_position_rows(request: Request) -> Drawing:
    """Draw the token rows, the position rows, and their sum."""
    parts = _summed_rows(request)
    return figure_drawing(
        "token-and-position-rows",
        _("Token row + position row"),
        Parts(parts, column="dim"),
        sum_figure,
        *parts.values(),
        labels=_labels(request),
        names=(_("token rows"), _("position rows"), _("input rows")),
        x_title=_("dimension"),
    )


def _summed_rows(request: Request) -> dict[str, Tensor]:
    """Look up token rows and position rows, and add them: (n_tokens, d_model) each."""
    context = context_length(request)
    rows, positions = cache.token_rows(request), cache.position_table(request, context, second_size(request))
    added = lookup(positions, token_positions(len(rows), context))
    return {"token": rows, "position": added, "input": rows + added}


def _labels(request: Request) -> list[str]:
    """Label each token with its position, so that one sees where a sample begins."""
    places = token_positions(len(request.token_ids), context_length(request))
    return [
        _("{token} at {place}").format(token=chip.label, place=place)
        for chip, place in zip(cache.token_chips(request), places.tolist(), strict=True)
    ]


def context_length(request: Request) -> int:
    """Return the number of position rows; by hand as many as there are."""
    if request.by_hand:
        return len(cache.position_table(request, 0, None))
    return int(state.get("layer_context"))


def token_positions(count: int, context: int) -> Tensor:
    """Return each token's position in its sample, (count,)."""
    return torch.arange(count) % context


def shapes_sentence(count: int, context: int, d_model: int) -> str:
    """Return a sentence on the shapes that are added: of whole sequences, and of the rest of the text."""
    sequences, rest = divmod(count, context)
    if not sequences:
        return _(
            "The tokens make one sequence of length {rest}; to its block of shape (1, {rest}, {d_model}) as many "
            "position rows are added, ({rest}, {d_model})."
        ).format(rest=rest, d_model=d_model)
    sentence = _(
        "The text is cut into sequences of {context} tokens; whole ones: {sequences}. Their block has the shape "
        "({sequences}, {context}, {d_model}), and the same table of position rows, of shape ({context}, {d_model}), "
        "is added to each sequence. (Libraries such as PyTorch call this broadcasting.)"
    ).format(sequences=sequences, context=context, d_model=d_model)
    if rest:
        shorter = _(
            "The last sequence is shorter, {rest} long, so only the first position rows are added to it, up to "
            "its length."
        )
        sentence += separator(" ") + shorter.format(rest=rest)
    return sentence


def _origin(request: Request) -> str:
    before = _("E") if second_size(request) is None else _("E and the second layer")
    random = _("The position rows are random (“{start}”, seed {seed}), drawn after {before}.").format(
        start=_(INITIALISATIONS[request.start].title),
        before=before,
        seed=request.seed,
    )
    return request.origin.sentence(trained=lambda: random, random=random)


@embeddable("layer-second")
def for_implementers(request: Request) -> None:
    """Draw what only somebody who builds such layers needs: a second layer, in the same stream of random numbers."""
    with st.expander(_("For implementers"), expanded=bool(state.get("layer_second") or embedded_section())):
        _second_layer(request)


@section(
    "layer-second",
    N_("Second layer"),
    lead=N_(
        "A second, tiny embedding layer, made right after E, to type ids and see rows. Making it draws random "
        "numbers, so every table that is made later begins with other ones, though the seed is the same."
    ),
    heading=st.subheader,
)
def _second_layer(request: Request) -> None:
    """Show a layer created right after E, the rows that ids pick from it, and what it changes further on."""
    controls.control("layer_second")
    if not state.get("layer_second"):
        return
    rows, width, ids_column = st.columns(3)
    with rows:
        controls.control("layer_second_rows")
    with width:
        controls.control("layer_second_width")
    with ids_column:
        controls.control("layer_second_ids", max_chars=400)
    size = state.get("layer_second_rows"), state.get("layer_second_width")
    table = cache.next_layer(cache.table_key(request), *size).table
    ids, invalid = parse_ids(str(state.get("layer_second_ids")), len(table))
    if invalid:
        st.warning(invalid_ids(invalid, _("the second layer"), len(table)))
    st.write(
        _(
            "This is `torch.nn.Embedding({rows}, {width})`; E has already taken {count:,} random numbers of "
            "seed {seed}."
        ).format(count=request.vocab_size * request.d_model, seed=request.seed, rows=len(table), width=table.shape[1])
    )
    show_texts("second-layer", rows_table(table, ids), alt=_("Second layer"))
    if request.matrix == "minilm":  # whose position table no random stream makes
        return
    context = state.get("layer_context")
    alone, after = (cache.position_table(request, context, made)[0] for made in (None, size))
    st.write(
        _(
            "The position table above now begins with **{after}**; without this layer it would begin with {alone}."
        ).format(after=_first_numbers(after), alone=_first_numbers(alone))
    )


def _first_numbers(row: Tensor) -> str:
    """Write the first numbers of a row."""
    return " ".join(number(value, ".4f").replace("-", "−") for value in row[:3].tolist())


def second_size(request: Request) -> tuple[int, int] | None:
    """Return rows and width of the second layer; None where there is none."""
    if request.by_hand or not state.get("layer_second"):
        return None
    return state.get("layer_second_rows"), state.get("layer_second_width")


def second_ids() -> tuple[int, ...]:
    """Return the ids that are looked up in the second layer."""
    return parse_ids(str(state.get("layer_second_ids")), state.get("layer_second_rows"))[0]


def rows_table(table: Tensor, ids: tuple[int, ...]) -> dict[str, list[str]]:
    """Write a table's rows with four decimals, the picked ones marked, their first dimensions only."""
    picked = _("looked up")
    columns = {_("row"): [str(row) for row in range(len(table))]}
    columns[picked] = [_("yes") if row in ids else "" for row in range(len(table))]
    for column in range(min(8, table.shape[1])):
        columns[str(column)] = [number(value, ".4f").replace("-", "−") for value in table[:, column].tolist()]
    return columns
