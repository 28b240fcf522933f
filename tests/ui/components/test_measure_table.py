from tests.ui.browser_message import drawn, opened, received
from ui.components.measure_table import LABELS, Column, Row, measure_table, table_columns


def test_the_browser_gets_numbers_words_and_gaps() -> None:
    columns = [Column("Trend", "How it falls."), Column("Reach", "How far.")]
    rows = [
        Row(title="ALiBi", colour="#111111", front=False, values=[0.5, None], texts=["0.500", ""]),
        Row(title="<i>", colour="#222222", front=True, values=[-1.0, 2.0], texts=["−1.000", "2.000"]),
    ]
    data = received(drawn(measure_table, columns, rows, labels=LABELS, key="table"))
    assert data["columns"] == [{"title": "Trend", "help": "How it falls."}, {"title": "Reach", "help": "How far."}]
    assert [row["values"] for row in data["rows"]] == [[0.5, None], [-1.0, 2.0]]
    assert data["labels"] == LABELS


def test_a_plain_table_keeps_its_texts_and_only_a_row_that_is_there_can_be_chosen() -> None:
    def choosing() -> None:
        import streamlit as st

        from ui.components.measure_table import LABELS, Column, Row, chosen_row, measure_table

        rows = [Row("a", [0.5, None], ["0.500", "text"]), Row("b", [None, None], ["–", "<b>"])]
        measure_table([Column("x"), Column("y")], rows, labels=LABELS, key="table", plain=True, on_row=lambda: None)
        for report in ({"row": 1}, {"row": 2}, {"row": -1}, {"row": "1"}, {"row": True}, None):
            st.session_state["reported"] = report
            st.text(str(chosen_row("reported", 2)))

    app = opened(choosing)
    data = received(app)
    assert (data["plain"], data["chooses"]) == (True, True)
    assert [row["texts"] for row in data["rows"]] == [["0.500", "text"], ["–", "<b>"]]
    assert [text.value for text in app.text] == ["1", *["None"] * 5]


def test_a_table_is_saved_as_columns_of_what_it_says() -> None:
    columns, rows = [Column("x"), Column("y")], [Row("a", [1.0, None], ["1", ""]), Row("b", [2.0, 3.0], ["2", "3"])]
    words = LABELS | {"scheme": "Model", "undefined": "none"}
    assert table_columns(columns, rows, labels=words) == {"Model": ["a", "b"], "x": ["1", "2"], "y": ["none", "3"]}
    assert table_columns(columns, rows, labels=words, turned=True) == {
        "": ["x", "y"],
        "a": ["1", "none"],
        "b": ["2", "3"],
    }
