import base64
import struct
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from embedlib.components.cloud import (
    coordinates_data,
    density_data,
    names_data,
    point_order,
    read_selection,
    search_texts,
)
from tests.ui.browser_message import fetched, opened, payloads, report, unpacked
from tests.waiting import PATIENCE


def data_page() -> None:
    import numpy as np
    import streamlit as st

    from ui.components.point_cloud import point_data

    flat = st.session_state.get("flat", False)
    places = np.float32([[1, 2, 3], [4, 5, 6], [-7, 8e30, 1e-30]])
    if flat:
        places[:, 2] = 0
    names = ["·the", "<b>", "a\0b"] if "names" not in st.session_state else st.session_state["names"]
    ids = np.array(st.session_state.get("ids", [5, 70_000, 0]))
    st.session_state["fingerprint"] = point_data(places, ids, names)


def cloud_page() -> None:
    import numpy as np
    import streamlit as st

    from ui.components.point_cloud import LABELS, Gradient, Kind, Points, Token, point_cloud, point_order

    landmarks = st.session_state.get("landmarks")
    kinds = [Kind(0, "word", 6), Kind(1, "number", 4)]
    cloud = point_cloud(
        Points(
            data="names.places",
            colours=np.uint8([0, 1, 0, 1, 0, 0, 0, 0, 1, 1]),
            palette=["#111111", "#222222"],
            legend=Gradient("length", 1, 12.5) if st.session_state.get("gradient") else kinds,
            dimensions=3,
            chosen=st.session_state.get("wished", 3),
            neighbours=[(4, 0.5), (0, -1.0)],
            highlighted=st.session_state.get("found", [9, 1]),
            tokens=[Token(0, "a", (0.0, 1.0, 2.0)), Token(1, "b", (3.0, 4.0, 5.0))],
            axes=["x", "y", "z"],
            labels=LABELS,
            height=500,
            picture="gpt2/pca",
            landmarks=None if landmarks is None else point_order(landmarks, 10) or "all",
            named=[8, 2],
        ),
        key="cloud",
        on_change=lambda: None,
    )
    st.session_state["got"] = cloud


def points_of(app: AppTest) -> list[tuple[dict[str, Any], bytes]]:
    """Fetch names and places as the browser does, each taken apart."""
    return [unpacked(fetched(address)) for address in app.session_state["fingerprint"].split(".")]


def test_names_and_places_reach_the_browser_as_they_are() -> None:
    (names, names_body), (places, places_body) = points_of(opened(data_page))
    assert (names["part"], places["part"]) == ("names", "places")
    assert struct.unpack("<II", names_body[:8]) == (3, 4)
    assert np.frombuffer(names_body[8:20], "<i4").tolist() == [5, 70_000, 0]
    assert names_body[20:].decode().split("\0") == ["·the", "<b>", "a␀b"]  # a zero is what stands between labels
    assert struct.unpack("<I", places_body[:4]) == (3,)
    np.testing.assert_array_equal(
        np.frombuffer(places_body[4:], "<f4"), np.float32([1, 2, 3, 4, 5, 6, -7, 8e30, 1e-30])
    )


def test_small_ids_and_flat_places_travel_narrow() -> None:
    (_, names_body), (_, places_body) = points_of(opened(data_page, flat=True, ids=[5, 65_535, 0]))
    assert struct.unpack("<II", names_body[:8]) == (3, 2)
    assert np.frombuffer(names_body[8:14], "<u2").tolist() == [5, 65_535, 0]
    assert struct.unpack("<I", places_body[:4]) == (2,)
    np.testing.assert_array_equal(np.frombuffer(places_body[4:], "<f4"), np.float32([1, 2, 4, 5, -7, 8e30]))


def test_each_part_of_the_fingerprint_follows_its_own_contents() -> None:
    app = opened(data_page)
    names, places = app.session_state["fingerprint"].split(".")
    app.run()
    assert app.session_state["fingerprint"] == f"{names}.{places}"
    app.session_state["flat"] = True
    app.run()
    same, other = app.session_state["fingerprint"].split(".")
    assert same == names
    assert other != places
    app.session_state["names"] = ["·the", "<b>", "c"]
    app.run()
    assert app.session_state["fingerprint"].split(".")[0] != names
    assert app.session_state["fingerprint"].split(".")[1] == other


def test_no_points_at_all_are_sent_as_such() -> None:
    assert names_data(np.zeros(0, np.int64), []).content.endswith(struct.pack("<II", 0, 2))
    assert coordinates_data(np.zeros((0, 3), np.float32)).content.endswith(struct.pack("<I", 2))


def test_the_browser_gets_colours_choice_search_and_tokens() -> None:
    app = opened(cloud_page)
    ((header, tail),) = payloads(app)
    assert (header["landmarks"], header["named"]) == (None, [8, 2])
    assert (header["data"], header["picture"], header["count"]) == ("names.places", "gpt2/pca", 10)
    assert (header["chosen"], header["neighbours"], header["found"]) == (3, [[4, 0.5], [0, -1.0]], [9, 1])
    assert header["legend"] == {"kinds": [[0, "word", 6], [1, "number", 4]]}
    assert header["tokens"][1] == {"position": 1, "label": "b", "place": [3, 4, 5]}
    assert list(tail[:10]) == [0, 1, 0, 1, 0, 0, 0, 0, 1, 1]
    assert tail[10:] == bytes([0b00000010, 0b00000010])
    app.session_state["gradient"] = True
    app.session_state["found"] = [2]
    app.run()
    ((header, tail),) = payloads(app)
    assert header["legend"] == {"gradient": {"title": "length", "low": 1, "high": 12.5, "logarithmic": False}}
    assert header["found"] == [2]
    assert tail[10:] == bytes([0b00000100, 0])


