from typing import Any

import pytest

from tests.ui.pages import link_of, open_page
from ui.settings import Choice, Flag, OptionalWhole, Real, Rows, Setting, Text, Whole, Wholes, Window, joined, state


@pytest.mark.parametrize(
    ("setting", "raw", "value"),
    [
        (Whole(64, 2, 1024), "768", 768),
        (Choice("gpt2", ("gpt2", "bytes")), "bytes", "bytes"),
        (Choice(32, (16, 32)), "16", 16),
        (Flag(False), "1", True),
        (Real(10_000.0, 2.0, 1e6), "500.5", 500.5),
        (OptionalWhole(None, 0, 9), "9", 9),
        (Wholes([0], 511, 4), "3,0,511", [3, 0, 511]),
        (Rows([], 99, 4), "3,14,15", [3, 14, 15]),
        (Rows([], 99, 4), "", []),
        (Window(None), "-1.5,0,2,1e-05", (-1.5, 0.0, 2.0, 1e-5)),
        (Window(None), "", None),
    ],
)
def test_a_value_reads_back_as_it_was_written(setting: Setting, raw: str, value: Any) -> None:
    assert setting.parse(raw) == value
    assert setting.format(value) == raw


@pytest.mark.parametrize(
    ("setting", "raw"),
    [
        (Whole(64, 2, 1024), "1025"),
        (Whole(64, 2, 1024), "-5"),
        (Whole(64, 2, 1024), "64.5"),
        (Whole(64, 2, 1024), "9" * 5_000),
        (Whole(64, 2, 1024), ""),
        (Choice("gpt2", ("gpt2", "bytes")), "GPT9"),
        (Flag(False), "yes"),
        (Real(1.0, 0.0, 2.0), "nan"),
        (Real(1.0, 0.0, 2.0), "inf"),
        (Real(1.0, 0.0, 2.0), "2.1"),
        (Real(1.0, 0.0, 2.0), "one"),
        (OptionalWhole(None, 0, 9), "none"),
        (Wholes([0], 511, 4), ""),
        (Wholes([0], 511, 4), "1,1"),
        (Wholes([0], 511, 4), "1,512"),
        (Wholes([0], 511, 4), "1,2,3,4,5"),
        (Rows([], 99, 4), "1,100"),
        (Rows([], 99, 4), "1,-2"),
        (Rows([], 99, 4), "1,2,3,4,5"),
        (Rows([], 99, 4), ","),
        (Rows([], 99, 4), "9" * 5_000),
        (Window(None), "0,0,1"),
        (Window(None), "0,0,1,one"),
        (Window(None), "0,0,0,1"),
        (Window(None), "0,1,1,0"),
        (Window(None), "nan,0,1,1"),
        (Window(None), "0,0,inf,1"),
        (Window(None), "0,0,1,1e300"),
        (Window(None), "1,0,1.0000001,1"),
        (Window(None), "0," + "9" * 5_000 + ",1,1"),
    ],
)
def test_a_wrong_value_is_refused(setting: Setting, raw: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        setting.parse(raw)


def test_more_rows_than_a_link_carries_are_left_out_of_it() -> None:
    assert Rows([], 99, 4).format([1, 2, 3, 4, 5]) == ""


@pytest.mark.parametrize("name", [name for name in state.SETTINGS if not isinstance(state.SETTINGS[name], Text)])
def test_every_setting_states_its_rule_and_keeps_its_default(name: str) -> None:
    setting = state.SETTINGS[name]
    assert setting.rule()
    if setting.default is not None:
        assert setting.parse(setting.format(setting.default)) == setting.default


def test_a_setting_of_one_page_waits_while_another_is_in_view() -> None:
    app = open_page("batches", stride="7", d_model="16")
    assert app.session_state["stride"] == 7
    app = app.switch_page("../pages/compare.py").run()
    assert "stride" not in app.session_state
    assert link_of(app)["stride"] == "7"
    assert app.session_state["d_model"] == 16
    app = app.switch_page("../pages/batches.py").run()
    assert app.session_state["stride"] == 7


def test_no_two_settings_have_one_name() -> None:
    with pytest.raises(ValueError, match="two settings have the name line"):
        joined({"line": Flag(True)}, {"row": Flag(True)}, {"line": Flag(False)})
