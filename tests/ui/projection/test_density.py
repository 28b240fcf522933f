"""Tables with more rows than a picture has points: all of them counted, some of them drawn, any of them found."""

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors
from streamlit.testing.v1 import AppTest

from embedlib.cluster import ClusterError
from embedlib.projection import rows_within
from embedlib.tables import TABLE_ERRORS
from tests.messages import wording
from tests.ui.browser_message import fetched, report_of
from tests.ui.pages import components, link_of, open_page, packed, says, sentences, table_rows, wait_for
from tests.ui.projection.test_page import header
from tests.waiting import wait_until
from ui.jobs import jobs
from ui.projection import places, tables, whole
from ui.projection.picture import saved_density
from ui.projection.tables import MOST_POINTS
from ui.projection.whole import known_neighbours

N_ROWS, D_MODEL = 70_000, 5


def crowds() -> NDArray[np.float32]:
    rng = np.random.default_rng(8)
    rows = rng.normal(size=(N_ROWS, D_MODEL)) * [2.0, 1.2, 0.6, 0.4, 0.2]
    rows[: N_ROWS // 2] = rows[: N_ROWS // 2] * 0.1 + [4.0, 1.0, 0.0, 0.0, 1.0]
    return rows.astype(np.float32)


ROWS = crowds()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A server's folder with a large table."""
    (tmp_path / "tables").mkdir()
    np.save(tmp_path / "tables" / "large.npy", ROWS)
    monkeypatch.setenv("EMBEDDING_EXPLORER_TABLES", str(tmp_path / "tables"))
    monkeypatch.setenv("EMBEDLIB_CACHE", str(tmp_path / "cache"))
    return tmp_path / "tables"


def open_large(**link: str) -> AppTest:
    app = open_page("projection", vectors="large.npy", **link)
    wait_for(app, lambda: components(app, "point-cloud"))
    return app


def counts(app: AppTest) -> NDArray[np.uint32]:
    """Read the counts of the picture's cells, from the bottom up."""
    body = packed(fetched(header(app)["extent"]["cells"]))[1]
    columns, rows, many = struct.unpack("<III", body[:12])
    cells = np.frombuffer(body[12 + 4 * many :], np.uint8).astype(np.uint32)
    cells[cells == 255] = np.frombuffer(body[12 : 12 + 4 * many], "<u4")
    return cells.reshape(rows, columns)[::-1]


def drawn(app: AppTest) -> tuple[list[int], list[str]]:
    """Read the rows that are drawn as points, and their names."""
    body = packed(fetched(header(app)["data"].split(".")[0]))[1]
    count, width = struct.unpack("<II", body[:8])
    ids = np.frombuffer(body[8 : 8 + count * width], f"<u{width}")
    text = body[8 + count * width :].decode()
    return ids.tolist(), text.split("\0") if count else []


def seen(app: AppTest, window: list[float], size: tuple[int, int] = (300, 200), chosen: bool | None = True) -> AppTest:
    report = {"picture": header(app)["picture"], "seen": window, "size": list(size), "window": chosen}
    return report_of(app, "point-cloud", window=report)


def expected_places(app: AppTest) -> NDArray[np.float64]:
    """Place all rows by scikit-learn, its axes pointing the way that the picture's do."""
    found = PCA(2, svd_solver="full").fit(ROWS.astype(np.float64))
    signs = np.sign(found.components_[np.arange(2), np.abs(found.components_).argmax(axis=1)])
    return found.transform(ROWS.astype(np.float64)) * signs


def test_every_row_is_counted_where_an_independent_pca_puts_it(folder: Path) -> None:
    app = open_large()
    spots = expected_places(app)
    extent = header(app)["extent"]
    np.testing.assert_allclose(extent["low"] + extent["high"], [*spots.min(axis=0), *spots.max(axis=0)], atol=1e-4)
    assert extent["count"] == N_ROWS
    assert drawn(app) == ([], [])
    found = counts(app)
    assert found.sum() == N_ROWS
    assert extent["most"] == found.max()
    left, bottom, right, top = extent["over"]
    rows, columns = found.shape
    expected, _, _ = np.histogram2d(spots[:, 1], spots[:, 0], bins=found.shape, range=((bottom, top), (left, right)))
    # Places of float32 may lie on the other side of an edge than those of float64: some rows in a neighbouring cell.
    assert np.abs(found - expected).sum() < 0.01 * N_ROWS
    coarse = [
        array[: rows // 8 * 8, : columns // 8 * 8].reshape(rows // 8, 8, columns // 8, 8).sum(axis=(1, 3))
        for array in (found.astype(int), expected.astype(int))
    ]
    assert np.abs(coarse[0] - coarse[1]).max() <= 0.02 * coarse[1].max()
    assert [title[:4] for title in header(app)["axes"]] == ["PC 1", "PC 2"]
    assert says(app, "Rows in view: {count:,}…", count="70,000", most="50,000")


def test_what_is_counted_is_numpys_histogram_of_the_places_that_are_kept(folder: Path) -> None:
    app = open_large()
    (file,) = (folder.parent / "cache" / "projections").glob("*.npy")
    kept = np.load(file)
    window = [-3.0, -2.0, 3.3, 2.2]
    app = seen(app, window, (315, 210))
    found, extent = counts(app), header(app)["extent"]
    left, bottom, right, top = extent["over"]
    assert (left, bottom) == (-3.0, -2.0)
    inside = rows_within(kept, places.Window(*window))
    expected, _, _ = np.histogram2d(
        kept[1, inside], kept[0, inside], bins=found.shape, range=((bottom, top), (left, right))
    )
    np.testing.assert_array_equal(found, expected)
    assert says(app, "Rows in view: {count:,}…", count=f"{len(inside):,}")


def test_rows_are_points_where_few_are_in_view_and_can_be_chosen_there(folder: Path) -> None:
    app = open_large()
    spots = expected_places(app)
    app = seen(app, [-1.0, -0.5, 0.0, 0.25], (400, 300))
    assert header(app)["extent"]["cells"] == ""
    rows, names = drawn(app)
    inside = (spots[:, 0] > -1.0) & (spots[:, 0] < 0) & (spots[:, 1] > -0.5) & (spots[:, 1] < 0.25)
    assert set(np.flatnonzero(inside).tolist()) <= set(rows)
    assert names == [str(row) for row in rows]
    assert abs(sum(count for _, _, count in header(app)["legend"]["kinds"]) - inside.sum()) <= 2
    assert len(rows) > inside.sum() + 2  # those just beside the picture too
    assert link_of(app)["seen"] == "-1,-0.5,0,0.25"
    app = report_of(app, "point-cloud", chosen={"value": rows[7], "turn": 1})
    assert link_of(app)["row"] == str(rows[7])
    assert header(app)["chosen"] == 7
    assert "row" not in link_of(report_of(app, "point-cloud", chosen={"value": N_ROWS, "turn": 2}))


def test_neighbours_are_looked_for_once_in_a_run_so_that_none_are_listed_and_not_drawn(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_large(row="61234")
    wait_for(app, lambda: table_rows(app, "neighbours"))
    asked: list[object] = []

    def found_meanwhile(*about: object) -> object:
        asked.append(about)
        return known_neighbours(*about) if len(asked) > 1 else None  # type: ignore[arg-type]

    monkeypatch.setattr("ui.projection.view.known_neighbours", found_meanwhile)
    app.run()
    assert len(asked) == 2  # the page runs again by itself, for they are there
    assert table_rows(app, "neighbours")
    assert len(drawn(app)[0]) == 11


def test_a_chosen_row_is_marked_and_its_neighbours_among_all_rows_are_those_of_scikit_learn(folder: Path) -> None:
    app = open_large(row="61234")
    shown = wait_for(app, lambda: table_rows(app, "neighbours"))
    found = NearestNeighbors(n_neighbors=11, metric="cosine", algorithm="brute").fit(ROWS.astype(np.float64))
    distances, ids = found.kneighbors(ROWS[61_234:61_235].astype(np.float64))
    np.testing.assert_allclose([row["values"][0] for row in shown], 1 - distances[0, 1:], atol=1e-6)
    rows, _ = drawn(app)
    assert rows == sorted(ids[0].tolist())
    assert [rows[index] for index, _ in header(app)["neighbours"]] == ids[0, 1:].tolist()
    assert rows[header(app)["chosen"]] == 61_234
    spots = expected_places(app)
    away = np.linalg.norm(spots - spots[61_234], axis=1)
    nearest_in_picture = np.argsort(away)[1:11]
    assert [bool(line["texts"][1]) for line in shown] == [row in nearest_in_picture for row in ids[0, 1:]]


def test_a_row_is_found_by_its_number_marked_and_zoomed_to(folder: Path) -> None:
    app = open_large(find="6543")
    assert header(app)["found"] is not None
    assert drawn(app)[0] == [6543, *range(65430, 65440)]
    assert header(app)["search"]["answer"]["count"] == "11"
    app = open_large(row="6543")
    before = header(app)["extent"]
    app.button(key="zoom-to-row").click().run()
    after = header(app)["extent"]
    assert after["turn"] == before["turn"] + 1
    left, bottom, right, top = after["window"]
    spots = expected_places(app)
    np.testing.assert_allclose([(left + right) / 2, (bottom + top) / 2], spots[6543], atol=1e-4)
    inside = ((spots > [left, bottom]) & (spots < [right, top])).all(axis=1)
    assert 4_900 < inside.sum() < 5_100


def test_a_link_brings_table_view_and_row_back(folder: Path) -> None:
    app = seen(open_large(row="9"), [-1.5, -1.25, 0.5, 0.75])
    link = link_of(app)
    again = open_page("projection", **link)
    wait_for(again, lambda: components(again, "point-cloud"))
    assert link_of(again) == link
    assert header(again)["extent"]["window"] == [-1.5, -1.25, 0.5, 0.75]
    assert drawn(again)[0][header(again)["chosen"]] == 9
    app = seen(app, [-20.0, -15.0, 20.0, 15.0], chosen=False)
    assert "seen" not in link_of(app)


NONSENSE: list[Any] = [
    None,
    "window",
    {"seen": [0, 0, 1, 1], "size": [300, 200]},  # of no picture
    {"seen": [0, 0, 1], "size": [300, 200]},
    {"seen": [1, 0, 0, 1], "size": [300, 200]},
    {"seen": [0, 0, 0, 0], "size": [300, 200]},
    {"seen": [None, 0, 1, 1], "size": [300, 200]},
    {"seen": ["0", 0, 1, 1], "size": [300, 200]},
    {"seen": [True, 0, 1, 1], "size": [300, 200]},
    {"seen": [float("nan"), 0, 1, 1], "size": [300, 200]},
    {"seen": [0, 0, 1, float("inf")], "size": [300, 200]},
    {"seen": [0, 0, 1e300, 1e300], "size": [300, 200]},
    {"seen": [1, 1, 1 + 1e-9, 1 + 1e-9], "size": [300, 200]},
    {"seen": [0, 0, 1, 1], "size": [300]},
    {"seen": [0, 0, 1, 1], "size": [float("nan"), 200]},
    {"seen": {"left": 0}, "size": [300, 200]},
]


def test_a_browser_that_says_nonsense_changes_nothing(folder: Path) -> None:
    app = open_large()
    before = counts(app), link_of(app)
    for report in NONSENSE:
        if isinstance(report, dict) and len(report["seen"]) != 4:
            report |= {"picture": header(app)["picture"]}
        elif isinstance(report, dict) and report["seen"] != [0, 0, 1, 1]:
            report |= {"picture": header(app)["picture"], "window": True}
        app = report_of(app, "point-cloud", window=report)
        assert not app.exception, report
        np.testing.assert_array_equal(counts(app), before[0], str(report))
        assert link_of(app) == before[1], report


def test_a_picture_of_any_size_is_counted_within_bounds(folder: Path) -> None:
    app = seen(open_large(), [-20.0, -15.0, 20.0, 15.0], (10**9, -5))
    assert counts(app).size <= 1_200_000
    assert counts(app).sum() == N_ROWS


def test_a_link_with_a_bad_window_shows_everything_and_says_so(folder: Path) -> None:
    app = open_large(seen="nan,0,1,1")
    assert header(app)["extent"]["window"] is None
    assert any(wording("{title}: link has {name} =…", name="seen").search(text) for text in sentences(app))


def test_a_search_beyond_the_table_and_a_window_without_rows_draw_nothing(folder: Path) -> None:
    app = seen(open_large(), [50.0, 50.0, 60.0, 60.0])
    assert drawn(app) == ([], [])
    assert says(app, "Rows in view: {count:,}…", count="0")


def test_the_numbers_that_are_taken_along_are_those_of_the_cells_in_view() -> None:
    found = np.array([[0, 3], [1, 0]], dtype=np.uint32)
    drawing = saved_density(found, (0.0, 10.0, 4.0, 14.0), ["x", "y"], "rows", np.zeros((0, 2), dtype=np.float32))
    assert drawing.saved_numbers().csv() == "x,y,rows\n3,11,3\n1,13,1\n"


def test_rows_take_their_names_from_a_text_file_beside_the_table(folder: Path) -> None:
    names = [f"word {row}" for row in range(N_ROWS)]
    names[4_321] = "thé"
    (folder / "large.txt").write_text("\n".join(names), encoding="utf-8")
    app = open_large(find="word 6999")
    assert says(app, "Names from {labels}.", labels="`large.txt`")
    assert drawn(app) == ([6999, *range(69990, 70000)], [names[row] for row in (6999, *range(69990, 70000))])
    assert drawn(open_large(text="le thé")) == ([4_321], ["thé"])
    assert 'LineNames(Path("large.txt"))' in app.code[0].value


def test_names_for_another_number_of_rows_are_refused_in_a_sentence(folder: Path) -> None:
    (folder / "large.txt").write_text("one\ntwo\n", encoding="utf-8")
    app = open_page("projection", vectors="large.npy")
    assert not app.exception
    assert wording(TABLE_ERRORS["labels"], labels="2", rows="70,000").search(app.error[0].value)


def test_a_small_tables_names_come_from_its_text_file_too(folder: Path) -> None:
    np.save(folder / "small.npy", ROWS[:40])
    (folder / "small.txt").write_text("\n".join(f"name {row}" for row in range(40)) + "\n", encoding="utf-8")
    app = open_page("projection", vectors="small.npy", map="pca")
    assert drawn(app)[1] == [f"name {row}" for row in range(40)]


def test_several_tables_of_the_folder_stay_open(folder: Path) -> None:
    for number in range(4):
        np.save(folder / f"small{number}.npy", ROWS[number : number + 50])
        tables.folder_table(folder / f"small{number}.npy")
    opened = len(tables._open_table)
    for number in range(4):
        tables.folder_table(folder / f"small{number}.npy")
    assert len(tables._open_table) == opened >= 4


def test_what_was_worked_out_is_kept_for_the_next_start_and_made_anew_for_another_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = counts(open_large())
    kept = sorted((folder.parent / "cache" / "projections").iterdir())
    assert [file.suffix for file in kept] == [".npy", ".npz"]
    jobs.forget_finished()
    monkeypatch.setattr(whole, "_place_rows", lambda *_: pytest.fail("it was worked out again"))
    np.testing.assert_array_equal(counts(open_large()), before)
    monkeypatch.undo()
    monkeypatch.setenv("EMBEDDING_EXPLORER_TABLES", str(folder))
    monkeypatch.setenv("EMBEDLIB_CACHE", str(folder.parent / "cache"))
    kept[0].write_bytes(b"damaged")
    jobs.forget_finished()
    np.testing.assert_array_equal(counts(open_large()), before)
    np.save(folder / "large.npy", ROWS[: MOST_POINTS + 1] * 2)
    assert counts(open_large()).sum() == MOST_POINTS + 1
    again = sorted((folder.parent / "cache" / "projections").iterdir())
    assert len(again) == 2
    assert again != kept


def test_without_a_place_on_disk_it_stays_in_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder.parent / "cache").write_text("no folder")
    assert counts(open_large()).sum() == N_ROWS


def test_a_large_file_is_read_in_the_background_and_what_is_wrong_with_it_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "_LARGE_FILE", 1_000)
    assert counts(open_large()).sum() == N_ROWS
    broken = ROWS.copy()
    broken[60_000, 2] = np.nan
    np.save(folder / "broken.npy", broken)
    app = open_page("projection", vectors="broken.npy")
    wait_for(app, lambda: bool(app.error))
    assert wording(TABLE_ERRORS["value"], value="`nan`", row="60,001", column="`3`").search(app.error[0].value)


def test_a_cluster_that_cannot_be_reached_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable() -> None:
        raise ClusterError("unreachable", address="tcp://nowhere:1")

    monkeypatch.setattr(whole, "cluster_address", lambda: "tcp://nowhere:1")
    monkeypatch.setattr(whole, "connect_cluster", unreachable)
    app = open_page("projection", vectors="large.npy")
    wait_for(app, lambda: bool(app.error))
    said = wording("{address} does not answer:…", address="`tcp://nowhere:1`")
    assert said.search(app.error[0].value)


def test_in_three_dimensions_a_sample_is_drawn(folder: Path) -> None:
    app = open_large(view="3d")
    assert len(drawn(app)[0]) == MOST_POINTS
    assert header(app)["extent"] is None
    assert says(app, "The picture shows {drawn:,} of the rows…", drawn="65,536")


def test_neighbours_that_are_found_while_the_page_still_asks_for_them_are_shown(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit = jobs.submit

    def done_at_once(*arguments: Any, **named: Any) -> Any:
        job = submit(*arguments, **named)
        wait_until(lambda: not job.alive)
        return job

    monkeypatch.setattr(jobs, "submit", done_at_once)
    app = open_page("projection", vectors="large.npy", row="69999")
    assert says(app, "None of the {count} nearest rows is among…", count="10")
