"""The projection page without a browser: its numbers against independent code, its sentences about what cannot be."""

import io
import json
import re
import struct
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.manifold import trustworthiness
from sklearn.neighbors import NearestNeighbors
from streamlit.testing.v1 import AppTest

from embedlib.checkpoints import minilm
from embedlib.grammar import GROUPS
from embedlib.projection import tsne
from embedlib.tables import TABLE_ERRORS
from embedlib.texts import reference_manual, words
from embedlib.tokenizers import token_label
from embedlib.word2vec import CountedTable, cooccurrence_table, trained_table
from tests.messages import message, wording
from tests.ui.browser_message import fetched, report_of
from tests.ui.pages import (
    components,
    find_control,
    link_of,
    open_page,
    packed,
    says,
    says_only,
    sentences,
    table_rows,
    wait_for,
)
from ui.projection import controls, maps
from ui.settings import state

GRAMMAR = trained_table()
CHOOSE = wording("Choose a point of the picture…")


@cache
def learned() -> CountedTable:
    return cooccurrence_table(words(reference_manual()))


def open_manual(**link: str) -> AppTest:
    """Open the page on the table learned from Python's manual."""
    return open_page("projection", vectors="learned", **link)


def header(app: AppTest) -> dict[str, Any]:
    """Read what the picture was told besides its points."""
    (sent,) = components(app, "point-cloud")
    return packed(sent.bytes)[0]


def places(app: AppTest) -> NDArray[np.float32]:
    """Read where the points lie."""
    body = packed(fetched(header(app)["data"].split(".")[1]))[1]
    (columns,) = struct.unpack("<I", body[:4])
    return np.frombuffer(body[4:], "<f4").reshape(-1, columns)


def neighbours(app: AppTest, column: str) -> list[Any]:
    """Read a column of the table of the chosen row's neighbours."""
    rows = table_rows(app, "neighbours")
    if column == "token":
        return [row["title"] for row in rows]
    if column == "row":
        return [row for row, _similarity in header(app)["neighbours"]]
    return [row["values"][0] for row in rows]


def listed_rows(app: AppTest) -> list[dict[str, Any]]:
    """Open the list of the selected rows, or of those found, and return its rows."""
    app.session_state["selection-list"] = True
    return table_rows(app.run(), "listed")


