"""The lesson in progress: its panel above each page, and navigation between stops."""

from collections.abc import Callable
from contextlib import suppress
from html import escape
from urllib.parse import urlencode

import streamlit as st

from ui.i18n import _, number, separator, set_run_language
from ui.lessons.lesson import Lesson, LessonError, LessonQuestion, Stop, read_lesson, shipped_lesson
from ui.lessons.quantities import QUANTITIES
from ui.markdown import as_text
from ui.page_runs import fragment
from ui.settings import shipped_names, state, unpack_from_link
from ui.shared.text.text_area import set_text

_BEFORE = "_before_lesson"  # session key: the page and the link's query from which a lesson was started
_FINISHED = "_finished_lessons"  # session key: references of the lessons that were read to the end
ANSWER = "_answer_of_stop"  # session key, set where a page runs without a browser


def load_lesson(reference: str) -> Lesson:
    """Return the lesson that a link names.

    Args:
        reference: the name of a shipped lesson, or a compressed lesson.

    Raises:
        LessonError: the link's own lesson is invalid.
    """
    return shipped_lesson(reference) if reference in shipped_names() else read_lesson(unpack_from_link(reference))


def current_stop() -> tuple[str, Lesson, int] | None:
    """Return the reference of the lesson in view, the lesson, and its stop, from 0; None without a lesson."""
    reference = state.get("lesson")
    if reference is None:
        return None
    lesson = load_lesson(reference)
    return reference, lesson, min(state.get("stop"), len(lesson.stops) - 1)


def open_stop(reference: str, stop: int) -> None:
    """Open a stop of a lesson, from a callback: its page with its settings; the user's own texts stay.

    Args:
        reference: as in the link.
        stop: from 0.
    """
    here = load_lesson(reference).stops[stop]
    if state.get("lesson") is None:
        st.session_state[_BEFORE] = state.page_in_view(), state.last_link()()[0]
    settings = {**here.settings, "lesson": reference, "stop": str(stop)}
    kept = {"lang", "follow", "present", *state.TEXTS} - settings.keys()
    state.recall(urlencode(settings), kept=kept, page=here.page)
    state.renew_areas(set(state.TEXTS) & here.settings.keys())
    if "text" in here.settings:
        set_text(here.settings["text"])
    state.open_page(here.page)


def open_linked_stop(page: str) -> None:
    """Open the page and settings of the stop in a link that has no settings, as `/?lesson=tour&stop=13`.

    Call it in the session's first run. A link with settings shows what somebody has made of a stop, and stays; so does
    one to another page than the stop's.

    Args:
        page: the address that the link opens; the first page leads to that of the stop.
    """
    settings = state.SETTINGS.keys() & set(st.query_params)
    if settings - {"lesson", "stop", "lang", "follow", "present", *state.TEXTS}:
        return
    with suppress(LessonError):
        if (walked := current_stop()) is not None:
            reference, lesson, stop = walked
            if page in ("", lesson.stops[stop].page):
                open_stop(reference, stop)


def leave() -> None:
    """End the lesson, from a callback: the page and settings from before it come back, and the user's own texts stay.

    A lesson that was opened by a link has nothing before it: its page stays.
    """
    page, query = st.session_state.pop(_BEFORE, (None, ""))
    if page is None:
        state.put(lesson=None, stop=0, asked=0)
        return
    try:
        replaced = {name for stop in load_lesson(state.get("lesson")).stops for name in stop.settings}
    except LessonError:
        replaced = set()
    texts = set(state.TEXTS)
    state.recall(query, kept={"lang", "follow", "present", *(texts - replaced)}, page=page)
    state.renew_areas(texts & replaced)
    state.open_at(page, "before")


def finish() -> None:
    """End the lesson at its last stop, from a callback, and open the page of all lessons."""
    st.session_state[_FINISHED] = finished_lessons() | {state.get("lesson")}
    leave()
    state.open_at("lessons", "top")


def finished_lessons() -> frozenset[str]:
    """Return the references of the lessons that this session has read to the end."""
    finished: frozenset[str] = st.session_state.get(_FINISHED, frozenset())
    return finished


def present_button(key: str) -> None:
    """Draw the button that shows the page as slides."""
    st.button(_("Present"), on_click=state.put, kwargs={"present": True}, key=key, icon=":material/slideshow:")


def panel(slide: Callable[[Lesson, int], None] | None, *, follow_button: Callable[[str], None]) -> tuple[str, str]:
    """Draw the stop in view above its page.

    Args:
        slide: draws the text instead if slides are shown; None if they are not.
        follow_button: draws, under a key, the button that begins a lecture.

    Returns:
        The keys of the highlighted part of the page, and of the part with which the task is done; "" for none.
    """
    try:
        walked = current_stop()
    except LessonError as error:
        problem = error.problems[0]
        st.error(_("Line {line}: {sentence}").format(line=problem.line, sentence=as_text(problem.sentence)))
        st.button(_("Leave"), on_click=leave, key="walk-leave")
        return "", ""
    if walked is None:
        return "", ""
    reference, lesson, index = walked
    here = lesson.stops[index]
    lit = (here.light, here.control) if here.page == state.page_in_view() else ("", "")  # a link may lead elsewhere
    if index < state.get("stop"):
        st.warning(_("No stop {stop}: showing the last.").format(stop=state.get("stop") + 1))
    if ANSWER in st.session_state and here.question is not None:
        st.session_state[ANSWER] = right_answer(here.question)
    with st.container(key="walk"):
        if slide is not None:
            slide(lesson, index)
            return lit
        words, ways = st.columns([5, 3], vertical_alignment="center")
        with words:
            st.html(_stop_html(lesson, index))
        with ways:
            _navigation(reference, lesson, index, follow_button)
    return lit


