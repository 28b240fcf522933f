from typing import Any

import pytest

from tests.ui.browser_message import choose, opened, received, report
from ui.components.token_chips import LABELS


def page() -> None:
    import streamlit as st

    from ui.components.token_chips import LABELS, Chip, token_chips

    def note() -> None:
        st.session_state.calls = st.session_state.get("calls", 0) + 1

    count = st.session_state.get("count", 4)
    chips = [
        Chip(0, 464, "The", "54 68 65"),
        Chip(1, 10545, "⟨20 E6⟩", "20 E6", space_before=True, part=1, parts=3, group=0, character="·日"),
        Chip(2, 245, "⟨97⟩", "97", part=2, parts=3, group=0, character="·日"),
        Chip(3, 98, "⟨A5⟩", "A5", part=3, parts=3, group=0, character="·日"),
    ]
    st.session_state.chosen = token_chips(
        chips[:count], chosen=st.session_state.get("chosen"), labels=LABELS, key="chips", on_chosen=note
    )


def test_the_browser_gets_every_chip_in_order() -> None:
    sent = received(opened(page))
    assert sent["chips"] == [
        [0, 464, "The", "54 68 65", False, 1, 1, None, "", True],
        [1, 10545, "⟨20 E6⟩", "20 E6", True, 1, 3, 0, "·日", True],
        [2, 245, "⟨97⟩", "97", False, 2, 3, 0, "·日", True],
        [3, 98, "⟨A5⟩", "A5", False, 3, 3, 0, "·日", True],
    ]
    assert sent["labels"] == LABELS
    assert (sent["chosen"], sent["turn"]) == (None, 0)


def test_no_chips_are_no_error() -> None:
    app = opened(page, count=0, chosen=2)
    assert received(app)["chips"] == []
    assert app.session_state.chosen is None


def test_the_page_can_choose() -> None:
    app = opened(page, chosen=2)
    assert app.session_state.chosen == 2
    assert received(app)["chosen"] == 2


def test_a_choice_in_the_browser_wins_and_is_acknowledged() -> None:
    app = choose(opened(page, chosen=2), 1, turn=1)
    assert app.session_state.chosen == 1
    assert app.session_state.calls == 1
    assert (received(app)["chosen"], received(app)["turn"]) == (1, 1)


def test_a_choice_can_be_taken_back() -> None:
    app = choose(choose(opened(page), 1, turn=1), None, turn=2)
    assert app.session_state.chosen is None
    assert (received(app)["chosen"], received(app)["turn"]) == (None, 2)


def test_after_its_one_run_a_choice_gives_way_to_the_page() -> None:
    app = choose(opened(page), 1, turn=1)
    app.session_state.chosen = 3
    app.run()
    assert app.session_state.chosen == 3
    assert (received(app)["chosen"], received(app)["turn"]) == (3, 1)


def test_the_choice_stays_when_something_else_reruns_the_page() -> None:
    assert choose(opened(page), 1, turn=1).run().session_state.chosen == 1


def test_a_choice_whose_token_is_gone_is_none_and_does_not_come_back() -> None:
    app = choose(opened(page), 3, turn=1)
    app.session_state["count"] = 2
    app.run()
    assert app.session_state.chosen is None
    assert received(app)["chosen"] is None
    app.session_state["count"] = 4
    app.run()
    assert app.session_state.chosen is None


@pytest.mark.parametrize("position", [-1, 4, 10**30, "1", 1.5, True, [1], {"a": 1}])
def test_a_position_that_makes_no_sense_is_no_choice(position: Any) -> None:
    assert choose(opened(page, chosen=2), position, turn=1).session_state.chosen is None


@pytest.mark.parametrize(
    "forged", [None, 3, "x", [1], {}, {"value": 1}, {"value": 1, "turn": "first"}, {"value": 1, "turn": True}]
)
def test_a_message_that_makes_no_sense_leaves_the_choice(forged: Any) -> None:
    app = report(opened(page, chosen=2), chosen=forged)
    assert not app.exception
    assert app.session_state.chosen == 2
