"""The moving words without a browser: what it is sent, and what becomes of what it reports."""

import json
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.browser_message import opened, payloads, report_of
from ui.components.point_cloud.motion import LABELS, NONE, row_motion, row_motion_frames


def page() -> None:
    import numpy as np
    import streamlit as st

    from ui.components.point_cloud.motion import LABELS, NONE, row_motion, row_motion_frames

    steps = list(range(st.session_state.get("steps", 11)))
    places = np.random.default_rng(5).normal(size=(len(steps), 4, 3)).astype(np.float32)
    run = st.session_state.get("run", "test/page|100")
    row_motion_frames(steps, places * np.float32(st.session_state.get("scale", 1)), key="rows", run=run)
    st.session_state["got"] = row_motion(
        run=run,
        steps=steps,
        follow=st.session_state.get("follow", False),
        step=steps[-1],
        labels=["king", "<b>", "queen", "the"],
        groups=bytes([0, 1, 0, NONE]),
        legend=[("people", "#0a95ff", 2), ("things", "#004025", 1)],
        kinds=["royals", "tools"],
        kind_of=bytes([0, 1, 0, NONE]),
        chosen=st.session_state.get("wished", 2),
        neighbours=[(0, 0.9), (1, -0.2)],
        axes=["a", "b", "c"],
        dimensions=2,
        n_steps=1000,
        texts=LABELS,
        height=500,
        key="motion",
        on_change=lambda: None,
    )


def sent(app: AppTest) -> dict[str, Any]:
    """What the picture was told besides words and places."""
    plain = [json.loads(part.proto.json) for part in app.get("bidi_component") if part.proto.json]
    return next(data for data in plain if data.get("part") == "header" and data["name"] == "motion")


def report(app: AppTest, **state: Any) -> AppTest:
    return report_of(app, "row-motion", **state)


def test_places_reach_the_browser_to_a_32767th_of_the_farthest_of_their_step() -> None:
    chunks = [(header, body) for header, body in payloads(opened(page, scale=0.01)) if header.get("part") == "frames"]
    assert [header["steps"] for header, _ in chunks] == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10]]
    assert {(header["run"], header["count"]) for header, _ in chunks} == {("test/page|100", 4)}
    read = []
    for header, body in chunks:
        shares = np.frombuffer(body, "<i2").reshape(-1, 4, 3)
        read += [share * unit for share, unit in zip(shares, header["units"], strict=True)]
    places = np.random.default_rng(5).normal(size=(11, 4, 3)).astype(np.float32) * np.float32(0.01)
    for at, true in zip(read, places, strict=True):
        np.testing.assert_allclose(at, true, rtol=0, atol=0.51 * np.abs(true).max() / 32_767)


def test_steps_that_the_browser_holds_are_sent_to_the_byte_as_before() -> None:
    before = [sent for sent in payloads(opened(page, run="test/grows", steps=6)) if sent[0].get("part") == "frames"]
    after = [sent for sent in payloads(opened(page, run="test/grows", steps=9)) if sent[0].get("part") == "frames"]
    assert after[0] == before[0]
    assert before[1][0]["steps"] == [5]
    assert after[1][0]["steps"] == [5, 6, 7, 8]


def test_words_travel_apart_from_what_changes_with_every_choice() -> None:
    app = opened(page)
    words, body = next(sent for sent in payloads(app) if sent[0].get("part") == "words")
    assert (words["labels"], words["kinds"]) == (["king", "<b>", "queen", "the"], ["royals", "tools"])
    assert body == bytes([0, 1, 0, NONE]) * 2
    header = sent(app)
    assert header["words"] == words["name"]
    assert (header["run"], header["last"], header["n_steps"], header["step"]) == ("test/page|100", 10, 1000, 10)
    assert (header["chosen"], header["neighbours"]) == (2, [[0, 0.9], [1, -0.2]])
    assert words["legend"] == [["people", "#0a95ff", 2], ["things", "#004025", 1]]
    assert words["texts"] == LABELS
    app.session_state["wished"] = None
    app.run()
    again = next(sent for sent in payloads(app) if sent[0].get("part") == "words")
    assert again == (words, body)


def test_a_click_wins_in_the_run_that_it_starts_and_the_page_in_every_other() -> None:
    app = report(opened(page), chosen={"value": 0, "turn": 1})
    assert (app.session_state["got"].chosen, sent(app)["turn"]) == (0, 1)
    app.run()
    assert app.session_state["got"].chosen == 2
    assert report(app, chosen={"value": None, "turn": 2}).session_state["got"].chosen is None


