"""A model's own positional scheme as arguments of make_scheme, read from its config.json by transformers' classes."""

import json
from collections.abc import Mapping
from dataclasses import fields
from functools import cached_property
from importlib import import_module
from typing import Any

from embedlib.checkpoints.files import DEEPEST, TEXT_CONFIGS, CheckpointError, text_config
from embedlib.positional import make_scheme

# Types whose code adds one learned row for each position, and nothing else.
LEARNED = frozenset((
    "albert", "align_text_model", "bart", "bert", "bert-generation", "big_bird", "bigbird_pegasus", "biogpt",
    "blenderbot", "blenderbot-small", "camembert", "clip_text_model", "convbert", "data2vec-text", "distilbert", "dpr",
    "electra", "ernie", "esm", "fnet", "gpt-sw3", "gpt2", "gpt_bigcode", "gpt_neo", "ibert", "led", "longformer",
    "luke", "mbart", "megatron-bert", "mobilebert", "mra", "mvp", "nystromformer", "openai-gpt", "opt", "plbart",
    "rembert", "roberta", "roberta-prelayernorm", "roc_bert", "siglip_text_model", "splinter", "squeezebert",
    "xlm-roberta", "xlm-roberta-xl", "xmod", "yoso",
))  # fmt: skip
BUCKETS = frozenset(("t5", "mt5", "umt5", "longt5", "switch_transformers", "pop2piano"))
# Types whose code rotates adjacent columns although their config.json does not say so; others rotate halves.
INTERLEAVED = frozenset((
    "axk2", "bailing_hybrid", "blt_global_transformer", "blt_local_decoder", "blt_local_encoder", "blt_patcher",
    "codegen", "cohere", "cohere2", "cohere2_moe", "deepseek_v2", "deepseek_v32", "deepseek_v4", "dots3_note_text",
    "ernie4_5", "ernie4_5_moe", "ernie4_5_vl_moe_text", "glm", "glm4", "glm4v_text", "glm_moe_dsa", "glm_ocr_text",
    "gptj", "helium", "llama4_text", "longcat_flash", "mistral_large4_text", "moonshine", "moonshine_streaming",
    "openai_privacy_filter", "roformer",
))  # fmt: skip
ROTARY = frozenset(("codegen", "esm", "gptj", "roformer"))  # types with a rotation whose code reads no scaling
# Types of code on the Hub that read their config.json as a class of transformers does.
COPIES = {"kimi_k2": "deepseek_v3", "stablelm_epoch": "stablelm"}
# Names in the files of other code -> what transformers calls the same.
ALIASES = {
    "n_embd": "hidden_size", "d_model": "hidden_size", "dim": "hidden_size",
    "n_head": "num_attention_heads", "n_heads": "num_attention_heads", "num_heads": "num_attention_heads",
    "qk_rope_head_dim": "head_dim", "kv_channels": "head_dim", "attention_head_dim": "head_dim",
    "n_positions": "max_position_embeddings", "max_seq_len": "max_position_embeddings",
    "seq_length": "max_position_embeddings", "n_ctx": "max_position_embeddings",
    "rotary_emb_base": "rope_theta", "global_rope_theta": "rope_theta",
    "rotary_pct": "partial_rotary_factor", "rope_pct": "partial_rotary_factor",
    "rotary_emb_fraction": "partial_rotary_factor", "rotary_emb_interleaved": "rope_interleave",
}  # fmt: skip
# Names of a config.json that reach its class: no other can break or enlarge it.
_INNER = (*TEXT_CONFIGS, "attn_config", "text_encoder")
_SIZES = ("hidden_size", "num_attention_heads", "max_position_embeddings")
_LAYERS = ("hidden_layers", "n_layer", "layer_types", "num_layers")
_POSITIONAL = (
    "model_type", "is_encoder_decoder", "rope", "rotary", "theta", "head", "hidden_size", "embd", "d_model", "dim",
    "d_kv", "kv_channels", "position", "seq_len", "n_ctx", "alibi", "relative_attention", "sliding_window", *_LAYERS,
)  # fmt: skip
# What config.json and ours call the ways to slow a rotation down.
SCALINGS = {
    "default": "none", "mrope": "none", "linear": "linear", "dynamic": "dynamic_ntk", "yarn": "yarn",
    "llama3": "llama3", "longrope": "longrope", "su": "longrope", "proportional": "proportional",
}  # fmt: skip
# use_scaled_rope in Meta's params.json, https://github.com/meta-llama/llama-models (models/llama3/model.py).
META_SCALING = {
    "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}  # fmt: skip
MOST = 10_000_000  # of any size; a scheme makes tables of them
MAX_LAYERS = 10_000  # a class makes a list of them
GREATEST = 1e300  # of any number; a whole number in JSON may be greater than a float holds


def positional_scheme(config: Mapping[str, Any], *, source: str = "config.json") -> tuple[str, dict[str, Any]]:
    """Return a model's positional scheme and its arguments: ``make_scheme(name, **arguments)`` builds it.

    The rows of "learned" are the checkpoint's own: LearnedPositions.from_rows(checkpoint.position_table()). The numbers
    of "t5" are those of a fresh one. Where layers differ, as in Gemma 3, it is the scheme of those that see all tokens.
    d_model is the width of all queries together, which some models choose apart from the width of their rows.

    `config` is Checkpoint.config, or Meta's params.json. Its gaps are filled by the class of its model_type in
    transformers (the extra `context` installs it); an unknown type is read as a Llama. CheckpointError where it has no
    positions, or a scheme outside SCHEMES.
    """
    return PositionsReader(config, source).scheme()


class PositionsReader:
    """Reads the positions of a model from its config.json.

    Attributes:
        stated: the part of the file about the text, unchanged.
        read: the same as an object of its class in transformers, complete.
        is_known: whether transformers has a class for it; else `read` is a Llama's.
    """

    def __init__(self, config: Mapping[str, Any], source: str) -> None:
        self.source = source
        self.stated = text_config(config)
        self._check_numbers(_copy_position_settings(config))
        for name, value in self.stated.items():
            is_size = ALIASES.get(name, name) in _SIZES and value is not None
            if is_size and not (type(value) is int and 1 <= value <= MOST):
                raise self._unsupported_error(name, value)
        # Imported here: the first class takes 4 s and 110 MB, torch apart. Not by "from transformers import": while one
        # thread imports it, it replaces itself in sys.modules, and a second thread would be left with the replaced one.
        known_kinds = import_module("transformers").CONFIG_MAPPING
        kinds = [(_model_type(part), part) for part in (config, self.stated)]
        known = next((one for one in kinds if one[0] in known_kinds), None)
        self.is_known = known is not None
        rotates = any(name.startswith(("rope_", "rotary_", "qk_rope")) for name in self.stated)
        if known is None and not (self.is_params_json or rotates or self.stated.get("alibi")):
            raise self._unsupported_error("model_type", self.stated.get("model_type"))
        kind, part = known or ("llama", self.stated)
        self.read = self._complete_config(known_kinds[kind], part)
        # Of the class: what the file says would stand in the object.
        self.kind = type(self.read).model_type if self.is_known else str(self.stated.get("model_type"))

    @property
    def is_params_json(self) -> bool:
        """Whether it is a params.json, as Meta and Mistral write them."""
        return "model_type" not in self.stated and {"dim", "n_heads"} <= self.stated.keys()

    def _unsupported_error(self, name: str, value: object = None) -> CheckpointError:
        return CheckpointError("unsupported", source=self.source, found=f"{name} {json.dumps(value, default=str)}")

    def _check_numbers(self, part: Mapping[str, Any]) -> None:
        """Raise CheckpointError for a number or a list too large for transformers' class."""
        for name, value in part.items():
            most = MAX_LAYERS if any(one in name for one in _LAYERS) else GREATEST
            inside = value if isinstance(value, list) else [value]
            if isinstance(value, Mapping):
                self._check_numbers(value)
            elif len(inside) > MAX_LAYERS or any(isinstance(one, list) for one in inside):
                raise self._unsupported_error(name, value)
            elif not all(abs(one) <= most for one in inside if isinstance(one, int | float)):
                raise self._unsupported_error(name, value)

    def _complete_config(self, of_type: Any, part: Mapping[str, Any]) -> Any:
        """Return the part about text as a configuration of its class in transformers, defaults filled in."""
        given = _copy_position_settings(part)
        if part is self.stated:
            own = {field.name for field in fields(of_type)} | of_type.attribute_map.keys()
            given = {ALIASES[name]: value for name, value in given.items() if name in ALIASES.keys() - own} | given
        if self.is_params_json and self.stated.get("use_scaled_rope") is True:
            given["rope_scaling"] = dict(META_SCALING)
        if self.is_params_json and "yarn" in self.stated:
            raise self._unsupported_error("yarn", self.stated["yarn"])
        self._normalise_scaling(rope_settings(text_config(given)))
        try:
            made = of_type(**given)
            try:
                read = made.get_text_config()
            except ValueError:  # one part reads text and another writes it
                read = made.get_text_config(decoder=True)
            read.allow_global_per_layer_attribute_access = True  # of rotations each kind of layer is asked for itself
            if getattr(read, "rope_parameters", None):
                read.standardize_rope_params()  # as each function for a scaling does before it reads them
            return read
        except Exception as error:  # a class may raise anything at values that it does not expect
            found = f"values that {of_type.__name__} of transformers refuses"
            raise CheckpointError("unsupported", source=self.source, found=found) from error

    def _normalise_scaling(self, settings: Any) -> None:
        """Rename "su" to "longrope"; raise CheckpointError for an unknown scaling or one without its factor."""
        if not isinstance(settings, Mapping) or not isinstance(settings.get("full_attention") or {}, Mapping):
            raise self._unsupported_error("rope_parameters", settings)
        nested: list[Any] = [rope for rope in settings.values() if isinstance(rope, Mapping)]
        for rope in (settings, *nested):
            kind = rope.get("rope_type") or rope.get("type") or "default"
            if not isinstance(kind, str) or kind not in SCALINGS:
                raise self._unsupported_error("rope_type", kind)
            if nested and rope is settings:
                continue
            if kind == "su":
                rope["rope_type"] = "longrope"
            needed = {"none": (), "longrope": ("short_factor", "long_factor"), "proportional": ()}
            for name in needed.get(SCALINGS[kind], ("factor",)):
                if name not in rope:
                    raise self._unsupported_error(f'rope_type "{kind}" with {name}')

    def scheme(self) -> tuple[str, dict[str, Any]]:
        """Return the name of the scheme, and its arguments for make_scheme."""
        read, kind = self.read, self.kind
        attention = getattr(read, "attn_config", None)
        if kind == "bloom" or getattr(read, "alibi", None) is True or getattr(attention, "alibi", None) is True:
            maximum = self._check_number("alibi_bias_max", getattr(attention, "alibi_bias_max", 8), 0.01, 1000)
            return "alibi", self._check_arguments(
                "alibi", self._sizes() | {"max_exponent": maximum, "divided": kind == "falcon"}
            )
        if kind in BUCKETS:
            return "t5", self._sizes(self._read_positive_int("d_kv")) | {
                "num_buckets": self._read_positive_int("relative_attention_num_buckets"),
                "max_distance": self._read_positive_int("relative_attention_max_distance"),
            }
        embedding_type = getattr(read, "position_embedding_type", None) or "absolute"
        if kind in LEARNED:
            if embedding_type == "absolute":
                return "learned", self._sizes()
            if embedding_type != "rotary":
                raise self._unsupported_error("position_embedding_type", embedding_type)
        if hasattr(read, "vocab_size") and self.rotations:  # rotations of pictures are of two positions
            return "rope", next(iter(self.rotations.values()))
        raise self._unsupported_error("model_type", kind)

    def _read_positive_int(self, name: str, read: Any = None) -> int:
        value = getattr(read or self.read, name, None)
        if type(value) is not int or not 1 <= value <= MOST:
            raise self._unsupported_error(name, value)
        return value

    def _check_number(self, name: str, value: object, least: float, most: float = GREATEST) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            raise self._unsupported_error(name, value)
        return float(value)

    def _sizes(self, head_dim: int | None = None, read: Any = None) -> dict[str, Any]:
        n_heads = (
            self._read_positive_int("num_attention_heads", read) if hasattr(self.read, "num_attention_heads") else 1
        )  # FNet
        lengths = ("max_position_embeddings", "max_seq_len")
        longest = next((name for name in lengths if getattr(self.read, name, None) is not None), None)
        return {
            "d_model": n_heads * head_dim if head_dim else self._read_positive_int("hidden_size"),
            "n_heads": n_heads,
            "max_seq_len": self._read_positive_int(longest) if longest else 1024,
        }

    @cached_property
    def rotations(self) -> dict[str, dict[str, Any]]:
        """The arguments of each rotation by kind of layers, those that see all tokens first."""
        if self.kind in ROTARY:
            return {"": self._rope_arguments({})}
        settings = getattr(self.read, "rope_parameters", None) or {}
        nested = {name: rope for name, rope in settings.items() if isinstance(rope, Mapping)}
        if not nested:
            return {"": self._rope_arguments(settings)} if settings else {}
        kinds = set(getattr(self.read, "layer_types", None) or nested)  # a file may name kinds that no layer has
        names = sorted(kinds & nested.keys() or nested, key=lambda name: name != "full_attention")
        return {name: self._rope_arguments(nested[name], name) for name in names}

    def _rope_arguments(self, rope: Mapping[str, Any], layers: str = "") -> dict[str, Any]:
        """Return the arguments of one rotation, as transformers' modeling_rope_utils reads it."""
        read = self.read
        scaling = SCALINGS.get(str(rope.get("rope_type") or rope.get("type") or "default"))
        if scaling is None:
            raise self._unsupported_error("rope_type", rope.get("rope_type"))
        if read.is_heterogeneous and layers in read.layer_types:  # Gemma 4: heads of other widths
            read = read.per_layer_config[read.layer_types.index(layers)]
        n_heads = self._read_positive_int("num_attention_heads", read)
        if getattr(read, "head_dim", None) is None and self._read_positive_int("hidden_size") % n_heads:
            raise self._unsupported_error(
                f"hidden_size {self._read_positive_int('hidden_size')} with num_attention_heads", n_heads
            )
        width = getattr(read, "head_dim", None) or read.hidden_size // n_heads
        head_dim = int(self._check_number("head_dim", width, 2, MOST))
        if self.kind in ("gptj", "codegen"):
            rotary_dim = self._read_positive_int("rotary_dim")
        else:
            share = self._check_number("partial_rotary_factor", rope.get("partial_rotary_factor", 1.0), 0, 1)
            rotary_dim = int(head_dim * share)
        if scaling == "proportional":
            rotary_dim -= rotary_dim % 2
        if rotary_dim < 2 or rotary_dim % 2 or rotary_dim > head_dim:
            raise self._unsupported_error(f"head_dim {head_dim} with rotated dimensions", rotary_dim)
        stated = getattr(read, "rope_interleave", None)
        interleaved = stated if isinstance(stated, bool) else self.is_params_json or self.kind in INTERLEAVED
        return self._check_arguments(
            "rope",
            self._sizes(head_dim, read)
            | {
                "pairing": "interleaved" if interleaved else "halves",
                "base": self._check_number("rope_theta", rope.get("rope_theta", getattr(read, "rope_theta", 1e4)), 1),
                "rotary_fraction": rotary_dim / head_dim,
                "scaling": scaling,
                **self._scaling(scaling, rope, rotary_dim),
            },
        )

    def _check_arguments(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments; raise CheckpointError if make_scheme refuses them."""
        try:
            make_scheme(name, **arguments)
        except ValueError as error:  # it begins with the name and the value that is out of bounds
            found = str(error).split()[0].rstrip(",:")
            raise CheckpointError("unsupported", source=self.source, found=found) from error
        return arguments

    def _scaling(self, scaling: str, rope: Mapping[str, Any], rotary_dim: int) -> dict[str, Any]:
        """Return the arguments of a scaling."""
        if scaling == "none":
            return {}
        longest = self._sizes()["max_seq_len"]
        found: dict[str, Any] = {}
        if scaling in ("dynamic_ntk", "yarn", "llama3", "longrope"):
            original = rope.get("original_max_position_embeddings")
            original = longest if original is None or scaling == "dynamic_ntk" else original
            found["original_max_seq_len"] = int(
                self._check_number("original_max_position_embeddings", original, 1, MOST)
            )
        factor = rope.get("factor", 1.0 if scaling == "proportional" else None)
        if factor is None and scaling in ("yarn", "longrope"):
            factor = max(1.0, longest / found["original_max_seq_len"])
        found["factor"] = self._check_number("factor", factor, 1)
        if scaling == "longrope":
            for name in ("short_factor", "long_factor"):
                numbers = rope.get(name)
                if not isinstance(numbers, list) or len(numbers) != rotary_dim // 2:
                    raise self._unsupported_error(name, numbers)
                found[name] = tuple(self._check_number(name, number, 1e-6) for number in numbers)
        optional = {
            "llama3": ("low_freq_factor", "high_freq_factor"),
            "yarn": ("beta_fast", "beta_slow", "attention_factor", "mscale", "mscale_all_dim"),
            "longrope": ("attention_factor",),
        }.get(scaling, ())
        found |= {name: self._check_number(name, rope[name], 1e-6) for name in optional if rope.get(name)}
        if scaling == "yarn" and type(truncate := self.read.rope_parameters.get("truncate")) is bool:
            found["truncate"] = truncate
        return found


def _copy_position_settings(part: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
    """Copy the sizes and positions of a config.json."""
    found: dict[str, Any] = {}
    for name, value in part.items():
        if name in _INNER and isinstance(value, Mapping) and depth < DEEPEST:
            found[name] = _copy_position_settings(value, depth + 1)
        elif value is None and name in ("rope_theta", "partial_rotary_factor"):
            continue
        elif any(one in name for one in _POSITIONAL) and name != "per_layer_config":
            found[name] = _copy_nested(value, depth)
    return found


def _copy_nested(value: Any, depth: int) -> Any:
    """Copy dictionaries, which transformers modifies, up to a limited depth."""
    if not isinstance(value, Mapping):
        return value
    return {key: _copy_nested(one, depth + 1) for key, one in value.items()} if depth < DEEPEST else {}


def _model_type(part: Mapping[str, Any]) -> str:
    kind = part.get("model_type")
    return COPIES.get(kind, kind) if isinstance(kind, str) else ""


def rope_settings(part: Mapping[str, Any]) -> Any:
    """Return the rotations of a config.json, under its newer or its older key."""
    return next((part[name] for name in ("rope_parameters", "rope_scaling") if part.get(name)), {})
