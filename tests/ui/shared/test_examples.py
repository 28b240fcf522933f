"""Every page's examples: one to press, which is marked until the page shows something else."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from embedlib.examples import EXAMPLES
from tests.ui.pages import change_settings, link_of, open_page, read_setting, sentences
from ui.batches import examples as batches
from ui.compare.controls import NAMES
from ui.context.examples import HOMONYMS
from ui.embedding_layer.examples import PAGE_EXAMPLES
from ui.settings import state
from ui.tokens import controls as tokens
from ui.word_order.request import PAIRS

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


# page, key of its examples, and what each of them sets
LOADED: list[tuple[str, str, dict[str, dict[str, Any]]]] = [
    ("pipeline", "example", {name: {"text": one.text, **one.settings} for name, one in EXAMPLES.items()}),
    ("compare", "example", {name: {"text": EXAMPLES[name].text, **EXAMPLES[name].settings} for name in NAMES}),
    (
        "tokens",
        "tokens_example",
        {name: {"text": one.text, "specials": one.specials} for name, one in tokens.EXAMPLES.items()},
    ),
    (
        "embedding_layer",
        "layer_example",
        {name: {"text": one.text, **one.settings} for name, one in PAGE_EXAMPLES.items() if not one.measures},
    ),
    ("batches", "batches_example", {name: one.settings | one.shared for name, one in batches.EXAMPLES.items()}),
    ("word_order", "pair", {name: {"first": first, "second": second} for name, (_, first, second) in PAIRS.items()}),
    (
        "context",
        "context_example",
        {
            name: {f"context_{part}": getattr(one, part) for part in ("word", "first", "second", "third", "uses")}
            for name, one in HOMONYMS.items()
        },
    ),
]


@pytest.mark.parametrize(("page", "key", "loaded"), LOADED, ids=[case[0] for case in LOADED])
def test_every_example_brings_its_text_and_its_settings(page: str, key: str, loaded: dict[str, dict[str, Any]]) -> None:
    app = open_page(page, text="something else", d_model="32", tokenizer="bytes", view="3d", token="3")
    for name, settings in loaded.items():
        pills(app, key).set_value(name).run()
        assert not app.exception, name
        assert not app.error, name
        assert pills(app, key).value == name
        assert {setting: read_setting(app, setting) for setting in settings} == settings, name
        rules = {setting: state.SETTINGS[setting] for setting in settings}
        changed = {name for name, rule in rules.items() if settings[name] != rule.by_page.get(page, rule.default)}
        assert changed <= link_of(app).keys()
    assert page != "pipeline" or read_setting(app, "view") == "3d"


def test_an_example_leaves_no_complaint() -> None:
    app = open_page("word_order", first="a", second="b")
    pills(app, "pair").set_value("dog").run()
    assert sentences(app) == []