def _navigation(reference: str, lesson: Lesson, index: int, follow_button: Callable[[str], None]) -> None:
    """Draw the stop's question, and the buttons to its neighbours and out of the lesson."""
    question = lesson.stops[index].question
    with st.container(horizontal=True, horizontal_alignment="right"):
        with st.popover(_("Teach"), key="walk-teach", type="tertiary"):
            present_button("walk-present")
            follow_button("walk-follow")
        st.button(_("Leave"), on_click=leave, key="walk-leave", icon=":material/close:", type="tertiary")
    with st.container(horizontal=True, horizontal_alignment="right"):
        if question is not None:
            with st.popover(_("Question"), key="walk-question"):
                _ask(f"{reference[:20]}-{index}", question)
        back, on = index - 1, index + 1
        st.button(_("Back"), on_click=open_stop, args=(reference, back), disabled=index == 0, key="walk-back")
        if on < len(lesson.stops):
            st.button(_("Next"), on_click=open_stop, args=(reference, on), key="walk-next", type="primary")
        else:
            st.button(_("Finish"), on_click=finish, key="walk-finish", type="primary")


def _stop_html(lesson: Lesson, index: int) -> str:
    here: Stop = lesson.stops[index]
    number = _("{stop} of {stops}").format(stop=index + 1, stops=len(lesson.stops))
    lead = escape(_("Try:"))
    attempt = f"<p><strong>{lead}</strong>{separator(' ')}{escape(here.attempt)}</p>" if here.attempt else ""
    return (
        f'<section class="walk" aria-label="{escape(lesson.title)}"><details open>'
        f'<summary data-hide="{escape(_("Hide the text"))}" data-show="{escape(_("Show the text"))}">'
        f'<span class="walk-place"><span>{escape(lesson.title)} · </span>{escape(number)}</span>'
        f'<span class="walk-title">{escape(here.title)}</span></summary>'
        f"<p>{escape(here.say)}</p>{attempt}</details></section>"
    )


@fragment
def _ask(key: str, question: LessonQuestion) -> None:
    set_run_language(state.get("lang"))  # this run has a thread of its own
    st.html(f'<p class="walk-ask">{escape(question.ask)}</p>')
    answer = right_answer(question)
    if answer is None:
        st.info(no_answer_sentence())
        return
    given: float | str | None
    if question.choices:
        given = st.radio(
            _("Your answer"),
            answer_choices(question, answer),
            index=None,
            key=f"walk-answer-{key}",
            format_func=as_text,
            label_visibility="collapsed",
        )
    else:
        step = 1.0 if question.digits == 0 else 10.0**-question.digits
        given = st.number_input(
            _("Your answer"), value=None, step=step, format=f"%.{question.digits}f", key=f"walk-answer-{key}"
        )
    if given is None:
        return
    if is_correct(answer, given, question.digits):
        st.success(_("Right.") + separator(" ") + as_text(question.why), icon=":material/check_circle:")
    else:
        hint = as_text(question.hint) if question.hint else _("Look again at the part of the page with the blue frame.")
        st.warning(_("Not quite.") + separator(" ") + hint, icon=":material/refresh:")
        with st.expander(_("Show the answer")):
            st.markdown(separator(". ").join(map(as_text, (format_answer(answer, question.digits), question.why))))


def right_answer(question: LessonQuestion) -> float | str | None:
    """Return the correct answer, computed from the page's numbers if the question names a quantity.

    Returns:
        None if the page has none, such as the first token of an empty text.
    """
    if isinstance(question.answer, str) and question.answer.startswith("="):
        try:
            return QUANTITIES[question.answer[1:]]()
        except (ValueError, LookupError, ZeroDivisionError, StopIteration):
            return None
    return question.answer


def answer_choices(question: LessonQuestion, answer: float | str | None) -> tuple[str, ...]:
    """Return the choices, with the correct answer added if it is computed and missing."""
    is_missing = question.choices and answer is not None and answer not in question.choices
    return (*question.choices, str(answer)) if is_missing else question.choices


def no_answer_sentence() -> str:
    """Return the sentence that a question has no answer now."""
    return _("No answer here: restore this stop’s settings.")


def format_answer(answer: float | str, digits: int) -> str:
    """Format an answer: the choice, or the number with its decimals."""
    return answer if isinstance(answer, str) else number(answer, f",.{digits}f")


def is_correct(answer: float | str, given: float | str, digits: int) -> bool:
    """Return whether an answer is correct: the choice, or the number to its decimals."""
    if isinstance(answer, str) or isinstance(given, str):
        return str(answer) == str(given)
    return round(given, digits) == round(answer, digits)
