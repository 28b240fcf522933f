"""Which rows moved most, and whether those of frequent words move farther."""

from functools import partial

import streamlit as st

from embedlib.figures import RankedBar, moved_points_figure, ranked_bars_figure
from embedlib.i18n import N_
from ui.export import lines_csv
from ui.i18n import _, between, number, sentences
from ui.settings import controls, state
from ui.shared.page import late_block
from ui.training import measured
from ui.training.charts import bars_csv, chart, write_above
from ui.training.view import TrainingView, word_of

SHOWN = 10
NAMED = 6  # of the most frequent words, beside those that moved most and least
FREQUENT = 10  # words whose moves are compared with all others


@late_block("training-moved", N_("Which rows moved"), height=582, phone=1079)
def moved(view: TrainingView) -> None:
    """Draw the rows that moved most, and all moves against frequency."""
    _control()
    start = start_of(view)
    if start == view.step:
        with st.container(key="train-still"):
            st.info(_("Nothing moved by step {step:,}.").format(step=view.step))
        return
    if not float(measured.changes(view.recording, start, view.step).moves.max()) > 0:
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
    titles = {"start": _("since step 0"), "kept": _("since the last kept step")}
    controls.control("train_moved", titles=lambda name: titles[name], collapsed=True)


def _in_words(view: TrainingView, start: int) -> str:
    moves = measured.changes(view.recording, start, view.step).moves
    still = int((moves == 0).sum())
    steps = {"start": start, "step": view.step}
    if still == len(moves):
        sentence = _("Steps {start:,} to {step:,}: **no row moved**.").format(**steps)
        return sentences(sentence, _("Output rows start at zero and learn first.") if view.step <= 1 else "")
    said = [
        _("Steps {start:,} to {step:,}: rows moved by {mean:.2f} on average.").format(**steps, mean=float(moves.mean()))
    ]
    if len(moves) >= 3 * FREQUENT:  # the most frequent words come first
        often = float(moves[:FREQUENT].mean())
        said.append(_("The {count} most frequent moved by {often:.2f}.").format(count=FREQUENT, often=often))
    if still:
        said.append(_("{still:,} did not move.").format(still=still))
    return sentences(*said)


def _bars(view: TrainingView, start: int) -> None:
    changes = measured.changes(view.recording, start, view.step)
    counts, chosen = view.history.counts, word_of(view)
    bars = [
        RankedBar(
            view.words[row],
            float(changes.moves[row]),
            number(float(changes.moves[row]), ".2f"),
            number(int(counts[row]), ","),
            marked=row == chosen,
        )
        for row in changes.order[:SHOWN].tolist()
    ]
    draw = partial(
        ranked_bars_figure,
        bars,
        room=0.6,
        all_coloured=True,
        heads=(_("distance"), _("frequency")),
        hover_text=_("{name}\nmoved {said}, frequency {aside}"),
    )
    chart(
        "moved",
        draw,
        shows=(view.request, start, view.step, chosen),
        heading=_("Moved most, steps {start:,} to {step:,}").format(start=start, step=view.step),
        alt=_("Moved most: {rows}.").format(rows=between(", ").join(f"{bar.name} {bar.said}" for bar in bars)),
        table=lambda: bars_csv(bars, "distance", "frequency"),
    )


def _points(view: TrainingView, start: int) -> None:
    changes = measured.changes(view.recording, start, view.step)
    chosen, order = word_of(view), changes.order.tolist()
    # The most frequent words first: they lie apart, and are what readers know.
    named = [*range(min(NAMED, len(order))), *order[:3], *order[-3:]]
    moves, words, times = changes.moves, view.words, view.history.counts
    draw = partial(
        moved_points_figure,
        moves,
        times,
        words=words,
        named=named,
        chosen=chosen,
        x_title=_("frequency in the text"),
        y_title=_("distance moved"),
        hover_text=_("{name}\nfrequency {x}, moved {y}"),
        height=370,
    )
    heading = _("Moved by frequency, steps {start:,} to {step:,}").format(start=start, step=view.step)
    chart(
        "moved-frequency",
        draw,
        shows=(view.request, start, view.step, chosen),
        heading=heading,
        alt=heading,
        table=lambda: lines_csv(
            ["word", "frequency", "distance"], zip(words, times.tolist(), moves.tolist(), strict=True)
        ),
    )
