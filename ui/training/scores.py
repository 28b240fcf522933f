"""How training goes: the loss, the share of neighbours of the same kind, and which kinds come together."""

import math
from bisect import bisect
from collections.abc import Mapping
from functools import partial

import streamlit as st

from embedlib.figures import RankedBar, StepLine, average_stretches, over_steps_figure, ranked_bars_figure
from embedlib.grammar import KINDS
from embedlib.i18n import N_
from embedlib.word2vec import KindScore
from ui.export import lines_csv
from ui.i18n import _, between, number, sentences
from ui.shared.page import section
from ui.training import measured
from ui.training.charts import bars_csv, chart, step_written, write_above
from ui.training.view import Recording, TrainingView

LOSSES = 160  # points drawn of them; each the mean of a few steps where they lie close
HEIGHT = 300
GOOD = 0.8  # a score that is called good


@section("training-scores", N_("Loss and score"))
def scores(view: TrainingView) -> None:
    """Draw loss and score over steps with the step in view marked, and the score of each kind at it."""
    left, right = st.columns(2, gap="large")
    kinds = measured.scores(view.recording, view.step)
    with left:
        loss_curve(view)
    with right:
        if not kinds:
            st.info(_("No score: no word has a known kind."))
            return
        _score(view, kinds)
    _by_kind(view, kinds[view.step])


def _score(view: TrainingView, kinds: dict[int, KindScore]) -> None:
    steps = list(kinds)
    line = StepLine(_("score"), steps, [kinds[step].score for step in steps], named=False)
    chance = kinds[view.step].chance
    write_above("score", _score_sentence(view, kinds))
    draw = partial(
        over_steps_figure,
        [line],
        last=view.request.config.steps,
        scale="share",
        x_title=_("step"),
        y_title=_("neighbours of the same kind"),
        levels=[(chance, _("chance: {chance:.0%}").format(chance=chance)), (GOOD, number(GOOD, ".0%"))],
        shown=(view.step, step_written(view.step)),
        hover_text=_("{name}\nstep {x}: {y}"),
        height=HEIGHT,
    )
    recording = view.recording
    chart(
        "score",
        draw,
        shows=(recording.request, tuple(steps), view.step),
        heading=_("Neighbours of the same kind, by step"),
        alt=_in_short(line, ".0%"),
        table=lambda: scores_csv(recording),
    )


def _in_short(line: StepLine, form: str) -> str:
    return _("{name}: {before} (step {first:,}), {now} (step {last:,})").format(
        name=line.name,
        before=number(line.values[0], form),
        first=line.steps[0],
        now=number(line.values[-1], form),
        last=line.steps[-1],
    )


def _score_sentence(view: TrainingView, kinds: dict[int, KindScore]) -> str:
    """Say the score, when it became good, and what the loss has done since."""
    now = kinds[view.step]
    sentence = _(
        "At step {step:,}, **{score:.0%} of the ten nearest** share their kind (chance: {chance:.1%})."
    ).format(score=now.score, step=view.step, chance=now.chance)
    good = measured.first_good(view.recording, GOOD)
    if good is None or view.step < good:
        return sentence
    reached = _("It reached {good:.0%} by step {step:,}.").format(good=GOOD, step=good)
    fallen = _recent(view, good) - _recent(view, view.step)
    since = _("The loss has fallen by {fallen:.2f} since.").format(fallen=fallen) if fallen > 0 else ""
    return sentences(sentence, reached, since)


