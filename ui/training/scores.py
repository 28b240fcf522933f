"""Scores of a training: the loss, and the share of neighbours of the same kind, in all and by kind."""

import math
from bisect import bisect
from collections.abc import Mapping

import numpy as np
import streamlit as st

from embedlib.figures import RankedBar, StepLine, average_stretches
from embedlib.grammar import KINDS
from embedlib.i18n import N_
from embedlib.word2vec import KindScore
from ui.export import Blocks, Drawing, Lines, show
from ui.i18n import _, join_sentences, number, separator
from ui.shared.page import section
from ui.training import step_results
from ui.training.charts import bars_drawing, show_summary, steps_drawing
from ui.training.view import TrainingView

LOSSES = 160  # points drawn of them; each the mean of a few steps where they lie close
HEIGHT = 300
GOOD = 0.8  # a score that is called good


@section(
    "training-scores",
    N_("Loss and score"),
    lead=N_(
        "The loss is what training makes smaller; it knows nothing of kinds. The score asks afterwards what came of "
        "it: how many of a word’s ten nearest are of its kind?"
    ),
)
def scores(view: TrainingView) -> None:
    """Draw loss and score over steps with the step in view marked, and the score of each kind at it."""
    left, right = st.columns(2, gap="large")
    kinds = step_results.scores(view.recording, view.step)
    with left:
        show_summary("loss", _loss_sentence(view))
        if view.recording.losses.isfinite().any():
            show(loss_by_step, view)
    with right:
        if not kinds:
            st.info(_("There is no score, since no word of this text has a known kind."))
            return
        show_summary("score", _score_sentence(view, kinds))
        show(score_by_step, view, tuple(kinds))
    bars = _bars_of_kinds(kinds[view.step])
    show_summary("kinds", _kinds_sentence(view, bars), wide=True)
    for column, half in zip(st.columns(2, gap="large"), (0, 1), strict=True):
        if half < len(bars):
            with column:
                show(draw_kind_scores, view, half)


def score_by_step(view: TrainingView, steps: tuple[int, ...]) -> Drawing:
    """Draw the share of neighbours of the same kind over steps; steps: that are drawn.

    The files have one line per step: the score, the share of analogies that come out right, and the score of each kind.
    """
    kinds = step_results.scores(view.recording, view.step)
    line = StepLine(_("score"), steps, [kinds[step].score for step in steps], named=False)
    chance = kinds[view.step].chance
    heading = ["step", "same_kind_at_10", "analogies_right", *kinds[view.step].by_kind]

    def lines() -> list[list[object]]:  # when they are saved: analogies take long to count
        analogies = step_results.right_analogies(view.recording, view.step)
        return [
            [step, kinds[step].score, _share_right(analogies.get(step, {})), *kinds[step].by_kind.values()]
            for step in steps
        ]

    return steps_drawing(
        view,
        "score",
        _("Neighbours of the same kind, by step"),
        [line],
        Lines(heading, lines),
        alt=_short_alt(line, ".0%"),
        scale="share",
        y_title=_("share of the ten nearest of one kind"),
        levels=[(chance, _("chance: {chance:.0%}").format(chance=chance)), (GOOD, number(GOOD, ".0%"))],
        hover_text=_("{name}\nstep {x}: {y}"),
        height=HEIGHT,
    )


def _short_alt(line: StepLine, form: str) -> str:
    return _("{name}: {before} (step {first:,}), {now} (step {last:,})").format(
        name=line.name,
        before=number(line.values[0], form),
        first=line.steps[0],
        now=number(line.values[-1], form),
        last=line.steps[-1],
    )


def _score_sentence(view: TrainingView, kinds: dict[int, KindScore]) -> str:
    """Return sentences on the score, when it became good, and the loss since then."""
    now = kinds[view.step]
    sentence = _(
        "At step {step:,}, **{score:.0%} of the ten nearest** words are of the same kind; by chance it would be "
        "{chance:.1%}."
    ).format(score=now.score, step=view.step, chance=now.chance)
    good = step_results.first_good_step(view.recording, GOOD)
    if good is None or view.step < good:
        return sentence
    reached = _("The kinds were sorted out ({good:.0%}) by step {step:,}.").format(good=GOOD, step=good)
    fallen = _recent_loss(view, good) - _recent_loss(view, view.step)
    since = _("Since then the loss has still fallen by {fallen:.2f}.").format(fallen=fallen) if fallen > 0 else ""
    return join_sentences(sentence, reached, since)


