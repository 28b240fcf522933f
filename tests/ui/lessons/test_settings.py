"""Which lesson a link means: by a name, or packed into the link itself."""

import re

import pytest

from ui.lessons.lesson import shipped_source
from ui.settings import pack_for_link, shipped_names, state


def test_the_tour_is_first_and_names_and_packed_lessons_are_what_a_link_says() -> None:
    assert shipped_names()[0] == "tour"
    for reference in (*shipped_names(), pack_for_link(shipped_source("tour"))):
        assert state.SETTINGS["lesson"].parse(reference) == reference
        assert state.SETTINGS["lesson"].format(reference) == reference
    assert state.SETTINGS["lesson"].parse("") is None
    assert state.SETTINGS["lesson"].format(None) == ""


@pytest.mark.parametrize("raw", ["nobody", "../data/tour", "z.AAAA", pack_for_link(shipped_source("tour"))[:-9]])
def test_a_reference_to_nothing_or_a_cut_lesson_is_refused(raw: str) -> None:
    with pytest.raises(ValueError, match=re.escape(raw[:20])):
        state.SETTINGS["lesson"].parse(raw)
