from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.browser_message import choose, opened, payloads
from ui.components.token_rows import LABELS


def page() -> None:
    import streamlit as st

    from ui.components.token_rows import LABELS, TokenRow, pack_rows, token_rows

    def note() -> None:
        st.session_state.calls = st.session_state.get("calls", 0) + 1

    length = st.session_state.get("length", 4)
    rows = [
        TokenRow("gpt2", [0, 1, 3, 3], [0, 3, 3, 3], [7, 8, 9, 10], 1.0, 2.5, {1: "·a⟨E6⟩", 2: "⟨97⟩", 3: "⟨A5⟩"}),
        TokenRow("words", [0, 2], [0, 3], [300_000, 1], 2.0, None, unknown=1),
    ]
    packed = pack_rows(
        ["a", "·", "b", "日"][:length],
        rows if length == 4 else [TokenRow("words", [0], [0], [1], 1.0, 1.0)],
        differing=[(1, 4)] if length == 4 else [],
        labels=LABELS,
    )
    st.session_state.chosen = token_rows(packed, chosen=st.session_state.get("chosen"), key="rows", on_chosen=note)


def sent(app: AppTest) -> tuple[dict[str, Any], list[int]]:
    ((header, body),) = payloads(app)
    return header, np.frombuffer(body, "<i4").tolist()


def test_the_browser_gets_the_columns_and_ids_of_every_row_in_order() -> None:
    header, numbers = sent(opened(page))
    assert header["characters"] == ["a", "·", "b", "日"]
    assert header["differing"] == [[1, 4]]
    assert header["labels"] == LABELS
    assert [(row["title"], row["count"]) for row in header["rows"]] == [("gpt2", 4), ("words", 2)]
    assert [(row["characters_per_token"], row["bytes_per_token"]) for row in header["rows"]] == [
        (1.0, 2.5),
        (2.0, None),
    ]
    assert [row["unknown"] for row in header["rows"]] == [0, 1]
    assert header["rows"][0]["labels"] == {"1": "·a⟨E6⟩", "2": "⟨97⟩", "3": "⟨A5⟩"}
    assert numbers == [0, 1, 3, 3, 0, 3, 3, 3, 7, 8, 9, 10, 0, 2, 0, 3, 300_000, 1]


def test_the_page_can_choose_a_column() -> None:
    app = opened(page, chosen=3)
    assert app.session_state.chosen == 3
    assert (sent(app)[0]["chosen"], sent(app)[0]["turn"]) == (3, 0)


def test_a_choice_in_the_browser_wins_and_is_acknowledged() -> None:
    app = choose(opened(page, chosen=3), 1, turn=1)
    assert app.session_state.chosen == 1
    assert app.session_state.calls == 1
    assert (sent(app)[0]["chosen"], sent(app)[0]["turn"]) == (1, 1)


def test_a_choice_whose_character_is_gone_is_none() -> None:
    app = choose(opened(page), 3, turn=1)
    app.session_state["length"] = 1
    app.run()
    assert app.session_state.chosen is None


@pytest.mark.parametrize("position", [-1, 4])
def test_a_position_without_a_column_is_no_choice(position: int) -> None:
    assert choose(opened(page, chosen=2), position, turn=1).session_state.chosen is None
