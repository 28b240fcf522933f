"""What a model is made of, against what transformers counts of the same model."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from embedlib.checkpoints import minilm, model_parts, open_checkpoint
from tests.embedlib.checkpoints.models import D_MODEL, KINDS, N_POSITIONS, VOCAB_SIZE, save

OUTPUT = {"gpt2": "tied", "bert": "tied", "t5": "tied", "llama": "own"}


@pytest.mark.parametrize("shard_bytes", [None, 9_000], ids=["one file", "several"])
@pytest.mark.parametrize("kind", KINDS)
def test_parameters_are_those_that_transformers_counts(kind: str, shard_bytes: int | None, tmp_path: Path) -> None:
    model = save(kind, "float32", tmp_path, shard_bytes=shard_bytes)
    parts = model_parts(open_checkpoint(tmp_path))
    assert parts.n_parameters == model.num_parameters()
    assert parts.token_table == VOCAB_SIZE * D_MODEL == model.get_input_embeddings().weight.numel()
    assert parts.position_table == (N_POSITIONS * D_MODEL if kind in ("gpt2", "bert") else 0)
    assert parts.output == OUTPUT[kind]
    own = model.get_output_embeddings().weight
    assert (own is not model.get_input_embeddings().weight) == (parts.output == "own")
    assert parts.output_table == (own.numel() if parts.output == "own" else 0)
    assert parts.rest == parts.n_parameters - parts.token_table - parts.position_table - parts.output_table > 0


def test_minilm_has_22_713_216_parameters_and_nothing_that_scores_tokens() -> None:
    import transformers

    checkpoint = minilm()
    with torch.device("meta"):
        model = transformers.BertModel(transformers.BertConfig(**checkpoint.config))
    parts = model_parts(checkpoint)
    assert parts.n_parameters == model.num_parameters() == 22_713_216
    assert (parts.token_table, parts.position_table) == (30_522 * 384, 512 * 384)
    assert (parts.output, parts.output_table) == ("none", 0)


@pytest.mark.parametrize(
    ("config", "has_output", "output", "told_by"),
    [
        ({}, True, "own", "lm_head.weight"),
        ({"tie_word_embeddings": False}, True, "own", "lm_head.weight"),
        ({"tie_word_embeddings": True}, True, "tied", "tie_word_embeddings"),
        ({"architectures": ["GPT2LMHeadModel"]}, False, "tied", "architectures"),
        ({"architectures": ["GPT2LMHeadModel"], "tie_word_embeddings": False}, False, "none", ""),
        ({"architectures": ["GPT2Model"]}, False, "none", ""),
        ({"architectures": "GPT2LMHeadModel"}, False, "none", ""),
    ],
)
def test_config_and_file_tell_whether_output_weights_are_the_table(
    config: dict[str, object], has_output: bool, output: str, told_by: str, tmp_path: Path
) -> None:
    tensors = {
        "wte.weight": torch.zeros(7, 4),
        "h.0.attn.bias": torch.zeros(1, 1, 3, 3),  # GPT-2's mask
        "h.0.attn.masked_bias": torch.zeros(()),
        "rotary_emb.inv_freq": torch.zeros(2),
        "position_ids": torch.arange(5),
        "h.0.c_attn.bias": torch.zeros(5),
    }
    save_file(tensors | ({"lm_head.weight": torch.zeros(7, 4)} if has_output else {}), tmp_path / "model.safetensors")
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    parts = model_parts(open_checkpoint(tmp_path))
    assert (parts.output, parts.told_by) == (output, told_by)
    assert parts.n_parameters == 28 + 5 + (28 if output == "own" else 0)
