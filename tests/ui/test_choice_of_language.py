"""Which language a visit has: its link's, else its browser's, else English; and what stays when it changes."""

import copy
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from babel import Locale
from babel.numbers import format_decimal

from embedlib.examples import in_language
from tests.ui.catalogue import speaking
from tests.ui.pages import change_settings, link_of, open_page, read_setting, says_only
from ui.i18n import Message, _, languages, ngettext, number, preferred_language, set_run_language
from ui.settings import state


@pytest.fixture(autouse=True)
def catalogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with speaking(tmp_path, monkeypatch):
        yield
        set_run_language("en")


def browser_asks_for(accepted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(st.context), "headers", {"Accept-Language": accepted})


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("fr-CA,fr;q=0.9,en;q=0.8", "fr"),
        ("en;q=0.5, zh-Hans-CN;q=0.7", "zh"),
        ("zh-CN", "zh"),
        ("de-DE,de;q=0.9,fr;q=0.4", "fr"),
        ("de", "en"),
        ("fr;q=0, en", "en"),
        ("fr;q=much,;;,=,fr;q=nan", "en"),
        ("en-GB,fr", "en"),
    ],
)
def test_a_browser_gets_the_language_that_it_likes_best_of_ours(accepted: str, language: str) -> None:
    assert languages() == ["en", "fr", "zh"]
    assert preferred_language(accepted) == language


def test_without_a_language_in_the_link_the_browsers_is_spoken_and_a_copied_link_keeps_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    browser_asks_for("fr-CA", monkeypatch)
    app = open_page()
    assert not app.exception
    assert read_setting(app, "lang") == "fr"
    assert link_of(app) == {"lang": "fr"}
    assert read_setting(app, "text") == in_language(state.DEFAULT_TEXT, "fr") != state.DEFAULT_TEXT


def test_the_language_of_the_link_is_spoken_whatever_the_browser_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    browser_asks_for("fr", monkeypatch)
    app = open_page(lang="en")
    assert read_setting(app, "lang") == "en"
    assert link_of(app) == {"lang": "en"}
    assert read_setting(open_page(lang="zh"), "lang") == "zh"


def test_an_unknown_language_in_a_link_is_said_in_that_of_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_page(lang="tlh")
    assert says_only(app, "{title}: link has {name} =…", name="lang", raw="`tlh`")
    assert link_of(app) == {}
    browser_asks_for("fr", monkeypatch)
    assert link_of(open_page(lang="tlh")) == {"lang": "fr"}


def test_switching_keeps_what_is_typed_and_set_and_lets_an_untouched_text_follow() -> None:
    app = open_page(text="Mine", d_model="32", token="0")
    before = link_of(app)
    change_settings(app, lang="fr")
    app.run()
    assert {"text": "Mine", "d_model": "32", "token": "0"}.items() <= before.items()
    assert link_of(app) == before | {"lang": "fr"}
    app = open_page()
    for language, in_link in (("fr", {"lang": "fr"}), ("zh", {"lang": "zh"}), ("en", {})):
        before = app.session_state["text_revision"]
        change_settings(app, lang=language)
        app.run()
        assert read_setting(app, "text") == in_language(state.DEFAULT_TEXT, language)
        assert app.session_state["text_revision"] > before  # the area takes what it did not type
        assert link_of(app) == in_link


def test_what_somebody_typed_stays_when_the_page_and_then_the_language_change() -> None:
    app = open_page(text="Mine")
    app.switch_page("../pages/tokens.py").run()
    change_settings(app, lang="zh")
    app.run()
    assert link_of(app)["text"] == "Mine"


def test_numbers_in_messages_are_written_as_the_language_does() -> None:
    set_run_language("fr")
    assert _("{tokens:,} tokens").format(tokens=30_522) == "30\u202f522 jetons"
    assert _("Compare").format() == "Comparer"
    assert _("{name}").format(name="1,234.5") == "1,234.5"
    untranslated = _("{size:,.2f} {share:.1%} {rate:g} {found}")
    values = {"size": 1234.5, "share": np.float32(0.125), "rate": 1e-5, "found": 0.5}
    assert untranslated.format(**values) == "1\u202f234,50 12,5\xa0% 1e-05 0,5"
    assert number(1234.5, ",.1f") == "1\u202f234,5"
    for language in ("en", "zh"):
        set_run_language(language)
        assert _("{size:,.2f} {share:.1%} {rate:g} {found}").format(**values) == "1,234.50 12.5% 1e-05 0.5"
        assert number(1234.5, ",.1f") == "1,234.5"


def test_a_chinese_message_has_no_space_beside_a_chinese_value_and_one_beside_a_latin_one() -> None:
    message = Message("有 {name} 会", "zh")
    said = [message.format(name=name) for name in ("正弦", "RoPE", "上 下", 7)]
    assert said == ["有正弦会", "有 RoPE 会", "有上 下会", "有 7 会"]


@pytest.mark.parametrize(
    ("spec", "pattern"),
    [(",.0f", "#,##0"), (",.2f", "#,##0.00"), (".0%", "0%"), (".1%", "0.0%"), (",.2%", "#,##0.00%")],
)
def test_numbers_are_those_of_babel_in_each_language(spec: str, pattern: str) -> None:
    for language in languages():
        set_run_language(language)
        locale = Locale(language)
        sign = locale.percent_formats[None].pattern.lstrip("#,0.")
        for value in (0, 7, -7, 999, 1_000, -50_257, 1_234_567, 0.125, -0.75, 2 / 3, 1234.5, -98_765.432, 1e9):
            rounded = format(value, spec.replace(",", ""))
            exact = Decimal(rounded.rstrip("%")) / (100 if "%" in spec else 1)
            expected = format_decimal(exact, pattern.replace("%", sign), locale)
            assert number(value, spec) == expected
            assert _(f"{{value:{spec}}}").format(value=value) == expected


def test_a_count_takes_the_form_that_the_language_has_for_it() -> None:
    said = {}
    for language in ("en", "fr", "zh"):
        set_run_language(language)
        said[language] = [ngettext("{count} run", "{count} runs", count).format(count=count) for count in (0, 1, 2)]
    assert said == {
        "en": ["0 runs", "1 run", "2 runs"],
        "fr": ["0 essai", "1 essai", "2 essais"],
        "zh": ["0 次", "1 次", "2 次"],
    }


def test_english_imports_nothing_of_babel() -> None:
    program = "import sys; from ui.i18n import _, number; _('Compare'); number(1, ','); print('babel' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


def test_a_message_is_copied_as_what_goes_to_a_component_is() -> None:
    set_run_language("fr")
    copied = copy.deepcopy({"title": _("{tokens:,} tokens")})
    assert copied["title"].format(tokens=1_000) == "1\u202f000 jetons"
