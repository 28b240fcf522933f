import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.waiting import PATIENCE
from ui.components.measure_table import LABELS, Column, Row, measure_table


def page() -> None:
    from ui.components.measure_table import LABELS, Column, Row, measure_table

    rows = [
        Row(title="ALiBi", colour="#111111", front=False, values=[0.5, None], texts=["0.500", ""]),
        Row(title="<i>", colour="#222222", front=True, values=[-1.0, 2.0], texts=["−1.000", "2.000"]),
    ]
    measure_table([Column("Trend", "How it falls."), Column("Reach", "How far.")], rows, labels=LABELS, key="table")


def test_the_browser_gets_numbers_words_and_gaps() -> None:
    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    assert not app.exception
    data = json.loads(app.get("bidi_component")[0].proto.json)
    assert data["columns"] == [{"title": "Trend", "help": "How it falls."}, {"title": "Reach", "help": "How far."}]
    assert [row["values"] for row in data["rows"]] == [[0.5, None], [-1.0, 2.0]]
    assert data["labels"] == LABELS


@pytest.mark.parametrize(
    ("row", "labels", "message"),
    [
        ({"values": [1.0]}, LABELS, "row 'a' has 1 values for 2 columns"),
        ({"texts": [""]}, LABELS, "row 'a' has 2 values"),
        ({}, {}, "labels lacks hint, scheme, sort"),
    ],
)
def test_a_row_that_does_not_fit_is_refused(row: dict[str, Any], labels: dict[str, str], message: str) -> None:
    given: dict[str, Any] = {"title": "a", "colour": "#111111", "front": False, "values": [1, 2], "texts": ["1", "2"]}
    with pytest.raises(ValueError, match=message):
        measure_table([Column("x", ""), Column("y", "")], [Row(**(given | row))], labels=labels, key="table")
