"""Which rows moved most, and whether those of frequent words move farther."""

from functools import partial

import streamlit as st
from torch import Tensor

from embedlib.figures import RankedBar, moved_points_figure, ranked_bars_figure
from ui.export import lines_csv
from ui.i18n import _
from ui.settings import controls, state
from ui.shared.markdown import as_code
from ui.training import measured
from ui.training.charts import bars_csv, chart, write_above
from ui.training.view import TrainingView, word_of

SHOWN = 10
NAMED = 6  # of the most frequent words, beside those that moved most and least
FREQUENT = 10  # words whose moves are compared with all others


def moved(view: TrainingView) -> None:
    """Draw the rows that moved most, and all moves against how often the words were met."""
    st.header(_("Which rows moved"))
    _control()
    start = start_of(view)
    if start == view.step:
        with st.container(key="train-still"):
            st.info(_("This is step {step:,}, where it all begins: nothing has moved yet.").format(step=view.step))
        return
    found = measured.changes(view.recording, start, view.step)
    if not float(found.moves.max()) > 0:
        with st.container(key="train-still"):
            st.write(_in_words(view, start))
        return
    write_above("moved", _in_words(view, start), wide=True)
    left, right = st.columns(2, gap="large")
    with left:
        _bars(view, start)
    with right:
        _points(view, start)


def start_of(view: TrainingView) -> int:
    """Return the step that moves are measured from: the first, or the kept one before, as the reader chose."""
    if state.get("train_moved") == "start":
        return view.first
    return max((step for step in view.recording.kept if step < view.step), default=view.first)


def _control() -> None:
    titles = {"start": _("since the beginning"), "kept": _("since the kept step before")}
    st.segmented_control(
        _("Moved"),
        state.options("train_moved"),
        format_func=lambda name: titles[name],
        required=True,
        label_visibility="collapsed",
        # Given anew in each run: a tick that is broken off before it comes here would leave it without a choice.
        **controls.shown_instead("train_moved", state.get("train_moved")),
    )


def _in_words(view: TrainingView, start: int) -> str:
    found = measured.changes(view.recording, start, view.step)
    counts, moves = view.history.counts, found.moves
    still = int((moves == 0).sum())
    names = {"start": start, "step": view.step}
    if still == len(moves):
        said = _("From step {start:,} to step {step:,} **no row has moved**.").format(**names)
        if view.step > 1:
            return said
        return f"{said} " + _(
            "At first the rows that stand for words as neighbours are all zeros, and so is every gradient that they "
            "pass on: they learn first."
        )
    most, least = int(found.order[0]), int(found.order[-1])
    said = _(
        "From step {start:,} to step {step:,} rows moved by {mean:.2f} on average. Farthest went {most} by "
        "{far:.2f}, met {often:,} times; least far {least} by {near:.2f}, met {seldom:,} times."
    ).format(
        **names,
        mean=float(moves.mean()),
        most=as_code(view.words[most]),
        far=float(moves[most]),
        often=int(counts[most]),
        least=as_code(view.words[least]),
        near=float(moves[least]),
        seldom=int(counts[least]),
    )
    if still:
        said += " " + _("{still:,} rows have not moved.").format(still=still)
    return f"{said} {_frequent(moves)}"


def _frequent(moves: Tensor) -> str:
    """Compare the moves of the most frequent words, which come first, with all others."""
    if len(moves) < 3 * FREQUENT:
        return ""
    return _("The {count} most frequent words moved by {often:.2f} on average, all others by {seldom:.2f}.").format(
        count=FREQUENT, often=float(moves[:FREQUENT].mean()), seldom=float(moves[FREQUENT:].mean())
    )


def _bars(view: TrainingView, start: int) -> None:
    found = measured.changes(view.recording, start, view.step)
    counts, chosen = view.history.counts, word_of(view)
    bars = [
        RankedBar(
            view.words[row],
            float(found.moves[row]),
            f"{float(found.moves[row]):.2f}",
            f"{int(counts[row]):,}",
            marked=row == chosen,
        )
        for row in found.order[:SHOWN].tolist()
    ]
    draw = partial(
        ranked_bars_figure,
        bars,
        room=0.6,
        all_coloured=True,
        heads=(_("distance"), _("times met")),
        hover_text=_("{name}\nmoved {said}, met {aside} times"),
    )
    chart(
        "moved",
        draw,
        shows=(view.recording.key, start, view.step, chosen),
        heading=_("Rows that moved most, step {start:,} to {step:,}").format(start=start, step=view.step),
        alt=_("Moved most: {rows}.").format(rows=", ".join(f"{bar.name} {bar.said}" for bar in bars)),
        table=lambda: bars_csv(bars, "distance", "times_met"),
    )


def _points(view: TrainingView, start: int) -> None:
    found = measured.changes(view.recording, start, view.step)
    counts, chosen = view.history.counts, word_of(view)
    order = found.order.tolist()
    # The most frequent words first: they lie apart, and are what readers know.
    named = [*range(min(NAMED, len(order))), *order[:3], *order[-3:]]
    moves, words, times = found.moves, view.words, counts
    draw = partial(
        moved_points_figure,
        moves,
        times,
        words=words,
        named=named,
        chosen=chosen,
        x_title=_("times met in the text"),
        y_title=_("distance moved"),
        hover_text=_("{name}\nmet {x} times, moved {y}"),
        height=370,
    )
    chart(
        "moved-frequency",
        draw,
        shows=(view.recording.key, start, view.step, chosen),
        heading=_("Distance moved and frequency, step {start:,} to {step:,}").format(start=start, step=view.step),
        alt=_("{count:,} words by how often they were met and how far their rows moved, up to {far:.2f}.").format(
            count=len(words), far=float(moves.max())
        ),
        table=lambda: lines_csv(
            ["word", "times_met", "distance"], zip(words, times.tolist(), moves.tolist(), strict=True)
        ),
    )
