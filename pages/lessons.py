"""Lessons: those that ship, for learners; below them what teachers do with lessons, and an editor for one's own."""

from ui.lecture.right import follow_button
from ui.lessons.editor import editor, for_teachers, shipped_lessons
from ui.shared.page import page_title

page_title()
shipped_lessons()
for_teachers(follow_button)
editor()
