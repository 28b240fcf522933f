from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.browser_message import received
from tests.waiting import PATIENCE
from ui.components.merge_player import LABELS, MAX_PARTS, MAX_PIECES, Piece, State, merge_player

STATES = [
    State(["t", "h", "e"], [400, 258], 1),
    State(["t", "he"], [1_169], 0),
    State(["the"], [], None),
]


def page() -> None:
    from tests.ui.components.test_merge_player import STATES
    from ui.components.merge_player import LABELS, Piece, merge_player

    pieces = [Piece("the", 0, 2), Piece("·<b>", 3, 6)]
    merge_player(pieces, chosen=0, states=STATES, ids=[1_169], labels=LABELS, key="merges")


def test_the_browser_gets_the_pieces_and_every_state() -> None:
    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    assert not app.exception
    sent = received(app)
    assert sent["pieces"] == [["the", 0, 2], ["·<b>", 3, 6]]
    assert (sent["chosen"], sent["ids"], sent["labels"]) == (0, ["1169"], LABELS)
    assert sent["states"] == [
        {"parts": ["t", "h", "e"], "ranks": [400, 258], "pair": 1},
        {"parts": ["t", "he"], "ranks": [1_169], "pair": 0},
        {"parts": ["the"], "ranks": [], "pair": None},
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pieces": []}, f"0 pieces: give 1..{MAX_PIECES}"),
        ({"pieces": [Piece("a", 0, 0)] * (MAX_PIECES + 1)}, f"{MAX_PIECES + 1} pieces"),
        ({"chosen": 1}, r"chosen=1 is no piece: give one of 0\.\.0"),
        ({"chosen": -1}, "chosen=-1 is no piece"),
        ({"states": []}, "states is empty"),
        (
            {"states": [State(["a"] * (MAX_PARTS + 1), [None] * MAX_PARTS, None)]},
            f"the piece has {MAX_PARTS + 1} parts but at most {MAX_PARTS} are drawn",
        ),
        ({"states": [State(["a", "b"], [], None)]}, "state 0 has 2 parts and 0 ranks"),
        ({"states": [STATES[0], STATES[2]]}, "state 1 has 1 parts and 0 ranks: after 1 merges there must be 2 parts"),
        ({"states": STATES[:2]}, "state 1 is the last but merges pair=0"),
        ({"states": [State(["a", "b"], [None], 0), STATES[2]]}, "state 0 has pair=0: it must be a pair with a rank"),
        ({"states": [State(["a", "b"], [5], 1), STATES[2]]}, "state 0 has pair=1"),
        ({"ids": [1, 2]}, "2 ids for 1 tokens"),
        ({"labels": {name: text for name, text in LABELS.items() if name != "play"}}, "labels lacks play"),
    ],
)
def test_what_cannot_be_played_is_refused(changes: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {
        "pieces": [Piece("the", 0, 2)],
        "chosen": 0,
        "states": STATES,
        "ids": [1],
        "labels": LABELS,
        **changes,
    }
    pieces = given.pop("pieces")
    with pytest.raises(ValueError, match=message):
        merge_player(pieces, key="merges", **given)
