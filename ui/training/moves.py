"""Moves of the rows: which moved most, and whether those of frequent words move farther."""

import streamlit as st

from embedlib.figures import RankedBar, moved_points_figure
from embedlib.i18n import N_
from ui.export import Blocks, Drawing, show
from ui.i18n import _, join_sentences, number, separator
from ui.settings import controls, state
from ui.shared.page import section
from ui.training import step_results
from ui.training.charts import bars_drawing, show_summary, training_drawing
from ui.training.view import TrainingView, default_word

SHOWN = 10
NAMED = 6  # of the most frequent words, beside those that moved most and least
FREQUENT = 10  # words whose moves are compared with all others


@section(
    "training-moved",
    N_("Which rows moved"),
    lead=N_(
        "Every word is pulled by its neighbours. A word such as “the” stands beside words of every kind: it is pulled "
        "in all directions at once. Look where the most frequent words lie in the right-hand picture."
    ),
)
def moved_rows(view: TrainingView) -> None:
    """Draw the rows that moved most, and all moves against frequency."""
    _start_control()
    start = start_step(view)
    if start == view.step:
        with st.container(key="train-still"):
            st.info(_("At step {step:,} no row has moved yet.").format(step=view.step))
        return
    if not float(step_results.row_moves_between(view.recording, start, view.step).moves.max()) > 0:
        with st.container(key="train-still"):
            st.write(_moves_sentence(view, start))
        return
    show_summary("moved", _moves_sentence(view, start), wide=True)
    left, right = st.columns(2, gap="large")
    with left:
        show(most_moved, view, start, default_word(view))
    with right:
        show(moves_by_frequency, view, start, default_word(view))


def start_step(view: TrainingView) -> int:
    """Return the step that moves are measured from: the first, or the kept one before, as the reader chose."""
    if state.get("train_moved") == "start":
        return view.first
    return max((step for step in view.recording.kept_steps if step < view.step), default=view.first)


def _start_control() -> None:
    titles = {"start": _("since step 0"), "kept": _("since the last kept step")}
    controls.control("train_moved", titles=lambda name: titles[name], collapsed=True)


def _moves_sentence(view: TrainingView, start: int) -> str:
    moves = step_results.row_moves_between(view.recording, start, view.step).moves
    still = int((moves == 0).sum())
    steps = {"start": start, "step": view.step}
    if still == len(moves):
        sentence = _("Between steps {start:,} and {step:,} **no row moved**.").format(**steps)
        return join_sentences(
            sentence,
            _(
                "The rows of the neighbours start at zero and are moved first; the words’ own rows follow in the next "
                "step."
            )
            if view.step <= 1
            else "",
        )
    said = [
        _("Between steps {start:,} and {step:,} the rows moved by {mean:.2f} on average.").format(
            **steps, mean=float(moves.mean())
        )
    ]
    if len(moves) >= 3 * FREQUENT:  # the most frequent words come first
        often = float(moves[:FREQUENT].mean())
        said.append(
            _("Those of the {count} most frequent words moved by {often:.2f}.").format(count=FREQUENT, often=often)
        )
    if still:
        said.append(_("{still:,} rows did not move.").format(still=still))
    return join_sentences(*said)


def most_moved(view: TrainingView, start: int, chosen: int) -> Drawing:
    """Draw the rows that moved most from a step to the one in view, the chosen one marked."""
    changes = step_results.row_moves_between(view.recording, start, view.step)
    bars = [
        RankedBar(
            view.words[row],
            float(changes.moves[row]),
            number(float(changes.moves[row]), ".2f"),
            number(int(view.history.counts[row]), ","),
            marked=row == chosen,
        )
        for row in changes.order[:SHOWN].tolist()
    ]
    return bars_drawing(
        "moved",
        _("Moved most, steps {start:,} to {step:,}").format(start=start, step=view.step),
        bars,
        value="distance",
        aside="frequency",
        alt=_("Moved most: {rows}.").format(rows=separator(", ").join(f"{bar.name} {bar.value_text}" for bar in bars)),
        room=0.6,
        all_coloured=True,
        heads=(_("distance"), _("frequency")),
        hover_text=_("{name}\nmoved {value_text}, frequency {side_text}"),
    )


def moves_by_frequency(view: TrainingView, start: int, chosen: int) -> Drawing:
    """Draw how far each row moved from a step to the one in view, by its word's frequency."""
    changes = step_results.row_moves_between(view.recording, start, view.step)
    moves, order, counts = changes.moves, changes.order.tolist(), view.history.counts
    heading = _("Moved by frequency, steps {start:,} to {step:,}").format(start=start, step=view.step)
    return training_drawing(
        "moved-frequency",
        heading,
        Blocks(["word", "frequency", "distance"], [[list(view.words), counts.numpy(), moves.numpy()]]),
        moved_points_figure,
        moves,
        counts,
        alt=heading,
        words=view.words,
        # The most frequent words first: they lie apart, and are what readers know.
        named=[*range(min(NAMED, len(order))), *order[:3], *order[-3:]],
        chosen=chosen,
        x_title=_("frequency in the text"),
        y_title=_("distance moved"),
        hover_text=_("{name}\nfrequency {x}, moved {y}"),
        height=370,
    )
