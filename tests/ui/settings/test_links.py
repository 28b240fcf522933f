"""A link shows what its page shows: every setting is in it, and every control of every page, one after the other."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from streamlit.testing.v1 import AppTest

from tests.hostile.test_links import read
from tests.ui.pages import link_of, open_page
from ui.settings import (
    Choice,
    FileName,
    Flag,
    Formulas,
    Look,
    Model,
    Names,
    Numbers,
    OwnScheme,
    Real,
    Setting,
    Text,
    Weights,
    Whole,
    Wholes,
    Window,
    state,
)

PAGES = {address: address or "pipeline" for address in state.PAGES}
# Controls that no link has: they ask the reader something, or set others and go back to nothing, as examples do.
NOT_IN_LINKS = (
    *("question-", "walk-answer-"),
    *(
        "example",
        "tokens_example",
        "layer_example",
        "batches_example",
        "context_example",
        "text_to_begin_with",
        "pair",
    ),
    *("add_tokenizer", "choose_", "model_word", "context-word-", "analogy_"),  # put into another setting, tested there
    "lesson_source",  # a lesson goes into the link when it is begun
)
KINDS = (
    *("selectbox", "slider", "select_slider", "number_input", "toggle", "checkbox", "text_input", "text_area"),
    *("multiselect", "radio", "button_group"),
)
OFFER = re.compile(r'(?<=data-offer=")[^/"]*')  # what a visit alone may fetch a figure's files by
# Where the first other value would fetch something, or train.
OTHERS = {"tokenizer": "bytes", "vectors": "random", "map": "pca", "closely": "characters", "batches_source": "manual"}
UNTRIED = {"map": "it is made in the background", "train_corpus": "its training goes on while it is compared"}


def other(name: str) -> Any:
    """Return another value of a setting than its default."""
    setting, default = state.SETTINGS[name], state.SETTINGS[name].default
    match setting:
        case FileName():
            return f"{'0f' * 32}/rows.npy"
        case Look():
            return "1~vector-sum.step!2"
        case Names():
            return list(setting.options[:3])
        case Weights():
            return "random"
        case Model():
            return "./mine"
        case Flag():
            return not default
        case Choice():
            return OTHERS.get(name) or next(value for value in setting.options if value not in (default, "minilm"))
        case Wholes():
            return [1, 2]
        case Window():
            return (-1.0, -0.5, 1.0, 0.5)
        case Whole():
            return setting.minimum + 1 if default in (None, setting.maximum) else default + 1
        case Numbers():
            return (1.0, 2.5)
        case Real():
            return (default + setting.minimum) / 2 if default > setting.minimum else default + 0.5
        case Text():
            return f"{default} & ä"
        case Formulas():
            return (OwnScheme(2, "Mine", ("p", "", "", "")),)
        case _:
            return setting.parse({"lesson": "tour", "follow": "ABC234"}[name])


@pytest.mark.parametrize("name", sorted(state.SETTINGS.keys() - {"lang"}))  # of which there may be one alone
def test_every_setting_comes_back_from_the_link_that_says_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    setting, value = state.SETTINGS[name], other(name)
    assert value != setting.default
    page = next(iter(state.SETTINGS[name].pages or ("",)), "")
    values, notices, link = read(page, f"{name}={written(setting, value)}", monkeypatch)
    assert notices == []
    assert values[name] == value
    if not state.SETTINGS[name].is_browsers:
        assert read(page, link, monkeypatch)[0] == values


def written(setting: Setting, value: Any) -> str:
    return quote(setting.format(value))


def setting_of(key: str) -> str:
    return key.rstrip().removeprefix("shown_")


def controls(app: AppTest) -> Iterator[Any]:
    for kind in KINDS:
        yield from getattr(app, kind)


@pytest.mark.parametrize("page", PAGES.values())
def test_every_control_is_a_setting_or_has_no_place_in_a_link(page: str) -> None:
    keys = [control.key or control.label for control in controls(open_page(page))]
    assert [key for key in keys if setting_of(key) not in state.SETTINGS and not key.startswith(NOT_IN_LINKS)] == []


def candidates(control: Any) -> list[Any]:
    """Return other values that a reader could give a control, those first that need nothing else."""
    name, before = setting_of(control.key), control.value
    setting = state.SETTINGS[name]
    match control.type, setting:
        case "number_input" | "slider", _:
            if before is None:
                return [control.step]
            least, most = (bound if bound is not None else before for bound in (control.min, control.max))
            step = control.step or 1
            return [value for value in (before + step, before - step) if least <= value <= most]
        case "text_input", _:
            return ["cat"]
        case "toggle" | "checkbox", _:
            return [not before]
        case _, Wholes():
            return [[1, 2]]
        case _, Choice() if isinstance(before, list):
            return [[*before, value] for value in setting.options if value not in before and value != "minilm"]
        case _, Choice() | Text() if name in OTHERS:
            return [OTHERS[name]]
        case _, Choice():
            return [value for value in setting.options if value not in (before, "minilm")]
        case _, Whole():
            return [before + 1, before - 1]
        case _:
            return list(control.options)


def changed(app: AppTest, key: str) -> bool:
    """Give a control another value, as a reader would; tell whether it is there and has any."""
    control = next((control for control in controls(app) if (control.key or "").rstrip() == key), None)
    for value in candidates(control) if control else ():
        try:
            control.set_value(value)
            if control.type == "selectbox":
                assert control.index is not None  # ValueError where it is not offered
            app.run()
        except (ValueError, KeyError):
            continue
        assert not app.exception, (control.key, value)
        return True
    return False


def drawn(app: AppTest) -> list[tuple[str, str]]:
    """Return everything on a page that shows something, as it is sent to the browser."""
    shown = []
    # Sentences are left out: what becomes of other settings is said where it happens; the link has them as they are.
    for kind in ("html", "header", "subheader", "latex", "metric"):
        shown += [(kind, OFFER.sub("", str(element.value))) for element in getattr(app, kind)]
    for kind in ("plotly_chart", "table", "dataframe", "arrow_table", "bidi_component"):
        for element in app.get(kind):
            proto = element.proto
            if kind == "bidi_component" and proto.component_name in ("browser", "live-text"):
                continue  # the visit's own name and numbers, and how often the text was written anew
            spec = proto.spec if kind == "plotly_chart" else b""
            shown.append((kind, str(spec or getattr(proto, "json", "") or getattr(proto, "bytes", b"") or proto)))
    return shown


def settings_in(app: AppTest) -> dict[str, Any]:
    return {
        control.key.rstrip(): control.value
        for control in controls(app)
        if setting_of(control.key or "") in state.SETTINGS
    }


# As many after one another as go together, or each by itself.
@pytest.mark.parametrize("alone", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("page", PAGES.values())
def test_every_control_that_is_changed_is_changed_where_the_link_is_opened(page: str, alone: bool) -> None:
    still = {"train_step": "0"} if page == "training" else {}  # or words move between two looks
    app = open_page(page, **still)
    # Those further down first: what is chosen above decides which there are.
    keys = [key for key in reversed(settings_in(app)) if setting_of(key) not in UNTRIED]
    tried, together, shown = [], list[str](), shown_by(app)
    for key in keys:
        if not changed(app, key):
            if not together:
                continue
            assert shown_by(open_page(page, **shown[-1])) == shown, together
            app, together = open_page(page, **still), []
            if not changed(app, key):
                continue
        tried.append(key)
        together.append(key)
        shown = shown_by(app)
        if alone:
            assert shown_by(open_page(page, **shown[-1])) == shown, key
            app, together = open_page(page, **still), []
    assert shown_by(open_page(page, **shown[-1])) == shown, together
    assert len(tried) >= 0.6 * len(keys), (keys, tried)


def shown_by(app: AppTest) -> tuple[dict[str, Any], list[tuple[str, str]], dict[str, str]]:
    return settings_in(app), drawn(app), link_of(app)


@pytest.mark.parametrize("raw", ["2~vector-sum.step!2", "1~vector-sum.step", "1~<script>!1", "1" + "~a!1" * 2_000])
def test_a_look_that_this_app_has_not_written_is_one_sentence(raw: str) -> None:
    app = open_page("pipeline", look=raw)
    assert not app.exception
    assert len(app.warning) == 1


def test_a_long_text_goes_packed_before_it_is_left_out() -> None:
    text = "the cat sat on the mat " * 500
    link = link_of(open_page("pipeline", text=text))
    assert len(link["text"]) < 500
    assert link_of(open_page("pipeline", **link)) == link