def load(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Put files into the uploader."""
    app.file_uploader[0].set_value([(name, content, "application/octet-stream") for name, content in files])
    return app.run()


def npy(array: NDArray[Any], **options: Any) -> bytes:
    target = io.BytesIO()
    np.save(target, array, **options)
    return target.getvalue()


def test_the_page_opens_on_king_and_queen_with_an_analogy_that_comes_out() -> None:
    app = open_page("projection")
    assert not app.exception
    assert all(CHOOSE.search(sentence) for sentence in sentences(app))
    assert link_of(app) == {}
    assert says(app, "Of the {total:,} other tokens…", word="`queen`", rank="1")
    king, man, woman, queen = (GRAMMAR.words.index(word) for word in ("king", "man", "woman", "queen"))
    assert set(header(app)["named"]) == {king, man, woman, queen}
    assert [point["label"] for point in header(app)["tokens"]] == state.DEFAULT_TEXT.split()
    across, up = places(app)[:, 0], places(app)[:, 1]
    assert max(across[[man, woman]]) < 0 < min(across[[king, queen]])
    assert max(up[[king, man]]) < 0 < min(up[[queen, woman]])
    kinds = {kind[1] for kind in header(app)["legend"]["kinds"]}
    assert {GROUPS[name] for name in ("people", "places", "animals")} <= kinds


def test_a_click_on_a_point_chooses_its_row_for_the_whole_page_and_another_one_lets_it_go() -> None:
    app = report_of(open_manual(isolated="3,30,300,900"), "point-cloud", chosen={"value": 2, "turn": 1})
    assert link_of(app)["row"] == "300"
    assert learned().words[300] in [title.value.strip("`") for title in app.markdown]
    assert len(neighbours(app, "token")) == 10
    assert "row" not in link_of(report_of(app, "point-cloud", chosen={"value": None, "turn": 2}))
    assert "row" not in link_of(report_of(app, "point-cloud", chosen={"value": 4, "turn": 3}))


def test_the_tokens_are_those_of_the_text_of_the_first_page() -> None:
    text = "The king loves the queen and her cat"
    app = open_page("pipeline", text=text).switch_page("../pages/projection.py").run()
    assert [point["label"] for point in header(app)["tokens"]] == text.split()
    (area,) = components(app, "live-text")
    assert json.loads(area.bytes)["value"] == text


def test_every_word_is_where_an_independent_pca_puts_it() -> None:
    app = open_manual()
    assert not app.exception
    assert all(CHOOSE.search(sentence) for sentence in sentences(app))
    rows = learned().vectors.double().numpy()
    expected = PCA(3, svd_solver="full").fit_transform(rows)
    shown = places(app)
    expected *= np.sign((expected * shown).sum(axis=0))  # an axis may point either way
    np.testing.assert_allclose(shown, expected, atol=1e-5)


def test_the_chosen_rows_neighbours_are_those_of_independent_code_in_all_columns() -> None:
    row = learned().words.index("list")
    app = open_manual(row=str(row))
    near = NearestNeighbors(n_neighbors=11, metric="cosine").fit(learned().vectors.numpy())
    distances, ids = near.kneighbors(learned().vectors[row : row + 1].numpy())
    assert neighbours(app, "row")[:10] == ids[0, 1:].tolist()
    np.testing.assert_allclose(neighbours(app, "similarity")[:10], 1 - distances[0, 1:], atol=1e-6)
    assert header(app)["chosen"] == row
    assert [index for index, _ in header(app)["neighbours"]] == ids[0, 1:].tolist()


def test_positions_move_a_token_by_exactly_what_they_add() -> None:
    text = "list of strings"
    with_positions = header(open_manual(text=text, moved="1"))["tokens"]
    without = header(open_manual(text=text))["tokens"]
    assert [point["label"] for point in without] == ["list", "of", "strings"]
    from embedlib.positional import sinusoidal_table

    axes = PCA(3, svd_solver="full").fit(learned().vectors.double().numpy()).components_
    steps = sinusoidal_table(3, 64).double().numpy() @ axes.T
    moved = np.array(
        [np.subtract(after["place"], before["place"]) for after, before in zip(with_positions, without, strict=True)]
    )
    np.testing.assert_allclose(np.abs(moved), np.abs(steps), atol=1e-5)


def test_a_scheme_that_adds_nothing_says_so() -> None:
    app = open_page("projection", moved="1", scheme="rope")
    assert says(app, "{scheme} adds no rows to the tokens’…")


def test_words_the_table_does_not_have_are_named() -> None:
    app = open_manual(text="The cat")
    assert any(wording("No row for {word}.", word="`cat`").fullmatch(caption.value) for caption in app.caption)


def test_the_browser_searches_and_the_page_lists_what_it_finds() -> None:
    app = report_of(open_manual(), "point-cloud", search={"text": "list", "expression": False, "turn": 1})
    search = header(app)["search"]
    assert (search["text"], search["turn"], search["texts"], search["answer"]) == ("list", 1, "", None)
    assert header(app)["found"] is None
    assert link_of(app)["find"] == "list"
    found = {word for word in learned().words if "list" in word}
    assert {row["title"] for row in listed_rows(app)} == found


def test_an_expression_is_searched_for_on_the_server() -> None:
    app = open_manual(find="^list", expression="1")
    found = [index for index, word in enumerate(learned().words) if word.startswith("list")]
    assert header(app)["found"] == found
    answer = header(app)["search"]["answer"]
    assert answer == {"count": str(len(found)), "first": [[row, learned().words[row]] for row in found[:8]]}


def test_what_a_narrowed_picture_lacks_is_found_and_chosen_all_the_same() -> None:
    words = learned().words
    app = open_manual(find="list", isolated="0,1,2")
    row = words.index("list")
    assert header(app)["search"]["texts"] is None
    assert header(app)["search"]["answer"]["first"][0] == [row, "list"]
    app = report_of(app, "point-cloud", match=row)
    assert link_of(app)["row"] == str(row)


@pytest.mark.parametrize("sent", [3, ["list"], {"text": 3}, {"expression": True}])
def test_a_search_that_is_none_is_ignored(sent: object) -> None:
    app = report_of(open_manual(find="list"), "point-cloud", search=sent)
    assert not app.exception
    assert header(app)["search"]["text"] == "list"


def test_a_broken_expression_gets_one_sentence() -> None:
    app = open_page("projection", find="(", expression="1")
    assert not app.exception
    assert says_only(app, "The expression is incomplete:…", detail="`missing )`")


def test_an_unknown_table_falls_back_and_says_so() -> None:
    app = open_page("projection", vectors="../etc/passwd")
    assert says(app, "There is no table {name} here…", name="`../etc/passwd`", shown="a small grammar")
    assert len(places(app)) == len(GRAMMAR.words)


def test_an_unknown_table_falls_back_to_the_one_that_the_page_opens_with(real_rows: None) -> None:
    app = open_page("projection", vectors="no such")
    assert len(places(app)) == minilm().vocab_size
    assert says(app, "There is no table {name} here…", name="`no such`", shown="MiniLM")
    assert next(box for box in app.selectbox if box.label == "Embedding matrix").value == "minilm"


def test_the_link_of_somebody_elses_table_says_that_it_must_be_loaded() -> None:
    assert says(open_page("projection", vectors="yours"), "A link cannot carry a table: load…", shown="a small grammar")


def test_a_random_table_is_that_of_torch_with_the_same_seed() -> None:
    import torch

    app = open_page(
        "projection", vectors="random", tokenizer="bytes", d_model="8", seed="7", row="65", metric="euclidean"
    )
    torch.manual_seed(7)
    rows = torch.nn.Embedding(256, 8).weight.detach().numpy()
    distances, ids = NearestNeighbors(n_neighbors=11).fit(rows).kneighbors(rows[65:66])
    assert neighbours(app, "row")[:10] == ids[0, 1:].tolist()
    np.testing.assert_allclose(neighbours(app, "similarity")[:10], -distances[0, 1:], atol=1e-6)


def test_isolated_rows_are_drawn_alone_along_axes_of_their_own() -> None:
    rows = [3, 5, 8, 13, 21, 34]
    app = open_manual(isolated=",".join(map(str, rows)))
    expected = PCA(3, svd_solver="full").fit_transform(learned().vectors[rows].double().numpy())
    np.testing.assert_allclose(np.abs(places(app)), np.abs(expected), atol=1e-5)
    app.button(key="show-all").click().run()
    assert len(places(app)) == len(learned().words)
    assert "isolated" not in link_of(app)


def test_rows_of_one_table_are_forgotten_in_a_table_of_other_names_only() -> None:
    app = open_manual(row="30", isolated="3,5,8,30")
    find_control(app, "d_model").set_value(32).run()
    assert (link_of(app)["row"], link_of(app)["isolated"]) == ("30", "3,5,8,30")
    find_control(app, "vectors").set_value("random").run()
    assert not {"row", "isolated"} & set(link_of(app))


def test_axes_of_meaning_are_lines_between_means_of_words() -> None:
    app = open_manual(map="meaning", from_x="integer, float", to_x="string", from_y="class", to_y="loop")
    number = {word: index for index, word in enumerate(learned().words)}
    rows = learned().vectors.double().numpy()
    start, stop = rows[[number["integer"], number["float"]]].mean(axis=0), rows[number["string"]]
    middle = np.mean([rows[number["integer"]], rows[number["float"]], stop], axis=0)
    expected = (rows - middle) @ (stop - start) / np.linalg.norm(stop - start)
    shown = places(app)[:, 0]
    np.testing.assert_allclose(shown - shown.mean(), expected - expected.mean(), atol=1e-5)
    assert shown[number["integer"]] < 0 < shown[number["string"]]


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({"from_x": "zebra"}, wording("This table has no row for {words}…", words="`zebra`")),
        ({"from_x": ","}, wording("Each of the four ends needs…")),
        ({"from_x": "list", "to_x": "list"}, wording("The two ends of an axis are equal…")),
    ],
)
def test_axes_that_cannot_be_had_get_one_sentence(link: dict[str, str], said: re.Pattern[str]) -> None:
    app = open_manual(map="meaning", **link)
    assert not app.exception
    assert [bool(said.match(sentence)) for sentence in sentences(app) if not CHOOSE.search(sentence)] == [True]


def test_an_analogy_is_answered_with_the_rank_of_the_expected_word() -> None:
    app = open_manual(analogy="right,left,start,end")
    unit = learned().vectors.double().numpy()
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    number = {word: index for index, word in enumerate(learned().words)}
    likeness = unit @ (unit[number["right"]] - unit[number["left"]] + unit[number["start"]])
    likeness[[number["right"], number["left"], number["start"]]] = -np.inf
    order = np.argsort(-likeness)
    answers = table_rows(app, "analogy-answers")
    assert [row["values"][0] for row in answers] == [1, 2, 3, 4, 5]
    assert [row["title"] for row in answers] == [token_label(learned().words[row].encode()) for row in order[:5]]
    rank = order.tolist().index(number["end"]) + 1
    assert says(app, "Of the {total:,} other tokens…", word="`end`", rank=rank)


def test_a_table_of_the_readers_own_is_shown_under_its_own_names() -> None:
    rows = np.random.default_rng(0).normal(size=(40, 6)).astype(np.float32)
    vectors = "\n".join("\t".join(repr(float(number)) for number in row) for row in rows)
    names = "label\tyear\tanimal\n" + "\n".join(f"word{row}\t{1900 + row}\t{'owl' * (row % 2)}" for row in range(40))
    app = load(open_page("projection"), ("vectors.tsv", vectors.encode()), ("metadata.tsv", names.encode()))
    assert not app.exception
    assert link_of(app)["vectors"] == "yours"
    expected = PCA(3, svd_solver="full").fit_transform(rows.astype(np.float64))
    np.testing.assert_allclose(np.abs(places(app)), np.abs(expected), atol=1e-5)
    app = report_of(app, "point-cloud", search={"text": "word3", "expression": False, "turn": 1})
    assert listed_rows(app)[0]["title"] == "word3"
    find_control(app, "colour").set_value("column:year").run()
    assert link_of(app)["colour"] == "column:year"
    scale = header(app)["legend"]["gradient"]
    assert (scale["title"], round(scale["low"]), round(scale["high"])) == ("year", 1900, 1939)
    find_control(app, "colour").set_value("column:animal").run()
    assert header(app)["legend"]["kinds"] == [[0, "–", 20], [1, "owl", 20]]


GOOD = np.random.default_rng(1).normal(size=(5, 3)).astype(np.float32)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            [("t.npy", npy(np.where(np.eye(5, 3) > 0, np.nan, GOOD)))],
            wording(TABLE_ERRORS["value"], value="`nan`", row="1", column="`1`"),
        ),
        ([("t.csv", b"1,2,3\n4,5\n6,7,8\n")], wording(TABLE_ERRORS["ragged"], row="2")),
        ([("v.tsv", b"1\t2\n3\t4\n5\t7\n"), ("m.tsv", b"a\nb\n")], re.compile("2")),
        ([("t.npy", npy(np.array([[{}]], dtype=object), allow_pickle=True))], wording(TABLE_ERRORS["file"])),
    ],
)
def test_a_bad_file_gets_one_sentence_and_the_table_in_view_stays(
    files: list[tuple[str, bytes]], said: re.Pattern[str]
) -> None:
    app = load(open_page("projection"), *files)
    assert not app.exception
    (error,) = app.error
    assert said.search(error.value)
    assert len(places(app)) == len(GRAMMAR.words)
    assert [error.value for error in load(app, ("t.npy", npy(GOOD))).error] == []  # and the next file is read


def test_a_table_from_the_servers_folder_is_read_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(2).normal(size=(50, 4)).astype(np.float32)
    np.save(tmp_path / "ours.npy", rows)
    (tmp_path / "broken.npy").write_bytes(b"\x80\x04N.")
    (tmp_path / "notes.txt").write_text("no table")
    monkeypatch.setenv("EMBEDDING_EXPLORER_TABLES", str(tmp_path))
    app = open_page("projection", vectors="ours.npy", row="7")
    assert not app.exception
    assert find_control(app, "vectors").options[-2:] == ["broken.npy", "ours.npy"]
    expected = PCA(3, svd_solver="full").fit_transform(rows.astype(np.float64))
    np.testing.assert_allclose(np.abs(places(app)), np.abs(expected), atol=1e-5)
    assert "ours.npy" in app.code[0].value
    broken = open_page("projection", vectors="broken.npy")
    assert not broken.exception
    assert wording(TABLE_ERRORS["file"]).fullmatch(broken.error[0].value)


def test_a_map_of_neighbours_is_the_one_of_the_library() -> None:
    link = {"map": "tsne", "isolated": ",".join(map(str, range(30)))}
    app = open_manual(**link)
    cosine = message("cosine")
    wait_for(app, lambda: says(app, "A t-SNE map of {count:,} rows by…", count="30", metric=cosine))
    shown = places(app)[:, :2]
    expected = tsne(learned().vectors[:30], perplexity=29 / 3, metric="cosine").numpy()
    np.testing.assert_array_equal(shown, expected)
    trust = trustworthiness(learned().vectors[:30].numpy(), shown, n_neighbors=9, metric="cosine")
    assert says(app, "Nearness of rows is measured by {metric}…", metric=cosine, trust=f"{trust:.3f}")


@pytest.mark.parametrize(
    ("link", "part"), [({"map": "meaning"}, "meaning_axis(table"), ({"map": "tsne"}, "points = tsne(")]
)
def test_the_program_also_makes_the_map_in_view(link: dict[str, str], part: str) -> None:
    app = open_manual(isolated=",".join(map(str, range(30))), **link)
    wait_for(app, lambda: part in app.code[0].value)


@pytest.mark.parametrize(
    "link",
    [
        {"tokenizer": "words", "text": " "},
        {"tokenizer": "words", "text": "cat"},
        {"tokenizer": "characters", "text": ""},
    ],
)
def test_a_vocabulary_too_small_for_a_picture_gets_one_sentence(link: dict[str, str]) -> None:
    app = open_page("projection", vectors="random", **link)
    assert not app.exception
    assert wording("This tokenizer takes its vocabulary…").search(sentences(app)[0])


@pytest.mark.parametrize(
    "link",
    [
        {"vectors": "random", "tokenizer": "words", "text": "cat sat", "view": "3d", "d_model": "2"},
        {"vectors": "random", "tokenizer": "words", "text": "cat sat", "map": "tsne"},
        {
            "vectors": "random",
            "tokenizer": "bytes",
            "map": "meaning",
            "from_x": "a",
            "to_x": "b",
            "from_y": "c",
            "to_y": "d",
        },
        {"isolated": "1", "view": "3d", "metric": "dot", "row": "3", "colour": "similarity"},
        {"isolated": "999999", "colour": "script", "find": "zzzz"},
        {"text": "list " * 500, "moved": "1", "scheme": "learned"},
        {"text": "", "moved": "1"},
    ],
)
def test_odd_settings_leave_the_page_alive(link: dict[str, str]) -> None:
    assert not open_page("projection", **{"vectors": "learned"} | link).exception


def test_the_page_opens_on_a_map_by_umap(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(x: Any, **settings: Any) -> torch.Tensor:
        return torch.from_numpy(np.asarray(x)[:, :2].copy())

    monkeypatch.setattr(maps, "umap", found)  # umap-learn is compiled for half a minute, and tested where it is called
    app = open_manual(map="umap", isolated=",".join(map(str, range(30))), row="999999")
    wait_for(app, lambda: says(app, "A UMAP map of {count:,} rows by…", count="30", n_neighbors=...))
    assert re.search(r"\bumap\(", app.code[0].value)


def test_umap_is_offered_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for there in (True, False):
        monkeypatch.setattr(controls, "umap_available", lambda there=there: there)
        maps = open_page("projection").segmented_control(key="map").options
        assert any(wording("UMAP").fullmatch(title) for title in maps) is there


def test_the_opening_settings_come_back_with_one_button() -> None:
    app = open_page("projection", vectors="random", tokenizer="bytes", d_model="8", row="65", map="pca", text="a cat")
    app.button(key="reset").click().run()
    assert link_of(app) == {"text": "a cat"}


def test_links_from_when_a_line_joined_the_tokens_open_the_picture() -> None:
    app = open_manual(text="list of strings", line="0", look="1~point-cloud.mix!0.5")
    assert not app.warning
    assert [token["label"] for token in header(app)["tokens"]] == ["list", "of", "strings"]
