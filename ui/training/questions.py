"""Questions of the training page about the step in view, and the program that prints its numbers."""

import math

from embedlib.grammar import KINDS
from embedlib.i18n import N_
from embedlib.programs import training_program
from ui.export import show_program
from ui.i18n import _, number, separator
from ui.markdown import as_code
from ui.shared.page import section
from ui.shared.questions import Question
from ui.shared.text.source import Source
from ui.training import step_results
from ui.training.analogies import SHOWN as ANSWERS
from ui.training.analogies import analogy_in_view
from ui.training.neighbours import SHOWN
from ui.training.view import TrainingView, default_word

SAVED = "training.safetensors"  # the name under which the page saves a training


def page_questions(view: TrainingView) -> list[Question]:
    """Make the questions of this page from what it shows."""
    possible = [
        _initial_loss_question(view),
        _chance_question(view) or _pairs_question(view),
        _frequent_word_question(view) or _chance_analogies_question(view),
    ]
    return [question for question in possible if question is not None]


def _initial_loss_question(view: TrainingView) -> Question:
    negatives, loss = view.request.config.negatives, view.request.config.chance_loss
    return Question(
        name="train-nothing",
        prompt=_(
            "Before training all second rows are 0, and so all products. What is the loss of a pair with {negatives} "
            "random words (negative samples)?"
        ).format(negatives=negatives),
        answer=loss,
        digits=2,
        hint=_("Every question is a coin toss and costs −ln ½. How many questions are there?"),
        explanation=_(
            "One true pair and the random ones are {terms} questions; each costs −ln ½ = {half:.4f}, together "
            "{loss:.2f}."
        ).format(half=math.log(2), terms=1 + negatives, loss=loss),
    )


def _chance_question(view: TrainingView) -> Question | None:
    """Ask what chance gives; None where the chosen word has no kind that others have too."""
    row = default_word(view)
    kind, n_rows = view.kinds[row], len(view.kinds)
    others = view.kinds.count(kind) - 1
    if kind is None or not others:
        return None
    count = min(SHOWN, others)
    answer = count * others / (n_rows - 1)
    return Question(
        name="train-chance",
        prompt=_(
            "{size} of the {n_rows:,} words are {kind}. If nearness were chance, how many of the {count} words nearest "
            "to {word} would be {kind} on average?"
        ).format(n_rows=n_rows, size=others + 1, kind=_(KINDS[kind].title), count=count, word=as_code(view.words[row])),
        answer=answer,
        digits=2,
        hint=_("What share of all other words are they?"),
        explanation=f"{count} · {others} / {number(n_rows - 1, ',')} = {number(answer, '.2f')}{separator('.')}",
    )


def _pairs_question(view: TrainingView) -> Question:
    size, steps = view.request.config.batch_size, view.request.config.steps
    return Question(
        name="train-pairs",
        prompt=_("One step looks at {size:,} pairs. How many pairs do {steps:,} steps look at?").format(
            size=size, steps=steps
        ),
        answer=size * steps,
        explanation=f"{number(size, ',')} · {number(steps, ',')} = {number(size * steps, ',')}{separator('.')}",
    )


def _frequent_word_question(view: TrainingView) -> Question | None:
    """Ask why the most frequent word hardly moves; None where it does, or nothing has moved yet."""
    moves = step_results.row_moves_between(view.recording, view.first, view.step).moves
    if not float(moves[0]) < 0.7 * float(moves.median()):
        return None
    values = {"word": as_code(view.words[0]), "moved": float(moves[0]), "median": float(moves.median())}
    return Question(
        name="train-frequent",
        prompt=_(
            "Why did the row of {word}, the most frequent word, move only {moved:.2f} (median {median:.2f})?"
        ).format(**values),
        answer="everywhere",
        choices={
            "seldom": _("It is drawn too rarely."),
            "everywhere": _("Its neighbours are words of every kind."),
            "rate": _("Its learning rate is lower."),
        },
        hint_for=lambda given: (
            _("The most frequent word is drawn most often.")
            if given == "seldom"
            else _("All rows have the same learning rate.")
        ),
        explanation=_(
            "It stands beside words of every kind, so it is pulled in all directions, and the pulls cancel."
        ).format(**values),
    )


def _chance_analogies_question(view: TrainingView) -> Question | None:
    """Ask how many analogies chance gets right; None where none are counted."""
    count = sum(total for _right, total in step_results.right_analogies(view.recording, view.step)[view.step].values())
    if not count:
        return None
    others = len(view.words) - 3
    return Question(
        name="train-analogies",
        prompt=_(
            "Each of {count:,} analogies has {others:,} possible answers. How many would come out right by chance?"
        ).format(count=count, others=others),
        answer=count / others,
        digits=1,
        explanation=f"{number(count, ',')} / {number(others, ',')} = {number(count / others, '.1f')}{separator('.')}",
    )


@section("training-code", N_("Code"))
def show_code(view: TrainingView, source: Source) -> None:
    """Show the program that prints the numbers of the step in view."""
    widget = "from embedlib.widgets import cloud\ncloud(rows, corpus.words)"
    show_program(program(view, source), "training", widget)


def program(view: TrainingView, source: Source) -> str:
    """Write the program that trains up to the step in view and prints what the panels show of it."""
    request, run, analogy = view.request, view.recording.run, analogy_in_view(view)
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
        has_kinds=view.recording.has_kinds,
        has_relations=bool(step_results.right_analogies(view.recording, view.step)[view.step]),
        word=words[default_word(view)],
        k=min(SHOWN, len(words) - 1),
        analogy=() if analogy is None else [words[row] for row in analogy.rows],
        n_answers=0 if analogy is None else min(ANSWERS, len(words) - len(set(analogy.rows))),
        expected=None if analogy is None or analogy.expected is None else words[analogy.expected],
    )
