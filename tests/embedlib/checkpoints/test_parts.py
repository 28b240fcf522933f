"""What a model is made of, against what transformers counts of the same model."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import save_file

from embedlib.checkpoints import minilm, model_parts, open_checkpoint
from tests.embedlib.checkpoints.models import D_MODEL, KINDS, N_POSITIONS, VOCAB_SIZE, save
from tests.embedlib.checkpoints.test_position_rows import GIVEN, shrink

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


CLASSES = {
    "bart": "BartForConditionalGeneration", "marian": "MarianMTModel", "ibert": "IBertForMaskedLM",
    "llama": "LlamaForCausalLM", "gpt_neox": "GPTNeoXForCausalLM", "bloom": "BloomForCausalLM",
    "electra": "ElectraForPreTraining", "mamba": "MambaForCausalLM", "opt": "OPTForCausalLM",
    "roberta": "RobertaForMaskedLM", "clip": "CLIPModel", "t5": "T5EncoderModel", "gemma": "GemmaForCausalLM",
}  # fmt: skip
MORE_CLASSES = {
    "albert": "AlbertForMaskedLM", "deberta": "DebertaForMaskedLM", "distilbert": "DistilBertForMaskedLM",
    "falcon": "FalconForCausalLM", "gpt_neo": "GPTNeoForCausalLM", "led": "LEDForConditionalGeneration",
    "mbart": "MBartForConditionalGeneration", "mpnet": "MPNetForMaskedLM", "pegasus": "PegasusForConditionalGeneration",
    "phi": "PhiForCausalLM", "qwen3": "Qwen3ForCausalLM", "rembert": "RemBertForCausalLM",
    "xlm": "XLMWithLMHeadModel", "xlm-roberta": "XLMRobertaForMaskedLM", "bert": "BertForSequenceClassification",
}  # fmt: skip


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.thorough][kind in CLASSES :]) for kind in CLASSES | MORE_CLASSES]
)
def test_parameters_and_output_weights_are_transformers_for_many_kinds(kind: str, tmp_path: Path) -> None:
    config = transformers.AutoConfig.for_model(kind, **GIVEN.get(kind, {}))
    shrink(config)
    model: Any = getattr(transformers, (CLASSES | MORE_CLASSES)[kind])(config)
    model.save_pretrained(tmp_path)
    opened = open_checkpoint(tmp_path)
    parts = model_parts(opened)
    sines = {name: weight for name, weight in model.named_parameters() if name.endswith("embed_positions.weight")}
    computed = sum(weight.numel() for name, weight in sines.items() if name not in opened.tensor_names)  # Marian's
    assert parts.n_parameters == model.num_parameters() - computed
    table, output = model.get_input_embeddings() if kind != "clip" else None, model.get_output_embeddings()
    expected = "none" if output is None else "tied" if output.weight is table.weight else "own"
    assert parts.output == expected
    assert parts.output_table == (output.weight.numel() if expected == "own" else 0)


def half(*shape: int) -> torch.Tensor:
    return torch.zeros(shape, dtype=torch.float16)


def whole(dtype: torch.dtype, *shape: int) -> torch.Tensor:
    return torch.zeros(shape, dtype=dtype)


LINEAR = "model.layers.0.self_attn.q_proj"
QUANTISED = {  # each stands for a layer of 64 x 64
    "gptq": (
        {"qweight": whole(torch.int32, 8, 64), "qzeros": whole(torch.int32, 1, 8), "scales": half(1, 64),
         "g_idx": whole(torch.int32, 64)},
        {"quant_method": "gptq", "bits": 4},
    ),
    "gptq of 8 bits": (
        {"qweight": whole(torch.int32, 16, 64), "qzeros": whole(torch.int32, 1, 16), "scales": half(1, 64)},
        {"quant_method": "gptq", "bits": 8},
    ),
    "gptq of 3 bits": ({"qweight": whole(torch.int32, 6, 64), "scales": half(1, 64)}, {"bits": 3}),
    "awq": (
        {"qweight": whole(torch.int32, 64, 8), "qzeros": whole(torch.int32, 1, 8), "scales": half(1, 64)},
        {"quant_method": "awq", "bits": 4},
    ),
    "bitsandbytes, 4 bits": (
        {"weight": whole(torch.uint8, 2048, 1), "weight.absmax": whole(torch.uint8, 64),
         "weight.quant_map": torch.zeros(16), "weight.nested_absmax": torch.zeros(1),
         "weight.nested_quant_map": torch.zeros(256),
         "weight.quant_state.bitsandbytes__nf4": whole(torch.uint8, 90)},
        {"quant_method": "bitsandbytes", "load_in_4bit": True},
    ),
    "bitsandbytes, 8 bits": (
        {"weight": whole(torch.int8, 64, 64), "SCB": torch.zeros(64), "weight_format": whole(torch.uint8)},
        {"quant_method": "bitsandbytes", "load_in_8bit": True},
    ),
    "compressed-tensors, packed": (
        {"weight_packed": whole(torch.int32, 64, 8), "weight_scale": half(64, 1),
         "weight_shape": whole(torch.int64, 2)},
        {"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights": {"num_bits": 4}}}},
    ),
    "float8": (
        {"weight": whole(torch.float8_e4m3fn, 64, 64), "weight_scale_inv": torch.zeros(1, 1),
         "input_scale": torch.zeros(())},
        {"quant_method": "fp8"},
    ),
    "mxfp4": (
        {"gate_up_proj_blocks": whole(torch.uint8, 1, 64, 2, 16), "gate_up_proj_scales": whole(torch.uint8, 1, 64, 2)},
        {"quant_method": "mxfp4"},
    ),
    "not said": ({"qweight": whole(torch.int32, 8, 64), "scales": half(1, 64)}, None),
}  # fmt: skip


@pytest.mark.parametrize("method", QUANTISED)
def test_a_quantised_layer_counts_the_weights_that_it_stands_for(method: str, tmp_path: Path) -> None:
    tensors, about = QUANTISED[method]
    layer = {f"{LINEAR}.{name}": tensor for name, tensor in tensors.items()}
    save_file(layer | {"model.embed_tokens.weight": half(25, 16)}, tmp_path / "model.safetensors")
    config = {} if about is None else {"quantization_config": about}
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama"} | config))
    assert model_parts(open_checkpoint(tmp_path)).n_parameters == 25 * 16 + 64 * 64 == 4_496


@pytest.mark.parametrize("about", [[], {"bits": "4"}, {"bits": 0}, {"config_groups": []}, {"config_groups": {"a": 1}}])
def test_any_quantization_config_is_read_or_passed_over(about: object, tmp_path: Path) -> None:
    tensors = {"wte.weight": half(25, 16), "h.qweight": whole(torch.int32, 8, 64)}
    save_file(tensors, tmp_path / "model.safetensors")
    (tmp_path / "config.json").write_text(json.dumps({"quantization_config": about}))
    assert model_parts(open_checkpoint(tmp_path)).n_parameters == 4_496


def test_minilm_has_22_713_216_parameters_and_nothing_that_scores_tokens() -> None:
    checkpoint = minilm()
    with torch.device("meta"):
        model = transformers.BertModel(transformers.BertConfig(**checkpoint.config))
    parts = model_parts(checkpoint)
    assert parts.n_parameters == model.num_parameters() == 22_713_216
    assert (parts.token_table, parts.position_table) == (30_522 * 384, 512 * 384)
    assert (parts.output, parts.output_table) == ("none", 0)


@pytest.mark.parametrize(
    ("config", "has_output", "output", "evidence"),
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
    config: dict[str, object], has_output: bool, output: str, evidence: str, tmp_path: Path
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
    assert (parts.output, parts.evidence) == (output, evidence)
    assert parts.n_parameters == 28 + 5 + (28 if output == "own" else 0)
