"""Small trained models, run by transformers' classes, with every layer's vectors and attention."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import normalize

from embedlib.checkpoints import Checkpoint, CheckpointError, FileTokenizer, minilm, open_checkpoint
from embedlib.contextual.positions import PositionRows, Positions, attention
from embedlib.contextual.text import TextTokens, text_tokens
from embedlib.positional import SCHEMES, FormulaError, FormulaPositions, PositionalScheme, make_scheme

MAX_TOKENS = 512  # of one text: twelve heads of six layers then have 75 MB of weights
MAX_PARAMETERS = 400_000_000  # 1.6 GB
MAX_LAYERS = 128
MAX_SIZE = 2**24  # of heads, positions and whatever else config.json counts: some are allocated before weights are
BATCH_TOKENS = 2_048  # of texts that run together, with what fills the shorter ones up
ATTENTION = "embedlib"  # what transformers calls `attention` by


@dataclass(frozen=True, slots=True)
class _Kind:
    """One architecture: its classes in transformers, and the names of their config.json entries."""

    module: str
    classes: tuple[str, str]
    scheme: str
    tokens: str
    positions: str
    config: tuple[str, ...]


_LLAMA = (
    "vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads",
    "hidden_act", "max_position_embeddings", "rms_norm_eps", "rope_theta", "rope_scaling", "rope_parameters",
    "attention_bias", "mlp_bias", "head_dim",
)  # fmt: skip
_BERT = (
    "vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "hidden_act",
    "max_position_embeddings", "type_vocab_size", "layer_norm_eps", "is_decoder",
)  # fmt: skip
_GPT2 = (
    "vocab_size", "n_positions", "n_embd", "n_layer", "n_head", "n_inner", "activation_function", "layer_norm_epsilon",
    "scale_attn_weights", "scale_attn_by_inverse_layer_idx",
)  # fmt: skip
_KINDS = {
    "bert": _Kind(
        "bert.modeling_bert", ("BertConfig", "BertModel"), "learned", "embeddings.word_embeddings.weight",
        "embeddings.position_embeddings", _BERT,
    ),
    "gpt2": _Kind("gpt2.modeling_gpt2", ("GPT2Config", "GPT2Model"), "learned", "wte.weight", "wpe", _GPT2),
    "llama": _Kind("llama.modeling_llama", ("LlamaConfig", "LlamaModel"), "rope", "embed_tokens.weight", "", _LLAMA),
}  # fmt: skip


@dataclass(frozen=True, eq=False, slots=True)
class Layers:
    """Vectors and attention of one text in every layer; float32, on the CPU.

    Attributes:
        hidden: (n_layers + 1, seq_len, d_model): the input of the first layer, then each layer's output; the last is
            the model's output, normalised where the model does so after its last layer.
        attention: (n_layers, n_heads, seq_len, seq_len), row = query; each row sums to 1.
        sentence: (d_model,), the mean of the output over all tokens, of length 1.
    """

    token_ids: tuple[int, ...]
    hidden: Tensor
    attention: Tensor
    sentence: Tensor


class ContextModel:
    """A trained model in memory, never changed by a run, so that threads may share it.

    Attributes:
        name: of the checkpoint; foreign text.
        kind: "bert", "gpt2" or "llama".
        max_seq_len: number of positions in its training.
        causal: whether a token sees only itself and those before it.
        scheme: of its positions, a key of SCHEMES.
    """

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._checkpoint = checkpoint
        self.name = checkpoint.name
        self.kind = str(checkpoint.config.get("model_type"))
        if self.kind not in _KINDS:
            found = f"model_type {self.kind} (not {', '.join(_KINDS)})"
            raise CheckpointError("unsupported", source=self.name, found=found)
        model = _empty_model(checkpoint, self.kind)
        config = model.config
        self.d_model, self.n_layers = int(config.hidden_size), int(config.num_hidden_layers)
        self.n_heads, self.max_seq_len = int(config.num_attention_heads), int(config.max_position_embeddings)
        self.causal = self.kind != "bert" or bool(config.is_decoder)
        self.scheme = _KINDS[self.kind].scheme
        self.n_parameters = sum(weight.numel() for weight in model.parameters())
        self._head_dim = int(getattr(config, "head_dim", None) or self.d_model // self.n_heads)
        self._model = _with_weights(model, checkpoint, self.kind)

    @property
    def max_tokens(self) -> int:
        """Most tokens of a text."""
        return min(self.max_seq_len, MAX_TOKENS)

    @cached_property
    def tokenizer(self) -> FileTokenizer:
        """The model's own tokenizer; CheckpointError where it has none."""
        return self._checkpoint.tokenizer()

    def tokens(self, text: str, *, limit: int | None = None) -> TextTokens:
        """Cut a text into at most `limit` tokens (max_tokens by default), with the model's special tokens around it.

        ValueError for a lone surrogate; CheckpointError where the model has no valid tokenizer.json.
        """
        return text_tokens(self.tokenizer, text, min(limit or self.max_tokens, self.max_tokens))

    def token_rows(self, token_ids: Sequence[int]) -> Tensor:
        """Return the rows of the model's embedding matrix for some tokens, (n_tokens, d_model)."""
        rows: Tensor = self._model.get_input_embeddings().weight[list(token_ids)]
        return rows

    def schemes(self) -> list[str]:
        """Names in SCHEMES that can replace the model's positions: same sizes, and causal only where the model is."""
        return [name for name in SCHEMES if self._can_replace(name)]

    def run(self, token_ids: Sequence[int], positions: Positions = Positions()) -> Layers:  # noqa: B008 - frozen
        """Run one text of (seq_len,) ids, special ones included, at least 1 and at most max_tokens.

        Raises:
            ValueError: no token, or parameters that the scheme does not take.
            FormulaError: a formula cannot be read, has no value at one of the positions, or adds rows and acts
                elsewhere too where the model's heads are not as wide together as its rows.
            CheckpointError: too many tokens, an id without a row, a shift past the last position, or a scheme that the
                model cannot take.
        """
        return self.run_many([token_ids], positions)[0]

    def run_many(self, texts: Sequence[Sequence[int]], positions: Positions = Positions()) -> list[Layers]:  # noqa: B008
        """Run several texts, those of similar length together; as run."""
        runs: list[Layers | None] = [None] * len(texts)
        for indices, hidden, weights in self._batches(texts, positions, every_layer=True):
            for row, index in enumerate(indices):
                ids = tuple(texts[index])
                own = hidden[:, row, : len(ids)].clone()  # (n_layers + 1, seq_len, d_model)
                seen = weights[:, row, :, : len(ids), : len(ids)].clone()
                runs[index] = Layers(ids, own, seen, _unit_mean(own[-1]))
        return [layers for layers in runs if layers is not None]

    def pooled_vectors(self, texts: Sequence[Sequence[int]], positions: Positions = Positions()) -> Tensor:  # noqa: B008
        """Return the sentence vector of each text, (n_texts, d_model), without storing the layers; as run."""
        vectors = torch.empty(len(texts), self.d_model)
        for indices, hidden, _weights in self._batches(texts, positions, every_layer=False):
            for row, index in enumerate(indices):
                vectors[index] = _unit_mean(hidden[-1, row, : len(texts[index])])
        return vectors

    def _batches(
        self, texts: Sequence[Sequence[int]], positions: Positions, *, every_layer: bool
    ) -> Iterator[tuple[list[int], Tensor, Tensor]]:
        """Run texts by length; yield their indices, hidden vectors and attention, batch by batch."""
        for ids in texts:
            self._check_token_ids(ids, positions)
        scheme = self._replacement_scheme(positions) if positions.kind == "scheme" else None
        batch: list[int] = []
        for index in sorted(range(len(texts)), key=lambda index: len(texts[index])):
            if batch and len(texts[index]) * (len(batch) + 1) > BATCH_TOKENS:
                yield batch, *self._forward([texts[row] for row in batch], positions, scheme, every_layer)
                batch = []
            batch.append(index)
        if batch:
            yield batch, *self._forward([texts[row] for row in batch], positions, scheme, every_layer)

    def _forward(
        self, texts: list[Sequence[int]], positions: Positions, scheme: PositionalScheme | None, every_layer: bool
    ) -> tuple[Tensor, Tensor]:
        """Return (n, batch_size, seq_len, d_model) and (n, batch_size, n_heads, seq_len, seq_len).

        n is all layers, or else the last one, without attention.
        """
        seq_len = max(map(len, texts))
        ids, position_ids = torch.zeros(2, len(texts), seq_len, dtype=torch.int64)  # (batch_size, seq_len) each
        mask = torch.zeros(len(texts), 1, seq_len, seq_len)
        for row, text in enumerate(texts):
            ids[row, : len(text)] = torch.tensor(text)
            position_ids[row, : len(text)] = positions.ids(len(text))
            mask[row, ..., len(text) :] = float("-inf")
        if self.causal:
            mask = mask.masked_fill(torch.ones(seq_len, seq_len, dtype=torch.bool).triu(1), float("-inf"))
        inputs: dict[str, Any] = {"input_ids": ids, "position_ids": position_ids}
        with torch.no_grad():
            if positions.kind in ("none", "scheme"):
                adds = scheme is not None and "embedding" in scheme.acts_on
                rows = (
                    self._scaled_rows(scheme, seq_len) if scheme is not None and adds else torch.zeros(1, self.d_model)
                )
                if self.scheme == "learned":
                    inputs["position_ids"] = rows.expand(1, seq_len, -1)
                elif adds:
                    inputs["inputs_embeds"] = self._model.get_input_embeddings()(inputs.pop("input_ids")) + rows
            if self.kind == "bert":
                inputs["token_type_ids"] = torch.zeros_like(ids)
            output = self._model(
                **inputs, attention_mask=mask, use_cache=False, scheme=scheme, causal=self.causal,
                output_hidden_states=every_layer, output_attentions=every_layer,
            )  # fmt: skip
            if not every_layer:
                return output.last_hidden_state[None], torch.empty(0)
            return torch.stack(output.hidden_states), torch.stack(output.attentions)

    def _scaled_rows(self, scheme: PositionalScheme, seq_len: int) -> Tensor:
        """Return a scheme's rows, (seq_len, d_model), scaled to the overall length of the model's own rows."""
        table = scheme.position_table(self.max_tokens)
        length = table.double().norm(dim=-1).mean()  # in float32 the squares of a formula's rows may be infinite
        rows: Tensor = table[:seq_len] * (float(self._mean_row_length / length) if length else 0.0)
        return rows

    @cached_property
    def _mean_row_length(self) -> Tensor:
        """Return the mean length of the model's position rows, or of its token rows if it has none."""
        table = _KINDS[self.kind].positions
        rows: Any = self._model.get_submodule(table).table if table else self._model.get_input_embeddings()
        length: Tensor = rows.weight.norm(dim=-1).mean()
        return length

    def _check_token_ids(self, ids: Sequence[int], positions: Positions) -> None:
        if not len(ids):
            raise ValueError("token_ids is empty: it must hold at least 1 id")
        if len(ids) > self.max_tokens:
            raise CheckpointError("too_long", found=len(ids), source=self.name, limit=self.max_tokens)
        rows = self._checkpoint.vocab_size
        for token_id in ids:
            if not 0 <= token_id < rows:
                raise CheckpointError("row", source=self.name, row=token_id, last=rows - 1)
        needed = len(ids) + (positions.shift if positions.kind == "shifted" else 0)
        if needed > self.max_seq_len:
            raise CheckpointError("too_long", source=self.name, limit=self.max_seq_len, found=needed)

    def _can_replace(self, name: str) -> bool:
        if SCHEMES[name].causal_only and not self.causal:
            return False
        try:
            self._make_scheme(name, {})
        except ValueError:
            return False
        return True

    def _replacement_scheme(self, positions: Positions) -> PositionalScheme:
        if positions.scheme in SCHEMES and not self._can_replace(positions.scheme):
            raise CheckpointError(
                "unsupported", source=self.name, found=f"scheme {positions.scheme} in place of its own"
            )
        return self._make_scheme(positions.scheme, dict(positions.parameters))

    def _make_scheme(self, name: str, parameters: Mapping[str, Any]) -> PositionalScheme:
        adds = name in SCHEMES and "embedding" in SCHEMES[name].acts_on
        width = self.d_model if adds else self.n_heads * self._head_dim
        make = partial(make_scheme, name, n_heads=self.n_heads, max_seq_len=self.max_tokens, **parameters)
        scheme = make(d_model=width)
        if isinstance(scheme, FormulaPositions) and "rows" in scheme.trees and width != self.d_model:
            if len(scheme.trees) > 1:  # one scheme has one width
                raise FormulaError("construct", line="rows", found=" + ".join(scheme.trees), instead="rows")
            scheme = make(d_model=self.d_model)
        return scheme.requires_grad_(False)


