"""What is to this word as that is to those: the reader's own analogy, and all that the grammar knows, by step."""

import difflib
from dataclasses import dataclass
from functools import partial

import streamlit as st

from embedlib.figures import RankedBar, StepLine, over_steps_figure, ranked_bars_figure, small_steps_figure
from embedlib.grammar import RELATIONS, answer_of, pairs
from ui.i18n import _
from ui.settings import controls, state
from ui.shared.markdown import as_code
from ui.training import measured
from ui.training.charts import bars_csv, chart, step_written, steps_csv, write_above
from ui.training.measured import StepScore
from ui.training.view import TrainingView

INPUTS = ("train_a", "train_b", "train_c")
# What is suggested of words that Python's manual has.
_FOR_THE_MANUAL = ("right", "left", "start")
_LONG = 4  # letters of a word that is suggested, where the text has such
_AHEAD = 0.1  # by which kinds must be ahead of analogies for that to be said
SHOWN = 5
HEIGHT = 260


@dataclass(frozen=True)
class Analogy:
    """An analogy of words that have rows.

    Attributes:
        rows: a, b and c of a - b + c.
        expected: the row of the answer, typed by the reader or known to the grammar; None for neither.
    """

    rows: tuple[int, int, int]
    expected: int | None


def analogies(view: TrainingView) -> None:
    """Draw the reader's analogy with its answers at this step, and how many of the grammar's come out right."""
    st.header(_("Analogies: king − man + woman"))
    left, right = st.columns(2, gap="large")
    with left:
        _own(view)
    with right:
        relations(view)


def _own(view: TrainingView) -> None:
    words = words_asked(view)
    with st.container(key="train-analogy"):
        _inputs(words)
    missing = [word for word in [*words, expected_word()] if word and word not in view.words]
    if missing:
        st.info(missing_sentence(view, missing[0]))
    asked = analogy_of(view)
    if asked is None:
        if not missing:
            st.info(_("Type three words of the text, such as one that is known from the list above."))
        return
    if only_frequent(words):
        st.caption(_("These are three frequent words of the text, to begin with: type your own."))
    write_above("answer", _answer(view, asked))
    _answers(view, asked)
    if asked.expected is not None:
        _expected(view, asked)


def _inputs(words: list[str]) -> None:
    columns = st.columns([3, 3, 3, 4], vertical_alignment="bottom")
    for column, name, label, word in zip(columns, INPUTS, (_("a"), _("− b"), _("+ c")), words, strict=False):
        with column:
            st.text_input(label, **controls.shown_instead(name, word))
    with columns[3]:
        st.text_input(
            _("expected"),
            placeholder=answer_of(*words) or "",
            help=_("The word that should come out. Left empty, it is what the grammar answers."),
            **controls.shown_instead("train_expected", state.get("train_expected")),
        )


def _answer(view: TrainingView, asked: Analogy) -> str:
    a, b, c = (as_code(view.words[row]) for row in asked.rows)
    now = measured.answers(view.recording, view.step, asked.rows)
    nearest = now.first(1)[0]
    said = _("{a} − {b} + {c} is nearest to {nearest} at step {step:,}.").format(
        a=a, b=b, c=c, nearest=as_code(view.words[nearest]), step=view.step
    )
    if asked.expected is None:
        return said
    before = int(measured.answers(view.recording, view.first, asked.rows).places[asked.expected])
    places = {"expected": as_code(view.words[asked.expected]), "place": int(now.places[asked.expected])}
    if view.step == view.first:
        return f"{said} " + _(
            "{expected} is at place **{place:,}** of {count:,}: before any training a place is chance."
        ).format(**places, count=int(now.places.max()))
    return f"{said} " + _(
        "{expected} is at place **{place:,}** of {count:,}; at step {first} it was at place {before:,}."
    ).format(**places, count=int(now.places.max()), first=view.first, before=before)


