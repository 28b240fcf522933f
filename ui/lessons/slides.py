"""A lesson, or any page, as slides: their contents and navigation."""

from html import escape
from typing import Any

import streamlit as st

from ui.components.browser import browser_report
from ui.i18n import _, language_tag, separator
from ui.lessons import walk
from ui.lessons.lesson import Lesson, LessonError, LessonQuestion, Stop
from ui.settings import state

QUESTION, ANSWER = 1, 2  # how much of a stop's question is shown


def present_from(reference: str) -> None:
    """Show a lesson as slides from its first stop, from a callback."""
    state.put(present=True)
    walk.open_stop(reference, 0)


def toggle_slides() -> None:
    """Start or end the slides, from a callback, as the browser requested."""
    state.put(present=browser_report("present") is True, asked=0)


def go_to_slide() -> None:
    """Open the slide that the browser requested, from a callback; the request is untrusted."""
    to = browser_report("turn")
    walked = _current_stop()
    if walked is None or not isinstance(to, dict):
        return
    reference, lesson, index = walked
    slide, asked = to.get("slide"), to.get("asked")
    if type(slide) is not int or type(asked) is not int or not 0 <= slide < len(lesson.stops):
        return
    if slide != index:
        walk.open_stop(reference, slide)
    state.put(asked=max(0, min(asked, _question_levels(lesson, slide))))


def slides_data() -> dict[str, Any] | None:
    """Return the browser's data on the slides; None if none are shown."""
    if not state.get("present"):
        return None
    labels = {
        "language": language_tag(),
        "keys": _("Keys"),
        "caps": _("PageDown PageUp Home End Esc"),
        "next": _("Step forward"),
        "back": _("Step back"),
        "skip": _("Next or previous slide"),
        "ends": _("First or final slide"),
        "notes": _("Speaker’s notes"),
        "blank": _("Blank"),
        "full": _("Full screen"),
        "join": _("QR code"),
        "end": _("End"),
        "place": _("{stop} of {stops}"),
        "following": _("Next: {page}"),
        "start": _("Start"),
        "pause": _("Pause"),
        "reset": _("Reset"),
        "forward": _("Next"),
        "return": _("Back"),
        "over": _("The slides are closed."),
    }
    walked = _current_stop()
    if walked is None:
        return {"labels": labels, "lesson": None}
    _reference, lesson, index = walked
    return {
        "labels": labels,
        "lesson": {
            "place": {"slide": index, "asked": min(state.get("asked"), _question_levels(lesson, index))},
            "questions": _question_levels(lesson, index),
            "titles": [stop.title for stop in lesson.stops],
            "notes": _notes(lesson.stops[index]),
            "light": lesson.stops[index].light,
        },
    }


def draw_slide(lesson: Lesson, index: int) -> None:
    """Draw the text of a slide."""
    here, asked = lesson.stops[index], state.get("asked")
    title = f'<p class="walk-title" role="heading" aria-level="1">{escape(here.title)}</p>'
    if here.question is None or not asked:
        st.html(f'<section class="walk" aria-label="{escape(lesson.title)}">{title}<p>{escape(here.say)}</p></section>')
        return
    st.html(
        f'<section class="walk" aria-label="{escape(lesson.title)}">{title}'
        f"{_question(here.question, with_answer=asked >= ANSWER)}</section>"
    )


def _question(question: LessonQuestion, *, with_answer: bool) -> str:
    answer = walk.right_answer(question)
    choices = walk.answer_choices(question, answer)
    boxes = "".join(
        f"<li{' data-right' if with_answer and choice == answer else ''}>{escape(choice)}</li>" for choice in choices
    )
    said = f'<p class="slide-ask">{escape(question.ask)}</p>' + (
        f'<ol class="slide-choices">{boxes}</ol>' if boxes else ""
    )
    if not with_answer:
        return said
    if answer is None:
        return f"{said}<p>{escape(walk.no_answer_sentence())}</p>"
    number = "" if choices else f'<p class="slide-answer">{escape(walk.format_answer(answer, question.digits))}</p>'
    return f"{said}{number}<p>{escape(question.why)}</p>"


def _current_stop() -> tuple[str, Lesson, int] | None:
    try:
        return walk.current_stop()
    except LessonError:
        return None


def _notes(stop: Stop) -> str:
    """Return the text of the speaker's window: notes, task and question."""
    attempt = _("Try:") + separator(" ") + stop.attempt if stop.attempt else ""
    asked = _("Question") + separator(": ") + stop.question.ask if stop.question else ""
    return "\n\n".join(filter(None, [stop.notes, attempt, asked]))


def _question_levels(lesson: Lesson, index: int) -> int:
    return ANSWER if lesson.stops[index].question else 0
