"""Lessons: those that ship, and an editor for one's own."""

import streamlit as st

from ui.i18n import _
from ui.lecture.right import follow_button
from ui.lessons.editor import editor, shipped_lessons

with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
    st.title(_("Lessons"))
    follow_button("lessons-follow")
shipped_lessons()
editor()
