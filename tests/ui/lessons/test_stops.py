"""Every stop of every lesson that ships: its page opens as the stop has it, with its lit part and its answer."""

import json
import re
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.ui.pages import components, open_page, packed, payload, sentences
from ui.components import browser
from ui.lessons import walk
from ui.lessons.lesson import shipped_lesson
from ui.lessons.parts import PARTS
from ui.settings import Formulas, OwnScheme, shipped_names

STOPS = [
    pytest.param(name, place, id=f"{name}-{place + 1}")
    for name in shipped_names()
    for place in range(len(shipped_lesson(name).stops))
]


@pytest.fixture
def in_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have sections further down wait, as where a browser says what its window shows."""
    monkeypatch.setattr(browser, "has_browser", lambda: True)


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[float | str | None]:
    """List the answers that pages work out; a question has one while its page is run."""
    found: list[float | str | None] = []
    work_out = walk.right_answer

    def noted(question: Any) -> float | str | None:
        found.append(work_out(question))
        return found[-1]

    monkeypatch.setattr(walk, "right_answer", noted)
    return found


def parts(node: Any) -> Iterator[str]:
    """Give the keys of all parts of a page by which a stop can light them: drawn, or waiting below the window."""
    proto = getattr(node, "proto", None)
    if drawn := getattr(proto, "id", ""):
        yield drawn.split("-", 2)[2]
    if 'data-near="' in (body := str(getattr(proto, "body", ""))):
        yield "near-" + body.split('data-near="')[1].split('"')[0]
    for child in getattr(node, "children", {}).values():
        yield from parts(child)


@pytest.mark.parametrize(("name", "place"), STOPS)
def test_a_stop_opens_its_page_with_what_it_lights_and_an_answer(
    name: str, place: int, in_a_window: None, real_rows: None, answers: list[float | str | None]
) -> None:
    stop = shipped_lesson(name).stops[place]
    app = open_page(stop.page or "pipeline", lesson=name, stop=str(place), **stop.settings)
    assert not app.exception
    assert not [said for said in sentences(app) if said not in {element.value for element in app.info}]
    assert stop.light in {*parts(app._tree)}
    if stop.question is not None:
        assert None not in answers
        assert answers
        if stop.question.choices:
            assert answers[-1] in stop.question.choices


def boxes_of(app: Any, title: str) -> int:
    """Count the boxes of a tokenizer's row on Tokens."""
    return next(
        int(row["count"]) for row in packed(components(app, "token-rows")[0].bytes)[0]["rows"] if row["title"] == title
    )


# What a reader would count on the page, by the quantity that the question asks for.
COUNTED = {
    "=tokens": lambda app: len(json.loads(components(app, "token-chips")[0].bytes)["chips"]),
    "=tokens_gpt2": lambda app: boxes_of(app, "GPT-2"),
    "=tokens_bytes": lambda app: boxes_of(app, "bytes"),
    "=text_numbers": lambda app: payload(app, "vector_sum")[1].size // 2,  # token rows and position rows
}
COUNTING = [
    param
    for param in STOPS
    if (asked := shipped_lesson(*param.values[:1]).stops[param.values[1]].question) and asked.answer in COUNTED
]


@pytest.mark.parametrize(("name", "place"), COUNTING)
def test_what_a_reader_counts_on_the_page_is_the_right_answer(
    name: str, place: int, real_rows: None, answers: list[float | str | None]
) -> None:
    stop = shipped_lesson(name).stops[place]
    app = open_page(stop.page or "pipeline", lesson=name, stop=str(place), **stop.settings)
    assert stop.question is not None
    assert answers[-1] == COUNTED[str(stop.question.answer)](app)


def test_the_editor_of_ones_own_schemes_and_what_judges_them_can_be_lit(in_a_window: None) -> None:
    typed = OwnScheme(1, "Mine", ("sin(p)", "", "p * i", ""))
    link = {"formulas": Formulas(()).format((typed,)), "scheme": typed.entry, "schemes": f"rope,{typed.entry}"}
    for page in ("positions", "compare", "pipeline", "word_order", "extrapolation"):
        drawn = {*parts(open_page(page, **link, ext_schemes=typed.entry)._tree)}
        assert {"formulas", "own-add"} <= drawn
        assert "own-add" in PARTS["" if page == "pipeline" else page].split()
    assert "near-positions-doctor" in {*parts(open_page("positions", scheme="rope")._tree)}


@pytest.mark.parametrize("page", [page for page in PARTS if page != "lessons"])
def test_the_parts_that_can_be_lit_are_those_of_the_page(page: str, in_a_window: None, real_rows: None) -> None:
    drawn = {*parts(open_page(page or "pipeline")._tree)}
    assert {part for part in drawn if part.startswith("near-")} <= {*PARTS[page].split()}
    assert len(drawn & {*PARTS[page].split()}) >= 4


def drawn_numbers(app: Any) -> set[str]:
    """List the numbers that the page says, its tables hold and its canvases were sent or add, to four decimals."""
    found = {str(cell).replace("−", "-") for table in app.table for cell in table.value.to_numpy().flat}
    found |= {number for said in app.markdown for number in re.findall(r"-?\d\.\d+", said.value)}
    for element in app.get("bidi_component"):
        if not element.proto.bytes:
            continue
        (length,) = struct.unpack("<I", element.proto.bytes[:4])
        rest = element.proto.bytes[4 + length :]
        numbers = np.frombuffer(rest[: len(rest) // 4 * 4], "<f4")
        if element.proto.component_name == "vector_sum":  # token rows, position rows; the browser adds them
            numbers = np.concatenate([numbers, np.add(*np.split(numbers, 2))])
        few = [float(number) for number in numbers[:5_000] if abs(number) < 1_000]
        found |= {f"{number:.{digits}f}" for digits in (1, 2, 3, 4) for number in few}
    return found


WITH_DIGITS = [
    param for param in STOPS if re.search(r"\d\.\d", shipped_lesson(param.values[0]).stops[param.values[1]].say)
]


@pytest.mark.parametrize(("name", "place"), WITH_DIGITS)
def test_the_digits_that_a_stop_names_are_those_on_its_page(name: str, place: int) -> None:
    stop = shipped_lesson(name).stops[place]
    app = open_page(stop.page or "pipeline", lesson=name, stop=str(place), **stop.settings)
    assert not app.exception
    assert set(re.findall(r"-?\d\.\d+", stop.say.replace("−", "-"))) <= drawn_numbers(app)
