"""The schemes of models: angles as transformers computes them from the same config.json, and what is refused."""

from typing import Any

import pytest
import torch
import transformers
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from embedlib.checkpoints import ROPE_FINDINGS, CheckpointError, positional_scheme, read_rope_config
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
    "Falcon of one billion": (transformers.FalconConfig(alibi=True).to_dict(), "alibi", {"n_heads": 71}),
}  # fmt: skip


@pytest.mark.parametrize("model", KNOWN)
def test_known_models_have_the_schemes_that_they_were_trained_with(model: str) -> None:
    config, name, expected = KNOWN[model]
    found, arguments = positional_scheme(config)
    assert found == name
    assert {key: arguments[key] for key in expected} == expected
    if name != "learned":  # whose table would be drawn
        assert make_scheme(found, **arguments).name == name


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
    SIZES | {"model_type": ["llama"]},
]


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
    "yarn of a kind unknown here": (
        SIZES | {"model_type": "mine", "rope_theta": 1e4, "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
        "original_max_position_embeddings": 32}},
        {"pairing_guessed": {}, "attention_factor": {"factor": 4.0}},
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
    assert (scheme.head_dim, scheme.rotary_dim) == (read.head_dim, read.rotary_dim)


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
