import json

import pytest
from streamlit.testing.v1 import AppTest

from tests.waiting import PATIENCE
from ui.components.token_line import LABELS, token_line


def script() -> None:
    from ui.components.token_line import LABELS, Line, LineToken, token_line

    tokens = [LineToken("<|s|>", 7, "special", True), LineToken("**hi**", 8, "content", False)]
    token_line([Line("User", tokens), Line("Next", [])], labels=LABELS, key="line")


def test_each_message_is_sent_with_its_tokens_as_they_are() -> None:
    app = AppTest.from_function(script, default_timeout=PATIENCE).run()
    assert not app.exception
    found = json.loads(app.get("bidi_component")[0].proto.json)
    assert found["lines"] == [
        ["User", [["<|s|>", 7, "special", True], ["**hi**", 8, "content", False]]],
        ["Next", []],
    ]
    assert found["labels"] == LABELS


def test_a_missing_label_is_named() -> None:
    with pytest.raises(ValueError, match="special"):
        token_line([], labels={name: text for name, text in LABELS.items() if name != "special"}, key="line")
