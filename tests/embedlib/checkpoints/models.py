"""Small models as transformers writes them: four shapes, three types of numbers, in one file or in several."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import torch
import transformers

VOCAB_SIZE, N_POSITIONS, D_MODEL = 97, 40, 24
KINDS = ("gpt2", "bert", "t5", "llama")
DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}
# Each kind, in one file and in several, and each type of numbers; when there is time all of them together.
STORED = [
    pytest.param(
        *(kind, dtype, shard_bytes),
        marks=[] if dtype == "float32" or (kind, shard_bytes) == ("gpt2", None) else pytest.mark.thorough,
    )
    for kind in KINDS
    for dtype in DTYPES
    for shard_bytes in (None, 9_000)
]
# The tensors that transformers' own modules name so.
TOKEN_TABLES = {
    "gpt2": "transformer.wte.weight",
    "bert": "bert.embeddings.word_embeddings.weight",
    "t5": "shared.weight",
    "llama": "model.embed_tokens.weight",
}
POSITION_TABLES = {"gpt2": "transformer.wpe.weight", "bert": "bert.embeddings.position_embeddings.weight"}


def small_model(kind: str, n_layers: int = 1) -> transformers.PreTrainedModel:
    """Make a model of one of KINDS with random weights."""
    torch.manual_seed(KINDS.index(kind))
    if kind == "gpt2":
        config = transformers.GPT2Config(
            vocab_size=VOCAB_SIZE, n_positions=N_POSITIONS, n_embd=D_MODEL, n_layer=n_layers, n_head=2
        )
        return transformers.GPT2LMHeadModel(config)
    if kind == "bert":
        return transformers.BertForMaskedLM(
            transformers.BertConfig(
                vocab_size=VOCAB_SIZE, max_position_embeddings=N_POSITIONS, hidden_size=D_MODEL,
                num_hidden_layers=n_layers, num_attention_heads=2, intermediate_size=32,
            )
        )  # fmt: skip
    if kind == "t5":
        config = transformers.T5Config(
            vocab_size=VOCAB_SIZE, d_model=D_MODEL, d_kv=8, d_ff=32, num_layers=1, num_heads=2
        )
        return transformers.T5ForConditionalGeneration(config)
    config = transformers.LlamaConfig(
        vocab_size=VOCAB_SIZE, hidden_size=D_MODEL, intermediate_size=32, num_hidden_layers=n_layers,
        num_attention_heads=2, num_key_value_heads=1, max_position_embeddings=N_POSITIONS,
    )  # fmt: skip
    return transformers.LlamaForCausalLM(config)


def save(kind: str, dtype: str, folder: Path, *, shard_bytes: int | None = None) -> transformers.PreTrainedModel:
    """Write a small model as transformers does, and return it; it is not to be changed."""
    model, files = _written(kind, dtype, shard_bytes)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return model


@cache  # writing one takes longer than most of what is looked at in it
def _written(kind: str, dtype: str, shard_bytes: int | None) -> tuple[transformers.PreTrainedModel, dict[str, bytes]]:
    model = small_model(kind).to(DTYPES[dtype]).eval()
    with TemporaryDirectory() as folder:
        model.save_pretrained(folder, max_shard_size=shard_bytes or 10**9)
        return model, {path.name: path.read_bytes() for path in Path(folder).iterdir()}
