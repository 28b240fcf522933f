"""What is said of known models is what transformers builds from their configurations."""

from typing import Any

import pytest
import torch
import transformers

from embedlib.embedding import BYTES_PER_NUMBER, MODEL_SIZES, ModelSize

# The published configurations: a model's class, and what decides its number of parameters besides its defaults.
GPT2 = {"vocab_size": 50_257, "n_positions": 1_024}
LLAMA_70B = {"hidden_size": 8_192, "num_hidden_layers": 80, "num_attention_heads": 64, "num_key_value_heads": 8,
             "intermediate_size": 28_672}  # fmt: skip
BUILT: dict[str, tuple[str, dict[str, Any]]] = {
    "BERT base": ("BertForPreTraining", {}),
    "BERT large": ("BertForPreTraining", {"hidden_size": 1_024, "num_hidden_layers": 24, "num_attention_heads": 16,
                                          "intermediate_size": 4_096}),
    "GPT-2 small": ("GPT2LMHeadModel", GPT2),
    "GPT-2 medium": ("GPT2LMHeadModel", GPT2 | {"n_embd": 1_024, "n_layer": 24, "n_head": 16}),
    "GPT-2 large": ("GPT2LMHeadModel", GPT2 | {"n_embd": 1_280, "n_layer": 36, "n_head": 20}),
    "GPT-2 XL": ("GPT2LMHeadModel", GPT2 | {"n_embd": 1_600, "n_layer": 48, "n_head": 25}),
    "T5 small": ("T5ForConditionalGeneration", {}),
    "T5 base": ("T5ForConditionalGeneration", {"d_model": 768, "d_ff": 3_072, "num_layers": 12, "num_heads": 12}),
    "T5 11B": ("T5ForConditionalGeneration", {"d_model": 1_024, "d_ff": 65_536, "d_kv": 128, "num_layers": 24,
                                              "num_heads": 128}),
    "GPT-3": ("GPT2LMHeadModel", {"n_embd": 12_288, "n_layer": 96, "n_head": 96, "n_positions": 2_048}),
    "BLOOM": ("BloomForCausalLM", {"hidden_size": 14_336, "n_layer": 70, "n_head": 112}),
    "Llama 2 7B": ("LlamaForCausalLM", {"vocab_size": 32_000}),
    "Llama 2 70B": ("LlamaForCausalLM", LLAMA_70B | {"vocab_size": 32_000}),
    "Mistral 7B": ("MistralForCausalLM", {}),
    "Llama 3 8B": ("LlamaForCausalLM", {"vocab_size": 128_256, "num_key_value_heads": 8, "intermediate_size": 14_336}),
    "Llama 3 70B": ("LlamaForCausalLM", LLAMA_70B | {"vocab_size": 128_256}),
    "Gemma 2B": ("GemmaForCausalLM", {"hidden_size": 2_048, "num_hidden_layers": 18, "num_attention_heads": 8,
                                      "num_key_value_heads": 1, "intermediate_size": 16_384}),
    "Gemma 7B": ("GemmaForCausalLM", {}),
    "Phi-3 mini": ("Phi3ForCausalLM", {}),
    "Qwen2.5 0.5B": ("Qwen2ForCausalLM", {"vocab_size": 151_936, "hidden_size": 896, "num_hidden_layers": 24,
                                          "num_attention_heads": 14, "num_key_value_heads": 2,
                                          "intermediate_size": 4_864, "tie_word_embeddings": True}),
    "Qwen2.5 7B": ("Qwen2ForCausalLM", {"vocab_size": 152_064, "hidden_size": 3_584, "num_hidden_layers": 28,
                                        "num_attention_heads": 28, "num_key_value_heads": 4,
                                        "intermediate_size": 18_944}),
}  # fmt: skip


@pytest.mark.parametrize("name", MODEL_SIZES)
def test_a_model_built_without_its_numbers_has_the_size_that_is_said(name: str) -> None:
    size = MODEL_SIZES[name]
    model_class, settings = BUILT[name]
    config_class = f"{model_class.split('For')[0].removesuffix('LMHeadModel')}Config"
    with torch.device("meta"):
        model = getattr(transformers, model_class)(getattr(transformers, config_class)(**settings))
    model.tie_weights()
    table, output = model.get_input_embeddings().weight, model.get_output_embeddings().weight
    assert tuple(table.shape) == (size.vocab_size, size.d_model)
    assert (output is table) == size.tied
    assert sum(parameter.numel() for parameter in model.parameters()) == size.parameters


def test_every_model_says_where_its_size_stands() -> None:
    for name, size in MODEL_SIZES.items():
        assert size.name == name
        assert size.source.startswith("https://")
        assert size.parameters_source.startswith("https://")
        assert "{" not in size.source


def test_shares_and_bytes_are_counted_from_the_size() -> None:
    size = ModelSize("a", "GPT-2", 2019, 100, 8, False, 4_000, "https://example.org")
    assert size.table_parameters == size.output_parameters == 800
    assert size.share == 0.2
    assert {kind: size.table_bytes(kind) for kind in BYTES_PER_NUMBER} == {"fp32": 3_200, "fp16": 1_600, "int8": 800}
    tied = ModelSize("a", "GPT-2", 2019, 100, 8, True, 4_000, "https://example.org")
    assert tied.output_parameters == 0
    assert tied.share == 0.2
