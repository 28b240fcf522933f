from tests.ui.browser_message import drawn, received
from ui.components.token_line import LABELS, Line, LineToken, token_line


def test_each_message_is_sent_with_its_tokens_as_they_are() -> None:
    tokens = [LineToken("<|s|>", 7, "special", True), LineToken("**hi**", 8, "content", False)]
    found = received(drawn(token_line, [Line("User", tokens), Line("Next", [])], labels=LABELS, key="line"))
    assert found["lines"] == [
        ["User", [["<|s|>", 7, "special", True], ["**hi**", 8, "content", False]]],
        ["Next", []],
    ]
    assert found["labels"] == LABELS
