"""The reader's own analogy, and all analogies of the grammar, by step."""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from embedlib.figures import RankedBar, StepLine, small_steps_figure
from embedlib.grammar import RELATIONS, analogy_answer, pairs
from embedlib.i18n import N_
from ui.export import Drawing, show
from ui.i18n import _, join_sentences, label_sentence, number, separator
from ui.markdown import as_code
from ui.settings import controls, state
from ui.shared.page import section
from ui.shared.rows import missing_word_sentence
from ui.training import step_results
from ui.training.charts import bars_drawing, lines_alt, show_summary, step_lines, steps_drawing, training_drawing
from ui.training.view import TrainingView

INPUTS = ("train_a", "train_b", "train_c")
# What is suggested of words that Python's manual has.
_FOR_THE_MANUAL = ("right", "left", "start")
_LONG = 4  # letters of a word that is suggested, where the text has such
SHOWN = 5
HEIGHT = 260


@dataclass(frozen=True)
class Analogy:
    """An analogy of words that have rows."""

    rows: tuple[int, int, int]  # a, b and c of a - b + c
    expected: int | None  # the row of the answer, typed by the reader or known to the grammar


@section(
    "training-analogies",
    N_("Analogies"),
    lead=N_(
        "man is to king as woman is to what? If the difference between king and man is the same as between queen and "
        "woman, then king − man + woman lands near queen. Nothing in the training asks for this: it follows from the "
        "neighbours."
    ),
)
def analogies(view: TrainingView) -> None:
    """Draw the reader's analogy with its answers at this step, and how many of the grammar's are right."""
    left, right = st.columns(2, gap="large")
    with left:
        _own_analogy(view)
    with right:
        relations(view)


def _own_analogy(view: TrainingView) -> None:
    words = analogy_words(view)
    with st.container(key="train-analogy"):
        _inputs(words)
    missing = [word for word in [*words, expected_word()] if word and word not in view.words]
    if missing:
        st.info(missing_word_sentence(missing[0], view.words))
    analogy = analogy_in_view(view)
    if analogy is not None:
        show_summary("answer", _answer_sentence(view, analogy))
        show(nearest_answers, view, analogy)
        if analogy.expected is not None:
            steps = tuple(step_results.answer_ranks(view.recording, view.step, analogy.rows))
            show(ranks_of_answer, view, analogy, steps)
    elif not missing:
        st.info(_("Type three words that the training text has."))


def _inputs(words: list[str]) -> None:
    columns = st.columns([3, 3, 3, 4], vertical_alignment="bottom")
    for column, name, label, word in zip(columns, INPUTS, (_("a"), _("− b"), _("+ c")), words, strict=False):
        controls.control(name, column.text_input, label=label, value=word)
    controls.control("train_expected", columns[3].text_input, placeholder=analogy_answer(*words) or "")


def _answer_sentence(view: TrainingView, analogy: Analogy) -> str:
    a, b, c = (as_code(view.words[row]) for row in analogy.rows)
    now = step_results.analogy_ranks_at(view.recording, view.step, analogy.rows)
    sentence = _("At step {step:,}, {a} − {b} + {c} is nearest to {nearest}.").format(
        a=a, b=b, c=c, nearest=as_code(view.words[now.nearest(1)[0]]), step=view.step
    )
    if analogy.expected is None:
        return sentence
    before = step_results.analogy_ranks_at(view.recording, view.first, analogy.rows)
    ranked = _(
        "The expected answer {expected} has rank **{rank:,}** of {count:,}; at step {first} it had rank {before:,}."
    ).format(
        expected=as_code(view.words[analogy.expected]),
        rank=int(now.ranks[analogy.expected]),
        count=int(now.ranks.max()),
        first=view.first,
        before=int(before.ranks[analogy.expected]),
    )
    return join_sentences(sentence, ranked)


def nearest_answers(view: TrainingView, analogy: Analogy) -> Drawing:
    """Draw the answers nearest to a - b + c at the step in view."""
    now = step_results.analogy_ranks_at(view.recording, view.step, analogy.rows)
    bars = [
        RankedBar(
            view.words[row],
            float(now.similarities[row]),
            number(float(now.similarities[row]), ".2f") + ("  ✓" if row == analogy.expected else ""),
            marked=row == analogy.expected,
        )
        for row in now.nearest(SHOWN)
    ]
    a, b, c = (view.words[row] for row in analogy.rows)
    heading = _("Nearest to {word} at step {step:,}").format(word=f"{a} − {b} + {c}", step=view.step)
    return bars_drawing(
        "answers",
        heading,
        bars,
        value="cosine",
        alt=label_sentence(heading, separator(", ").join(f"{bar.name} {number(bar.value, '.2f')}" for bar in bars)),
        longest=1.0,
        room=0.8,
        least=min(SHOWN, len(view.words) - 3),
        all_coloured=analogy.expected is None,
    )


