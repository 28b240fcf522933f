"""The rows nearest to a word: which they are at this step, where they were at the start, and when they came near."""

from functools import partial

import streamlit as st
from torch import Tensor

from embedlib.figures import RankedBar, StepLine, over_steps_figure, ranked_bars_figure
from embedlib.grammar import KINDS
from ui.i18n import _, ngettext
from ui.shared.markdown import as_code
from ui.training import measured
from ui.training.charts import bars_csv, chart, step_written, steps_csv, write_above
from ui.training.view import TrainingView, word_of, word_picker

SHOWN = 10
FOLLOWED = 5  # lines that can be told apart at their ends
HEIGHT = 376


def neighbours(view: TrainingView) -> None:
    """Draw the picker, the nearest words with their cosines, and the places of the last step's nearest over steps."""
    row = word_of(view)
    st.header(_("Who lives next door"))
    word_picker(view)
    left, right = st.columns(2, gap="large")
    with left:
        write_above("near", _what_is_near(view, row))
        _bars(view, row)
    with right:
        _places(view, row)


def same_kind(view: TrainingView, step: int, row: int) -> tuple[int, int] | None:
    """Count neighbours of the word's own kind at a step, of how many that can be: 10, or all others of a small kind.

    Returns:
        None for a word without a kind, or alone in its own.
    """
    kind = view.kinds[row]
    others = view.kinds.count(kind) - 1
    if kind is None or not others:
        return None
    nearest = measured.around(view.recording, step, row).first(min(SHOWN, others))
    return sum(view.kinds[other] == kind for other in nearest), len(nearest)


def _what_is_near(view: TrainingView, row: int) -> str:
    word = as_code(view.words[row])
    now, start = same_kind(view, view.step, row), same_kind(view, view.first, row)
    kind = view.kinds[row]
    if now is None or start is None or kind is None:
        if view.step == view.first:
            return _(
                "The ten rows nearest to {word} at step {step:,}: nothing is trained yet, so they are so by chance."
            ).format(word=word, step=view.step)
        moved = measured.changes(view.recording, view.first, view.step).moves[row]
        return _(
            "The ten rows nearest to {word} at step {step:,}, and how near each was to it before any training. The row "
            "of {word} has moved by {way:.2f} since."
        ).format(word=word, step=view.step, way=float(moved))
    chance = now[1] * (view.kinds.count(kind) - 1) / (len(view.kinds) - 1)
    said = ngettext(
        "At step {step:,}, **{found} of the {count} nearest** to {word} is of its kind, {kind}.",
        "At step {step:,}, **{found} of the {count} nearest** to {word} are of its kind, {kind}.",
        now[0],
    ).format(step=view.step, found=now[0], count=now[1], word=word, kind=_(KINDS[kind].title))
    if view.step == view.first:
        return f"{said} {_('Nothing is trained yet: chance alone gives {chance:.1f}.').format(chance=chance)}"
    before = ngettext(
        "At step {first}, {before} was, where chance gives {chance:.1f}.",
        "At step {first}, {before} were, where chance gives {chance:.1f}.",
        start[0],
    )
    return f"{said} {before.format(first=view.first, before=start[0], chance=chance)}"


def _bars(view: TrainingView, row: int) -> None:
    now = measured.around(view.recording, view.step, row)
    start = measured.around(view.recording, view.first, row)
    own = view.kinds[row]
    bars = []
    for other in now.first(SHOWN):
        kind = view.kinds[other]
        cosine, before = float(now.similarities[other]), int(start.places[other])
        title = "" if kind is None else _(KINDS[kind].title)
        bars.append(
            RankedBar(
                view.words[other],
                cosine,
                f"{cosine:.2f} {title}".strip(),
                f"{before:,}",
                marked=own is not None and kind == own,
                detail=title or _("no kind"),
            )
        )
    word, step = view.words[row], view.step
    draw = partial(
        ranked_bars_figure,
        bars,
        longest=1.0,
        room=0.42,
        all_coloured=own is None,
        heads=(
            _("cosine, kind") if view.recording.has_kinds else _("cosine"),
            _("place at step {first}").format(first=view.first),
        ),
        hover_text=_("{name}\n{said}\nplace at the start: {aside}"),
        least=min(SHOWN, len(view.words) - 1),
    )
    chart(
        "neighbours",
        draw,
        shows=(view.recording.key, step, row),
        heading=_("Nearest to {word} at step {step:,}").format(word=word, step=step),
        alt=_("Nearest to {word} at step {step:,}: {nearest}.").format(
            word=word, step=step, nearest=", ".join(f"{bar.name} {bar.value:.2f}" for bar in bars)
        ),
        table=lambda: bars_csv(bars, "cosine", "place_at_start"),
    )


def _places(view: TrainingView, row: int) -> None:
    """Follow the words that are nearest at the last step seen back to where they came from."""
    last = view.recording.last
    found = measured.places_of_words(view.recording, view.step, row)
    nearest = measured.around(view.recording, last, row).first(FOLLOWED)
    steps = list(found)
    lines = [StepLine(view.words[other], steps, [int(found[step][other]) for step in steps]) for other in nearest]
    word = view.words[row]
    write_above("where-from", _where_from(view, found, row, nearest[0]))
    draw = partial(
        over_steps_figure,
        lines,
        last=view.request.config.steps,
        scale="place",
        most=len(view.words) - 1,
        near=SHOWN,
        x_title=_("step"),
        y_title=_("place among all words"),
        shown=(view.step, step_written(view.step)),
        hover_text=_("{name}\nstep {x}: place {y}"),
        height=HEIGHT,
    )
    chart(
        "places",
        draw,
        shows=(view.recording.key, tuple(steps), view.step, last, row),
        heading=_("Nearest to {word} at step {last:,}: where they came from").format(word=word, last=last),
        alt=". ".join(
            _("{name}: place {before:,} at step {first:,}, {now:,} at step {last:,}").format(
                name=line.name, before=line.values[0], first=steps[0], now=line.values[-1], last=steps[-1]
            )
            for line in lines
        ),
        table=lambda: steps_csv(lines, "place"),
    )


def _where_from(view: TrainingView, found: dict[int, Tensor], row: int, nearest: int) -> str:
    """Say how the word that is nearest at last came there."""
    last, steps = view.recording.last, list(found)
    names = {"word": as_code(view.words[row]), "nearest": as_code(view.words[nearest])}
    if last == view.first:
        return _("{nearest} is nearest to {word} by chance. Where the words below end up, training decides.").format(
            **names
        )
    head = (
        _("**Nearest at the end, step {last:,}, and where they came from.**")
        if view.recording.state == "done"
        else _("**Nearest at step {last:,}, the newest, and where they came from.**")
    )
    since = next(
        (
            step
            for index, step in enumerate(steps)
            if all(int(found[later][nearest]) <= SHOWN for later in steps[index:])
        ),
        last,
    )
    came = _(
        "{nearest}, then nearest to {word}, came from place {before:,} of {count:,}, and is among the ten nearest "
        "since step {since:,}."
    )
    return f"{head} {came}".format(
        **names, last=last, before=int(found[steps[0]][nearest]), count=len(view.words) - 1, since=since
    )
