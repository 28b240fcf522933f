import re
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
import torch

from embedlib.colours import MUTED, RULE, SERIES
from embedlib.figures import Curve, by_length_figure
from embedlib.figures.labels import RemarkRoom, place_remarks
from tests.figures.conftest import Sent

SORT = (2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 25, 30)
TEXT = (16, 32, 64, 96, 128, 192, 256, 384, 512)
# Colours and how many schemes have each: all fifteen of the library.
PER_COLOUR = {0: 3, 1: 2, 2: 5, 3: 4, 5: 1}


def lines(count: int = 15) -> list[Curve]:
    every = [
        Curve(f"scheme {group}{nth}", f"s{group}{nth}", group, nth)
        for group, among in PER_COLOUR.items()
        for nth in range(among)
    ]
    return every[:count]


def values(count: int, lengths: tuple[int, ...], seeds: int = 3) -> torch.Tensor:
    return torch.rand(count, seeds, len(lengths), generator=torch.Generator().manual_seed(1), dtype=torch.float64)


def drawn(found: torch.Tensor, lengths: tuple[int, ...] = SORT, trained: int = 10, **changes: Any) -> go.Figure:
    mine = changes.pop("lines", lines(len(found)))
    words: dict[str, Any] = {
        "x_title": "numbers to sort",
        "y_title": "right",
        "theme": "light",
        "hover_texts": [[f"{line.name}\nat {length}" for length in lengths] for line in mine],
        "trained_text": f"trained up to {trained}",
        "unseen_text": "never seen",
        "ended_text": "{name}: no position there",
    }
    return by_length_figure(found, lengths=lengths, lines=mine, trained=trained, **(words | changes))


def test_each_line_is_the_mean_its_points_the_seeds_and_its_band_goes_from_the_least_to_the_greatest(
    sent: Sent,
) -> None:
    found = values(4, SORT)
    data = sent(drawn(found))["data"]
    for index, (band, line, seeds) in enumerate(zip(data[:4], data[4:8], data[8:], strict=True)):
        points = list(zip(seeds["x"], seeds["y"], strict=True))
        expected = [(length, found[index, seed, at]) for seed in range(3) for at, length in enumerate(SORT)]
        np.testing.assert_allclose(points, expected, rtol=1e-6)
        np.testing.assert_allclose(line["y"], found[index].numpy().mean(0), rtol=1e-6)
        np.testing.assert_array_equal(line["x"], SORT)
        np.testing.assert_allclose(band["y"][: len(SORT)], found[index].numpy().min(0), rtol=1e-6)
        np.testing.assert_allclose(band["y"][len(SORT) :], found[index].numpy().max(0)[::-1], rtol=1e-6)
        np.testing.assert_array_equal(band["x"], [*SORT, *reversed(SORT)])


def test_one_seed_has_no_band_and_no_points(sent: Sent) -> None:
    data = sent(drawn(values(2, SORT, seeds=1)))["data"]
    assert [len(trace["x"]) for trace in data] == [0, 0, len(SORT), len(SORT), 0, 0]


def test_all_fifteen_schemes_look_different_and_are_named_at_their_ends(sent: Sent) -> None:
    figure = sent(drawn(values(15, SORT)))
    marked = figure["data"][15:30]
    looks = {(line["line"]["color"], line["line"]["dash"]) for line in marked}
    assert len(looks) == len({(line["line"]["color"], line["marker"]["symbol"][0]) for line in marked}) == 15
    named = [note for note in figure["layout"]["annotations"] if note["text"].startswith("<b>s")]
    assert sorted(note["text"] for note in named) == sorted(f"<b>{line.label}</b>" for line in lines())


def test_many_lines_that_end_in_one_point_share_a_label_in_which_each_keeps_its_colour(sent: Sent) -> None:
    found = torch.zeros(6, 1, len(SORT))
    found[0] = 0.9
    found[1:, 0, 0] = torch.tensor([0.2, 0.4, 0.1, 0.5, 0.3])
    layout = sent(drawn(found))["layout"]
    alone, shared = [note for note in layout["annotations"] if note.get("showarrow")]
    assert alone["text"] == "<b>s00</b>"
    marks = re.findall(r'<span style="color:([^"]+)">([^<]+)</span>', shared["text"])
    order = [4, 2, 5, 1, 3]  # the higher before, the earlier
    assert [name for _, name in marks] == [lines(6)[index].label for index in order]
    assert [ink for ink, _ in marks] == [SERIES["light"][lines(6)[index].group] for index in order]
    assert shared["text"].count("<br>") == 4  # no row is longer than the longest name


