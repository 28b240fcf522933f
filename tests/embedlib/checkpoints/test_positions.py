"""The schemes of models: angles and biases as transformers computes them from the same config.json, and refusals."""

import copy
import math
import re
import subprocess
import sys
from typing import Any

import pytest
import torch
import transformers
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.bloom.modeling_bloom import build_alibi_tensor as build_bloom_alibi
from transformers.models.falcon.modeling_falcon import build_alibi_tensor as build_falcon_alibi
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor

from embedlib.checkpoints import ROPE_FINDINGS, CheckpointError, positional_scheme, read_rope_config
from embedlib.checkpoints.positions import LEARNED
from embedlib.positional import LearnedPositions, make_scheme
from embedlib.positional.rope import RotaryPositions

ROPE = {"rope_theta": 5e5, "factor": 4.0, "original_max_position_embeddings": 64}
PARAMETERS: dict[str, dict[str, Any]] = {
    "none": {"rope_type": "default", "rope_theta": 1e6},
    "linear": {"rope_type": "linear", "rope_theta": 1e4, "factor": 3.0},
    "llama3": ROPE | {"rope_type": "llama3", "low_freq_factor": 1.0, "high_freq_factor": 4.0},
    "yarn": ROPE | {"rope_type": "yarn", "beta_fast": 16.0, "beta_slow": 2.0},
    "yarn with a factor": ROPE | {"rope_type": "yarn", "attention_factor": 1.25, "truncate": False},
    "yarn of DeepSeek": ROPE | {"rope_type": "yarn", "mscale": 0.7, "mscale_all_dim": 1.0},
}


@pytest.mark.parametrize("case", PARAMETERS)
def test_frequencies_and_amplitude_are_transformers(case: str) -> None:
    config = transformers.LlamaConfig(
        hidden_size=64, num_attention_heads=2, max_position_embeddings=256, rope_parameters=dict(PARAMETERS[case])
    )
    name, arguments = positional_scheme(config.to_dict())
    scheme = make_scheme(name, **arguments)
    assert isinstance(scheme, RotaryPositions)
    kind = PARAMETERS[case]["rope_type"]
    if kind == "default":
        frequencies, amplitude = 1e6 ** (-torch.arange(0, 32, 2) / 32), 1.0
    else:
        frequencies, amplitude = ROPE_INIT_FUNCTIONS[kind](config, torch.device("cpu"))
    assert torch.allclose(scheme.angles(2)[1].float(), frequencies, rtol=1e-6, atol=0)
    assert scheme.scaling.amplitude() == pytest.approx(amplitude, rel=1e-6)
    assert (scheme.pairing, scheme.max_seq_len, scheme.head_dim) == ("halves", 256, 32)