def open_model(
    source: str | os.PathLike[str] | Checkpoint, *, root: str | os.PathLike[str] | None = None
) -> ContextModel:
    """Read a model of BERT's, GPT-2's or Llama's kind into memory, in float32.

    transformers is imported here, which takes seconds the first time. Only its own classes are built, from numbers of
    config.json; nothing in the model's folder is run. `source` is "minilm" for the installed one, a Checkpoint, or a
    source of open_checkpoint.

    Raises:
        CheckpointError: by a key of CHECKPOINT_ERRORS.
    """
    if isinstance(source, Checkpoint):
        return ContextModel(source)
    return ContextModel(minilm() if source == "minilm" else open_checkpoint(source, root=root))


def _empty_model(checkpoint: Checkpoint, kind: str) -> Any:
    """Make a model on the meta device, without memory, or raise the fault of its config.json."""
    # As in checkpoints.positions, for threads.
    import_module("transformers").AttentionInterface.register(ATTENTION, attention)
    code = import_module(f"transformers.models.{_KINDS[kind].module}")
    config_class, model_class = (getattr(code, name) for name in _KINDS[kind].classes)
    given = {name: checkpoint.config[name] for name in _KINDS[kind].config if name in checkpoint.config}
    damaged = CheckpointError("damaged", file="config.json", format=".json")
    try:
        config = config_class(**given, pad_token_id=None)
        sizes = [config.hidden_size, config.num_attention_heads, config.max_position_embeddings]
        sizes += [config.head_dim, config.num_key_value_heads] if kind == "llama" else []
        if any(type(size) is not int or not 1 <= size <= MAX_SIZE for size in sizes):
            raise damaged
        if not 1 <= config.num_hidden_layers <= MAX_LAYERS:
            raise damaged
        config._attn_implementation = ATTENTION
        with torch.device("meta"):
            model = model_class(config, add_pooling_layer=False) if kind == "bert" else model_class(config)
        if kind == "llama":  # its frequencies are no weights: they come from config.json
            model.rotary_emb = code.LlamaRotaryEmbedding(config)
    except Exception as error:  # what it raises for foreign values is not ours to list
        raise damaged from error
    n_parameters = sum(weight.numel() for weight in model.parameters())
    if n_parameters > MAX_PARAMETERS:
        raise CheckpointError(
            "too_large", file=checkpoint.name, found_mb=n_parameters * 4e-6, limit_mb=MAX_PARAMETERS * 4e-6
        )
    return model.eval().requires_grad_(False)


