from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.browser_message import received
from tests.waiting import PATIENCE
from ui.components.byte_table import LABELS, Character, CodePoint, NamedToken, byte_table


def page() -> None:
    from ui.components.byte_table import LABELS, Character, CodePoint, NamedToken, byte_table

    accented = Character(
        "e\u0301",
        [
            CodePoint("U+0065", "LATIN SMALL LETTER E", [0x65]),
            CodePoint("U+0301", "COMBINING ACUTE ACCENT", [0xCC, 0x81]),
        ],
    )
    plain = Character("e", [CodePoint("U+0065", "LATIN SMALL LETTER E", [0x65])])
    byte_table(
        [plain, accented, plain],
        [NamedToken("ee", 68), NamedToken("⟨CC 81⟩", 136)],
        [0, 0, 1, 1, -1],
        first_column=7,
        labels=LABELS,
        key="bytes",
    )


def test_the_browser_gets_each_kind_of_character_once_and_where_each_stands() -> None:
    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    assert not app.exception
    sent = received(app)
    assert sent["kinds"] == [
        ["e", [["U+0065", "LATIN SMALL LETTER E", [0x65]]]],
        [
            "e\u0301",
            [["U+0065", "LATIN SMALL LETTER E", [0x65]], ["U+0301", "COMBINING ACUTE ACCENT", [0xCC, 0x81]]],
        ],
    ]
    assert sent["order"] == [0, 1, 0]
    assert sent["tokens"] == [["ee", 68], ["⟨CC 81⟩", 136]]
    assert sent["token_of_byte"] == [0, 0, 1, 1, -1]
    assert (sent["first_column"], sent["labels"]) == (7, LABELS)


@pytest.mark.parametrize(
    ("token_of_byte", "labels", "message"),
    [
        ([0], LABELS, "token_of_byte has 1 entries for 2 bytes"),
        ([0, 1], LABELS, r"token_of_byte holds 1: give -1 or one of 0\.\.0"),
        ([-2, 0], LABELS, "token_of_byte holds -2"),
        ([0, 0], {}, "labels lacks bytes, character"),
    ],
)
def test_what_cannot_be_drawn_is_refused(token_of_byte: list[int], labels: dict[str, Any], message: str) -> None:
    characters = [Character("é", [CodePoint("U+00E9", "LATIN SMALL LETTER E WITH ACUTE", [0xC3, 0xA9])])]
    with pytest.raises(ValueError, match=message):
        byte_table(characters, [NamedToken("é", 2634)], token_of_byte, first_column=0, labels=labels, key="bytes")
