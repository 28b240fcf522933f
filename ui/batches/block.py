"""The tensor of a batch's input vectors, (n_samples, n_positions, d_model), as a block to rotate and to cut open."""

import numpy as np
import streamlit as st

from embedlib.figures import DIVERGING, colour_limit, sum_figure
from embedlib.i18n import N_
from embedlib.tables import float32_rows
from ui.batches.batch import Batch, batch_in_view, block_in_view, has_learned_positions, trained_inputs
from ui.batches.heights import NARROW, WIDE, block_height
from ui.batches.request import Request
from ui.components import tensor_block as block_component
from ui.components.tensor_block import BlockView, tensor_block
from ui.export import Blocks, Drawing, figure_drawing, save_menu
from ui.i18n import _, separator, translate_labels
from ui.settings import controls, state
from ui.shared.origin import Origin, trained_sentence, with_reason
from ui.shared.page import current_theme, reserve_height, section

KEY = "tensor-block"
_ROWS_TO_TAKE = 64  # of the block, in a figure of flat rows


@section(
    "batches-block",
    N_("Block: batch × position × dimension"),
    lead=N_(
        "This block is what the batch becomes: one sequence behind the other, in each the tokens in order, and for "
        "each token all the numbers of its row. Rotate it and cut it open; then compare token "
        "rows, position rows and their sum."
    ),
)
def show_block(batch: Batch) -> None:
    """Show the numbers that enter a model's first layer, or either half of their sum."""
    titles = {"token": _("Token rows"), "position": _("Position rows"), "input": _("Input rows")}
    controls.control("block", titles=titles)
    block = block_in_view(batch)
    n_samples, n_positions, _width = block.input.shape
    tokens = [[batch.label(sample, position) for position in range(n_positions)] for sample in range(n_samples)]
    st.caption(_parts_caption(batch) + separator(" ") + _origin(batch, tokens))
    shape = (*batch.inputs.shape, batch.request.d_model)
    wide, narrow = (block_height(shape, width=width) for width in (WIDE, NARROW))
    reserve_height(KEY, wide=wide, narrow=narrow, until_drawn=True)
    save_menu(first_rows, batch.request)
    view = tensor_block(
        getattr(block, state.get("block")),
        shape=shape,
        starts=batch.starts[:n_samples].tolist(),
        tokens=tokens,
        colours=DIVERGING[current_theme()],
        limit=colour_limit(block.token, block.position, block.input),
        view=_saved_view(),
        labels=translate_labels(block_component.LABELS),
        key=KEY,
        on_view=state.dismiss_notices,
    )
    _save_view(view)


def _parts_caption(batch: Batch) -> str:
    """Return a sentence that names the numbers in the block."""
    match state.get("block"):
        case "token":
            return _("Equal tokens have equal token rows, in whichever sequence they stand.")
        case "position":
            return _("Every sequence has the same {length:,} position rows.").format(
                length=batch.request.plan.max_length
            )
        case _:
            return _("Each number is that of the token row plus that of the position row.")


def _origin(batch: Batch, tokens: list[list[str]]) -> str:
    """Return a sentence on the source of the numbers."""
    seed = batch.request.seed
    if batch.request.table == "random":
        return with_reason(_("Token rows and position rows are random here (seed {seed}).").format(seed=seed))
    if has_learned_positions(batch.request):
        return _("Token rows and position rows are those of {name}.").format(name="all-MiniLM-L6-v2")
    positions = _("The position rows are random (seed {seed}).").format(seed=seed)
    if state.get("block") == "position":
        return positions

    def trained_note() -> str:
        return trained_sentence([label for sample in tokens for label in sample], trained_inputs(batch), seed=seed)

    rows = Origin(batch.request.table, seed).sentence(trained=trained_note)
    return rows if state.get("block") == "token" else rows + separator(" ") + positions


def _saved_view() -> BlockView:
    cut = (state.get("block_samples_cut"), state.get("block_positions_cut"), state.get("block_dimensions_cut"))
    return BlockView(cut, state.get("block_yaw"), state.get("block_pitch"))


def _save_view(view: BlockView) -> None:
    samples, positions, dimensions = view.cut
    state.put(
        block_samples_cut=samples,
        block_positions_cut=positions,
        block_dimensions_cut=dimensions,
        block_yaw=view.yaw,
        block_pitch=view.pitch,
    )


def first_rows(request: Request) -> Drawing:
    """Draw the first rows of the block: of the tokens, of their positions, and the sum."""
    batch = batch_in_view(request)
    block = block_in_view(batch)
    n_samples, n_positions, width = block.input.shape
    parts = {"token": block.token, "position": block.position, "input": block.input}
    rows = {part: numbers.flatten(0, 1) for part, numbers in parts.items()}
    samples, positions = np.indices((n_samples, n_positions)).reshape(2, -1)
    ids = batch.inputs[:n_samples, :n_positions].flatten().numpy()
    places = [divmod(row, n_positions) for row in range(min(_ROWS_TO_TAKE, len(ids)))]
    return figure_drawing(
        "batch-block",
        _("First rows of the block"),
        Blocks(
            ["sequence", "position", "token_id", "part", *(f"dim_{column}" for column in range(width))],
            [[samples, positions, ids, [part] * len(ids), *float32_rows(numbers).T] for part, numbers in rows.items()],
            parts,
        ),
        sum_figure,
        *(numbers[:_ROWS_TO_TAKE] for numbers in rows.values()),
        labels=[batch.label(sample, position) for sample, position in places],
        names=(_("token rows"), _("position rows"), _("input rows")),
        x_title=_("dimension"),
    )
