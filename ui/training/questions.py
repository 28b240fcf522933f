"""The end of the training page: questions about the step in view, and the program that prints its numbers."""

import math

import streamlit as st

from embedlib.grammar import KINDS
from embedlib.programs import training_program
from ui.i18n import _
from ui.shared.markdown import as_code
from ui.shared.questions import Question
from ui.shared.text.source import Source
from ui.training import measured
from ui.training.analogies import SHOWN as ANSWERS
from ui.training.analogies import analogy_of
from ui.training.neighbours import SHOWN
from ui.training.view import TrainingView, word_of

SAVED = "training.safetensors"  # the name under which the page saves a training


def page_questions(view: TrainingView) -> list[Question]:
    """Make the questions of this page from what it shows."""
    asked = [_nothing(view), _chance(view) or _pairs(view), _frequent(view) or _by_chance_right(view)]
    return [question for question in asked if question is not None]


def _nothing(view: TrainingView) -> Question:
    negatives, loss = view.request.config.negatives, view.request.config.knows_nothing
    return Question(
        name="train-nothing",
        prompt=_(
            "With {negatives} negatives, what is the loss while every product of two rows is 0? In nats, to two "
            "decimals."
        ).format(negatives=negatives),
        answer=loss,
        digits=2,
        hint=_(
            "A product of 0 says: as likely a neighbour as not. What does one such guess cost, and how many are there?"
        ),
        explanation=_(
            "σ(0) = ½, so each term costs −ln ½ = {half:.4f} nats. There is one true neighbour, and noise that weighs "
            "{negatives} times as much: {terms} · {half:.4f} = {loss:.2f}, where the curve begins."
        ).format(half=math.log(2), negatives=negatives, terms=1 + negatives, loss=loss),
    )


def _chance(view: TrainingView) -> Question | None:
    """Ask what chance gives; None where the chosen word has no kind that others have too."""
    row = word_of(view)
    kind, n_rows = view.kinds[row], len(view.kinds)
    others = view.kinds.count(kind) - 1
    if kind is None or not others:
        return None
    count = min(SHOWN, others)
    word, title = as_code(view.words[row]), _(KINDS[kind].title)
    return Question(
        name="train-chance",
        prompt=_(
            "Of the {n_rows:,} words, {size} are of the kind {kind}. If rows lay anywhere, how many of the {count} "
            "nearest to {word} would be of that kind, on average? To two decimals."
        ).format(n_rows=n_rows, size=others + 1, kind=title, count=count, word=word),
        answer=count * others / (n_rows - 1),
        digits=2,
        hint=_("Each of the other words is as likely to be near as any. Which share of them is of this kind?"),
        explanation=_(
            "{others} of the {rest:,} other words are of the kind {kind}: {count} · {others} / {rest:,} = {answer:.2f}."
            " Training starts from there."
        ).format(others=others, rest=n_rows - 1, kind=title, count=count, answer=count * others / (n_rows - 1)),
    )


def _pairs(view: TrainingView) -> Question:
    size, steps = view.request.config.batch_size, view.request.config.steps
    return Question(
        name="train-pairs",
        prompt=_(
            "A step looks at {size:,} pairs of neighbouring words. How many does the whole training look at, all "
            "{steps:,} steps?"
        ).format(size=size, steps=steps),
        answer=size * steps,
        hint=_("Every step looks at as many."),
        explanation=_(
            "{size:,} · {steps:,} = {pairs:,}. The text has {words:,} running words with rows, so each is met many "
            "times."
        ).format(size=size, steps=steps, pairs=size * steps, words=int(view.history.counts.sum()))
        if size * steps > 5 * int(view.history.counts.sum())
        else _("{size:,} · {steps:,} = {pairs:,}.").format(size=size, steps=steps, pairs=size * steps),
    )


def _frequent(view: TrainingView) -> Question | None:
    """Ask why the most frequent word hardly moves; None where it does, or nothing has moved yet."""
    moves = measured.changes(view.recording, view.first, view.step).moves
    if not float(moves[0]) < 0.7 * float(moves.median()):
        return None
    values = {
        "word": as_code(view.words[0]),
        "count": int(view.history.counts[0]),
        "way": float(moves[0]),
        "median": float(moves.median()),
        "step": view.step,
    }
    return Question(
        name="train-frequent",
        prompt=_(
            "{word} is met {count:,} times, more often than any other word, yet by step {step:,} its row moved by "
            "{way:.2f}, where half of all rows moved by more than {median:.2f}. Why?"
        ).format(**values),
        answer="everywhere",
        choices={
            "seldom": _("It is drawn too seldom to learn."),
            "everywhere": _("It stands beside words of every kind, so its pulls go in all directions."),
            "rate": _("Its learning rate is lower than that of other rows."),
        },
        hint_for=lambda given: (
            _("Frequent words are passed over at times, but even so it is drawn more often than most.")
            if given == "seldom"
            else _("All rows have one learning rate.")
        ),
        explanation=_(
            "A row learns what its word stands beside more often than chance has it. {word} stands beside nearly "
            "everything about as often as chance has it, so there is little to tell, and what some neighbours pull, "
            "others pull back: {way:.2f} against {median:.2f}."
        ).format(**values),
    )


def _by_chance_right(view: TrainingView) -> Question | None:
    """Ask how many analogies chance gets right; None where none are asked."""
    count = sum(asked for _right, asked in measured.scores(view.recording, view.step)[view.step].right.values())
    if not count:
        return None
    others = len(view.words) - 3
    return Question(
        name="train-analogies",
        prompt=_(
            "Of {count:,} analogies, how many would have the expected word in first place if rows lay anywhere? There "
            "are {others:,} words to choose from each time. To one decimal."
        ).format(count=count, others=others),
        answer=count / others,
        digits=1,
        hint=_("Each of the words is as likely to be first as any."),
        explanation=_(
            "One in {others:,}: {count:,} / {others:,} = {answer:.1f}, or {share:.2%}. What is above it, training has "
            "found."
        ).format(others=others, count=count, answer=count / others, share=1 / others),
    )


def show_code(view: TrainingView, source: Source) -> None:
    """Show the program that prints the numbers of the step in view."""
    st.header(_("The code"))
    st.caption(
        _(
            "It trains up to step {step:,} and prints the numbers of this page. Run it in the folder of this project."
        ).format(step=view.step)
    )
    st.code(program(view, source), language="python")


def program(view: TrainingView, source: Source) -> str:
    """Write the program that trains up to the step in view and prints what the panels show of it."""
    request, run, asked = view.request, view.recording.run, analogy_of(view)
    now = measured.scores(view.recording, view.step)[view.step]
    words = view.words
    return training_program(
        request.corpus,
        request.config,
        view.step,
        text=source.text if source.is_own else "",
        file=request.file or "",
        min_count=request.min_count,
        most_words=request.most_words,
        loaded=(SAVED, run.begun_at) if request.loaded else None,
        has_kinds=now.kinds is not None,
        has_relations=bool(now.right),
        word=words[word_of(view)],
        k=min(SHOWN, len(words) - 1),
        analogy=() if asked is None else [words[row] for row in asked.rows],
        n_answers=0 if asked is None else min(ANSWERS, len(words) - len(set(asked.rows))),
        expected=None if asked is None or asked.expected is None else words[asked.expected],
    )