def test_a_step_is_reported_in_one_run_only() -> None:
    app = opened(page)
    report(app, step={"value": 4, "turn": 1})
    assert (app.session_state["got"].step, sent(app)["step"], sent(app)["step_turn"]) == (4, 4, 1)
    app.run()
    assert (app.session_state["got"].step, sent(app)["step"]) == (None, 10)


def test_who_asks_for_the_newest_step_gets_what_is_the_newest_by_then() -> None:
    app = report(opened(page), step={"value": 4, "turn": 1, "newest": True})
    assert app.session_state["got"].step == 10


def test_the_first_click_after_the_browser_began_anew_counts() -> None:
    app = report(opened(page), chosen={"value": 0, "turn": 1})
    report(app)  # nothing is known of the browser
    assert report(app, chosen={"value": 1, "turn": 1}).session_state["got"].chosen == 1


def test_a_step_that_is_none_of_those_there_is_not_reported() -> None:
    app = opened(page)
    for turn, sent in enumerate([11, -1, "4", True, None, 2.5, [3], 10**400], 1):
        report(app, step={"value": sent, "turn": turn}, chosen={"value": sent, "turn": turn})
        assert not app.exception
        got = app.session_state["got"]
        assert (got.step, got.chosen) == (None, None), sent


def test_a_report_that_makes_no_sense_changes_nothing() -> None:
    app = opened(page)
    nonsense: list[Any] = [[], 7, "text", {"value": 1}, {"value": 1, "turn": "2"}]
    for sent in nonsense:
        report(app, chosen=sent, step=sent)
        assert not app.exception
        got = app.session_state["got"]
        assert (got.step, got.chosen) == (None, 2), sent


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"steps": []}, "0 steps, n_steps=9: give at least one step"),
        ({"steps": [0, 10]}, "2 steps, n_steps=9: give at least one step, and none beyond the last"),
        ({"step": 2}, "step=2 is not among the steps"),
        ({"groups": bytes(3)}, "3 groups and 2 kinds for 2 words"),
        ({"kind_of": bytes([0, 1])}, "kind_of reaches 1 but there are 1"),
        ({"groups": bytes([NONE, 3])}, "groups reaches 3 but there are 1"),
        ({"legend": [("people", "blue", 2)]}, "legend has the colour 'blue'"),
        ({"neighbours": [(2, 0.1)]}, r"neighbours reach from 2 to 2: give 0\.\.1"),
        ({"dimensions": 4}, "dimensions=4, 3 axes, height=300"),
        ({"axes": ["a"]}, "dimensions=2, 1 axes"),
        ({"height": 100}, "height=100: give 2 or 3, 3, at least 200"),
    ],
)
def test_what_cannot_be_drawn_is_refused(changes: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {
        "run": "a",
        "steps": [0, 1],
        "follow": False,
        "step": 1,
        "labels": ["a", "b"],
        "groups": bytes(2),
        "legend": [("people", "#0a95ff", 2)],
        "kinds": ["royals"],
        "kind_of": bytes(2),
        "chosen": None,
        "neighbours": [],
        "axes": ["a", "b", "c"],
        "dimensions": 2,
        "n_steps": 9,
        "texts": LABELS,
        "height": 300,
        "key": "motion",
        "on_change": lambda: None,
    }
    with pytest.raises(ValueError, match=message):
        row_motion(**(arguments | changes))


@pytest.mark.parametrize(
    ("steps", "places", "message"),
    [
        ([0, 0], np.zeros((2, 4, 3), np.float32), "steps=.* must rise"),
        ([-1, 0], np.zeros((2, 4, 3), np.float32), "must rise, from 0 or above"),
        ([0, 1], np.zeros((1, 4, 3), np.float32), "1 arrays of places for 2 steps"),
        ([0], np.zeros((1, 4, 2), np.float32), r"places at step 0 have shape \(4, 2\)"),
        ([0], np.zeros((1, 4, 3)), "float64: give"),
        ([3], np.full((1, 4, 3), np.inf, np.float32), "places at step 3 are not all finite"),
    ],
)
def test_places_that_cannot_be_sent_are_refused(steps: list[int], places: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        row_motion_frames(steps, places, key="rows", run="test/refused")
