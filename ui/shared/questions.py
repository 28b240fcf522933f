"""Questions at the end of a page: their answers are computed from the numbers that the page shows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from embedlib.i18n import N_
from ui.i18n import _, separator
from ui.shared.page import section


@dataclass(frozen=True)
class Question:
    """One question about what the page shows now.

    Attributes:
        name: stable name, unique in the app; keys its widgets.
        prompt: the question, translated markdown; foreign text in it through ui.markdown.as_code.
        answer: the number, or the name of the right choice, computed from what the page shows.
        explanation: the derivation with the page's numbers; shown after a correct answer or on request.
        choices: name -> translated title of each possible answer; empty where a number is typed.
        hint: shown after a wrong answer.
        digits: decimals to which a typed number is compared.
        hint_for: returns the hint for a wrong answer; None for `hint`.
    """

    name: str
    prompt: str
    answer: float | str
    explanation: str
    choices: Mapping[str, str] = field(default_factory=dict)
    hint: str = ""
    digits: int = 0
    hint_for: Callable[[float | str], str] | None = None


def questions(listed: Sequence[Question], *, key: str) -> None:
    """Draw a section of questions, checked against the page's present numbers.

    An answer is dropped when its question changes.

    Args:
        listed: two or three questions.
        key: of the section.
    """
    section(key, N_("Questions"))(_ask_all)(listed)


def _ask_all(listed: Sequence[Question]) -> None:
    for number, question in enumerate(listed, start=1):
        with st.container(border=True, key=f"question-{question.name}"):
            _ask(number, question)


def is_correct(question: Question, given: Any) -> bool:
    """Return whether an answer is correct.

    Args:
        question: the question.
        given: a choice's name, or a number; None for no answer.

    Returns:
        True where the choice is the one, or the number agrees to the question's decimals.
    """
    if given is None or isinstance(question.answer, str):
        return bool(given == question.answer)
    return round(float(given), question.digits) == round(question.answer, question.digits)


def _ask(number: int, question: Question) -> None:
    key = f"question-{question.name}-answer"
    _forget_old(question, key)
    st.markdown(f"**{number}.** {question.prompt}")
    given: float | str | None
    if question.choices:
        given = st.radio(
            _("Your answer"),
            list(question.choices),
            index=None,
            key=key,
            format_func=lambda name: question.choices[name],
        )
    else:
        step = 1.0 if question.digits == 0 else 10.0**-question.digits
        given = st.number_input(
            _("Your answer"), value=None, step=step, format=f"%.{question.digits}f", key=key, width=240
        )
    if given is None:
        with st.expander(_("Show the answer")):
            st.markdown(question.explanation)
    elif is_correct(question, given):
        st.success(_("Right.") + separator(" ") + question.explanation, icon=":material/check_circle:")
    else:
        hint = question.hint if question.hint_for is None else question.hint_for(given)
        st.warning(_("Not quite.") + (f" {hint}" if hint else ""), icon=":material/refresh:")
        with st.expander(_("Show the answer")):
            st.markdown(question.explanation)


def _forget_old(question: Question, key: str) -> None:
    """Drop the answer to a question that has changed."""
    current = (question.prompt, question.answer)
    if st.session_state.get(f"{key}:asked") != current:
        st.session_state.pop(key, None)
        st.session_state[f"{key}:asked"] = current
