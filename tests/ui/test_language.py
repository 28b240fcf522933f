"""Every sentence on the screen goes through gettext: with a catalogue that marks messages, nothing stays unmarked."""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from tests.messages import all_messages
from tests.ui.browser_message import fetched
from tests.ui.marked import OPEN, speak_marked
from tests.ui.pages import MAIN, open_page, packed
from ui.training.corpora import shipped_corpus

# A list, as "1, 2", has a space, a version, as 2.13.0, two points, and a section of a paper its sign.
ENGLISH_NUMBER = re.compile(r"(?<!Qwen)(?<![§.\d])\d+(?:,\d{3}|\.\d+)(?![.\d])")
# What is the same in every language: tags and rules of HTML, code, formulas, addresses.
NO_PROSE = re.compile(r"<style.*?</style>|<code>.*?</code>|<[^>]*>|`[^`]*`|\$.*?\$|https?:\S+", re.DOTALL)
# Fields of Streamlit's messages that a reader sees.
SEEN = {"label", "body", "help", "placeholder", "alt", "title"}
PAGES = sorted(path.stem for path in (MAIN.parents[1] / "pages").glob("*.py") if path.stem != "lessons")


def strings(message: Message, kind: str = "") -> Iterator[tuple[str, str]]:
    """Walk a protobuf message; yield the kind of element and each string that is seen."""
    for descriptor, value in message.ListFields():
        for item in value if descriptor.is_repeated and not descriptor.message_type else [value]:
            if isinstance(item, str):
                if descriptor.name in SEEN:
                    yield kind, item
            elif descriptor.message_type and not descriptor.message_type.GetOptions().map_entry:
                for part in value if descriptor.is_repeated else [value]:
                    yield from strings(part, descriptor.name)


def figure_strings(spec: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the titles of a figure's axes and the names of its traces."""
    for name, part in spec["layout"].items():
        if "axis" in name and part.get("title", {}).get("text"):
            yield "axis", part["title"]["text"]
    yield from (("trace", trace["name"]) for trace in spec["data"] if trace.get("name"))


@cache
def written_out() -> set[str]:
    """Return the numbers that stand in messages themselves, which translators write."""
    return {found for forms in all_messages() for form in forms for found in ENGLISH_NUMBER.findall(form)}


def elements(app: AppTest) -> Iterator[Message]:
    for node in (app.main, app.sidebar):
        yield from (element.proto for element in node if getattr(element, "proto", None) is not None)


@pytest.mark.parametrize("page", PAGES)
def test_nothing_on_the_page_escapes_translation(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    speak_marked(monkeypatch)
    app = open_page(page)
    assert not app.exception
    seen = [text for element in elements(app) for text in strings(element)]
    assert len(seen) > 10
    figures = [json.loads(figure.proto.spec) for figure in app.get("plotly_chart")]
    seen += [text for figure in figures for text in figure_strings(figure)]
    words = shipped_corpus("grammar").words if page == "training" else ()  # whose lines carry their names
    for kind, text in seen:
        assert is_translated(kind, text) or (kind == "trace" and text in words), f"{kind}: {text!r}"
        if kind != "code":
            numbers = set(ENGLISH_NUMBER.findall(NO_PROSE.sub(" ", text)))
            assert not numbers - written_out(), f"{kind}: {text!r}"
    assert not {name: text for name, text in sent_labels(app).items() if not text.startswith(OPEN)}


def is_translated(kind: str, text: str) -> bool:
    """A text is translated if it lies in brackets, or is no sentence: a formula, a program, the name of a parameter."""
    visible = re.sub(r"[\s\d·:.,٫٬٪/%=-]", "", text)
    named = text.isidentifier() and kind not in {"axis", "trace"}
    return not visible or OPEN in text or kind in {"code"} or text.startswith("$$") or named


def test_the_check_can_fail() -> None:
    app = open_page()
    assert sent_labels(app)
    assert app.get("plotly_chart")
    assert not is_translated("markdown", "A sentence that nobody marked")
    assert not is_translated("axis", "token")


def sent_labels(app: AppTest) -> dict[str, str]:
    """Read the labels that the components of the page were sent."""
    sent = (part.proto for part in app.get("bidi_component"))
    data = [(one, packed(one.bytes)[0]) for one in sent]
    data = [
        (one, packed(fetched(found["words"]))[0] if "words" in found and "frames" in found else found)
        for one, found in data
    ]
    return {
        f"{one.component_name}.{name}": text
        for one, found in data
        for key in ["texts" if one.component_name.startswith("row-motion") else "labels"]
        if isinstance(found.get(key), dict)  # else the names of points
        for name, text in found[key].items()
        if name != "language"
    }


@pytest.mark.parametrize("page", PAGES)
def test_chinese_sentences_end_with_their_own_full_stop_and_no_space_follows_it(page: str) -> None:
    app = open_page(page, lang="zh")
    texts = [element.value for kind in ("markdown", "caption") for element in app.get(kind)]
    sentences = [text for text in texts if re.search("[\u4e00-\u9fff]", text)]
    assert not [text for text in sentences if re.search(r"\.(\*\*)?$|\.[\u4e00-\u9fff]|[。：；，] ", text)]


def test_chinese_says_with_its_own_marks_what_is_wrong_with_a_formula() -> None:
    own = json.dumps([[1, "甲", ["np.sin(p)", "", "", ""], "interleaved", ""]])
    said = [error.value for error in open_page("positions", lang="zh", scheme="formula:1", formulas=own).error]
    assert any("`rows`" in sentence for sentence in said)
    assert not [sentence for sentence in said if re.search("[,:;] ", sentence)]
