from tests.ui.browser_message import drawn, received
from ui.components.merge_player import LABELS, Piece, State, merge_player


def test_the_browser_gets_the_pieces_and_every_state() -> None:
    states = [
        State(["t", "h", "e"], [400, 258], 1),
        State(["t", "he"], [1_169], 0),
        State(["the"], [], None),
    ]
    pieces = [Piece("the", 0, 2), Piece("·<b>", 3, 6)]
    sent = received(drawn(merge_player, pieces, chosen=0, states=states, ids=[1_169], labels=LABELS, key="merges"))
    assert sent["pieces"] == [["the", 0, 2], ["·<b>", 3, 6]]
    assert (sent["chosen"], sent["ids"], sent["labels"]) == (0, ["1169"], LABELS)
    assert sent["states"] == [
        {"parts": ["t", "h", "e"], "ranks": [400, 258], "pair": 1},
        {"parts": ["t", "he"], "ranks": [1_169], "pair": 0},
        {"parts": ["the"], "ranks": [], "pair": None},
    ]
