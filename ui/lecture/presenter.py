"""A lecture on the app's pages: the presenter's panel, and the link back for followers."""

import hashlib
import hmac
import json
from dataclasses import asdict
from html import escape
from textwrap import shorten
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from ui.components import lecture as lecture_component
from ui.components.lecture import ShownQuestion, lecture, read_report
from ui.i18n import _, translate_labels
from ui.lecture.right import current_right, end_lecture, ended_right
from ui.lecture.rooms import Refused, clean_word
from ui.lessons.lesson import LessonError, LessonQuestion, Stop
from ui.lessons.walk import answer_choices, current_stop, right_answer
from ui.settings import state
from ui.shared.text.text_area import set_text

_KEY = "lecture-panel"
_ADDED = "_lecture_words"  # session key: ids of the approved words that are in the text
# Settings of the presenter's own page; a lesson in a link has its answers.
_OWN = ("lesson", "stop", "follow", "present", "asked")
_WITH_TEXT = ("", "tokens", "embedding_layer")  # pages whose questions are about the text that they show
_MOST_OF_TEXT = 300  # characters that phones show


def draw_way_back(page: StreamlitPage) -> None:
    """Draw the link back to the lecture for a phone that has left to explore."""
    code = state.get("follow")
    if code is None:
        return
    address = escape(follow_address(st.context.url, page.url_path, code))
    following = escape(_("Following {code}").format(code=code))
    back = escape(_("Back to the lecture"))
    st.html(f'<p class="way-back">{following} <a href="{address}">{back}</a></p>')


def draw_panel(page: StreamlitPage) -> None:
    """Draw the presenter's panel if a lecture is open."""
    right = current_right()
    if not right:
        return
    code = right.partition(".")[0]
    stop = _stop(page)
    with st.container(key="lecture"):
        lecture(
            code,
            address=follow_address(st.context.url, page.url_path, code),
            asked=_shown_question(stop.question) if stop and stop.question else None,
            labels=translate_labels(lecture_component.LABELS),
            key=_KEY,
            on_approved=_add_approved_words,
            on_ended=end_lecture,
        )


def room_data(page: StreamlitPage) -> dict[str, Any]:
    """Return the browser's data on the room: the right to present, and what phones see of the page in view."""
    right = current_right()
    step = _step(page) if right else None
    return {
        "right": right,
        "ended": ended_right(),
        "session": state.session_name(),
        "lang": state.get("lang"),
        "own": list(_OWN),
        "step": step,
    }


def follow_address(url: str | None, page: str, code: str) -> str:
    """Return the URL at which phones join a room, beside the app's page.

    Args:
        url: of the page, as the browser has it.
        page: the page's own part of it, "" for the first.
        code: of the room.
    """
    parts = urlsplit(url or "/")
    base = parts.path.rstrip("/").removesuffix(f"/{page}" if page else "").rstrip("/")
    return parts._replace(path=f"{base}/follow/{code}", query="", fragment="").geturl()


def _stop(page: StreamlitPage) -> Stop | None:
    """Return the stop in view; None without a lesson, or if its page is not the one in view."""
    try:
        walked = current_stop()
    except LessonError:  # the lesson's panel shows it
        return None
    stop = walked and walked[1].stops[walked[2]]
    return stop if stop and stop.page == page.url_path else None


def _shown_question(question: LessonQuestion) -> ShownQuestion:
    """Return the question in view; one whose answer has changed with the text is another, with votes of its own."""
    answer, right = right_answer(question), None
    choices = list(answer_choices(question, answer))
    if not choices:
        right = f"{float(answer):.{question.digits}f}" if isinstance(answer, int | float) else None
    elif answer is not None:
        right = str(choices.index(str(answer)))
    asked = json.dumps([question.ask, *question.choices, right])
    # Keyed, so that no phone can find the answer by trying all.
    key = hmac.new(current_right().encode(), asked.encode(), hashlib.sha256).hexdigest()[:12]
    return ShownQuestion(key, choices, right if read_report(_KEY, "answered") == key else None)


def _step(page: StreamlitPage) -> dict[str, Any]:
    stop = _stop(page)
    if stop is None:
        return {"page": page.url_path, "title": page.title, "say": "", "attempt": "", "text": "", "question": None}
    question = None
    if stop.question is not None:
        asked = {"ask": stop.question.ask, "digits": stop.question.digits}
        question = asdict(_shown_question(stop.question)) | asked
    text = shorten(state.get("text"), _MOST_OF_TEXT, placeholder="…") if stop.page in _WITH_TEXT else ""
    step = {"page": page.url_path, "title": stop.title, "say": stop.say, "attempt": stop.attempt, "text": text}
    return step | {"question": question}


def _add_approved_words() -> None:
    """Append newly approved words to the text, which all pages read."""
    listed = read_report(_KEY, "approved")
    taken: set[str] = st.session_state.setdefault(_ADDED, set())
    words = []
    for entry in listed if isinstance(listed, list) else []:
        if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[0], str) or entry[0] in taken:
            continue
        taken.add(entry[0])
        try:
            words.append(clean_word(entry[1]))
        except Refused:
            continue
    if words:
        set_text(" ".join([str(state.get("text")).rstrip(), *words]).lstrip())
