"""How training goes: the loss, the share of neighbours of the same kind, and which kinds are found."""

import math
from bisect import bisect
from collections.abc import Mapping
from functools import partial

import streamlit as st

from embedlib.figures import RankedBar, StepLine, over_steps_figure, ranked_bars_figure, thinned
from embedlib.grammar import KINDS
from embedlib.word2vec import KindScore
from ui.export import lines_csv
from ui.i18n import _
from ui.training import measured
from ui.training.charts import bars_csv, chart, step_written, write_above
from ui.training.measured import StepScore
from ui.training.view import TrainingView

LOSSES = 160  # points drawn of them; each the mean of a few steps where they lie close
HEIGHT = 300
GOOD = 0.8  # a score that is called found


def scores(view: TrainingView) -> None:
    """Draw loss and score over steps with the step in view marked, and the score of each kind at it."""
    st.header(_("Loss falls, meaning comes"))
    left, right = st.columns(2, gap="large")
    found = measured.scores(view.recording, view.step)
    kinds = {step: score.kinds for step, score in found.items() if score.kinds is not None}
    with left:
        loss_curve(view)
    with right:
        if not kinds:
            st.info(
                _(
                    "Which words of this text are of one kind is not known, so a score of meaning is not defined. The "
                    "nearest words above show what training has found; the grammar’s sentences have a score."
                )
            )
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
        levels=[
            (chance, _("chance: {chance:.0%}").format(chance=chance)),
            (GOOD, f"{GOOD:.0%}"),
        ],
        shown=(view.step, step_written(view.step)),
        hover_text=_("{name}\nstep {x}: {y}"),
        height=HEIGHT,
    )
    recording = view.recording
    chart(
        "score",
        draw,
        shows=(recording.key, tuple(steps), view.step),
        heading=_("Neighbours of the same kind among the ten nearest, by step"),
        alt=_("{before:.0%} at step {first:,}, {now:.0%} at step {last:,}; chance is {chance:.1%}.").format(
            before=line.values[0], first=steps[0], now=line.values[-1], last=steps[-1], chance=chance
        ),
        table=lambda: scores_csv(measured.scores(recording, recording.last)),
    )


def _score_sentence(view: TrainingView, kinds: dict[int, KindScore]) -> str:
    """Say the score, when it became good, and what loss and score have done since."""
    now = kinds[view.step]
    said = _(
        "At step {step:,}, **{score:.0%} of the ten nearest** are of the same kind; chance is {chance:.1%}."
    ).format(score=now.score, step=view.step, chance=now.chance)
    good = measured.first_good(view.recording, GOOD)
    if good is None or view.step < good:
        return said
    if view.step == good:
        return f"{said} " + _("No earlier step that was kept has {good:.0%}.").format(good=GOOD)
    then = measured.scores(view.recording, good)[good].kinds
    assert then is not None
    since = {"good": GOOD, "step": good, "more": 100 * (now.score - then.score)}
    fallen = _recent(view, good) - _recent(view, view.step)
    if not fallen > 0:
        return f"{said} " + _("It passed {good:.0%} by step {step:,}.").format(**since)
    return f"{said} " + _(
        "It passed {good:.0%} by step {step:,}; since then the loss has fallen by another {fallen:.2f} and the score "
        "has changed by {more:+.0f} points."
    ).format(**since, fallen=fallen)


