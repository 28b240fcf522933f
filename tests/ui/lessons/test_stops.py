"""Every stop of every lesson that ships: its page opens as the stop has it, with its lit part and its answer."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from tests.ui.pages import open_page, sentences
from ui.components import browser
from ui.lessons import walk
from ui.lessons.lesson import shipped
from ui.lessons.settings import shipped_names

STOPS = [
    pytest.param(name, place, id=f"{name}-{place + 1}")
    for name in shipped_names()
    for place in range(len(shipped(name).stops))
]


@pytest.fixture
def in_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have sections further down wait, as where a browser says what its window shows."""
    told = SimpleNamespace(context_info=SimpleNamespace(HasField=lambda _name: True))
    monkeypatch.setattr(browser, "get_script_run_ctx", lambda: told)


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
    stop = shipped(name).stops[place]
    app = open_page(stop.page or "pipeline", lesson=name, stop=str(place), **stop.settings)
    assert not app.exception
    assert not [said for said in sentences(app) if said not in {element.value for element in app.info}]
    assert stop.light in {*parts(app._tree)}
    if stop.question is not None:
        assert None not in answers
        assert answers
        if stop.question.choices:
            assert answers[-1] in stop.question.choices
