"""The page of lessons: those that ship with the app, and an editor for the user's own."""

from base64 import b64encode
from collections.abc import Callable
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from ui.export import download
from ui.i18n import _, label_sentence, language, languages
from ui.lessons import slides, walk
from ui.lessons.lesson import Lesson, LessonError, read_lesson, shipped_lesson, shipped_source
from ui.lessons.papers import offer_papers
from ui.markdown import as_code
from ui.settings import pack_for_link, shipped_names
from ui.shared.page_fragment import page_fragment
from ui.shared.upload import upload

MOST_IN_LINK = 6_000  # characters; with a text the link must stay below the limits of proxies
_SOURCE = "lesson_source"
_EXAMPLE = "example"  # the editor's initial lesson, of two stops


def shipped_lessons() -> None:
    """Show the shipped lessons as cards for learners: a picture, what it takes, and a button that starts it."""
    names, finished = shipped_names(), walk.finished_lessons()
    for pair in zip(names[::2], names[1::2], strict=True):
        for column, name in zip(st.columns(2), pair, strict=True):
            with column, st.container(border=True, height="stretch", key=f"lesson-{name}"):
                _card(name, shipped_lesson(name), is_first=name == names[0], is_finished=name in finished)


def _card(name: str, lesson: Lesson, *, is_first: bool, is_finished: bool) -> None:
    st.html(f'<img alt="" src="data:image/svg+xml;base64,{b64encode(_picture(name)).decode()}">')
    st.header(lesson.title, anchor=False)
    if is_finished:
        st.badge(_("Finished"), icon=":material/check:", color="green")
    elif is_first:
        st.badge(_("Start with this one"), icon=":material/flag:", color="blue")
    st.text(lesson.summary)
    st.caption(
        _("{stops} stops, about {minutes} minutes, {level}").format(
            stops=len(lesson.stops), minutes=lesson.minutes, level=lesson.level
        )
    )
    st.button(
        _("Start this lesson"),
        on_click=walk.open_stop,
        args=(name, 0),
        key=f"start-{name}",
        type="primary" if is_first and not is_finished else "secondary",
    )


def for_teachers(follow_button: Callable[[str], None]) -> None:
    """Show what a teacher does with a lesson: present it, let phones follow, edit a copy, and save it.

    Args:
        follow_button: draws, under a key, the button that begins a lecture.
    """
    st.header(_("For teachers"))
    st.write(
        _(
            "Show a lesson as slides, with your notes in a second window. Let the phones of a class follow and vote on "
            "the questions. Change a copy of a lesson below, or save it as an article to read, or as a notebook that "
            "prints its numbers."
        )
    )
    follow_button("lessons-follow")
    for name in shipped_names():
        title, ways = st.columns([1, 3], vertical_alignment="center")
        title.text(shipped_lesson(name).title)
        with ways, st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                _("Present"),
                on_click=slides.present_from,
                args=(name,),
                key=f"present-{name}",
                icon=":material/slideshow:",
                type="tertiary",
            )
            st.button(
                _("Edit a copy"),
                on_click=_edit,
                args=(shipped_source(name, language()),),
                key=f"edit-{name}",
                icon=":material/edit:",
                type="tertiary",
            )
            offer_papers(name, name)


@cache
def _picture(name: str) -> bytes:
    return (Path(__file__).parent / "data" / f"{name}.svg").read_bytes()


def editor() -> None:
    """Show the lesson editor in the page's fragment."""
    page_fragment(_editor)


def _editor() -> None:
    st.subheader(_("Your lesson"))
    if st.session_state.get(_SOURCE) in {None, *(shipped_source(_EXAMPLE, code) for code in languages())}:
        st.session_state[_SOURCE] = shipped_source(_EXAMPLE, language())
    write, check = st.columns([3, 2])
    with write:
        source = st.text_area(
            _("Lesson file (YAML)"),
            height=520,
            key=_SOURCE,
            help=_("Stops have page, title, say; optionally settings, light, control, try, question, notes."),
        )
    with check:
        upload(_("Load a lesson file"), _load_file, key="lesson-file", types=["yaml", "yml"])
        try:
            _show_lesson(source, read_lesson(source))
        except LessonError as error:
            st.error(_("This is no lesson yet:"))
            lines = [*source.splitlines(), ""]  # the field has no line numbers: each problem quotes its line
            st.text(
                "\n".join(
                    f"{label_sentence(str(problem.line), problem.sentence)}\n    {lines[problem.line - 1].strip()[:60]}"
                    for problem in error.problems
                )
            )


def _show_lesson(source: str, lesson: Lesson) -> None:
    """Show the lesson's stops, and buttons to start, present and save it."""
    st.text("\n".join([lesson.title, *(f"{number}. {stop.title}" for number, stop in enumerate(lesson.stops, 1))]))
    reference = pack_for_link(source)
    if len(reference) <= MOST_IN_LINK:
        st.button(_("Start your lesson"), on_click=walk.open_stop, args=(reference, 0), key="start-own", type="primary")
        st.button(
            _("Present"),
            on_click=slides.present_from,
            args=(reference,),
            key="present-own",
            icon=":material/slideshow:",
        )
        st.caption(_("Once started, share its link: it holds the lesson."))
    else:
        st.info(
            _("Too long for a link ({length:,} of {most:,} characters): shorten it.").format(
                length=len(reference), most=MOST_IN_LINK
            )
        )
    with st.container(horizontal=True):
        download(_("Lesson file (YAML)"), lambda: source, "lesson.yaml", kind="application/yaml", key="lesson-yaml")
        offer_papers("lesson", reference)


def _edit(source: str) -> None:
    st.session_state[_SOURCE] = source


def _load_file(file: UploadedFile) -> str | None:
    """Put an uploaded file into the editor, or return the error sentence."""
    try:
        st.session_state[_SOURCE] = file.getvalue().decode("utf-8-sig")
    except UnicodeDecodeError:
        return _("{file} is not UTF-8: save it as UTF-8.").format(file=as_code(file.name))
    return None
