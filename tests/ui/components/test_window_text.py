from typing import Any

import pytest

from tests.ui.browser_message import choose, opened, received, report
from ui.components.window_text import LABELS, MAX_LANES


def page() -> None:
    import streamlit as st

    from ui.components.window_text import LABELS, reported_place, window_text

    def note_place() -> None:
        st.session_state.place = reported_place("windows")

    first = st.session_state.get("first", 2)
    st.session_state.chosen = window_text(
        ["·sat", "<b>", "·on"],
        first=first,
        n_ids=st.session_state.get("n_ids", 9),
        coverage=[0, 2, 1],
        dropped=[1, 0, 0],
        starts=[3, 2],
        max_length=4,
        chosen=st.session_state.get("chosen"),
        name=lambda place: f"<{place}>",
        before=2,
        labels=LABELS,
        key="windows",
        on_chosen=lambda: None,
        on_place=note_place,
    )


def test_the_browser_gets_the_stretch_in_sight_and_the_batch_sample_by_sample() -> None:
    assert received(opened(page)) == {
        "tokens": ["·sat", "<b>", "·on"],
        "first": 2,
        "n_ids": 9,
        "coverage": [0, 2, 1],
        "dropped": [1, 0, 0],
        "starts": [3, 2],
        "max_length": 4,
        "max_lanes": MAX_LANES,
        "before": 2,
        "chosen": None,
        "chosen_label": None,
        "turn": 0,
        "labels": LABELS,
    }


def test_a_choice_outside_the_stretch_is_a_choice() -> None:
    app = choose(opened(page), 8, turn=1)
    assert app.session_state.chosen == 8
    assert (received(app)["chosen"], received(app)["chosen_label"], received(app)["turn"]) == (8, "<8>", 1)
    assert received(choose(app, 4, turn=2))["chosen_label"] is None


def test_a_choice_that_a_shorter_text_has_lost_is_none() -> None:
    app = choose(opened(page), 8, turn=1)
    app.session_state["n_ids"] = 8
    assert app.run().session_state.chosen is None


@pytest.mark.parametrize("position", [-1, 9])
def test_a_position_without_a_token_is_no_choice(position: int) -> None:
    assert choose(opened(page, chosen=2), position, turn=1).session_state.chosen is None


@pytest.mark.parametrize(
    ("sent", "place"),
    [
        ({"first": 6, "turn": 1}, 6),
        ({"first": 0}, 0),
        ({"first": -1}, None),
        ({"first": 2.5}, None),
        ({"first": "2"}, None),
        ({"first": True}, None),
        ({"turn": 1}, None),
        (6, None),
    ],
)
def test_a_new_place_reaches_the_page_before_its_run(sent: Any, place: int | None) -> None:
    app = report(opened(page), place=sent)
    assert not app.exception
    assert app.session_state["place"] == place
