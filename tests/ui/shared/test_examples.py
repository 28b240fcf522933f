"""Every page's examples: one to press, which is marked until the page shows something else."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.pages import change_settings, open_page, sentences
from ui.settings import state

# page, key of the examples, two of their names, and a change of the reader's that ends the second
CASES: list[tuple[str, str, str, str, dict[str, Any]]] = [
    ("pipeline", "example", "cat", "six_rows", {"text": "mine"}),
    ("compare", "example", "cat", "mat", {"text": "mine"}),
    ("tokens", "tokens_example", "tea", "cat", {"text": "mine"}),
    ("embedding_layer", "layer_example", "fox", "nlp", {"text": "mine"}),
    ("batches", "batches_example", "lesson", "gaps", {"stride": 5}),
    ("word_order", "pair", "not", "cat", {"first": "mine"}),
    ("context", "context_example", "spring", "bat", {"context_first": "mine"}),
    ("projection", "text_to_begin_with", "The princess loves her little dog", state.DEFAULT_TEXT, {"text": "mine"}),
]


def pills(app: AppTest, key: str) -> Any:
    (group,) = [group for group in app.get("button_group") if group.key.split("-")[0] == key]
    return group


@pytest.mark.parametrize(("page", "key", "first", "second", "change"), CASES, ids=[case[0] for case in CASES])
def test_a_pressed_example_is_marked_until_the_page_shows_something_else(
    page: str, key: str, first: str, second: str, change: dict[str, Any]
) -> None:
    app = open_page(page)
    for name in (first, second):
        pills(app, key).set_value(name).run()
        assert not app.exception
        assert not app.error
        assert pills(app, key).value == name
    before = pills(app, key)
    before.set_value(None).run()  # pressed once more: it stays
    assert pills(app, key).value == second
    loaded = pills(app, key)
    change_settings(app, **change)
    app.session_state["example_shown"] = None  # as typing leaves it
    app.run()
    assert not app.exception
    assert pills(app, key).value is None
    assert pills(app, key).key != loaded.key  # what the browser still says of the old ones presses none of these


def test_an_example_leaves_no_complaint() -> None:
    app = open_page("word_order", first="a", second="b")
    pills(app, "pair").set_value("dog").run()
    assert sentences(app) == []
