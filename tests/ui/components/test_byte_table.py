from tests.ui.browser_message import drawn, received
from ui.components.byte_table import LABELS, Character, CodePoint, NamedToken, byte_table


def test_the_browser_gets_each_kind_of_character_once_and_where_each_stands() -> None:
    accented = Character(
        "e\u0301",
        [
            CodePoint("U+0065", "LATIN SMALL LETTER E", [0x65]),
            CodePoint("U+0301", "COMBINING ACUTE ACCENT", [0xCC, 0x81]),
        ],
    )
    plain = Character("e", [CodePoint("U+0065", "LATIN SMALL LETTER E", [0x65])])
    tokens = [NamedToken("ee", 68), NamedToken("⟨CC 81⟩", 136)]
    token_of_byte = [0, 0, 1, 1, -1]
    app = drawn(byte_table, [plain, accented, plain], tokens, token_of_byte, first_column=7, labels=LABELS, key="bytes")
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
