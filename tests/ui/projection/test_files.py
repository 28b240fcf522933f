"""The reader's own tables on the projection page: which file is said to give what, choices that wait, rows saved."""

import gzip
import hashlib
import io
import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from streamlit.testing.v1 import AppTest

from embedlib.tables import TABLE_ERRORS, TABLE_NOTES
from tests.messages import wording
from tests.ui.pages import link_of, open_page, says, says_only, sentences
from tests.ui.projection.test_page import GRAMMAR, listed_rows, load, npy, places
from tests.waiting import PATIENCE
from ui.export.offers import make_file

ROWS = np.random.default_rng(3).normal(size=(6, 4)).astype(np.float32)


def npz(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def choice(app: AppTest) -> Any:
    return next((box for box in app.selectbox if wording("Table in the file").fullmatch(box.label)), None)


@pytest.fixture
def waiting() -> AppTest:
    app = load(open_page("projection"), ("two.npz", npz(one=ROWS, other=ROWS[:4])))
    assert not app.exception
    return app


def test_a_file_with_two_tables_says_that_one_must_be_chosen(waiting: AppTest) -> None:
    said = wording("{file} holds {count:,} tables:…", file="`two.npz`", count="2")
    assert any(said.fullmatch(sentence) for sentence in sentences(waiting))
    assert len(places(waiting)) == len(GRAMMAR.words)
    app = choice(waiting).set_value("other").run()
    assert not app.exception
    assert len(places(app)) == 4
    assert not any(said.fullmatch(sentence) for sentence in sentences(app))
    assert choice(app) is None
    assert says(app, "{file}: {rows:,} rows ×…", file="`two.npz`", rows="4", columns="4")


def test_another_file_takes_the_place_of_the_one_that_waits(waiting: AppTest) -> None:
    assert waiting.file_uploader[0].value in (None, [])  # the box is free again
    app = load(waiting, ("t.npy", npy(ROWS)))
    assert says(app, "{file}: {rows:,} rows ×…", file="`t.npy`", rows="6", columns="4")
    assert choice(app) is None


def test_another_file_with_several_tables_waits_instead(waiting: AppTest) -> None:
    app = load(waiting, ("three.npz", npz(a=ROWS, b=ROWS, c=ROWS[:5])))
    assert says(app, "{file} holds {count:,} tables:…", file="`three.npz`", count="3")
    assert not any("two.npz" in sentence for sentence in sentences(app))
    assert choice(app).options == ["a", "b", "c"]
    assert len(places(choice(app).set_value("c").run())) == 5


def test_another_file_that_is_none_ends_the_waiting_with_its_own_sentence(waiting: AppTest) -> None:
    app = load(waiting, ("t.npy", b""))
    assert says_only(app, TABLE_ERRORS["empty"], file="`t.npy`")
    assert choice(app) is None


def test_waiting_ends_when_none_is_wanted(waiting: AppTest) -> None:
    app = waiting.button(key="upload-none").click().run()
    assert choice(app) is None
    assert not any("two.npz" in sentence for sentence in sentences(app))


def test_the_file_that_names_the_rows_is_named() -> None:
    files = (("m.npy", npy(ROWS)), ("names.tsv", b"a\nb\nc\nd\ne\nf\n"))
    app = load(open_page("projection"), *files)
    assert link_of(app)["vectors"] == "yours"
    assert says(app, "Names from {labels}.", labels="`names.tsv`")


def test_what_a_file_without_names_says_of_each_row_is_listed_all_the_same() -> None:
    stream = io.BytesIO()
    pq.write_table(pa.table({"kind": range(10, 16), "e": ROWS.tolist()}), stream)
    app = load(open_page("projection", find="3"), ("t.parquet", stream.getvalue()))
    (row,) = listed_rows(app)
    assert row["texts"] == ["3", "13"]


def _saving(rows: list[int] | None) -> None:
    import torch

    from ui.projection.files import load_and_save
    from ui.projection.tables import ShownTable, word_names

    names = word_names([f"w{row}" for row in range(1316)])
    load_and_save(ShownTable("k", "yours", torch.arange(2632.0).reshape(1316, 2), names, "told"), rows)


@pytest.mark.parametrize(("rows", "count"), [(None, "1,316"), ([], "1,316"), ([7], "1"), (list(range(11)), "11")])
def test_how_many_rows_are_saved_is_said(rows: list[int] | None, count: str) -> None:
    app = AppTest.from_function(_saving, args=(rows,), default_timeout=PATIENCE).run()
    assert not app.exception
    assert says(app, "**Rows to save: {count:,}**", count=count)


def test_the_rows_in_view_are_the_ones_that_are_saved() -> None:
    app = AppTest.from_function(_saving, args=([3, 5],), default_timeout=PATIENCE).run()
    assert not app.exception
    offered = [re.search(r'data-offer="([^/]*)/([^"]*)".*data-save="([^"]*)"', html.value) for html in app.get("html")]
    made = [make_file(found[1], f"{found[2]}.{found[3]}") for found in offered if found]
    media = "text/tab-separated-values"
    assert made == [(b"6\t7\n10\t11\n", media), (b"w3\nw5\n", media)]


def test_a_link_names_the_file_of_a_table_and_shows_the_same_once_that_is_loaded() -> None:
    app = load(open_page("projection"), ("rows.npy", npy(ROWS)))
    (box,) = [box for box in app.selectbox if box.key == "metric"]
    link = link_of(box.set_value("dot").run()) | {"row": "2", "marked": "1,2,3", "beside": "neighbours"}
    assert link["own_file"] == f"{hashlib.sha256(npy(ROWS)).hexdigest()}/rows.npy"
    again = open_page("projection", **link)
    assert says(again, "The link shows {file}: load it…", file="`rows.npy`")
    assert len(places(again)) == len(GRAMMAR.words)  # another stands in
    right = load(again, ("renamed.npy", npy(ROWS)))
    assert not says(right, "The link shows {wanted} of…", wanted="`rows.npy`")
    assert len(places(right)) == 6
    shown = link_of(right)
    assert {name: shown[name] for name in link if name != "own_file"} == {n: link[n] for n in link if n != "own_file"}


def test_another_file_than_the_links_is_shown_and_said_to_be_one() -> None:
    link = {"vectors": "yours", "own_file": f"{'0f' * 32}/rows.npy", "row": "2", "marked": "1,2,3"}
    app = load(open_page("projection", **link), ("rows.npy", npy(ROWS)))
    assert not app.exception
    assert says(app, "The link shows {wanted} of…", wanted="`rows.npy`")
    assert len(places(app)) == 6
    shown = link_of(app)
    assert {"row", "marked"}.isdisjoint(shown)
    assert shown["own_file"].endswith("/rows.npy")


def test_a_file_of_no_sound_name_in_a_link_is_one_sentence() -> None:
    app = open_page("projection", vectors="yours", own_file="<b>/../x")
    assert not app.exception
    assert len(app.warning) == 1


COMMAS = b"mot;x;y;z\nle;0,5;1,5;2,5\nla;3,5;4,5;5,25\nun;1;-2;0,125\n"
READ_AS = "Read as: {separator}, {decimal}, {heading}, {labels}."
PARTS = {"separator": "semicolons", "decimal": "decimal commas", "heading": "a heading", "labels": "labels from `mot`"}


def said_of(app: AppTest, **parts: str) -> bool:
    return says(app, READ_AS, **(PARTS | parts))


def pick(app: AppTest, part: str, value: Any) -> AppTest:
    (box,) = [box for box in app.selectbox if str(box.key).startswith(f"layout-{part}")]
    return box.set_value(value).run()


def test_how_a_text_file_was_read_is_said_and_can_be_changed() -> None:
    app = load(open_page("projection", find="la"), ("t.csv", COMMAS))
    assert said_of(app)
    app = pick(app, "label_column", "")
    assert said_of(app, labels="no labels")
    app = pick(app, "header", False)
    assert said_of(app, heading="no heading", labels="no labels") is False  # a text above numbers
    assert any("`x`" in error.value for error in app.error)


def test_a_layout_that_makes_a_file_unreadable_is_said_and_the_table_stays() -> None:
    app = load(open_page("projection"), ("t.csv", COMMAS))
    app = pick(app, "decimal", ".")
    assert any(wording(TABLE_ERRORS["value"], row="2", column="`x`").search(error.value) for error in app.error)
    assert says(app, "The previous one stays.")
    assert said_of(app)
    assert len(places(app)) == 3
    app = pick(app, "separator", "\t")
    assert len(app.error) == 1
    assert said_of(app)


def test_another_heading_adds_a_row() -> None:
    app = load(open_page("projection"), ("t.csv", b"0,1\n0.5,1.5\n2.5,3.25\n"))
    assert len(places(app)) == 2
    app = pick(app, "header", False)
    assert not app.error
    assert len(places(app)) == 3
    assert "header=False" in app.code[-1].value


def test_only_text_files_have_a_layout() -> None:
    app = load(open_page("projection"), ("t.csv", COMMAS))
    app = load(app, ("t.npy", npy(ROWS)))
    assert not any(str(box.key).startswith("layout-") for box in app.selectbox)


def test_a_guessed_encoding_is_said_and_can_be_changed() -> None:
    app = load(
        open_page("projection", find="мир"), ("t.csv", "слово;x;y\nмир;0,5;1,5\nдом;2,5;3,75\n".encode("cp1251"))
    )
    assert says(app, "Encoding: {encoding}.", encoding="windows-1252")
    app = pick(app, "encoding", "windows-1251")
    assert says(app, READ_AS, labels="labels from `слово`")


def test_files_packed_by_gzip_and_word_vectors_are_taken() -> None:
    app = load(
        open_page("projection"),
        ("wiki.vec.gz", gzip.compress(b"3 2\nthe 0.5 1.5\nof 2.5 3.5\nnew york 1 2\n", mtime=0)),
    )
    assert not app.error
    assert len(places(app)) == 3


def test_a_column_that_is_left_out_stays_named_when_another_layout_fails() -> None:
    app = load(open_page("projection"), ("t.csv", b"mot;x;y;vide\nle;0,5;1,5;\nla;3,5;4,5;\n"))
    assert says(app, TABLE_NOTES["empty_columns"], names="`vide`")
    app = pick(app, "decimal", ".")
    assert len(app.error) == 1
    assert says(app, TABLE_NOTES["empty_columns"], names="`vide`")
