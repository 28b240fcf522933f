"""The frame around every page: session and link, navigation, notices about a link with wrong values."""

import os
from html import escape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from ui.components.browser import begin_run, browser, reported_query
from ui.embed import FRAME_ANCESTORS, embedded_section
from ui.i18n import _, language_tag, languages, separator, set_run_language
from ui.jobs import this_visitor
from ui.lecture import presenter
from ui.lecture.right import follow_button, resume_lecture
from ui.lessons import slides, walk
from ui.markdown import as_code
from ui.page_list import PAGE_LIST
from ui.page_runs import page_run
from ui.session import open_first_page, switch_page
from ui.settings import controls, state
from ui.shared.page_fragment import show_end_notes
from ui.streamlit_words import streamlit_words
from ui.terms import english_terms
from ui.training.runs import cancel_requests

ROOT = Path(__file__).parent.parent
ICON = str(ROOT / "ui" / "icon.svg")


def recall() -> None:
    """Restore a session that a restarted server has lost, from the browser's address."""
    state.recall(reported_query("lost"))


def go_back() -> None:
    """Restore the settings of the address that the user went back to; typed texts stay."""
    state.recall(reported_query("back"), kept=state.TEXTS)


def unknown_address(known: list[str]) -> str:
    """Return the last part of the URL if it names no page, as inline code for markdown; else ""."""
    path = urlsplit(st.context.url or "").path.strip("/").removeprefix(st.get_option("server.baseUrlPath").strip("/"))
    name = unquote(path.rpartition("/")[2])
    return "" if not name or name in known else as_code(name[:40])


def embed_dialog() -> dict[str, object]:
    """Return the labels and data of the dialog of what shows a figure in somebody's page."""
    sites = os.environ.get(FRAME_ANCESTORS, "").replace(",", " ").split()
    allowed = (
        _("It can be shown in pages of {sites}.").format(sites=separator(", ").join(sites))
        if sites
        else _(
            "So far this server lets no other site show its pages: its administrator has to name yours in {variable}."
        ).format(variable=FRAME_ANCESTORS)
    )
    labels = {
        "title": _("Embed"),
        "text": _(
            "Copy these lines into a web page of yours. It then shows this figure with its controls, as it is here now."
        ),
        "code": _("Lines for your page"),
        "preview": _("Preview"),
        "copy": _("Copy"),
        "copied": _("Copied"),
        "by_hand": _("Copy the marked lines."),
        "close": _("Close"),
    }
    return {
        "labels": labels,
        "sites": allowed,
        "language": state.get("lang"),
        "omitted": [*state.PRIVATE, "lesson", "stop", "present", "asked"],
    }


st.set_page_config(page_title="Embedding Explorer", page_icon=ICON, layout="wide", initial_sidebar_state="collapsed")
is_first_run = state.restore()
begin_run()
set_run_language(state.get("lang"))

groups: dict[str, list[StreamlitPage]] = {}
pages = [
    st.Page(ROOT / "pages" / entry.script, title=_(entry.title), url_path=entry.address, default=not entry.address)
    for entry in PAGE_LIST
]
for entry, listed in zip(PAGE_LIST[-1:] + PAGE_LIST[:-1], pages[-1:] + pages[:-1], strict=True):  # lessons come first
    groups.setdefault(_(entry.group) if entry.group else "", []).append(listed)
addresses = [page.url_path for page in pages]
open_first_page(addresses)
page = st.navigation(groups, position="top", expanded=True)
st.set_page_config(page_title=f"{page.title} · Embedding Explorer")
if is_first_run:
    walk.open_linked_stop(page.url_path)
if (wanted := state.page_to_open()) is not None and wanted != page.url_path:
    switch_page(pages[addresses.index(wanted)])
state.begin_page_run(page.url_path)
if len(languages()) > 1:
    controls.language_control()
if unknown := unknown_address(addresses):
    st.warning(_("No page {name}: showing the first.").format(name=unknown))
if page.url_path != "training":
    cancel_requests(this_visitor())  # a training ends with the page that shows it
if notices := state.notices_to_show():
    with st.container(key="notices"):
        for notice in notices:
            st.warning(notice)
slide = slides.draw_slide if state.get("present") else None
lit, task = walk.panel(slide, follow_button=follow_button) if state.get("lesson") else ("", "")
presenter.draw_way_back(page)
with page_run(page.url_path):
    page.run()
after = pages[pages.index(page) + 1 :]
if after:
    st.page_link(after[0], label=_("Next: {page}").format(page=after[0].title), icon=":material/arrow_forward:")
if terms := english_terms():  # for devices without hover; the browser fills in the page's terms
    summary = escape(_("English terms"))
    st.html(f'<details class="terms" data-no-terms hidden><summary>{summary}</summary><dl></dl></details>')
presenter.draw_panel(page)
with st.sidebar.container(horizontal=True, gap="xsmall"):
    controls.reset_control()
    walk.present_button("present-page")
if section := embedded_section():
    with st.container(key="embedded-foot"):
        st.html(f'<a class="whole-page" href="./">{escape(_("Open the whole page"))}</a>')
query, text_fits = state.link_query()
browser(
    language=language_tag(),
    terms=terms,
    words=streamlit_words(),
    page=page.url_path,
    title=page.title,
    group=next(place for place, listed in enumerate(groups.values()) if page in listed),
    query=query,
    texts=state.TEXTS,
    session=state.session_name(),
    run=state.next_link(),
    labels={"settings": _("Settings"), "contents": _("On this page")},
    # Another scheme changes what stands above the lit section: scroll to it again.
    light=(lit, task, f"{state.get('lesson')} {state.get('stop')} {state.get('scheme')}")
    if state.get("lesson") and not state.get("present")
    else None,
    slides=slides.slides_data(),
    saving={"failed": _("This file could not be made: reload the page."), "embed": embed_dialog()},
    section=section,
    copy={
        "copy": _("Copy link"),
        "copied": _("Link copied"),
        "without_text": _("Link copied without the text"),
        "by_hand": _("Copy this link"),
    },
    secrets=state.PRIVATE,
    look=state.requested_look(),
    room=presenter.room_data(page),
    on_lost=recall,
    on_back=go_back,
    on_room=resume_lecture,
    on_present=slides.toggle_slides,
    on_turn=slides.go_to_slide,
)
if not state.has_fragment():
    show_end_notes(text_fits)
