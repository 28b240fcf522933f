"""Nearest rows of a word: at this step, their ranks at the start, and over the steps."""

import streamlit as st
from torch import Tensor

from embedlib.figures import RankedBar, StepLine
from embedlib.grammar import KINDS
from ui.embed import embeddable
from ui.export import Drawing, show
from ui.i18n import _, label_sentence, number, separator
from ui.markdown import as_code
from ui.training import step_results
from ui.training.charts import bars_drawing, lines_alt, show_summary, step_lines, steps_drawing
from ui.training.view import TrainingView, default_word, word_picker

SHOWN = 10
FOLLOWED = 5  # lines that can be distinguished at their ends
HEIGHT = 376


@embeddable("training-neighbours")
def neighbours(view: TrainingView) -> None:
    """Draw the picker, the nearest words with their cosines, and their ranks over steps."""
    row = default_word(view)
    st.header(_("Nearest neighbours"))
    st.write(
        _(
            "Near means a large cosine: the two rows point the same way. See how the nearest words change as you move "
            "the slider through the training."
        )
    )
    word_picker(view)
    left, right = st.columns(2, gap="large")
    with left:
        show_summary("near", _neighbours_sentence(view, row))
        show(nearest_words, view, row)
    with right:
        places = step_results.word_ranks(view.recording, view.step, row)
        show_summary("where-from", _origin_sentence(view, places, row))
        show(ranks_by_step, view, row, tuple(places))


def count_same_kind(view: TrainingView, step: int, row: int) -> tuple[int, int] | None:
    """Count the neighbours of the word's own kind at a step, and how many there could be; None without others."""
    kind = view.kinds[row]
    others = view.kinds.count(kind) - 1
    if kind is None or not others:
        return None
    nearest = step_results.neighbour_ranks_at(view.recording, step, row).nearest(min(SHOWN, others))
    return sum(view.kinds[other] == kind for other in nearest), len(nearest)


def _neighbours_sentence(view: TrainingView, row: int) -> str:
    now, start = count_same_kind(view, view.step, row), count_same_kind(view, view.first, row)
    kind = view.kinds[row]
    names = {"step": view.step, "word": as_code(view.words[row])}
    if now is None or start is None or kind is None:
        moved = float(step_results.row_moves_between(view.recording, view.first, view.step).moves[row])
        return _("Since the start of training the row of {word} has moved by {moved:.2f}.").format(**names, moved=moved)
    chance = now[1] * (view.kinds.count(kind) - 1) / (len(view.kinds) - 1)
    return _(
        "At step {step:,}, **{same} of the {count} words nearest** to {word} are {kind}; at step {first} it was "
        "{before}, and by chance it would be {chance:.1f}."
    ).format(
        **names, same=now[0], count=now[1], kind=_(KINDS[kind].title), first=view.first, before=start[0], chance=chance
    )


def nearest_words(view: TrainingView, row: int) -> Drawing:
    """Draw the words nearest to one at the step in view, with their ranks at the start."""
    now = step_results.neighbour_ranks_at(view.recording, view.step, row)
    start = step_results.neighbour_ranks_at(view.recording, view.first, row)
    own = view.kinds[row]
    bars = []
    for other in now.nearest(SHOWN):
        kind = view.kinds[other]
        cosine, before = float(now.similarities[other]), int(start.ranks[other])
        title = "" if kind is None else _(KINDS[kind].title)
        bars.append(
            RankedBar(
                view.words[other],
                cosine,
                f"{number(cosine, '.2f')} {title}".strip(),
                number(before, ","),
                marked=own is not None and kind == own,
                detail=title or _("no kind"),
            )
        )
    heading = _("Nearest to {word} at step {step:,}").format(word=view.words[row], step=view.step)
    return bars_drawing(
        "neighbours",
        heading,
        bars,
        value="cosine",
        aside="rank_at_start",
        alt=label_sentence(heading, separator(", ").join(f"{bar.name} {number(bar.value, '.2f')}" for bar in bars)),
        longest=1.0,
        room=0.42,
        all_coloured=own is None,
        heads=(
            _("cosine and kind") if view.recording.has_kinds else _("cosine"),
            _("rank by cosine at step {first}").format(first=view.first),
        ),
        hover_text=_("{name}\n{value_text}\nrank by cosine at step 0: {side_text}"),
        least=min(SHOWN, len(view.words) - 1),
    )


def ranks_by_step(view: TrainingView, row: int, steps: tuple[int, ...]) -> Drawing:
    """Draw the ranks over steps of the words nearest at the last step seen; steps: that are drawn."""
    last = view.recording.last
    places = step_results.word_ranks(view.recording, view.step, row)
    nearest = step_results.neighbour_ranks_at(view.recording, last, row).nearest(FOLLOWED)
    lines = [StepLine(view.words[other], steps, [int(places[step][other]) for step in steps]) for other in nearest]
    return steps_drawing(
        view,
        "places",
        _("Ranks of the nearest to {word}, step {last:,}").format(word=view.words[row], last=last),
        lines,
        step_lines(lines, "rank"),
        alt=separator(". ").join(lines_alt(line) for line in lines),
        scale="place",
        most=len(view.words) - 1,
        near=SHOWN,
        y_title=_("rank by cosine among all words"),
        hover_text=_("{name}\nstep {x}: rank {y}"),
        height=HEIGHT,
    )


def _origin_sentence(view: TrainingView, places: dict[int, Tensor], row: int) -> str:
    """Return a sentence on how the nearest word of the newest step became that."""
    last, steps = view.recording.last, list(places)
    nearest = step_results.neighbour_ranks_at(view.recording, last, row).nearest(1)[0]
    since = next(
        (
            step
            for index, step in enumerate(steps)
            if all(int(places[later][nearest]) <= SHOWN for later in steps[index:])
        ),
        last,
    )
    return _(
        "At step {last:,} the word nearest to {word} is {nearest}. At the start it had rank {before:,} of {count:,}; "
        "since step {since:,} it has been among the ten nearest."
    ).format(
        last=last,
        word=as_code(view.words[row]),
        nearest=as_code(view.words[nearest]),
        before=int(places[steps[0]][nearest]),
        count=len(view.words) - 1,
        since=since,
    )
