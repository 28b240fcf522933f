"""Lessons: those that ship, and an editor for one's own."""

import streamlit as st

from ui.i18n import _
from ui.lessons.editor import editor, shipped_lessons

st.title(_("Lessons"))
shipped_lessons()
editor()
