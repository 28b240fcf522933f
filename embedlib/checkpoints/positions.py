"""A model's own positional scheme, as parameters of ours, from what its config.json says."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from embedlib.checkpoints.files import CheckpointError, text_config

LEARNED = (
    "albert", "bart", "bert", "biogpt", "camembert", "distilbert", "electra", "gpt2", "gpt_bigcode", "gpt_neo",
    "longformer", "mbart", "openai-gpt", "opt", "plbart", "roberta", "xlm-roberta", "xlm-roberta-xl",
)  # fmt: skip
BUCKETS = ("t5", "mt5", "umt5", "longt5", "switch_transformers")
# Rotary models whose config.json need not say so.
ROTARY = ("llama", "mistral", "gpt_neox", "gptj", "codegen", "falcon", "persimmon", "phi")
ADJACENT = ("gptj", "codegen", "cohere", "cohere2", "glm", "glm4", "deepseek_v2", "deepseek_v3", "llama4_text")
HALVES = (
    "gemma", "gemma2", "gemma3_text", "gpt_oss", "granite", "mixtral", "modernbert", "nomic_bert", "olmo", "olmo2",
    "phi3", "qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "smollm3", "stablelm", "starcoder2",
)  # fmt: skip
# What config.json and ours call the ways to slow a rotation down.
SCALINGS = {
    "default": "none",
    "mrope": "none",
    "linear": "linear",
    "dynamic": "dynamic_ntk",
    "yarn": "yarn",
    "llama3": "llama3",
}
SCALING_NUMBERS = (
    "factor", "low_freq_factor", "high_freq_factor", "beta_fast", "beta_slow", "attention_factor", "mscale",
    "mscale_all_dim",
)  # fmt: skip
MOST = 10_000_000  # of any size; a scheme makes tables of them
GREATEST = 1e300  # of any number; a whole number in JSON may be greater than a float holds


def positional_scheme(config: Mapping[str, Any], *, source: str = "config.json") -> tuple[str, dict[str, Any]]:
    """Say which scheme a model has, and with which parameters: make_scheme(name, **arguments) builds it.

    The rows of "learned" are the checkpoint's own: LearnedPositions.from_rows(checkpoint.position_table()). The numbers
    of "t5" are those of a fresh one. Where layers differ, as in Gemma 3, it is the scheme of those that see all tokens.

    Args:
        config: Checkpoint.config.
        source: what an error calls the model.

    Returns:
        A key of SCHEMES, and the keyword arguments of make_scheme: sizes and parameters. For a scheme inside attention
        d_model is the width of all queries together, which some models choose apart from the width of their rows.

    Raises:
        CheckpointError: config says nothing of positions, or says what no scheme of ours does.
    """
    reader = _Reader(text_config(config), source)
    kind = reader.config.get("model_type")
    attention = reader.config.get("attn_config")
    of_mpt = kind == "mpt" and isinstance(attention, Mapping) and attention.get("alibi") is not False
    if kind == "bloom" or of_mpt or reader.config.get("alibi") is True:
        return "alibi", reader.sizes()
    if kind in BUCKETS:
        sizes = reader.sizes(head_dim=reader.size("d_kv"))
        buckets = reader.size("relative_attention_num_buckets", default=32)
        return "t5", sizes | {
            "num_buckets": buckets, "max_distance": reader.size("relative_attention_max_distance", default=128),
        }  # fmt: skip
    if kind in LEARNED and reader.config.get("position_embedding_type", "absolute") == "absolute":
        return "learned", reader.sizes()
    if kind in ROTARY or any(name.startswith(("rope_", "rotary_")) for name in reader.config):
        return "rope", _rotary(reader, kind)
    raise reader.unknown()


class _Reader:
    """Takes numbers out of a config, each of its type and within bounds, under any of its names."""

    def __init__(self, config: Mapping[str, Any], source: str) -> None:
        self.config, self.source = config, source

    def unknown(self) -> CheckpointError:
        return CheckpointError("unknown_scheme", source=self.source)

    def size(self, *names: str, default: int | None = None) -> int:
        value = next((self.config[name] for name in names if self.config.get(name) is not None), default)
        if type(value) is not int or not 1 <= value <= MOST:
            raise self.unknown()
        return value

    def number(self, places: tuple[Mapping[str, Any], ...], *names: str, default: float) -> float:
        values = (place[name] for place in places for name in names if place.get(name) is not None)
        value = next(values, default)
        if type(value) not in (int, float) or not abs(value) <= GREATEST:
            raise self.unknown()
        return float(value)

    def sizes(self, head_dim: int | None = None) -> dict[str, Any]:
        d_model = self.size("hidden_size", "n_embd", "d_model", "dim")
        n_heads = self.size(
            "num_attention_heads",
            "n_head",
            "n_heads",
            "num_heads",
            "encoder_attention_heads",
            "decoder_attention_heads",
        )
        positions = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx")
        return {
            "d_model": n_heads * head_dim if head_dim else d_model, "n_heads": n_heads,
            "max_seq_len": self.size(*positions, default=1024),
        }  # fmt: skip


def _rope_settings(config: Mapping[str, Any]) -> Any:
    return next((config[name] for name in ("rope_parameters", "rope_scaling") if config.get(name)), {})


def _rotary(reader: _Reader, kind: object) -> dict[str, Any]:
    """Take the base, the scaling, the rotated share and the pairing of a rotation."""
    config = reader.config
    settings = _rope_settings(config)
    rope = settings.get("full_attention", settings) if isinstance(settings, Mapping) else None
    if not isinstance(rope, Mapping):
        raise reader.unknown()
    scaling = SCALINGS.get(str(rope.get("rope_type") or rope.get("type") or "default"))
    if scaling is None:
        raise reader.unknown()
    sizes = reader.sizes(reader.size("head_dim") if config.get("head_dim") is not None else None)
    head_dim, places = sizes["d_model"] // sizes["n_heads"], (rope, config)
    if config.get("rotary_dim") is not None:
        fraction = reader.size("rotary_dim") / max(1, head_dim)
    else:
        fraction = reader.number(places, "partial_rotary_factor", "rotary_pct", default=1.0)
    arguments = sizes | {
        "pairing": "interleaved" if kind in ADJACENT else "halves",
        "base": reader.number(places, "rope_theta", "rotary_emb_base", "global_rope_theta", default=10_000.0),
        "rotary_fraction": fraction,
        "scaling": scaling,
    }
    if scaling == "none":
        return arguments
    numbers = {
        name: reader.number((rope,), name, default=0.0) for name in SCALING_NUMBERS if rope.get(name) is not None
    }
    if scaling in ("dynamic_ntk", "yarn", "llama3"):
        trained = rope.get("original_max_position_embeddings") or sizes["max_seq_len"]
        numbers |= {"original_max_seq_len": _Reader({"trained": trained}, reader.source).size("trained")}
    if scaling == "yarn" and type(rope.get("truncate")) is bool:
        numbers |= {"truncate": rope["truncate"]}
    return arguments | numbers


# What somebody who rebuilds a rotation from config.json should know; `values` of a finding has the numbers.
ROPE_FINDINGS = (
    "pairing_unsaid",  # config.json never names the pairing: it follows from the code of this kind of model
    "pairing_guessed",  # the kind is not known here: halves, as in most of transformers
    "base_unsaid",  # 10,000 is taken
    "base_raised",  # base is not 10,000
    "head_dim_own",  # heads are not hidden_size / heads wide: frequencies follow head_dim
    "fraction",  # exponents are over the rotated columns, not over the whole head
    "old_key",  # the scaling is named by "type", which newer code calls "rope_type"
    "original_unsaid",  # the trained length is taken from max_position_embeddings
    "factor_apart",  # factor times trained length is not max_position_embeddings
    "attention_factor",  # turned queries and keys are also multiplied by a number, which grows with factor
    "by_length",  # frequencies change with the length at hand: cached keys were turned by others
    "layers_differ",  # some layers have a base of their own, and this is of those that see all tokens
)
_LOCAL_BASES = ("rope_local_base_freq", "local_rope_theta")


@dataclass(frozen=True, slots=True)
class RopeFinding:
    """One thing to know of a model's rotation.

    Attributes:
        code: one of ROPE_FINDINGS.
        values: the numbers that it is about.
    """

    code: str
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RopeConfig:
    """A model's rotation, as its config.json says it.

    Attributes:
        arguments: make_scheme("rope", **arguments) builds it; pairing, base, rotary_fraction and scaling are in it.
        head_dim: width of a head.
        rotary_dim: how many of its columns are turned.
        findings: what people get wrong about it, in the order of ROPE_FINDINGS.
    """

    arguments: Mapping[str, Any]
    head_dim: int
    rotary_dim: int
    findings: tuple[RopeFinding, ...]


def read_rope_config(config: Mapping[str, Any], *, source: str = "config.json") -> RopeConfig:
    """Read a rotation out of a config.json, and what it leaves unsaid.

    Args:
        config: the whole file, read as JSON.
        source: what an error calls the model.

    Returns:
        The rotation and its findings.

    Raises:
        CheckpointError: config says nothing of positions, of a rotation, or what no scheme of ours does.
    """
    name, arguments = positional_scheme(config, source=source)
    if name != "rope":
        raise CheckpointError("unknown_scheme", source=source)
    read = text_config(config)
    settings = _rope_settings(read)
    rope: Mapping[str, Any] = settings.get("full_attention", settings)
    head_dim = arguments["d_model"] // arguments["n_heads"]
    rotary_dim = int(head_dim * arguments["rotary_fraction"] + 1e-9)
    if arguments["d_model"] % arguments["n_heads"] or rotary_dim < 2 or rotary_dim % 2 or rotary_dim > head_dim:
        raise CheckpointError("unknown_scheme", source=source)
    found: dict[str, dict[str, float]] = {}
    base, scaling, factor = arguments["base"], arguments["scaling"], arguments.get("factor", 1.0)
    found["pairing_unsaid" if read.get("model_type") in (*ROTARY, *ADJACENT, *HALVES) else "pairing_guessed"] = {}
    names = ("rope_theta", "rotary_emb_base", "global_rope_theta")
    if not any(place.get(key) is not None for place in (rope, read) for key in names):
        found["base_unsaid"] = {"base": base}
    elif base != 10_000:
        found["base_raised"] = {"base": base}
    hidden = read.get("hidden_size")
    if type(hidden) is int and hidden != arguments["d_model"]:
        found["head_dim_own"] = {"head_dim": head_dim, "expected": hidden / arguments["n_heads"]}
    if rotary_dim < head_dim:
        found["fraction"] = {"rotary_dim": rotary_dim, "head_dim": head_dim}
    if scaling != "none" and rope.get("rope_type") is None:
        found["old_key"] = {}
    if scaling in ("dynamic_ntk", "yarn", "llama3"):
        original = arguments["original_max_seq_len"]
        if not rope.get("original_max_position_embeddings"):
            found["original_unsaid"] = {"original": original}
        elif factor * original != arguments["max_seq_len"]:
            found["factor_apart"] = {"factor": factor, "original": original, "longest": arguments["max_seq_len"]}
    if scaling == "yarn":
        found["attention_factor"] = {"factor": factor}
    if scaling == "dynamic_ntk":
        found["by_length"] = {"original": arguments["original_max_seq_len"]}
    local: Any = settings.get("sliding_attention")
    bases = [local.get("rope_theta")] if isinstance(local, Mapping) else [read.get(key) for key in _LOCAL_BASES]
    for other in bases:
        if isinstance(other, int | float) and not isinstance(other, bool) and base != other <= GREATEST:
            found["layers_differ"] = {"base": base, "other": float(other)}
    findings = tuple(RopeFinding(code, found[code]) for code in ROPE_FINDINGS if code in found)
    return RopeConfig(arguments, head_dim, rotary_dim, findings)