def _with_weights(model: Any, checkpoint: Checkpoint, kind: str) -> Any:
    """Fill the model with the checkpoint's weights, in float32."""
    before = checkpoint.table_name.removesuffix(_KINDS[kind].tokens)
    shapes = {name: tuple(weight.shape) for name, weight in model.named_parameters()}
    names = {name: _stored_name(f"{before}{name}", checkpoint) for name in shapes}
    entries = checkpoint.tensors()
    for name, stored in names.items():
        if stored in entries and tuple(entries[stored].shape) != shapes[name]:
            raise CheckpointError("damaged", file=stored, format=".safetensors")
    weights = checkpoint.load(names.values(), dtype=torch.float32)
    if spoiled := next((stored for stored, weight in weights.items() if not weight.isfinite().all()), None):
        raise CheckpointError("unsupported", source=checkpoint.name, found=f"{spoiled} with NaN or infinite numbers")
    model.load_state_dict({name: weights[stored] for name, stored in names.items()}, strict=False, assign=True)
    table = _KINDS[kind].positions
    if table:
        model.set_submodule(table, PositionRows(model.get_submodule(table)))
    return model


def _stored_name(name: str, checkpoint: Checkpoint) -> str:
    """Return a tensor's name in the file; LayerNorm's parameters had other names once."""
    old = name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")
    return old if name not in checkpoint.tensor_names and old in checkpoint.tensor_names else name


def _unit_mean(output: Tensor) -> Tensor:
    """Return the mean of (seq_len, d_model), scaled to length 1."""
    return normalize(output.mean(0), dim=0)
