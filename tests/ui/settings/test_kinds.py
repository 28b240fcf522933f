import zlib
from base64 import urlsafe_b64encode
from typing import Any

import numpy as np
import pytest

from tests.ui.pages import link_of, open_page, read_setting
from ui.settings import (
    Choice,
    FileName,
    Flag,
    LongText,
    Look,
    Model,
    Numbers,
    OptionalWhole,
    Real,
    Rows,
    Setting,
    Text,
    Whole,
    Wholes,
    Window,
    pack_for_link,
    state,
    unpack_from_link,
)


@pytest.mark.parametrize(
    ("setting", "raw", "value"),
    [
        (Whole(64, 2, 1024), "768", 768),
        (Choice("gpt2", ("gpt2", "bytes")), "bytes", "bytes"),
        (Choice(32, (16, 32)), "16", 16),
        (Flag(False), "1", True),
        (Real(10_000.0, 2.0, 1e6), "500.5", 500.5),
        (Numbers((), 0.5, 9.0), "1 2.5", (1.0, 2.5)),
        (Numbers((), 0.5, 9.0), "", ()),
        (OptionalWhole(None, 0, 9), "9", 9),
        (Wholes([0], 511, 4), "3,0,511", [3, 0, 511]),
        (Rows([], 99, 4), "3,14,15", [3, 14, 15]),
        (Rows([], 99, 4), "", []),
        (Window(None), "-1.5,0,2,1e-05", (-1.5, 0.0, 2.0, 1e-5)),
        (Window(None), "", None),
        (Look(""), "1~vector-sum.step!2~by-length.xaxis!-0.5,1e-05", "1~vector-sum.step!2~by-length.xaxis!-0.5,1e-05"),
        (FileName(None), f"{'0f' * 32}/rows of cats.npz/one/two", f"{'0f' * 32}/rows of cats.npz/one/two"),
        (FileName(None), "", None),
        (Model(None), "owner/name:some.table", "owner/name:some.table"),
        (Model(None), "./mine::some.positions", "./mine::some.positions"),
        (Model(None), "owner/name:some.table:some.positions", "owner/name:some.table:some.positions"),
    ],
)
def test_a_value_reads_back_as_it_was_written(setting: Setting, raw: str, value: Any) -> None:
    assert setting.parse(raw) == value
    assert setting.format(value) == raw


@pytest.mark.parametrize(
    ("setting", "raw"),
    [
        *((Model(None), f"owner/name{tensors}") for tensors in (":", "::", ":a:", ":a:b:c", ":a b", "::<b>")),
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
        (Numbers((), 0.0, 2.0), "1 3"),
        (Numbers((), 0.0, 2.0), "1,1"),
        (Numbers((), 0.0, 2.0), "1 " * 2_000),
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
        (Look(""), "2~vector-sum.step!2"),
        (Look(""), "1"),
        (Look(""), "1~step"),
        (Look(""), "1~step!<b>"),
        (Look(""), "1~" + "a" * 99 + "!1"),
        (Look(""), "1" + "~step!1" * 900),
        (FileName(None), "rows.npy"),
        (FileName(None), f"{'0f' * 31}/rows.npy"),
        (FileName(None), f"{'0f' * 32}/a\nb"),
        (Rows([], 99, 4), Rows([], 999, 0).format([100])),
        (Rows([], 99, 4), "z.eJw"),
        (Window(None), "0,0,1"),
        (Window(None), "0,0,1,one"),
        (Window(None), "0,0,0,1"),
        (Window(None), "0,1,1,0"),
        (Window(None), "nan,0,1,1"),
        (Window(None), "0,0,inf,1"),
        (Window(None), "0,0,1e300,1e300"),
        (Window(None), "1,0,1.0000001,1"),
        (Window(None), "0," + "9" * 5_000 + ",1,1"),
    ],
)
def test_a_wrong_value_is_refused(setting: Setting, raw: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        setting.parse(raw)


def test_more_rows_than_a_link_carries_are_left_out_of_it() -> None:
    assert Rows([], 2**31 - 1, 4).format([1, 2, 3, 4, 2**30]) == ""
    drawn = np.flatnonzero(np.random.default_rng(0).random(100_000) < 0.5).tolist()
    assert Rows([], 2**31 - 1, 4).format(drawn) == ""


def test_rows_that_are_not_few_go_packed() -> None:
    rows = Rows([], 99_999, 4)
    for value in ([1, 2, 3, 4, 5], list(range(90_000)), list(range(0, 99_999, 7))):
        assert len(rows.format(value)) < 3_500
        assert rows.parse(rows.format(value)) == value


def test_a_long_text_packs_and_what_only_looks_packed_is_itself() -> None:
    text = LongText("")
    for value in ("", "the cat", "日本語 👩‍👩‍👧 \n\t", "z.", "z.eJw", "z.ä", pack_for_link("the cat"), "x\n" * 9_000):
        assert text.parse(text.format(value)) == value
        assert text.parse(pack_for_link(value)) == value


def test_a_packed_text_of_more_than_a_link_may_bring_is_refused() -> None:
    bomb = pack_for_link("x" * 900_000)
    assert len(bomb) < 2_000
    no_text = "z." + urlsafe_b64encode(zlib.compress(b"\xff\xfe\x00")).decode().rstrip("=")
    forged = pack_for_link("the cat").replace("z.", "z.x")
    for raw in (bomb, pack_for_link("the cat")[:-4], forged, no_text, "z.", "z.ä", "z.!!!", "z.AAAA"):
        with pytest.raises(ValueError, match="z"):
            unpack_from_link(raw)
    with pytest.raises(ValueError, match="z"):
        Rows([], 2**31 - 1, 4).parse(bomb)


@pytest.mark.parametrize("name", [name for name in state.SETTINGS if not isinstance(state.SETTINGS[name], Text)])
def test_every_setting_states_its_rule_and_keeps_its_default(name: str) -> None:
    setting = state.SETTINGS[name]
    assert setting.rule()
    if setting.default is not None:
        assert setting.parse(setting.format(setting.default)) == setting.default


def test_a_setting_of_one_page_waits_while_another_is_in_view() -> None:
    app = open_page("batches", stride="7", d_model="16")
    assert read_setting(app, "stride") == 7
    app = app.switch_page("../pages/compare.py").run()
    assert "stride" not in app.session_state
    assert link_of(app)["stride"] == "7"
    assert read_setting(app, "d_model") == 16
    app = app.switch_page("../pages/batches.py").run()
    assert read_setting(app, "stride") == 7
