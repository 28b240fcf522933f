"""The block of vectors that a batch becomes: batch by position by dimension, to turn and to cut open."""

import streamlit as st
from plotly.graph_objects import Figure
from torch import Tensor

from embedlib.figures import DIVERGING, colour_limit, sum_figure
from embedlib.i18n import N_
from ui.batches.batch import Batch, block_csv, block_of, has_learned_positions, trained_inputs
from ui.batches.heights import NARROW, WIDE, block_height
from ui.components import tensor_block as block_component
from ui.components.tensor_block import BlockView, tensor_block
from ui.export import take_along
from ui.i18n import _, between, translated
from ui.settings import controls, state
from ui.shared.page import current_theme, keep_room, late_block
from ui.shared.rows import LEARNED, minilm_sentence, trained_sentence, width_sentence

KEY = "tensor-block"
_ROWS_TO_TAKE = 64  # of the block, in a figure of flat rows


@late_block("batches-block", N_("Block: batch × position × dimension"), height=941, phone=977)
def show_block(batch: Batch) -> None:
    """Show the numbers that enter a model's first layer, or either half of their sum."""
    titles = {"token": _("Token rows"), "position": _("Position rows"), "input": _("Sum")}
    controls.control("block", titles=titles)
    block = block_of(batch)
    n_samples, n_positions, _width = block.input.shape
    tokens = [[batch.label(sample, position) for position in range(n_positions)] for sample in range(n_samples)]
    st.caption(_in_words(batch) + between(" ") + _origin(batch, tokens))
    shape = (*batch.inputs.shape, batch.request.d_model)
    wide, narrow = (block_height(shape, width=width) for width in (WIDE, NARROW))
    keep_room(KEY, wide=wide, narrow=narrow, until_drawn=True)
    view = tensor_block(
        getattr(block, state.get("block")),
        shape=shape,
        starts=batch.starts[:n_samples].tolist(),
        tokens=tokens,
        colours=DIVERGING[current_theme()],
        limit=colour_limit(block.token, block.position, block.input),
        view=_view(),
        labels=translated(block_component.LABELS),
        key=KEY,
        on_view=state.dismiss_notices,
    )
    _keep(view)
    _take(batch)


def _in_words(batch: Batch) -> str:
    """Say what the numbers are."""
    match state.get("block"):
        case "token":
            return _("Equal tokens have equal rows.")
        case "position":
            return _("The same {length:,} rows in every sample.").format(length=batch.request.plan.max_length)
        case _:
            return _("Token row + position row") + between(".")


def _origin(batch: Batch, tokens: list[list[str]]) -> str:
    """Say where the numbers come from."""
    seed = batch.request.seed
    if batch.request.table == "random":
        both = _("Both tables are random (seed {seed}).").format(seed=seed)
        return both + between(" ") + width_sentence() if state.get("table") in LEARNED else both
    if has_learned_positions(batch.request):
        return minilm_sentence()
    positions = _("Position rows are random (seed {seed}).").format(seed=seed)
    if state.get("block") == "position":
        return positions
    if batch.request.table == "minilm":
        rows = minilm_sentence()
    else:
        rows = trained_sentence([label for sample in tokens for label in sample], trained_inputs(batch), seed=seed)
    return rows if state.get("block") == "token" else rows + between(" ") + positions


def _view() -> BlockView:
    cut = (state.get("block_samples_cut"), state.get("block_positions_cut"), state.get("block_dimensions_cut"))
    return BlockView(cut, state.get("block_yaw"), state.get("block_pitch"))


def _keep(view: BlockView) -> None:
    samples, positions, dimensions = view.cut
    state.put(
        block_samples_cut=samples,
        block_positions_cut=positions,
        block_dimensions_cut=dimensions,
        block_yaw=view.yaw,
        block_pitch=view.pitch,
    )


def _take(batch: Batch) -> None:
    names = (_("token rows"), _("position rows"), _("input rows"))
    title, x_title = _("First rows of the block"), _("dimension")

    def figure() -> Figure:
        block = block_of(batch)
        n_positions = block.input.shape[1]
        places = [divmod(row, n_positions) for row in range(min(_ROWS_TO_TAKE, block.input.shape[0] * n_positions))]
        return sum_figure(
            *(numbers.flatten(0, 1)[: len(places)] for numbers in (block.token, block.position, block.input)),
            labels=[batch.label(sample, position) for sample, position in places],
            names=names,
            x_title=x_title,
            theme="light",
            title=title,
        )

    def arrays() -> dict[str, Tensor]:
        block = block_of(batch)
        return {"token": block.token, "position": block.position, "input": block.input}

    def table() -> str:
        return block_csv(batch, block_of(batch))

    take_along("batch-block", table=table, figure=figure, arrays=arrays, title=title)