def _answers(view: TrainingView, asked: Analogy) -> None:
    now = measured.answers(view.recording, view.step, asked.rows)
    bars = [
        RankedBar(
            view.words[row],
            float(now.similarities[row]),
            f"{float(now.similarities[row]):.2f}" + ("  ✓" if row == asked.expected else ""),
            marked=row == asked.expected,
        )
        for row in now.first(SHOWN)
    ]
    draw = partial(
        ranked_bars_figure,
        bars,
        longest=1.0,
        room=0.8,
        least=min(SHOWN, len(view.words) - 3),
        all_coloured=asked.expected is None,
    )
    words = [view.words[row] for row in asked.rows]
    chart(
        "answers",
        draw,
        shows=(view.recording.key, view.step, asked),
        heading=_("Nearest to {a} − {b} + {c} at step {step:,}").format(
            a=words[0], b=words[1], c=words[2], step=view.step
        ),
        alt=_("Nearest at step {step:,}: {nearest}.").format(
            step=view.step, nearest=", ".join(f"{bar.name} {bar.value:.2f}" for bar in bars)
        ),
        table=lambda: bars_csv(bars, "cosine", "aside"),
    )


def _expected(view: TrainingView, asked: Analogy) -> None:
    found = measured.places_of_answer(view.recording, view.step, asked.rows)
    assert asked.expected is not None
    word, steps = view.words[asked.expected], list(found)
    line = StepLine(word, steps, [int(found[step][asked.expected]) for step in steps], named=False)
    draw = partial(
        over_steps_figure,
        [line],
        last=view.request.config.steps,
        scale="place",
        most=len(view.words) - len(set(asked.rows)),
        x_title=_("step"),
        y_title=_("place of the answer"),
        shown=(view.step, step_written(view.step)),
        hover_text=_("{name}\nstep {x}: place {y}"),
        height=HEIGHT,
    )
    chart(
        "answer-places",
        draw,
        shows=(view.recording.key, tuple(steps), view.step, asked),
        heading=_("The place of {word} among the answers").format(word=word),
        alt=_("{name}: place {before:,} at step {first:,}, {now:,} at step {last:,}").format(
            name=word, before=line.values[0], first=steps[0], now=line.values[-1], last=steps[-1]
        ),
        table=lambda: steps_csv([line], "place"),
    )


def analogy_of(view: TrainingView) -> Analogy | None:
    """Return the analogy that is in view; None where a word is missing or has no row."""
    found = {word: row for row, word in enumerate(view.words)}
    rows = [found.get(word) for word in words_asked(view)]
    if any(row is None for row in rows):
        return None
    a, b, c = (row or 0 for row in rows)
    if len(set(view.words)) - len({a, b, c}) < 1:
        return None
    typed = expected_word()
    answer = typed or answer_of(*(view.words[row] for row in (a, b, c)))
    expected = None if answer is None else found.get(answer)
    return Analogy((a, b, c), None if expected in (a, b, c) else expected)


def words_asked(view: TrainingView) -> list[str]:
    """Return a, b and c as they are written in the text; instead of usual ones that it has not, some that it has."""
    written, usual, have = _written(), _usual(), set(view.words)
    if have.issuperset(usual):
        return written
    # All texts that are learned from have more words than three.
    frequent = sorted(view.words, key=lambda word: len(word) < _LONG)[:3]
    instead = _FOR_THE_MANUAL if have.issuperset(_FOR_THE_MANUAL) else frequent
    return [other if word == old else word for word, old, other in zip(written, usual, instead, strict=True)]


def only_frequent(words: list[str]) -> bool:
    """Tell whether words stand for no analogy, but are there for a start."""
    return _written() == _usual() and words not in (_usual(), list(_FOR_THE_MANUAL))


def expected_word() -> str:
    """Return the answer that the reader expects; "" for none."""
    return _clean(state.get("train_expected"))


def _written() -> list[str]:
    return [_clean(state.get(name)) for name in INPUTS]


def _usual() -> list[str]:
    return [state.SETTINGS[name].default for name in INPUTS]


def _clean(word: str) -> str:
    return str(word).strip().casefold()


def missing_sentence(view: TrainingView, word: str) -> str:
    """Say which word has no row, and which ones are written nearly the same."""
    said = _("{word} has no row: it is not in the text, or too rare in it.").format(word=as_code(word[:40]))
    near = difflib.get_close_matches(word[:40], view.words, n=3, cutoff=0.6)
    if not near:
        return said
    return f"{said} " + _("There is {words}.").format(words=", ".join(as_code(other) for other in near))


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
    write_above("relations", _in_words(view, now))
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
        table=lambda: steps_csv(lines, "share_right"),
    )


def _in_words(view: TrainingView, now: StepScore) -> str:
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
