"""What is to this word as that is to those: the reader's own analogy, and all that the grammar knows, by step."""

from functools import partial

import streamlit as st

from embedlib.figures.bars import RankedBar, ranked_bars_figure
from embedlib.figures.over_steps import StepLine, over_steps_figure
from embedlib.grammar.kinds import answer_of
from ui.i18n import _
from ui.settings import controls, state
from ui.shared.markdown import as_code
from ui.training import measured
from ui.training.analogy_words import INPUTS, Asked, asked_of, expected_word, missing_told, only_frequent, words_asked
from ui.training.drawn import chart, step_written, told
from ui.training.relations import relations
from ui.training.tables import bars_csv, lines_csv
from ui.training.view import TrainingView

SHOWN = 5
HEIGHT = 260


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
        st.info(missing_told(view, missing[0]))
    asked = asked_of(view)
    if asked is None:
        if not missing:
            st.info(_("Type three words of the text, such as one that is known from the list above."))
        return
    if only_frequent(words):
        st.caption(_("These are three frequent words of the text, to begin with: type your own."))
    told("answer", _answer(view, asked))
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
