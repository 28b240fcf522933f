"""How many analogies of each of the grammar's relations come out right, by step."""

from functools import partial

import streamlit as st

from embedlib.figures.over_steps import StepLine, small_steps_figure
from embedlib.grammar.kinds import RELATIONS, pairs
from ui.i18n import _
from ui.training import measured
from ui.training.drawn import chart, told
from ui.training.measured import StepScore
from ui.training.tables import lines_csv
from ui.training.view import TrainingView

_AHEAD = 0.1  # by which kinds must be ahead of analogies for that to be said


def relations(view: TrainingView) -> None:
    """Draw the share that is right at each step, a small chart for each relation."""
    found = measured.scores(view.recording, view.step)
    now = found[view.step]
    if not now.right:
        st.info(
            _(
                "The text has none of the pairs of words that the grammar knows, such as king and queen, so no "
                "analogies can be counted: ask your own."
            )
        )
        return
    told("relations", _told(view, now))
    steps = list(found)
    lines = [
        StepLine(_(RELATIONS[name]), steps, [found[step].right[name][0] / found[step].right[name][1] for step in steps])
        for name in now.right
    ]
    names = [_example(view, name) for name in now.right]
    draw = partial(
        small_steps_figure,
        lines,
        names=names,
        last=view.request.config.steps,
        shown=view.step,
        hover_text=_("{name}\nstep {x}: {y} right"),
    )
    chart(
        "relations",
        draw,
        shows=(view.recording.key, tuple(steps), view.step),
        heading=_("Analogies that come out right, by step"),
        alt=". ".join(
            _("{name}: {share:.0%} at step {step:,}").format(name=line.name, share=line.at(view.step), step=view.step)
            for line in lines
        ),
        table=lambda: lines_csv(lines, "share_right"),
    )


def _told(view: TrainingView, now: StepScore) -> str:
    right, asked = (sum(part) for part in zip(*now.right.values(), strict=True))
    said = _(
        "At step {step:,}, **{share:.0%} of {asked:,} analogies** come out right, the expected word nearest of all."
    ).format(step=view.step, share=right / asked, asked=asked)
    if now.kinds is None or now.kinds.score < right / asked + _AHEAD:
        return said
    return f"{said} " + _("Kinds come sooner: {score:.0%} of neighbours are of the same kind already.").format(
        score=now.kinds.score
    )


def _example(view: TrainingView, relation: str) -> str:
    """Show a relation by its first pair that has rows."""
    have = set(view.words)
    return " → ".join(next(pair for pair in pairs(relation) if have.issuperset(pair)))
