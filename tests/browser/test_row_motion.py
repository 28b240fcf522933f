"""The moving words on a page of their own, in a real browser."""

import json
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.idle import asking, assert_no_sideways_scroll, idle, place_of, rerun
from tests.browser.serving import Server
from ui.components.point_cloud.motion import LABELS as MOTION_LABELS

STEPS = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 100]


def opened(page: Page, query: str = "") -> Page:
    page.goto(f"/?scene=row_motion{query}")
    page.wait_for_selector('[data-testid="row-motion"][data-view]')
    return page


def view(page: Page) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(page.get_by_test_id("row-motion").get_attribute("data-view") or "{}")
    return state | {"step": int(page.get_by_test_id("row-motion").get_attribute("data-step") or -1)}


def note_modes(page: Page) -> None:
    """Have the page write down in window.modes how the figure moves, again and again."""
    page.add_init_script(
        """window.modes = [];
        setInterval(() => {
            const state = document.querySelector('[data-testid="stApp"]') && [...document.querySelectorAll('*')]
                .map((part) => part.shadowRoot?.querySelector('[data-testid="row-motion"]')).find(Boolean);
            if (state?.dataset.mode) window.modes.push(state.dataset.mode);
        }, 150);"""
    )


def at_rest(page: Page, step: int) -> dict[str, Any]:
    idle(page)
    page.wait_for_selector(f'[data-testid="row-motion"][data-busy="false"][data-step="{step}"]')
    return view(page)


def test_a_run_is_played_once_and_its_words_lie_where_their_rows_lay(new_page: NewPage, scenes: Server) -> None:
    page = new_page(scenes)
    note_modes(page)
    at_rest(opened(page), 100)
    assert "replay" in page.evaluate("window.modes")
    page.get_by_test_id("motion-search").fill("Word 7")
    with rerun(page):
        page.keyboard.press("Enter")
    page.get_by_text("step=100 chosen=7", exact=True).wait_for()
    near = [name for name, look, *_ in at_rest(page, 100)["written"] if look == "near"]
    assert sorted(near) == ["word 8", "word 9"]
    generator = np.random.default_rng(3)
    start, end = generator.normal(size=(60, 3)) * 0.2, generator.normal(size=(60, 3)) * 0.2
    end += np.repeat(generator.normal(size=(3, 3)) * 3, 20, axis=0)
    page.get_by_test_id("motion-range").focus()
    scales = set()
    for key, step in [("ArrowLeft", 89), ("Home", 0), ("ArrowRight", 1), ("End", 100)]:
        with rerun(page):
            page.keyboard.press(key)
        state = at_rest(page, step)
        page.get_by_text(f"step={step} chosen=7", exact=True).wait_for()
        place = start[7] + (end[7] - start[7]) * step / 100
        right, up = (place[:2] - state["centre"][:2]) * state["perUnit"]
        assert state["spot"] == pytest.approx([state["middle"][0] + right, state["middle"][1] - up], abs=0.1)
        scales.add((state["perUnit"], *state["middle"], *state["centre"]))
    assert len(scales) == 1  # the axes are those of the whole run
    with rerun(page):
        page.keyboard.press("Escape")
    page.get_by_text("step=100 chosen=None", exact=True).wait_for()


def test_words_that_are_on_their_way_are_waited_for_in_sight(new_page: NewPage, scenes: Server) -> None:
    page = new_page(scenes, reduced_motion="reduce")
    page.goto("/?scene=row_motion&late=1")
    waiting = page.get_by_test_id("motion-stage").get_by_text(MOTION_LABELS["waiting"])
    expect(waiting).to_be_visible()
    with rerun(page):
        page.get_by_text("words come").click()
    at_rest(page, 100)
    expect(waiting).to_be_hidden()


def test_names_lie_apart_and_nothing_is_sent_twice(new_page: NewPage, scenes: Server) -> None:
    page = new_page(scenes, width=390, height=844, reduced_motion="reduce")
    sizes: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sizes.append(len(frame))))
    opened(page)
    state = at_rest(page, 100)  # without playing
    assert {text for text, look, *_ in state["written"] if look != "axis"} == {"people", "things"}
    page.get_by_test_id("motion-legend").get_by_role("button", name="people").focus()  # as when it is pointed at

    def kinds() -> set[str]:
        return {text for text, look, *_ in view(page)["written"] if look == "kind"}

    asking(page, lambda: kinds() == {"kings", "trades"}, kinds)
    state = view(page)
    boxes = [np.array([left, top, left + wide, top + high]) for _, _, left, top, wide, high in state["written"]]
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            assert (one[2:] <= other[:2] + 1).any() or (other[2:] <= one[:2] + 1).any()
    assert_no_sideways_scroll(page)
    page.get_by_test_id("motion-legend").get_by_role("button", name="things").click()
    asking(page, lambda: kinds() == {"tools"}, kinds)
    assert at_rest(page, 100)["focus"] == {"group": 1}
    sent = sum(sizes)
    sizes.clear()
    with rerun(page):
        page.get_by_text("another run", exact=True).click()
    assert sum(sizes) <= sent < 25_000  # the scripts alone would be 90,000


@pytest.mark.thorough
def test_a_link_to_a_step_opens_still_with_the_same_names_and_the_picture_fits_the_window(
    new_page: NewPage, scenes: Server
) -> None:
    page = new_page(scenes)
    note_modes(page)
    still = at_rest(opened(page, "&still=1"), 100)
    assert set(page.evaluate("window.modes")) <= {"rest"}
    page.get_by_test_id("motion-play").click()  # names that come and go on the way leave no trace
    replayed = at_rest(page, 100)
    assert "replay" in page.evaluate("window.modes")
    assert sorted(still["written"]) == sorted(replayed["written"])
    for height, expected in {600: 360, 880: 380, 1200: 400}.items():
        page.set_viewport_size({"width": 1200, "height": height})
        stage = page.get_by_test_id("motion-stage")
        asking(page, lambda: round(place_of(stage)["height"]) == expected)  # noqa: B023