# What files of known models say, and what it means: the name of the scheme and some of its arguments.
KNOWN: dict[str, tuple[dict[str, Any], str, dict[str, Any]]] = {
    "Llama 2": (
        {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 4096,
         "rope_scaling": None},
        "rope", {"base": 10_000.0, "scaling": "none", "pairing": "halves", "rotary_fraction": 1.0, "d_model": 4096},
    ),
    "Llama 3.1": (
        {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 131072,
         "rope_theta": 500000.0, "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
         "original_max_position_embeddings": 8192, "rope_type": "llama3"}},
        "rope", {"base": 500_000.0, "scaling": "llama3", "factor": 8.0, "original_max_seq_len": 8192},
    ),
    "Qwen 3": (
        {"model_type": "qwen3", "hidden_size": 1024, "num_attention_heads": 16, "head_dim": 128, "rope_theta": 1000000,
         "max_position_embeddings": 40960},
        "rope", {"base": 1e6, "d_model": 2048, "n_heads": 16},
    ),
    "Gemma 3": (
        {"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", "hidden_size": 1152, "head_dim": 256,
         "num_attention_heads": 4, "max_position_embeddings": 32768, "rope_parameters": {
         "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
         "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0}}}},
        "rope", {"base": 1e6, "scaling": "linear", "factor": 8.0, "d_model": 1024},
    ),
    "Pythia": (
        {"model_type": "gpt_neox", "hidden_size": 512, "num_attention_heads": 8, "max_position_embeddings": 2048,
         "rotary_pct": 0.25, "rotary_emb_base": 10000},
        "rope", {"rotary_fraction": 0.25, "pairing": "halves"},
    ),
    "GPT-J": (
        {"model_type": "gptj", "n_embd": 4096, "n_head": 16, "n_positions": 2048, "rotary_dim": 64},
        "rope", {"rotary_fraction": 0.25, "pairing": "interleaved"},
    ),
    "dynamic": (
        {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "max_position_embeddings": 2048,
         "rope_scaling": {"type": "dynamic", "factor": 2.0}},
        "rope", {"scaling": "dynamic_ntk", "original_max_seq_len": 2048, "factor": 2.0},
    ),
    "GPT-2": (
        {"model_type": "gpt2", "n_embd": 768, "n_head": 12, "n_positions": 1024, "n_ctx": 1024},
        "learned", {"d_model": 768, "n_heads": 12, "max_seq_len": 1024},
    ),
    "BERT": (transformers.BertConfig().to_dict(), "learned", {"d_model": 768, "max_seq_len": 512}),
    "T5": (transformers.T5Config().to_dict(), "t5", {"num_buckets": 32, "max_distance": 128, "n_heads": 8}),
    "BLOOM": (transformers.BloomConfig(hidden_size=64, n_head=8).to_dict(), "alibi", {"d_model": 64, "n_heads": 8}),
    "MPT": (transformers.MptConfig().to_dict(), "alibi", {"d_model": 2048, "n_heads": 16}),
    "Falcon of one billion": (
        transformers.FalconConfig(alibi=True).to_dict(), "alibi", {"n_heads": 71, "divided": True, "max_exponent": 8.0}
    ),
    "ESM-2": ({"model_type": "esm", "hidden_size": 320, "num_attention_heads": 20, "position_embedding_type": "rotary"},
              "rope", {"base": 1e4, "pairing": "halves", "d_model": 320}),
    "T5 with other buckets": (
        {"model_type": "t5", "relative_attention_num_buckets": 16, "relative_attention_max_distance": 64},
        "t5", {"num_buckets": 16, "max_distance": 64},
    ),
    "mT5 without its defaults": ({"model_type": "mt5", "d_model": 512, "num_heads": 6, "d_kv": 64}, "t5",
                                 {"num_buckets": 32, "max_distance": 128, "d_model": 384}),
    "DeepSeek-V3": (
        {"model_type": "deepseek_v3", "hidden_size": 7168, "num_attention_heads": 128, "qk_nope_head_dim": 128,
         "qk_rope_head_dim": 64, "max_position_embeddings": 163840, "rope_theta": 10000, "rope_scaling": {
         "beta_fast": 32, "beta_slow": 1, "factor": 40, "mscale": 1.0, "mscale_all_dim": 1.0,
         "original_max_position_embeddings": 4096, "type": "yarn"}},
        "rope", {"d_model": 128 * 64, "rotary_fraction": 1.0, "pairing": "interleaved", "scaling": "yarn"},
    ),
    "DeepSeek-V2-Lite": (
        {"model_type": "deepseek_v2", "hidden_size": 2048, "num_attention_heads": 16, "qk_rope_head_dim": 64},
        "rope", {"d_model": 16 * 64, "rotary_fraction": 1.0, "pairing": "interleaved"},
    ),
    "Kimi K2, of code on the Hub": (
        {"model_type": "kimi_k2", "hidden_size": 7168, "num_attention_heads": 64, "qk_rope_head_dim": 64,
         "rope_theta": 50000.0}, "rope", {"d_model": 64 * 64, "base": 5e4, "pairing": "interleaved"},
    ),
    "Gemma 3 12B": (
        {"model_type": "gemma3", "text_config": {"hidden_size": 3840, "model_type": "gemma3_text",
         "num_attention_heads": 16, "num_hidden_layers": 48, "rope_scaling": {"factor": 8.0, "rope_type": "linear"}},
         "vision_config": {"hidden_size": "broken"}},
        "rope", {"d_model": 16 * 256, "base": 1e6, "scaling": "linear", "factor": 8.0},
    ),
    "PaliGemma": ({"model_type": "paligemma", "text_config": {"model_type": "gemma", "num_attention_heads": 8}},
                  "rope", {"d_model": 8 * 256, "base": 1e4}),
    "ModernBERT": (
        {"model_type": "modernbert", "hidden_size": 768, "num_attention_heads": 12, "global_rope_theta": 160000.0,
         "local_rope_theta": 10000.0}, "rope", {"base": 160_000.0, "d_model": 768},
    ),
    "Mixtral without a base": ({"model_type": "mixtral", "num_attention_heads": 32}, "rope", {"base": 1e6}),
    "YaRN whose factor is the ratio of lengths": (
        {"model_type": "llama", "max_position_embeddings": 32768, "rope_theta": 1e4, "rope_scaling": {
         "rope_type": "yarn", "factor": None, "original_max_position_embeddings": 1024}},
        "rope", {"factor": 32.0, "original_max_seq_len": 1024},
    ),
    "names of other code": (
        {"model_type": "of nobody", "n_embd": 512, "n_head": 4, "kv_channels": 64, "rope_pct": 0.5, "n_ctx": 99,
         "rotary_emb_base": 500}, "rope",
        {"d_model": 256, "n_heads": 4, "rotary_fraction": 0.5, "base": 500.0, "max_seq_len": 99},
    ),
    "nomic_bert as it was published": (
        {"model_type": "nomic_bert", "n_embd": 768, "n_head": 12, "n_positions": 8192, "rotary_emb_base": 1000,
         "rotary_emb_fraction": 1.0, "rotary_emb_interleaved": False},
        "rope", {"base": 1000.0, "pairing": "halves", "max_seq_len": 8192},
    ),
    "Meta's Llama 3.1": (
        {"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 128256, "norm_eps": 1e-05,
         "rope_theta": 500000.0, "use_scaled_rope": True},
        "rope", {"pairing": "interleaved", "base": 5e5, "scaling": "llama3", "factor": 8.0, "d_model": 4096},
    ),
    "Meta's Llama 2": ({"dim": 4096, "n_heads": 32, "n_layers": 32, "norm_eps": 1e-05, "vocab_size": -1},
                       "rope", {"pairing": "interleaved", "base": 1e4, "scaling": "none"}),
}  # fmt: skip


@pytest.mark.parametrize("model", KNOWN)
def test_known_models_have_the_schemes_that_they_were_trained_with(model: str) -> None:
    config, name, expected = KNOWN[model]
    found, arguments = positional_scheme(config)
    assert found == name
    assert {key: arguments[key] for key in expected} == expected
    if name != "learned":  # whose table would be drawn
        assert make_scheme(found, **arguments).name == name


SHARES = {"gpt_neox": 0.25, "phi": 0.5, "persimmon": 0.5, "nemotron": 0.5, "glm": 0.5, "gemma": 1.0, "qwen3": 1.0}


@pytest.mark.parametrize("kind", SHARES)
def test_the_rotated_share_that_a_file_leaves_out_is_that_of_its_class(kind: str) -> None:
    assert read_rope_config({"model_type": kind}).arguments["rotary_fraction"] == SHARES[kind]


WIDTHS = {"gemma": 256, "gemma2": 256, "qwen3": 128}


@pytest.mark.parametrize("kind", WIDTHS)
def test_the_width_of_a_head_that_a_file_leaves_out_is_that_of_its_class(kind: str) -> None:
    assert read_rope_config({"model_type": kind, "num_attention_heads": 16}).head_dim == WIDTHS[kind]


def test_the_rotations_of_other_layers_are_there_too() -> None:
    read = read_rope_config(KNOWN["Gemma 3 12B"][0])
    assert {name: (other["base"], other["scaling"]) for name, other in read.others.items()} == {
        "sliding_attention": (10_000.0, "none")
    }
    wider = read_rope_config({"model_type": "gemma4_text"})
    assert (wider.head_dim, wider.arguments["scaling"]) == (512, "proportional")
    assert wider.others["sliding_attention"]["d_model"] == 256 * wider.arguments["n_heads"]


@pytest.mark.parametrize(("n_heads", "most"), [(4, 16), (4, 8), (12, 8), (7, 11)])
def test_mpts_slopes_are_those_of_its_code(n_heads: int, most: int) -> None:
    file = {"model_type": "mpt", "d_model": 24 * n_heads, "n_heads": n_heads, "attn_config": {"alibi_bias_max": most}}
    name, arguments = positional_scheme(file)
    bias = make_scheme(name, **arguments).bias(9)
    theirs = build_mpt_alibi_tensor(n_heads, 9, most)[:, 0]
    assert torch.allclose(bias[:, -1], theirs, rtol=1e-6)
    if (n_heads, most) == (4, 16):
        assert bias[0, 1, 0] == -0.0625


@pytest.mark.parametrize("kind", ["bloom", "falcon"])
@pytest.mark.parametrize("n_heads", [8, 12])
def test_biases_of_bloom_and_falcon_change_the_weights_as_their_code_does(kind: str, n_heads: int) -> None:
    file = {"model_type": kind, "hidden_size": 16 * n_heads, "n_head": n_heads, "num_attention_heads": n_heads}
    name, arguments = positional_scheme(file | {"alibi": True})
    scores = torch.randn(n_heads, 6, generator=torch.Generator().manual_seed(0))  # of the last query, not yet divided
    build = build_bloom_alibi if kind == "bloom" else build_falcon_alibi
    theirs = build(torch.ones(1, 6), n_heads, torch.float32).view(n_heads, 6)
    expected = (scores + theirs) / 4 if kind == "falcon" else scores / 4 + theirs
    actual = scores / 4 + make_scheme(name, **arguments).bias(6)[:, -1]
    # Falcon's code rounds each slope to bfloat16.
    assert torch.allclose(actual.softmax(-1), expected.softmax(-1), rtol=1e-5 if kind == "bloom" else 1e-2)


NO_AUTO_MODEL = {
    "align_text_model": transformers.AlignTextModel,
    "dpr": transformers.DPRContextEncoder,
    "siglip_text_model": transformers.SiglipTextModel,
}


@pytest.mark.parametrize("kind", sorted(LEARNED))
def test_types_said_to_have_learned_rows_have_a_table_of_them(kind: str) -> None:
    """Their models are made without numbers, on the meta device."""
    config = transformers.CONFIG_MAPPING[kind]()
    config.vocab_size = 100
    for name in ("num_hidden_layers", "encoder_layers", "decoder_layers"):
        if hasattr(config, name):
            setattr(config, name, 1)
    with torch.device("meta"):
        model = NO_AUTO_MODEL[kind](config) if kind in NO_AUTO_MODEL else transformers.AutoModel.from_config(config)
    named = [table for name, table in model.named_parameters() if re.search("pos|wpe", name)]
    rows = {len(table) for table in named if table.requires_grad}
    length = positional_scheme({"model_type": kind})[1]["max_seq_len"]
    assert rows & set(range(length, length + 9)), rows


SIZES = {"hidden_size": 64, "num_attention_heads": 4, "max_position_embeddings": 128}
REFUSED: list[dict[str, Any]] = [
    {},
    SIZES,
    SIZES | {"model_type": "deberta-v2"},
    SIZES | {"model_type": "bert", "position_embedding_type": "relative_key"},
    SIZES | {"model_type": "llama", "hidden_size": "64"},
    SIZES | {"model_type": "llama", "hidden_size": True},
    SIZES | {"model_type": "llama", "num_attention_heads": 0},
    SIZES | {"model_type": "gpt2", "max_position_embeddings": 10**12},
    SIZES | {"model_type": "llama", "rope_theta": "big"},
    SIZES | {"model_type": "llama", "rope_theta": float("nan")},
    SIZES | {"model_type": "llama", "rope_theta": 10**400},
    SIZES | {"model_type": "llama", "rope_scaling": {"rope_type": "longrope", "short_factor": [1.0]}},
    SIZES | {"model_type": "llama", "rope_scaling": [1]},
    SIZES | {"model_type": "llama", "rope_scaling": {"full_attention": 3}},
    SIZES | {"model_type": "llama", "rope_scaling": {"rope_type": ["linear"]}},
    SIZES | {"model_type": "llama", "rope_scaling": {"rope_type": {"a": []}}},
    SIZES | {"model_type": ["llama"]},
    SIZES | {"model_type": "llama", "rope_theta": 0},
    SIZES | {"model_type": "llama", "rope_scaling": {"type": "linear"}},
    SIZES | {"model_type": "llama", "rope_scaling": {"rope_type": "linear", "factor": 0.5}},
    SIZES | {"model_type": "llama", "rope_scaling": {"rope_type": "foo", "factor": 2.0}},
    SIZES | {"model_type": "gemma3_text", "num_hidden_layers": 10**9},
    SIZES | {"model_type": "llama", "layer_types": ["full_attention"] * 10**5},
    SIZES | {"model_type": "mpt", "attn_config": {"alibi": True, "alibi_bias_max": 10**9}},
    {"model_type": "mlcd"},
    {"dim": 64, "n_heads": 4, "rope_theta": 1e6, "yarn": {"factor": 16}},
]
NAMED = {
    "rope_theta 0": SIZES | {"model_type": "llama", "rope_theta": 0},
    "factor 0.5": SIZES | {"model_type": "llama", "rope_scaling": {"rope_type": "yarn", "factor": 0.5}},
    'rope_type "linear" with factor null': SIZES | {"model_type": "llama", "rope_scaling": {"type": "linear"}},
    'rope_type "foo"': SIZES | {"model_type": "llama", "rope_scaling": {"rope_type": "foo"}},
    'model_type "deberta-v2"': SIZES | {"model_type": "deberta-v2"},
    'hidden_size "64"': SIZES | {"model_type": "llama", "hidden_size": "64"},
    "num_hidden_layers 1000000000": SIZES | {"model_type": "gemma3_text", "num_hidden_layers": 10**9},
    "values that LlamaConfig of transformers refuses": SIZES | {"model_type": "llama", "num_attention_heads": 3},
}


@pytest.mark.parametrize("found", NAMED)
def test_a_refusal_names_what_is_not_supported(found: str) -> None:
    with pytest.raises(CheckpointError) as caught:
        positional_scheme(NAMED[found])
    assert (caught.value.code, caught.value.values["found"]) == ("unsupported", found)


def test_what_a_file_says_of_anything_else_cannot_break_its_reading_nor_does_reading_change_it() -> None:
    scaling = {"type": "su", "short_factor": [1.0] * 8, "long_factor": [2.0] * 8}
    file = SIZES | {
        "model_type": "llama", "hidden_act": 3, "vocab_size": "many", "num_labels": 10**12, "id2label": [None],
        "rope_scaling": scaling, "original_max_position_embeddings": 64, "auto_map": {"AutoConfig": "evil.Config"},
    }  # fmt: skip
    before = copy.deepcopy(file)
    assert positional_scheme(file)[1]["scaling"] == "longrope"
    assert file == before


def test_a_file_nested_as_deeply_as_json_can_be_is_refused_in_a_sentence() -> None:
    for name in ("text_config", "rope_scaling", "layer_types"):
        deep: dict[str, Any] = {}
        for _depth in range(5_000):
            deep = {name: deep}
        with pytest.raises(CheckpointError):
            positional_scheme({"model_type": "llama", "hidden_size": 2**70} | deep)


@pytest.mark.parametrize("config", REFUSED)
def test_a_config_that_says_no_scheme_of_ours_is_refused_in_a_sentence(config: dict[str, Any]) -> None:
    with pytest.raises(CheckpointError) as caught:
        positional_scheme(config, source="model")
    assert (caught.value.code, caught.value.values["source"]) == ("unsupported", "model")


def test_learned_rows_become_a_scheme() -> None:
    rows = torch.arange(12.0, dtype=torch.float16).view(3, 4)
    scheme = LearnedPositions.from_rows(rows, n_heads=2)
    assert torch.equal(scheme.position_table(3), rows.float())
    assert torch.equal(scheme.encode(torch.ones(2, 4), offset=1), rows[1:].float() + 1)
    own = rows.float()
    copied = LearnedPositions.from_rows(own)
    own[0] = 9
    assert copied.table[0, 0] == 0
    assert (scheme.max_seq_len, scheme.d_model, scheme.n_heads) == (3, 4, 2)
    for wrong in (rows[0], rows.long()):
        with pytest.raises(ValueError, match="max_seq_len, d_model"):
            LearnedPositions.from_rows(wrong)


# Besides those of KNOWN, what each config should be told, and the numbers.
FINDINGS: dict[str, tuple[dict[str, Any], dict[str, dict[str, float]]]] = {
    "Llama 2": (KNOWN["Llama 2"][0], {"pairing_unsaid": {}, "base_unsaid": {"base": 10_000.0}}),
    "Llama 3.1": (
        KNOWN["Llama 3.1"][0],
        {
            "pairing_unsaid": {},
            "base_raised": {"base": 500_000.0},
            "factor_apart": {"factor": 8.0, "original": 8192, "longest": 131_072},
        },
    ),
    "Qwen 3": (
        KNOWN["Qwen 3"][0],
        {"pairing_unsaid": {}, "base_raised": {"base": 1e6}, "head_dim_own": {"head_dim": 128, "expected": 64.0}},
    ),
    "Gemma 3": (
        KNOWN["Gemma 3"][0],
        {
            "pairing_unsaid": {},
            "base_raised": {"base": 1e6},
            "head_dim_own": {"head_dim": 256, "expected": 288.0},
            "layers_differ": {"base": 1e6, "other": 10_000.0},
        },
    ),
    "GPT-J": (
        KNOWN["GPT-J"][0],
        {"pairing_unsaid": {}, "base_unsaid": {"base": 10_000.0}, "fraction": {"rotary_dim": 64, "head_dim": 256}},
    ),
    "dynamic": (
        KNOWN["dynamic"][0],
        {
            "pairing_unsaid": {},
            "base_unsaid": {"base": 10_000.0},
            "old_key": {},
            "original_unsaid": {"original": 2048},
            "by_length": {"original": 2048},
        },
    ),
    "DeepSeek-V3": (
        KNOWN["DeepSeek-V3"][0],
        {
            "pairing_unsaid": {},
            "fraction": {"rotary_dim": 64, "head_dim": 192},
            "old_key": {},
        },
    ),
    "Gemma 3 12B": (
        KNOWN["Gemma 3 12B"][0],
        {
            "pairing_unsaid": {},
            "base_unsaid": {"base": 1e6},
            "head_dim_own": {"head_dim": 256, "expected": 240.0},
            "layers_differ": {"base": 1e6, "other": 10_000.0},
        },
    ),
    "Gemma 4": (
        {"model_type": "gemma4_text", "hidden_size": 512, "num_attention_heads": 1},
        {
            "pairing_unsaid": {},
            "base_unsaid": {"base": 1e6},
            "proportional": {"rotary_dim": 128, "head_dim": 512},
            "layers_differ": {"base": 1e6, "other": 10_000.0},
        },
    ),
    "Meta's Llama 3.1": (
        KNOWN["Meta's Llama 3.1"][0],
        {"pairing_unsaid": {}, "base_raised": {"base": 5e5}, "meta_scaling": {"factor": 8.0}},
    ),
    "yarn of a kind unknown here": (
        SIZES | {"model_type": "mine", "rope_theta": 1e4, "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
        "original_max_position_embeddings": 32}},
        {"pairing_guessed": {}, "attention_factor": {"attention_factor": 1 + 0.1 * math.log(4)}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FINDINGS)
def test_what_people_get_wrong_about_a_rotation_is_found_in_its_config(name: str) -> None:
    config, findings = FINDINGS[name]
    read = read_rope_config(config)
    assert {one.code: dict(one.values) for one in read.findings} == findings
    assert [one.code for one in read.findings] == [code for code in ROPE_FINDINGS if code in findings]
    scheme = make_scheme("rope", **read.arguments)
    assert isinstance(scheme, RotaryPositions)
    assert scheme.head_dim == read.head_dim
    assert int((scheme.angles(2)[1] > 0).sum()) * 2 == read.rotary_dim


@pytest.mark.parametrize(
    "config",
    [
        *REFUSED,
        SIZES | {"model_type": "gpt2"},
        SIZES | {"model_type": "llama", "num_attention_heads": 3},
        SIZES | {"model_type": "llama", "head_dim": 1},
        SIZES | {"model_type": "gptj", "rotary_dim": 20},
        SIZES | {"model_type": "llama", "partial_rotary_factor": -1.0},
    ],
)
def test_a_config_without_a_rotation_of_ours_is_refused_in_a_sentence(config: dict[str, Any]) -> None:
    with pytest.raises(CheckpointError) as caught:
        read_rope_config(config, source="model")
    assert (caught.value.code, caught.value.values["source"]) == ("unsupported", "model")


def test_several_threads_can_read_the_first_config_at_once() -> None:
    """In a process of its own: transformers is imported only once."""
    program = """
import sys
from concurrent.futures import ThreadPoolExecutor
from embedlib.checkpoints import positional_scheme

sys.setswitchinterval(1e-5)
config = {"model_type": "gpt2", "n_positions": 8, "n_embd": 4, "n_head": 2}
with ThreadPoolExecutor(4) as pool:
    print({name for name, _ in pool.map(positional_scheme, [config] * 4)})
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.stdout == "{'learned'}\n", run.stderr