def test_an_order_of_names_travels_apart_and_not_at_all_where_it_is_the_points_own() -> None:
    app = opened(cloud_page, landmarks=[9, 0, 4])
    ((picture, _),) = payloads(app)
    order, body = unpacked(fetched(picture["landmarks"]))
    assert order["part"] == "order"
    assert struct.unpack("<II", body[:8]) == (3, 2)
    assert np.frombuffer(body[8:], "<u2").tolist() == [9, 0, 4]
    app.session_state["landmarks"] = np.arange(10)
    app.run()
    ((header, _),) = payloads(app)
    assert header["landmarks"] == ""


def test_an_order_of_more_points_than_two_bytes_can_count_takes_four() -> None:
    order = np.arange(70_000)[::-1]
    data = point_order(order, 70_000)
    assert data is not None
    _, body = unpacked(data.content)
    assert struct.unpack("<II", body[:8]) == (70_000, 4)
    np.testing.assert_array_equal(np.frombuffer(body[8:], "<u4"), order)


def test_counts_travel_from_the_top_down_a_byte_each_and_four_where_that_is_too_few() -> None:
    counts = np.array([[1, 255, 0], [70_000, 254, 2]], dtype=np.uint32)
    header, body = unpacked(density_data(counts).content)
    assert header == {"part": "density"}
    assert struct.unpack("<III", body[:12]) == (3, 2, 2)
    np.testing.assert_array_equal(np.frombuffer(body[12:20], "<u4"), [70_000, 255])
    assert list(body[20:]) == [255, 254, 2, 1, 255, 0]


def test_points_under_the_same_key_are_written_once() -> None:
    def page() -> None:
        import numpy as np
        import streamlit as st

        from ui.components.point_cloud import point_data

        value = np.float32(st.session_state["value"])
        places = np.full((2, 3), value)
        names = ["a", "b"]
        key = st.session_state["cache_key"]
        st.session_state["fingerprint"] = point_data(places, np.arange(2), names, cache_key=key)

    app = AppTest.from_function(page, default_timeout=PATIENCE)
    sent = []
    for key, value in [("test/one", 1), ("test/one", 2), ("test/two", 2), (None, 1)]:
        app.session_state["cache_key"], app.session_state["value"] = key, value
        app.run()
        assert not app.exception
        sent.append((app.session_state["fingerprint"], points_of(app)))
    assert sent[0] == sent[1]  # the value is not looked at again
    assert sent[2] != sent[0]
    assert sent[3] == sent[0]


def test_what_a_label_does_not_say_is_sent_for_the_search() -> None:
    assert search_texts([" the", "a b"], ["·the", "a·b"]) == "labels"
    data = search_texts([" the", "a\nb", "·"], ["·the", "a↵b", "·"])
    assert data != "labels"
    assert unpacked(data.content)[0] == {"part": "texts", "rows": [1, 2], "texts": ["a\nb", "·"]}


def test_a_search_without_hits_differs_from_no_search() -> None:
    app = opened(cloud_page, found=[])
    ((header, tail),) = payloads(app)
    assert (header["found"], tail[10:]) == ([], bytes(2))
    app.session_state["found"] = None
    app.run()
    ((header, tail),) = payloads(app)
    assert (header["found"], tail[10:]) == (None, b"")


def test_a_click_wins_in_the_run_that_it_starts_and_the_page_in_every_other() -> None:
    app = opened(cloud_page)
    assert app.session_state["got"].chosen == 3
    report(app, chosen={"value": 7, "turn": 1})
    assert app.session_state["got"].chosen == 7
    app.run()
    assert app.session_state["got"].chosen == 3
    report(app, chosen={"value": None, "turn": 2})
    assert app.session_state["got"].chosen is None


@pytest.mark.parametrize(
    "sent", [{"value": 10, "turn": 1}, {"value": -1, "turn": 1}, {"value": "7", "turn": 1}, {"value": True, "turn": 1}]
)
def test_a_choice_that_is_no_point_is_none(sent: dict[str, Any]) -> None:
    app = report(opened(cloud_page), chosen=sent)
    assert not app.exception
    assert app.session_state["got"].chosen is None


@pytest.mark.parametrize("sent", [[], 7, "text", {"value": 1}, {"value": 1, "turn": "2"}])
def test_a_report_that_makes_no_sense_changes_nothing(sent: Any) -> None:
    app = report(opened(cloud_page), chosen=sent)
    assert not app.exception
    assert app.session_state["got"].chosen == 3


def test_a_mark_is_one_bit_for_each_point() -> None:
    bits = base64.b64encode(bytes([0b10000001, 0b00000010])).decode()
    assert read_selection(bits, 10) == [0, 7, 9]
    assert read_selection("", 10) == []


@pytest.mark.parametrize("sent", [None, 3, [1], "no base64!", "AA==", "AAAA", "A" * 10_000, "äöü="])
def test_a_mark_that_makes_no_sense_is_none(sent: object) -> None:
    assert read_selection(sent, 10) is None