def test_names_stand_where_the_lines_end_and_never_on_each_other(sent: Sent) -> None:
    found = torch.zeros(6, 1, len(SORT))
    found[:, :, -1] = torch.tensor([0.9, 0.0, 0.0, 0.01, 0.5, 0.02])[:, None]
    layout = sent(drawn(found))["layout"]
    notes = {note["text"]: note for note in layout["annotations"] if note.get("showarrow")}
    low, high = layout["yaxis"]["range"]
    for line, end in zip(lines(6), found[:, 0, -1].tolist(), strict=True):
        assert low + notes[f"<b>{line.label}</b>"]["y"] * (high - low) == pytest.approx(end, abs=1e-6)
    plot = 560 - 34 - 66
    texts = sorted(note["y"] * plot - note["ay"] for note in notes.values())
    assert min(np.diff(texts)) > 19.9
    assert texts[0] > 0
    assert texts[-1] < plot


@pytest.mark.parametrize(("lengths", "trained", "kind"), [(SORT, 10, "linear"), (TEXT, 64, "log")])
def test_lengths_lie_on_the_scale_that_keeps_them_apart(
    lengths: tuple[int, ...], trained: int, kind: str, sent: Sent
) -> None:
    layout = sent(drawn(values(2, lengths), lengths, trained))["layout"]
    x = layout["xaxis"]
    assert (x["type"], x["tickvals"]) == (kind, list(lengths))
    assert f"<b>{trained}</b>" in x["ticktext"]
    ground, edge = layout["shapes"]
    assert (ground["x0"], edge["x0"], edge["x1"]) == (trained, trained, trained)
    at = np.log10(trained) if kind == "log" else trained
    before, after = (
        note for note in layout["annotations"] if note["text"][:2] in ("ne", "<b") and "s" != note["text"][3]
    )
    assert (before["text"], after["text"]) == (f"<b>trained up to {trained}</b>", "never seen →")
    assert before["x"] == after["x"] == pytest.approx(at)
    assert (before["xanchor"], after["xanchor"]) == ("right", "left")


def test_on_a_phone_fewer_lengths_have_their_number_and_names_are_brief_or_cut(sent: Sent) -> None:
    long = [Curve("in full", "a rather long name", 0, brief="long"), Curve("b", "a rather short name", 1)]
    layout = sent(drawn(values(2, TEXT), TEXT, 64, lines=long, narrow=True))["layout"]
    assert [text for text in layout["xaxis"]["ticktext"] if text] == ["16", "32", "<b>64</b>", "128", "256", "512"]
    trained, unseen, *names = [note["text"] for note in layout["annotations"]]
    assert (trained, unseen) == ("<b>trained up to 64</b>", "never seen →")
    assert set(names) == {"<b>long</b>", "<b>a rather …</b>"}
    wide = sent(drawn(values(2, TEXT), TEXT, 64, lines=long))["layout"]["annotations"]
    assert "<b>a rather short na…</b>" in [note["text"] for note in wide]


def test_a_line_without_positions_further_on_says_so_where_it_ends(sent: Sent) -> None:
    found = values(2, TEXT) + 5
    found[1, :, 4:] = torch.nan
    layout = sent(drawn(found, TEXT, 64, shares=False))["layout"]
    (ended,) = [note for note in layout["annotations"] if "no position" in note["text"]]
    assert ended["text"] == "<b>s01: no position there</b>"
    assert ended["x"] == pytest.approx(np.log10(96))
    low, high = layout["yaxis"]["range"]
    assert low + ended["y"] * (high - low) == pytest.approx(float(found[1, :, 3].mean().log10()))


def test_points_of_rows_that_were_never_trained_are_hollow(sent: Sent) -> None:
    hollow = [Curve("learned", "learned", 0, hollow=(2, 3))]
    marker = sent(drawn(values(1, (2, 4, 8, 16)), (2, 4, 8, 16), 4, lines=hollow))["data"][1]["marker"]
    assert marker["symbol"] == ["circle", "circle", "circle-open", "circle-open"]


def test_the_one_in_front_keeps_its_colour_and_its_band(sent: Sent) -> None:
    figure = sent(drawn(values(5, SORT), front=3, groups=[("rows", 0)]))
    bands, marked, seeds = figure["data"][:5], figure["data"][5:10], figure["data"][10:15]
    for behind in (bands, seeds):
        assert [len(trace["x"]) > 0 for trace in behind] == [False] * 3 + [True, False]
    assert [line["line"]["color"] for line in marked] == [RULE["light"]] * 3 + [SERIES["light"][1], RULE["light"]]
    assert marked[3]["line"]["width"] > marked[0]["line"]["width"]
    inks = [note["font"]["color"] for note in figure["layout"]["annotations"] if note.get("showarrow")]
    assert inks.count(MUTED["light"]) == 4


