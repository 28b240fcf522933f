"""The moving words without a browser: what it is sent, and what becomes of what it reports."""

from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from tests.ui.browser_message import fetched, opened, received, report_of, unpacked
from ui.components.point_cloud.motion import LABELS, NONE


def page() -> None:
    import numpy as np
    import streamlit as st

    from ui.components.point_cloud.motion import LABELS, NONE, row_motion, row_motion_frames

    steps = list(range(st.session_state.get("steps", 11)))
    places = np.random.default_rng(5).normal(size=(len(steps), 4, 3)).astype(np.float32)
    run = st.session_state.get("run", "test/page|100")
    st.session_state["got"] = row_motion(
        run=run,
        steps=steps,
        frames=row_motion_frames(steps, places * np.float32(st.session_state.get("scale", 1)), run=run),
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
    """What the picture was told, with the addresses of words and places."""
    return received(app)


def frames(app: AppTest) -> list[tuple[dict[str, Any], bytes]]:
    """Fetch the places as the browser does, each chunk of steps taken apart."""
    return [unpacked(fetched(address)) for address in sent(app)["frames"]]


def report(app: AppTest, **state: Any) -> AppTest:
    return report_of(app, "row-motion", **state)


def test_places_reach_the_browser_to_a_32767th_of_the_farthest_of_their_step() -> None:
    chunks = frames(opened(page, run="test/small", scale=0.01))
    assert [header["steps"] for header, _ in chunks] == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10]]
    assert {header["count"] for header, _ in chunks} == {4}
    read = []
    for header, body in chunks:
        shares = np.frombuffer(body, "<i2").reshape(-1, 4, 3)
        read += [share * unit for share, unit in zip(shares, header["units"], strict=True)]
    places = np.random.default_rng(5).normal(size=(11, 4, 3)).astype(np.float32) * np.float32(0.01)
    for at, true in zip(read, places, strict=True):
        np.testing.assert_allclose(at, true, rtol=0, atol=0.51 * np.abs(true).max() / 32_767)


def test_steps_that_the_browser_holds_keep_their_address() -> None:
    before, after = (opened(page, run="test/grows", steps=steps) for steps in (6, 9))
    assert sent(after)["frames"][0] == sent(before)["frames"][0]
    assert frames(before)[1][0]["steps"] == [5]
    assert frames(after)[1][0]["steps"] == [5, 6, 7, 8]


def test_words_keep_their_address_whatever_is_chosen() -> None:
    app = opened(page)
    words, body = unpacked(fetched(sent(app)["words"]))
    assert (words["labels"], words["kinds"]) == (["king", "<b>", "queen", "the"], ["royals", "tools"])
    assert body == bytes([0, 1, 0, NONE]) * 2
    header = sent(app)
    assert (header["run"], header["last"], header["n_steps"], header["step"]) == ("test/page|100", 10, 1000, 10)
    assert (header["chosen"], header["neighbours"]) == (2, [[0, 0.9], [1, -0.2]])
    assert words["legend"] == [["people", "#0a95ff", 2], ["things", "#004025", 1]]
    assert words["texts"] == LABELS
    app.session_state["wished"] = None
    app.run()
    assert sent(app)["words"] == header["words"]


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
