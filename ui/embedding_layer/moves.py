"""The picture of how far each row of E moved in a training step."""

import streamlit as st
from plotly.graph_objects import Figure

from embedlib.embedding.gradients import REASONS, rows_to_show
from embedlib.figures.layout import CONFIG
from embedlib.figures.moves import row_moves_figure
from ui.embedding_layer import cache
from ui.embedding_layer.request import Request
from ui.embedding_layer.tables import moves_csv
from ui.embedding_layer.training import Training, steps_of, trained_width
from ui.export.take_along import take_along
from ui.i18n import _
from ui.settings import state
from ui.shared import theme

SHOWN = 16  # rows whose marks and names are apart
OTHERS = 8  # at least so many that were not looked up, where more than SHOWN were


def moves_chart(request: Request, wanted: Training) -> None:
    """Draw the last step: the rows that were looked up, and others evenly from the table."""
    steps = steps_of(request, wanted)
    step = steps[-1]
    looked_up = len({row for each in steps for row in each.token_ids[:-1].tolist()})
    rows = rows_to_show(steps, limit=max(SHOWN, looked_up + OTHERS)).tolist()
    moves, why = step.moves[rows], step.why[rows]
    chosen = state.get("token")
    token_id = None if chosen is None or chosen >= len(request.token_ids) else request.token_ids[chosen]
    labels = [cache.name_of(request, row) or str(row) for row in rows]
    reasons = [_reason_titles()[reason] for reason in REASONS]
    look, heading = theme.current(), _("How far each row moved in one step")
    x_title, y_title = _("rows of E"), _("length of the move")
    width = trained_width(request)
    if width < request.d_model:
        y_title = _("length of the move, first {width} dimensions").format(width=width)
    hover_text = _("{token}\nrow {row} moved by {move}: {reason}")
    positive = moves[moves > 0]
    # Where the far moves are a hundred times the near ones, only a logarithm shows both.
    logarithmic = len(positive) > 1 and float(positive.max() / positive.min()) > 100

    def draw(title: str = "") -> Figure:
        return row_moves_figure(
            moves,
            why,
            row_ids=rows,
            labels=labels,
            reasons=reasons,
            x_title=x_title,
            y_title=y_title,
            theme=look,
            chosen=rows.index(token_id) if token_id in rows else None,
            logarithmic=logarithmic,
            hover_text=hover_text,
            title=title,
        )

    alt = _("{shown} of {rows} rows: {moved} moved, by up to {most:.3g}; {still} stood still.").format(
        shown=len(rows),
        rows=request.vocab_size,
        moved=int((moves > 0).sum()),
        most=float(moves.max()),
        still=int((moves == 0).sum()),
    )
    st.plotly_chart(draw(), key="row-moves", alt=alt, theme=None, config=CONFIG)
    take_along("row-moves", table=lambda: moves_csv(steps_of(request, wanted)[-1], rows), figure=lambda: draw(heading))
    if len(rows) < request.vocab_size:
        st.caption(
            _("{shown} rows are drawn: all that were looked up, and others evenly from the {rows:,}.").format(
                shown=len(rows), rows=request.vocab_size
            )
        )


def _reason_titles() -> dict[str, str]:
    return {
        "still": _("did not move"),
        "looked_up": _("looked up"),
        "softmax": _("through the tied output"),
        "momentum": _("remembered gradient"),
        "decay": _("weight decay alone"),
    }