def test_perplexity_has_round_numbers_on_a_logarithm_and_shares_have_per_cents(sent: Sent) -> None:
    y = sent(drawn(6 + 14 * values(2, TEXT), TEXT, 64, shares=False, level=(50.0, "guessing")))["layout"]["yaxis"]
    assert y["type"] == "log"
    assert 3 <= len(y["tickvals"]) <= 9
    assert y["ticktext"] == [f"{tick:.0f}" for tick in y["tickvals"]]
    assert y["range"][0] <= np.log10(min(y["tickvals"])) < np.log10(50) < y["range"][1]
    y = sent(drawn(values(2, SORT)))["layout"]["yaxis"]
    assert (y["tickformat"], y["range"][0] < 0, y["range"][1] > 1) == (".0%", True, True)


def test_what_cannot_be_drawn_leaves_a_gap(sent: Sent) -> None:
    found = values(1, SORT) + 1
    found[0, 1, 3] = torch.inf
    line = sent(drawn(found, shares=False))["data"][1]
    assert np.isnan(line["y"][3])
    assert np.isfinite(line["y"][[2, 4]]).all()


def test_a_figure_without_any_number_is_still_one(sent: Sent) -> None:
    for shares in (True, False):
        figure = sent(drawn(torch.full((2, 0, len(SORT)), torch.nan), shares=shares))
        assert not [note for note in figure["layout"]["annotations"] if note.get("showarrow")]


def test_names_and_words_are_shown_as_written(sent: Sent) -> None:
    odd = [Curve("<b>&", "<i>", 0)]
    figure = sent(drawn(values(1, (4, 8)), (4, 8), 4, lines=odd, hover_texts=[["<a>\n$x$", "one"]]))
    assert figure["data"][1]["name"] == "&lt;b&gt;&amp;"
    assert figure["data"][1]["hovertext"] == ["<b>&lt;a&gt;</b><br>&#36;x&#36;", "one"]
    assert "<b>&lt;i&gt;</b>" in [note["text"] for note in figure["layout"]["annotations"]]


def test_the_legend_names_colours_under_the_plot(sent: Sent) -> None:
    figure = sent(drawn(values(2, SORT), groups=[("adds rows", 0), ("turns", 1)]))
    assert [trace["name"] for trace in figure["data"][6:]] == ["adds rows", "turns"]
    legend = figure["layout"]["legend"]
    assert (legend["y"], legend["yanchor"], legend["yref"]) == (0, "bottom", "container")


@pytest.mark.parametrize("narrow", [False, True])
def test_remarks_stand_beside_their_points_where_no_line_runs_and_not_on_a_phone(sent: Sent, narrow: bool) -> None:
    falling = torch.linspace(1, 0, len(SORT), dtype=torch.float64)[None, None]
    layout = sent(drawn(falling, remarks=[(0, 5, "breaks here"), (0, 8, "and here")], narrow=narrow))["layout"]
    remarks = [note for note in layout["annotations"] if "here" in note["text"]]
    assert [note["text"] for note in remarks] == ([] if narrow else ["breaks here", "and here"])
    for note, place in zip(remarks, (5, 8), strict=False):
        assert note["y"] == pytest.approx(float(falling[0, 0, place]))
        assert abs(note["ay"]) >= 24


def test_where_lines_are_everywhere_a_remark_is_left_out() -> None:
    full = np.stack(np.meshgrid(np.arange(0, 400, 4.0), np.arange(0, 200, 4.0)), axis=-1).reshape(-1, 2)
    point, size = np.array([[200.0, 100.0]]), (400.0, 200.0)
    full_room, empty = RemarkRoom(point, full, size), RemarkRoom(point, np.empty((0, 2)), size)
    assert place_remarks(["no room"], [full_room]) == place_remarks(["no room"], [empty, full_room]) == [None]
    (place,) = place_remarks(["room"], [empty])
    assert place is not None
    (right,) = place_remarks(["room"], [replace(empty, left=200.0)])
    assert right is not None
    assert right[0] > 0


def test_no_pointer_runs_through_another_remark() -> None:
    points = [(400.0, 200.0), (380.0, 225.0), (420.0, 230.0), (400.0, 250.0)]
    room = RemarkRoom(np.array(points), np.empty((0, 2)), (800.0, 400.0))
    places = place_remarks(["row 64 was never trained"] * 4, [room])
    centres = [None if place is None else np.add(point, place) for point, place in zip(points, places, strict=True)]
    assert sum(centre is not None for centre in centres) >= 2
    for point, centre in zip(points, centres, strict=True):
        for other in centres:
            if centre is None or other is None or other is centre:
                continue
            pointer = np.linspace(point, centre, 40)
            assert not (np.abs(pointer - other) < (60, 8)).all(axis=1).any()
