"""Decoders that ship: what the file holds, that its weights are read as they are, and that their heads differ."""

from dataclasses import replace

import pytest
import torch

from bench.trained_decoders import BATCH_SIZE, train_decoder
from embedlib.extrapolation import (
    EXPERIMENTS,
    SHIPPED_DECODERS,
    TextTask,
    Unit,
    decoder_length,
    decoder_schemes,
    known_share,
    mean_distances,
    new_run,
    trained_attention,
    trained_decoder,
)
from embedlib.tensor_files import read_tensors

TEXT = "The king and queen fed the dog and cat"


def test_the_file_says_what_was_trained_and_how_and_is_small() -> None:
    about, tensors = read_tensors(SHIPPED_DECODERS)
    assert decoder_schemes() == EXPERIMENTS["text"].lines
    assert (about["batch_size"], about["seed"], about["length"]) == (BATCH_SIZE, 0, decoder_length())
    assert all(tensor.isfinite().all() for tensor in tensors.values())
    assert SHIPPED_DECODERS.stat().st_size < 3_000_000
    assert SHIPPED_DECODERS.name in (SHIPPED_DECODERS.parent / "NOTICE.md").read_text("utf-8")


def test_a_training_made_again_gives_the_same_bits() -> None:
    task = TextTask("some text to learn from. " * 300, length=64)
    (one, loss), (again, same_loss) = (train_decoder("rope", task, n_steps=2) for _ in range(2))
    assert loss == same_loss
    assert all(torch.equal(one[name], again[name]) for name in one)


@pytest.mark.parametrize("scheme", decoder_schemes())
def test_attention_looks_back_and_sums_to_one(scheme: str) -> None:
    weights = trained_attention(scheme, TEXT)
    assert weights.shape == (2, 4, len(TEXT), len(TEXT))
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 4, len(TEXT)))
    assert (weights.triu(1) == 0).all()


def test_attention_is_that_by_which_the_decoder_predicts() -> None:
    config = Unit("text", "rope", source="manual").config(TextTask("a text with some letters. " * 300, length=64))
    decoder = new_run(replace(config, max_seq_len=64)).decoder
    ids = torch.arange(9)
    before = decoder.attention(ids)
    with torch.no_grad():
        first = decoder.layers[0].layer()  # type: ignore[operator]
        q, k, _v = first.heads(decoder.scheme.encode(decoder.rows[ids] * 0.375 * 8), 4)
    torch.testing.assert_close(before[0], decoder.scheme.scores(q, k).softmax(-1))
    changed = ids.clone()
    changed[-1] = 0
    torch.testing.assert_close(decoder.attention(changed)[:, :, :-1], before[:, :, :-1])


def test_heads_find_the_character_before_with_positions_and_not_without() -> None:
    most = {
        scheme: float(trained_attention(scheme, TEXT).diagonal(-1, dim1=-2, dim2=-1).mean(-1).max())
        for scheme in ("none", "learned", "rope", "deberta")
    }
    assert most["none"] < 0.2
    assert min(most["learned"], most["rope"], most["deberta"]) > 0.5
    distances = {scheme: float(mean_distances(trained_attention(scheme, TEXT)).mean()) for scheme in ("none", "rope")}
    assert distances["rope"] < distances["none"] / 3


def test_a_text_is_cut_to_what_the_decoders_read_and_other_scripts_are_unknown() -> None:
    assert trained_attention("rope", "long " * 40).shape[-1] == decoder_length()
    assert (known_share("the cat"), known_share("猫坐"), known_share("")) == (1, 0, 0)
    assert trained_attention("rope", "猫坐").shape[-1] == 2
    for problem in ({"scheme": "rope", "text": ""}, {"scheme": "formula", "text": "a"}):
        with pytest.raises(ValueError, match=r"text is empty|must be one of none"):
            trained_attention(**problem)


def test_distances_are_those_of_known_weights() -> None:
    assert mean_distances(torch.eye(4)).item() == 0
    before = torch.eye(4).roll(-1, 1).tril()
    before[0, 0] = 1
    assert mean_distances(before).item() == pytest.approx(3 / 4)
    assert trained_decoder("rope") is trained_decoder("rope")
