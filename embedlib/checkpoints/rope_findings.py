"""A model's rotation as its config.json states it, and common misreadings of it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from embedlib.checkpoints.files import CheckpointError
from embedlib.checkpoints.positions import ALIASES, PositionsReader, rope_settings
from embedlib.positional.rope import RotaryPositions

# Codes of the mistakes to avoid when a rotation is rebuilt from config.json; RopeFinding.values has the numbers.
ROPE_FINDINGS = (
    "pairing_unsaid",  # config.json never names the pairing: it follows from the code of this kind of model
    "pairing_guessed",  # the kind is not known here: halves, as in most of transformers
    "base_unsaid",  # the base is the default of the model's class
    "base_raised",  # base is not 10,000
    "head_dim_own",  # heads are not hidden_size / heads wide: frequencies follow head_dim
    "fraction",  # exponents are over the rotated columns, not over the whole head
    "proportional",  # exponents are over the whole head, although only some columns rotate
    "old_key",  # the scaling is named by "type", which newer code calls "rope_type"
    "meta_scaling",  # params.json says that there is a scaling, and its numbers are in Meta's code
    "original_unsaid",  # the trained length is taken from max_position_embeddings
    "factor_apart",  # factor times trained length is not max_position_embeddings
    "attention_factor",  # rotated queries and keys are also multiplied by a number, which grows with factor
    "by_length",  # frequencies change with the length at hand: cached keys were rotated by others
    "layers_differ",  # some layers have a base of their own, and this is of those that see all tokens
)


@dataclass(frozen=True, slots=True)
class RopeFinding:
    """One remark on a model's rotation: a key of ROPE_FINDINGS, and its numbers."""

    code: str
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RopeConfig:
    """A model's rotation, from its config.json.

    Attributes:
        arguments: ``make_scheme("rope", **arguments)`` builds it; pairing, base, rotary_fraction and scaling are in it.
        head_dim: width of a head.
        rotary_dim: number of its rotated columns.
        findings: common misreadings, in the order of ROPE_FINDINGS.
        others: the arguments of other layers' rotations, by the kind of layer; empty where all layers rotate alike.
    """

    arguments: Mapping[str, Any]
    head_dim: int
    rotary_dim: int
    findings: tuple[RopeFinding, ...]
    others: Mapping[str, Mapping[str, Any]]


def read_rope_config(config: Mapping[str, Any], *, source: str = "config.json") -> RopeConfig:
    """Read a rotation from a config.json, with its findings.

    CheckpointError where it has no positions, no rotation, or one that make_scheme cannot build.
    """
    reader = PositionsReader(config, source)
    name, arguments = reader.scheme()
    if name != "rope":
        raise CheckpointError("unsupported", source=source, found=f"positions without a rotation ({name})")
    layers = next(iter(reader.rotations))
    others = {name: rotation for name, rotation in reader.rotations.items() if name and name != layers}
    head_dim = arguments["d_model"] // arguments["n_heads"]
    rotary_dim = round(head_dim * arguments["rotary_fraction"])
    found = _findings(reader, arguments, head_dim, rotary_dim, others)
    findings = tuple(RopeFinding(code, found[code]) for code in ROPE_FINDINGS if code in found)
    return RopeConfig(arguments, head_dim, rotary_dim, findings, others)


def _findings(
    reader: PositionsReader,
    arguments: Mapping[str, Any],
    head_dim: int,
    rotary_dim: int,
    others: Mapping[str, Mapping[str, Any]],
) -> dict[str, dict[str, float]]:
    """Return the values of each finding."""
    stated, read = reader.stated, reader.read
    scheme = RotaryPositions(**arguments)
    settings = {} if reader.is_params_json else rope_settings(stated)
    inner = settings.get(next(iter(reader.rotations)))
    rope: Mapping[str, Any] = inner if isinstance(inner, Mapping) else settings
    found: dict[str, dict[str, float]] = {}
    base, scaling, factor = arguments["base"], arguments["scaling"], arguments.get("factor", 1.0)
    if stated.get("rope_interleave", stated.get("rotary_emb_interleaved")) is None:
        found["pairing_unsaid" if reader.is_known or reader.is_params_json else "pairing_guessed"] = {}
    names = ("rope_theta", *(alias for alias, name in ALIASES.items() if name == "rope_theta"))
    if not any(part.get(name) is not None for part in (rope, stated) for name in names):
        found["base_unsaid"] = {"base": base}
    elif base != 10_000:
        found["base_raised"] = {"base": base}
    width = getattr(read, "qk_nope_head_dim", None)
    if isinstance(width, int) and rotary_dim == head_dim:
        found["fraction"] = {"rotary_dim": rotary_dim, "head_dim": head_dim + width}
    elif rotary_dim < head_dim:
        code = "proportional" if scaling == "proportional" else "fraction"
        found[code] = {"rotary_dim": rotary_dim, "head_dim": head_dim}
    if "fraction" not in found and read.hidden_size != arguments["d_model"]:
        found["head_dim_own"] = {"head_dim": head_dim, "expected": read.hidden_size / arguments["n_heads"]}
    if reader.is_params_json and scaling != "none":
        found["meta_scaling"] = {"factor": factor}
        return found
    if scaling != "none" and rope.get("type") and rope.get("rope_type") is None:
        found["old_key"] = {}
    if scaling in ("dynamic_ntk", "yarn", "llama3", "longrope"):
        original = arguments["original_max_seq_len"]
        original_stated = rope.get("original_max_position_embeddings") or stated.get("original_max_position_embeddings")
        if not original_stated:
            found["original_unsaid"] = {"original": original}
        elif not math.isclose(factor * original, arguments["max_seq_len"]):
            found["factor_apart"] = {"factor": factor, "original": original, "longest": arguments["max_seq_len"]}
        if scaling in ("dynamic_ntk", "longrope"):
            found["by_length"] = {"original": original}
    if scaling in ("yarn", "longrope"):
        if (amplitude := scheme.scaling.amplitude()) != 1:
            found["attention_factor"] = {"attention_factor": amplitude}
    for other in others.values():
        if other["base"] != base:
            found["layers_differ"] = {"base": base, "other": other["base"]}
    return found