def _recent(view: TrainingView, step: int) -> float:
    """Return the mean loss of a tenth of the steps up to one: a single batch says little."""
    losses = view.recording.losses[max(0, step - max(step // 10, 1)) + 1 : step + 1]
    return float(losses.mean())


def _by_kind(view: TrainingView, score: KindScore) -> None:
    # As the grammar lists them, those of one group together: at the next step each bar is in its place.
    bars = [
        RankedBar(
            _(kind.title), score.by_kind[name], number(score.by_kind[name], ".0%"), marked=score.by_kind[name] >= GOOD
        )
        for name, kind in KINDS.items()
        if name in score.by_kind
    ]
    write_above("kinds", _kinds_sentence(view, bars), wide=True)
    half = (len(bars) + 1) // 2
    for column, part, name in zip(
        st.columns(2, gap="large"), (bars[:half], bars[half:]), ("kinds-first", "kinds-last"), strict=True
    ):
        if part:
            with column:
                draw = partial(ranked_bars_figure, part, longest=1.0, room=0.78, line=27, least=half)
                chart(
                    name,
                    draw,
                    shows=(view.request, view.step),
                    heading=_("Same kind, by kind, at step {step:,}").format(step=view.step),
                    alt=between(", ").join(f"{bar.name} {bar.said}" for bar in part),
                    table=partial(bars_csv, bars, "same_kind_at_10", "aside"),
                )


def _kinds_sentence(view: TrainingView, bars: list[RankedBar]) -> str:
    """Say how many kinds have a good score, and which have the best and the worst."""
    best, worst = max(bars, key=lambda bar: bar.value), min(bars, key=lambda bar: bar.value)
    return _(
        "**{good} of {count} kinds** score ≥ {share:.0%} at step {step:,}. "
        "Best: {best} {most:.0%}; worst: {worst} {least:.0%}."
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


def loss_curve(view: TrainingView) -> None:
    """Say the loss of the step in view, and draw that of all steps so far."""
    losses = view.recording.losses
    known = losses.isfinite().nonzero()[:, 0].tolist()
    nothing = view.request.config.chance_loss
    write_above("loss", _loss_sentence(view))
    if not known:
        return
    last = view.request.config.steps
    steps, values = average_stretches(known, losses[known].tolist(), last=last, most=LOSSES)
    if view.step in known and view.step not in steps:  # the step in view has a point of its own
        at = bisect(steps, view.step)
        steps, values = [*steps[:at], view.step, *steps[at:]], [*values[:at], float(losses[view.step]), *values[at:]]
    line = StepLine(_("loss"), steps, values, named=False)
    draw = partial(
        over_steps_figure,
        [line],
        last=last,
        scale="number",
        x_title=_("step"),
        y_title=_("loss in nats"),
        levels=[(nothing, _("untrained: {loss:.2f}").format(loss=nothing))],
        shown=(view.step, step_written(view.step)),
        hover_text=_("{name}\nstep {x}: {y}"),
        height=HEIGHT,
    )
    recording = view.recording
    chart(
        "loss",
        draw,
        shows=(recording.request, len(recording.losses), view.step),
        heading=_("Loss by step"),
        alt=_in_short(line, ".2f"),
        table=lambda: lines_csv(["step", "loss"], ([step, float(losses[step])] for step in known)),
    )


def _loss_sentence(view: TrainingView) -> str:
    losses, config = view.recording.losses, view.request.config
    now = float(losses[view.step])
    if not math.isfinite(now):
        return _("The saved training has no loss here.")
    sentence = _("Loss at step {step:,}: **{loss:.2f} nats**; untrained: {terms} · ln 2 = {start:.2f}.").format(
        step=view.step, loss=now, terms=1 + config.negatives, start=config.chance_loss
    )
    if view.recording.state != "diverged":
        return sentence
    last = float(losses[-1])
    stopped = _("The run stopped at step {last:,} with {loss}.").format(
        last=len(losses) - 1, loss=number(last, ",.0f") if math.isfinite(last) else "∞"
    )
    return sentences(sentence, stopped)


def scores_csv(recording: Recording) -> str:
    """Write one line per step: the score, the share of analogies that come out right, and the score of each kind."""
    kinds = measured.scores(recording, recording.last)
    analogies = measured.right_analogies(recording, recording.last)
    by_kind = list(kinds[recording.last].by_kind) if kinds else []
    return lines_csv(
        ["step", "same_kind_at_10", "analogies_right", *by_kind],
        (
            [step, kinds[step].score, _share_right(right), *kinds[step].by_kind.values()]
            for step, right in analogies.items()
            if step in kinds
        ),
    )


def _share_right(relations: Mapping[str, tuple[int, int]]) -> float | None:
    """Return the share of all analogies that come out right; None where there is none."""
    total = sum(count for _, count in relations.values())
    return sum(right for right, _ in relations.values()) / total if total else None
