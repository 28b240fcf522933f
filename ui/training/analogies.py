"""What is to this word as that is to those: the reader's own analogy, and all that the grammar knows, by step."""

import difflib
from dataclasses import dataclass
from functools import partial

import streamlit as st

from embedlib.analogy_answers import answer_of
from embedlib.figures.over_steps import StepLine, over_steps_figure
from embedlib.figures.ranked_bars import RankedBar, ranked_bars_figure
from ui import controls, state
from ui.i18n import _
from ui.markdown import as_code
from ui.training import measured
from ui.training.drawn import chart, step_written, told
from ui.training.relations import relations
from ui.training.tables import bars_csv, lines_csv
from ui.training.view import TrainingView

SHOWN = 5
HEIGHT = 260
_INPUTS = ("train_a", "train_b", "train_c")
# What is suggested of words that Python's manual has.
_FOR_THE_MANUAL = ("right", "left", "start")


@dataclass(frozen=True)
class Asked:
    """An analogy of words that have rows.

    Attributes:
        rows: a, b and c of a - b + c.
        expected: the row of the answer, typed by the reader or known to the grammar; None for neither.
    """

    rows: tuple[int, int, int]
    expected: int | None


def analogies(view: TrainingView) -> None:
    """Draw the reader's analogy with its answers at this step, and how many of the grammar's come out right."""
    st.header(_("What is to this as that is to those?"))
    left, right = st.columns(2, gap="large")
    with left:
        _own(view)
    with right:
        relations(view)


def asked_of(view: TrainingView) -> Asked | None:
    """Return the analogy that is in view; None where a word is missing or has no row."""
    found = {word: row for row, word in enumerate(view.words)}
    rows = [found.get(word) for word in _words(view)]
    if any(row is None for row in rows):
        return None
    a, b, c = (row or 0 for row in rows)
    if len(set(view.words)) - len({a, b, c}) < 1:
        return None
    typed = _clean(state.get("train_expected"))
    answer = typed or answer_of(*(view.words[row] for row in (a, b, c)))
    expected = None if answer is None else found.get(answer)
    return Asked((a, b, c), None if expected in (a, b, c) else expected)


def _own(view: TrainingView) -> None:
    words = _words(view)
    with st.container(key="train-analogy"):
        _inputs(words)
    missing = [word for word in [*words, _clean(state.get("train_expected"))] if word and word not in view.words]
    if missing:
        st.info(_missing(view, missing[0]))
    asked = asked_of(view)
    if asked is None:
        if not missing:
            st.info(_("Type three words of the text, such as one that is known from the list above."))
        return
    told("answer", _answer(view, asked))
    _answers(view, asked)
    if asked.expected is not None:
        _expected(view, asked)


def _inputs(words: list[str]) -> None:
    columns = st.columns([3, 3, 3, 4], vertical_alignment="bottom")
    for column, name, label, word in zip(columns, _INPUTS, (_("a"), _("− b"), _("+ c")), words, strict=False):
        with column:
            st.text_input(label, **controls.shown_instead(name, word))
    with columns[3]:
        st.text_input(
            _("expected"),
            placeholder=answer_of(*words) or "",
            help=_("The word that should come out. Left empty, it is what the grammar answers."),
            **controls.shown_instead("train_expected", state.get("train_expected")),
        )


def _answer(view: TrainingView, asked: Asked) -> str:
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


def _answers(view: TrainingView, asked: Asked) -> None:
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


def _expected(view: TrainingView, asked: Asked) -> None:
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
        table=lambda: lines_csv([line], "place"),
    )


def _words(view: TrainingView) -> list[str]:
    """Return a, b and c as they are written in the text; instead of words it has not, ones that it has."""
    written = [_clean(state.get(name)) for name in _INPUTS]
    usual = [state.SETTINGS[name].default for name in _INPUTS]
    if written != usual:
        return written
    have = set(view.words)
    return next((list(words) for words in (usual, _FOR_THE_MANUAL) if have.issuperset(words)), usual)


def _clean(word: str) -> str:
    return str(word).strip().casefold()


def _missing(view: TrainingView, word: str) -> str:
    """Say which word has no row, and which ones are written nearly the same."""
    said = _("{word} has no row: it is not in the text, or too rare in it.").format(word=as_code(word[:40]))
    near = difflib.get_close_matches(word[:40], view.words, n=3, cutoff=0.6)
    if not near:
        return said
    return f"{said} " + _("There is {words}.").format(words=", ".join(as_code(other) for other in near))
