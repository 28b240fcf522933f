"""Which lesson a link means: by a name, or packed into the link itself."""

import base64
import re
import zlib

import pytest

from ui.lessons.lesson import shipped_source
from ui.lessons.settings import SETTINGS, in_link, out_of_link, shipped_names


def packed(data: bytes) -> str:
    return "z." + base64.urlsafe_b64encode(data).decode().rstrip("=")


@pytest.mark.parametrize("source", ["", "a", shipped_source("tour"), "日本語 👩‍👩‍👧 \n\t"])
def test_what_a_link_holds_comes_out_as_it_was(source: str) -> None:
    reference = in_link(source)
    assert out_of_link(reference) == source
    assert SETTINGS["lesson"].parse(reference) == reference
    assert SETTINGS["lesson"].format(reference) == reference


def test_the_tour_is_first_and_names_are_what_a_link_says() -> None:
    assert shipped_names()[0] == "tour"
    assert [SETTINGS["lesson"].parse(name) for name in shipped_names()] == list(shipped_names())
    assert SETTINGS["lesson"].parse("") is None
    assert SETTINGS["lesson"].format(None) == ""


@pytest.mark.parametrize(
    "raw",
    [
        "nobody",
        "../data/tour",
        "z.",
        "z.!!!",
        "z.AAAA",
        in_link(shipped_source("tour"))[:-9],  # cut
        in_link("a lesson").replace("z.", "z.x"),
        packed(zlib.compress(b"\xff\xfe\x00")),  # no UTF-8
        packed(zlib.compress(b"x" * 50_000_000)),  # 50 MB in 50 kB
        "z.é",
    ],
)
def test_a_cut_forged_or_bursting_reference_is_refused(raw: str) -> None:
    with pytest.raises(ValueError, match=re.escape(raw[:20])):
        SETTINGS["lesson"].parse(raw)