def _recent(view: TrainingView, step: int) -> float:
    """Return the mean loss of a tenth of the steps up to one: a single batch says little."""
    losses = view.recording.losses[max(0, step - max(step // 10, 1)) + 1 : step + 1]
    return float(losses.mean())


def _by_kind(view: TrainingView, score: KindScore) -> None:
    # As the grammar lists them, those of one group together: at the next step each bar is in its place.
    bars = [
        RankedBar(_(kind.title), score.by_kind[name], f"{score.by_kind[name]:.0%}", marked=score.by_kind[name] >= GOOD)
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
                    shows=(view.recording.key, view.step),
                    heading=_("Neighbours of the same kind, by kind, at step {step:,}").format(step=view.step),
                    alt=_("By kind: {kinds}.").format(kinds=", ".join(f"{bar.name} {bar.said}" for bar in part)),
                    table=partial(bars_csv, bars, "same_kind_at_10", "aside"),
                )


def _kinds_sentence(view: TrainingView, bars: list[RankedBar]) -> str:
    """Say which kinds are found, and which are furthest behind."""
    good = sum(bar.value >= GOOD for bar in bars)
    best, worst = max(bars, key=lambda bar: bar.value), min(bars, key=lambda bar: bar.value)
    return _(
        "Of {count} kinds, **{found} have at least {good:.0%}** at step {step:,}. Furthest along: {best}, {first:.0%}; "
        "furthest behind: {worst}, {last:.0%}."
    ).format(
        count=len(bars),
        found=good,
        good=GOOD,
        step=view.step,
        best=best.name,
        first=best.value,
        worst=worst.name,
        last=worst.value,
    )


def loss_curve(view: TrainingView) -> None:
    """Say the loss of the step in view, and draw that of all steps so far."""
    losses = view.recording.losses
    known = losses.isfinite().nonzero()[:, 0].tolist()
    nothing = view.request.config.knows_nothing
    write_above("loss", _loss_sentence(view))
    if not known:
        return
    last = view.request.config.steps
    steps, values = thinned(known, losses[known].tolist(), last=last, most=LOSSES)
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
        levels=[(nothing, _("knows nothing: {loss:.2f}").format(loss=nothing))],
        shown=(view.step, step_written(view.step)),
        hover_text=_("{name}\nstep {x}: {y}"),
        height=HEIGHT,
    )
    recording = view.recording
    chart(
        "loss",
        draw,
        shows=(recording.key, len(recording.losses), view.step),
        heading=_("Loss by step"),
        alt=_("Loss {before:.2f} at step {first:,}, {now:.2f} at step {last:,}.").format(
            before=values[0], first=steps[0], now=values[-1], last=steps[-1]
        ),
        table=lambda: lines_csv(["step", "loss"], ([step, float(losses[step])] for step in known)),
    )


def _loss_sentence(view: TrainingView) -> str:
    losses, nothing = view.recording.losses, view.request.config.knows_nothing
    now = float(losses[view.step])
    if not math.isfinite(now):
        return _("The loss of this step is not known: the saved training does not hold it.")
    said = _("Loss at step {step:,}: **{loss:.2f} nats**.").format(step=view.step, loss=now)
    if view.recording.state == "diverged":
        last = float(losses[-1])
        return f"{said} " + (
            _(
                "At step {last:,}, where training was stopped, it was {loss:,.0f}; rows that know nothing have "
                "{nothing:.2f}."
            )
            if math.isfinite(last)
            else _("At step {last:,}, where training was stopped, it was no finite number any more.")
        ).format(last=len(losses) - 1, loss=last, nothing=nothing)
    if view.step == view.first:
        return f"{said} " + _(
            "Rows that know nothing take true neighbours and noise for equally likely: {terms} · ln 2."
        ).format(terms=1 + view.request.config.negatives)
    return f"{said} " + _("Rows that know nothing have {nothing:.2f}.").format(nothing=nothing)


def scores_csv(scores: Mapping[int, StepScore]) -> str:
    """Write one line per step: the score, the share of analogies that come out right, and the score of each kind."""
    kinds = next((list(score.kinds.by_kind) for score in scores.values() if score.kinds is not None), [])
    return lines_csv(
        ["step", "same_kind_at_10", "analogies_right", *kinds],
        (
            [step, None, score.share_right]
            if score.kinds is None
            else [step, score.kinds.score, score.share_right, *score.kinds.by_kind.values()]
            for step, score in scores.items()
        ),
    )