def ranks_of_answer(view: TrainingView, analogy: Analogy, steps: tuple[int, ...]) -> Drawing:
    """Draw the rank of the expected answer over steps; steps: that are drawn."""
    assert analogy.expected is not None
    word, places = view.words[analogy.expected], step_results.answer_ranks(view.recording, view.step, analogy.rows)
    line = StepLine(word, steps, [int(places[step][analogy.expected]) for step in steps], named=False)
    return steps_drawing(
        view,
        "answer-places",
        _("Rank of {word} among answers").format(word=word),
        [line],
        step_lines([line], "rank"),
        alt=lines_alt(line),
        scale="place",
        most=len(view.words) - len(set(analogy.rows)),
        y_title=_("rank of the answer by cosine"),
        hover_text=_("{name}\nstep {x}: rank {y}"),
        height=HEIGHT,
    )


def analogy_in_view(view: TrainingView) -> Analogy | None:
    """Return the analogy in view; None where a word is missing or has no row."""
    row_of = {word: row for row, word in enumerate(view.words)}
    rows = [row_of.get(word) for word in analogy_words(view)]
    if any(row is None for row in rows):
        return None
    a, b, c = (row or 0 for row in rows)
    if len(set(view.words)) - len({a, b, c}) < 1:
        return None
    answer = expected_word() or analogy_answer(*(view.words[row] for row in (a, b, c)))
    expected = None if answer is None else row_of.get(answer)
    return Analogy((a, b, c), None if expected in (a, b, c) else expected)


def analogy_words(view: TrainingView) -> list[str]:
    """Return a, b and c as typed, or defaults that occur in the text."""
    written = [_clean(state.get(name)) for name in INPUTS]
    usual, have = [state.SETTINGS[name].default for name in INPUTS], set(view.words)
    if have.issuperset(usual):
        return written
    # All texts that are learned from have more words than three.
    frequent = sorted(view.words, key=lambda word: len(word) < _LONG)[:3]
    instead = _FOR_THE_MANUAL if have.issuperset(_FOR_THE_MANUAL) else frequent
    return [other if word == old else word for word, old, other in zip(written, usual, instead, strict=True)]


def expected_word() -> str:
    """Return the answer that the reader expects; "" for none."""
    return _clean(state.get("train_expected"))


def _clean(word: str) -> str:
    return str(word).strip().casefold()


def relations(view: TrainingView) -> None:
    """Show the share of the grammar's analogies that is right, and draw it over steps."""
    by_step = step_results.right_analogies(view.recording, view.step)
    now = by_step[view.step]
    if not now:
        st.info(_("The training text has no pairs such as king and queen whose analogies could be counted."))
        return
    right, total = (sum(part) for part in zip(*now.values(), strict=True))
    show_summary(
        "relations",
        _(
            "At step {step:,}, **{share:.0%} of {total:,} analogies** come out right: the expected word is the nearest."
        ).format(step=view.step, share=right / total, total=total),
    )
    show(right_by_relation, view, tuple(by_step))


def right_by_relation(view: TrainingView, steps: tuple[int, ...]) -> Drawing:
    """Draw the share that is right at each step, a small chart for each relation; steps: that are drawn."""
    by_step = step_results.right_analogies(view.recording, view.step)
    names = list(by_step[view.step])
    lines = [
        StepLine(_(RELATIONS[name]), steps, [by_step[step][name][0] / by_step[step][name][1] for step in steps])
        for name in names
    ]
    shares = (label_sentence(line.name, number(line.at(view.step) or 0.0, ".0%")) for line in lines)
    return training_drawing(
        "relations",
        _("Analogies right, by step"),
        step_lines(lines, "share_right"),
        small_steps_figure,
        lines,
        alt=separator(". ").join(shares),
        names=[_example(view, name) for name in names],
        last=view.request.config.steps,
        shown=view.step,
        hover_text=_("{name}\nstep {x}: {y} right"),
        share_text=partial(number, spec=".0%"),
    )


def _example(view: TrainingView, relation: str) -> str:
    """Show a relation by its first pair that has rows."""
    have = set(view.words)
    return " → ".join(next(pair for pair in pairs(relation) if have.issuperset(pair)))
