"""Position rows against transformers' own forward pass: which tensor, which tower, the row of position 0, how many."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import save_file

from embedlib.checkpoints import CheckpointError, open_checkpoint

Model = transformers.PreTrainedModel
N_POSITIONS = 30
SIZES = (
    dict.fromkeys(
        ("hidden_size", "d_model", "n_embd", "dim", "emb_dim", "embedding_size", "word_embed_proj_dim",
         "intermediate_size", "encoder_ffn_dim", "decoder_ffn_dim", "ffn_dim", "hidden_dim", "n_inner",
         "input_embedding_size", "output_embedding_size", "true_hidden_size", "intra_bottleneck_size", "projection_dim",
         "entity_emb_size", "encoder_hidden_size"), 16,
    )
    | dict.fromkeys(
        ("num_hidden_layers", "num_layers", "n_layer", "n_layers", "encoder_layers", "decoder_layers",
         "num_decoder_layers", "num_encoder_layers"), 1,
    )
    | dict.fromkeys(
        ("num_attention_heads", "n_head", "n_heads", "encoder_attention_heads", "decoder_attention_heads",
         "num_encoder_attention_heads", "num_decoder_attention_heads", "num_key_value_heads"), 2,
    )
    | dict.fromkeys(
        ("max_position_embeddings", "n_positions", "max_encoder_position_embeddings",
         "max_decoder_position_embeddings", "max_target_positions"), N_POSITIONS,
    )
    | {"vocab_size": 60, "entity_vocab_size": 10, "coordinate_size": 3, "shape_size": 2, "bottleneck_size": 8,
       "image_size": 8, "patch_size": 4, "num_query_tokens": 2, "xpath_unit_hidden_size": 4, "head_dim": 8,
       "attention_window": 10}
)  # fmt: skip
GIVEN: dict[str, dict[str, Any]] = {
    "esm": {"vocab_size": 60, "pad_token_id": 1, "mask_token_id": 4},
    "marian": {"pad_token_id": 1, "decoder_start_token_id": 1},
    "xmod": {"languages": ["en_XX"], "default_language": "en_XX"},
    "qwen3": {"num_hidden_layers": 1, "layer_types": ["full_attention"]},
    "gpt_neo": {"attention_types": [[["global"], 1]], "num_layers": 1},
    "whisper": {"pad_token_id": 1, "bos_token_id": 1, "eos_token_id": 1, "decoder_start_token_id": 1},
}
RUN: dict[str, Callable[[Any, torch.Tensor], object]] = {
    "altclip": lambda model, ids: model.get_text_features(ids),
    "blip-2": lambda model, ids: model.language_model(ids),
    "chinese_clip": lambda model, ids: model.get_text_features(ids),
    "clap": lambda model, ids: model.get_text_features(ids),
    "clip": lambda model, ids: model.get_text_features(ids),
    "siglip": lambda model, ids: model.get_text_features(ids),
    "whisper": lambda model, ids: model.decoder(ids),
}
USUAL = ("bart", "blip-2", "clip", "esm", "gpt2", "luke", "marian", "markuplm", "mpnet", "opt", "prophetnet", "roberta",
         "yoso")  # fmt: skip
ALL = (*USUAL, "albert", "altclip", "bert", "bert-generation", "big_bird", "bigbird_pegasus", "biogpt", "blenderbot",
       "blenderbot-small", "camembert", "chinese_clip", "clap", "convbert", "data2vec-text", "distilbert", "electra",
       "ernie", "fnet", "gpt_bigcode", "gpt_neo", "ibert", "layoutlm", "layoutlmv3", "led", "lilt", "longformer",
       "mbart", "megatron-bert", "mobilebert", "mra", "mvp", "nystromformer", "openai-gpt", "pegasus", "plbart",
       "rembert", "roberta-prelayernorm", "roc_bert", "siglip", "splinter", "squeezebert", "tapas", "trocr", "whisper",
       "xlm", "xlm-roberta", "xlm-roberta-xl", "xmod")  # fmt: skip
CLASSES = {"blip-2": "Blip2ForConditionalGeneration", "trocr": "TrOCRForCausalLM"}


def shrink(config: Any) -> None:
    for name, size in SIZES.items():
        if type(getattr(config, name, None)) in (int, list):
            with suppress(NotImplementedError, AttributeError):  # of what follows from others
                setattr(config, name, size)
    for part in [*vars(config).values()]:
        if isinstance(part, transformers.PreTrainedConfig):
            shrink(part)


def small(kind: str, **given: Any) -> Model:
    """Make a model of a type with small random weights; position rows are all different."""
    config = transformers.AutoConfig.for_model(kind, **GIVEN.get(kind, {}) | given)
    shrink(config)
    made = getattr(transformers, CLASSES[kind]) if kind in CLASSES else transformers.AutoModel
    torch.manual_seed(0)
    model: Model = (made.from_config(config) if made is transformers.AutoModel else made(config)).eval()
    for name, module in model.named_modules():
        if isinstance(module, torch.nn.Embedding) and ("pos" in name or "wpe" in name):
            torch.nn.init.normal_(module.weight.data)
    return model


def rows_looked_up(model: Model, kind: str, tensor: str | None, n_tokens: int) -> torch.Tensor:
    """Run the model on a text and return what the module of its position rows gives, (n_tokens, width)."""
    outputs: list[torch.Tensor] = []

    def record(_module: object, _inputs: object, output: Any) -> None:
        outputs.append(output[0] if isinstance(output, tuple) else output)

    hook = model.get_submodule(str(tensor).removesuffix(".weight")).register_forward_hook(record)
    ids = torch.arange(5, 5 + n_tokens)[None]
    both = {"decoder_input_ids": ids} if model.config.is_encoder_decoder else {}
    with torch.no_grad(), suppress(RuntimeError, IndexError):  # of a layer after it that these sizes do not suit
        RUN[kind](model, ids) if kind in RUN else model(input_ids=ids, **both)
    hook.remove()
    return outputs[0].flatten(0, -2)[:n_tokens]


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=[pytest.mark.thorough][kind in USUAL :]) for kind in ALL])
def test_row_i_is_what_the_model_itself_adds_at_position_i(kind: str, tmp_path: Path) -> None:
    model = small(kind)
    model.save_pretrained(tmp_path)
    opened = open_checkpoint(tmp_path)
    choices = [opened.position_name] if opened.position_name else opened.position_choices
    assert choices
    for name in choices:
        chosen = open_checkpoint(tmp_path, positions=name)
        rows = chosen.position_table()
        assert len(rows) == chosen.n_positions > 2
        assert torch.equal(rows_looked_up(model, kind, name, len(rows)), rows)


@pytest.mark.parametrize("kind", ["roberta", "lilt", "esm", "opt", "mpnet"])
def test_the_row_of_position_0_follows_pad_token_id_where_the_models_does(kind: str, tmp_path: Path) -> None:
    model = small(kind, pad_token_id=3)
    model.save_pretrained(tmp_path)
    opened = open_checkpoint(tmp_path)
    rows = opened.position_table()
    assert torch.equal(rows_looked_up(model, kind, opened.position_name, len(rows)), rows)
    assert opened.position_offset == (2 if kind in ("opt", "mpnet") else 4)


TOWERS = {
    "gemma3": ("model.language_model.embed_tokens.weight", "model.vision_tower.embeddings.position_embedding.weight"),
    "gemma3 as published": (
        "language_model.model.embed_tokens.weight",
        "vision_tower.vision_model.embeddings.position_embedding.weight",
    ),
    "idefics": ("model.embed_tokens.weight", "model.vision_model.embeddings.position_embedding.weight"),
    "glm4v": ("model.language_model.embed_tokens.weight", "model.visual.embeddings.position_embedding.weight"),
    "qwen2_audio": ("language_model.model.embed_tokens.weight", "audio_tower.embed_positions.weight"),
    "video_llava": (
        "model.language_model.embed_tokens.weight",
        "model.image_tower.embeddings.position_embedding.weight",
    ),
}


@pytest.mark.parametrize("kind", TOWERS)
def test_the_rows_of_a_tower_that_sees_or_hears_are_not_the_texts(kind: str, tmp_path: Path) -> None:
    save_file({name: torch.rand(6, 4) for name in TOWERS[kind]}, tmp_path / "model.safetensors")
    opened = open_checkpoint(tmp_path)
    assert (opened.table_name, opened.position_choices, opened.n_positions) == (TOWERS[kind][0], (), 0)
    with pytest.raises(CheckpointError) as caught:
        opened.position_table()
    assert caught.value.code == "missing"


def test_of_two_tables_that_end_alike_that_beside_the_tokens_is_taken(tmp_path: Path) -> None:
    for tokens, positions, other in (
        ("text_model.embeddings.token_embedding", "text_model.embeddings.position_embedding",
         "vision_model.embeddings.position_embedding"),
        ("visual_bert.embeddings.word_embeddings", "visual_bert.embeddings.position_embeddings", "x.y"),
        ("luke.embeddings.word_embeddings", "luke.embeddings.position_embeddings",
         "luke.entity_embeddings.position_embeddings"),
        ("model.decoder.embed_tokens", "model.decoder.embed_positions", "model.encoder.embed_positions"),
        ("language_model.model.decoder.embed_tokens", "language_model.model.decoder.embed_positions",
         "qformer.embeddings.position_embeddings"),
    ):  # fmt: skip
        save_file(
            {f"{name}.weight": torch.rand(6, 4) for name in (tokens, positions, other)}, tmp_path / "model.safetensors"
        )
        opened = open_checkpoint(tmp_path)
        assert (opened.table_name, opened.position_name) == (f"{tokens}.weight", f"{positions}.weight")


def test_an_encoders_and_a_decoders_rows_are_asked_for(tmp_path: Path) -> None:
    both = "model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight"
    tables = {name: torch.rand(8, 4) for name in both}
    save_file(tables | {"model.shared.weight": torch.rand(9, 4)}, tmp_path / "model.safetensors")
    (tmp_path / "config.json").write_text('{"model_type": "bart"}')
    opened = open_checkpoint(tmp_path)
    assert (opened.position_name, opened.n_positions, set(opened.position_choices)) == (None, 0, set(both))
    with pytest.raises(CheckpointError) as caught:
        opened.position_table()
    assert (caught.value.code, set(caught.value.values["choices"])) == ("choose", set(both))
    with pytest.raises(CheckpointError) as caught:
        open_checkpoint(tmp_path, positions="no such tensor")
    assert caught.value.code == "missing"
    for name in both:
        assert torch.equal(open_checkpoint(tmp_path, positions=name).position_table(), tables[name][2:])


def test_the_sines_that_rotate_are_no_position_rows(tmp_path: Path) -> None:
    model = small("roformer")
    model.save_pretrained(tmp_path)
    assert open_checkpoint(tmp_path).position_choices == ()