def _recent_loss(view: TrainingView, step: int) -> float:
    """Return the mean loss of a tenth of the steps up to one: a single batch says little."""
    losses = view.recording.losses[max(0, step - max(step // 10, 1)) + 1 : step + 1]
    return float(losses.mean())


def _bars_of_kinds(score: KindScore) -> list[RankedBar]:
    # As the grammar lists them, those of one group together: at the next step each bar is in its place.
    return [
        RankedBar(
            _(kind.title), score.by_kind[name], number(score.by_kind[name], ".0%"), marked=score.by_kind[name] >= GOOD
        )
        for name, kind in KINDS.items()
        if name in score.by_kind
    ]


def draw_kind_scores(view: TrainingView, half: int) -> Drawing:
    """Draw the scores of the first or the last half of the kinds, 0 or 1, at the step in view."""
    bars = _bars_of_kinds(step_results.scores(view.recording, view.step)[view.step])
    most = (len(bars) + 1) // 2
    part = bars[most:] if half else bars[:most]
    return bars_drawing(
        "kinds-last" if half else "kinds-first",
        _("Same kind, by kind, at step {step:,}").format(step=view.step) + f" ({half + 1}/2)",
        part,
        value="same_kind_at_10",
        alt=separator(", ").join(f"{bar.name} {bar.value_text}" for bar in part),
        longest=1.0,
        room=0.78,
        line=27,
        least=most,
    )


def _kinds_sentence(view: TrainingView, bars: list[RankedBar]) -> str:
    """Return a sentence on how many kinds have a good score, and which have the best and the worst."""
    best, worst = max(bars, key=lambda bar: bar.value), min(bars, key=lambda bar: bar.value)
    return _(
        "At step {step:,}, **{good} of {count} kinds** have a score of at least {share:.0%}. The best is {best} with "
        "{most:.0%}, the worst {worst} with {least:.0%}. (The picture has one colour for several kinds.)"
    ).format(
        count=len(bars),
        good=sum(bar.value >= GOOD for bar in bars),
        share=GOOD,
        step=view.step,
        best=best.name,
        most=best.value,
        worst=worst.name,
        least=worst.value,
    )


def loss_by_step(view: TrainingView) -> Drawing:
    """Draw the loss of all steps so far, means of a few where they lie close; the files have each step's."""
    losses, last = view.recording.losses, view.request.config.steps
    known = losses.isfinite().nonzero()[:, 0].tolist()
    nothing = view.request.config.chance_loss
    steps, values = average_stretches(known, losses[known].tolist(), last=last, most=LOSSES)
    if view.step in known and view.step not in steps:  # the step in view has a point of its own
        at = bisect(steps, view.step)
        steps, values = [*steps[:at], view.step, *steps[at:]], [*values[:at], float(losses[view.step]), *values[at:]]
    line = StepLine(_("loss"), steps, values, named=False)
    drawn = {"drawn_steps": np.array(steps), "drawn_losses": np.array(values, dtype=np.float32)}
    return steps_drawing(
        view,
        "loss",
        _("Loss by step"),
        [line],
        Blocks(["step", "loss"], [[np.array(known), losses[known].numpy()]], drawn),
        alt=_short_alt(line, ".2f"),
        scale="number",
        y_title=_("loss (mean cost of a pair)"),
        levels=[(nothing, _("untrained: {loss:.2f}").format(loss=nothing))],
        hover_text=_("{name}\nstep {x}: {y}"),
        height=HEIGHT,
    )


def _loss_sentence(view: TrainingView) -> str:
    losses, config = view.recording.losses, view.request.config
    now = float(losses[view.step])
    if not math.isfinite(now):
        return _("The saved training has no loss for this step.")
    sentence = _(
        "At step {step:,} the loss is **{loss:.2f}**. It began at {start:.2f} = {terms} · ln 2: {terms} questions, "
        "each a coin toss."
    ).format(step=view.step, loss=now, terms=1 + config.negatives, start=config.chance_loss)
    if view.recording.state != "diverged":
        return sentence
    last = float(losses[-1])
    stopped = _("Then the loss grew without bound: the run stopped at step {last:,} with {loss}.").format(
        last=len(losses) - 1, loss=number(last, ",.0f") if math.isfinite(last) else "∞"
    )
    return join_sentences(sentence, stopped)


def _share_right(relations: Mapping[str, tuple[int, int]]) -> float | None:
    """Return the share of all analogies that are right; None where there are none."""
    total = sum(count for _, count in relations.values())
    return sum(right for right, _ in relations.values()) / total if total else None
