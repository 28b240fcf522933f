"""Every model type of transformers: rotations as its own code computes them, from files that say next to nothing."""

import importlib
import inspect
import json
import re
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import pytest
import torch
from torch import Tensor
from transformers import CONFIG_MAPPING
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

from embedlib.checkpoints import CheckpointError, read_rope_config
from embedlib.positional import make_scheme
from embedlib.positional.rope import RotaryPositions

COMMON = (
    "llama", "mistral", "mixtral", "qwen2", "qwen3", "qwen3_moe", "qwen2_5_vl", "gemma", "gemma2", "gemma3",
    "gemma3_text", "gemma4", "phi", "phi3", "gpt_neox", "gptj", "falcon", "codegen", "roformer", "esm", "deepseek_v2",
    "deepseek_v3", "minicpm3", "cohere2", "glm4", "gpt_oss", "llama4", "modernbert", "nomic_bert", "olmo2", "persimmon",
    "stablelm", "nemotron", "smollm3", "granite",
)  # fmt: skip
# Without these the class's own defaults have heads of an odd width.
NEEDED: dict[str, dict[str, Any]] = {
    "esm": {"position_embedding_type": "rotary"},
    "glm4_moe": {"head_dim": 128},
    "glm4v_moe": {"text_config": {"head_dim": 128}},
    "glm4v_moe_text": {"head_dim": 128},
    "qwen3_omni_moe": {"thinker_config": {"text_config": {"head_dim": 128}}},
    "qwen3_omni_moe_text": {"head_dim": 128},
    "qwen3_omni_moe_thinker": {"text_config": {"head_dim": 128}},
}
WITHOUT_CODE = {"internlm3", "iquestcoder"}  # installed transformers has the class of the file, and no model
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 512}
LLAMA3 = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 256}
SCALINGS: tuple[dict[str, Any], ...] = (
    {"type": "linear", "factor": 3.0},
    {"rope_type": "dynamic", "factor": 2.0},
    YARN,
    YARN | {"factor": None, "truncate": False},
    YARN | {"mscale": 0.7, "mscale_all_dim": 1.0, "beta_fast": 20.0},
    LLAMA3 | {"rope_type": "llama3"},
    {"rope_type": "proportional", "partial_rotary_factor": 0.5, "factor": 2.0},
    {"rope_type": "proportional", "partial_rotary_factor": 0.15, "factor": 1.0},  # of an odd number of columns
)


def text_config_of(config: Any) -> Any:
    try:
        return config.get_text_config()
    except ValueError:
        return config.get_text_config(decoder=True)


def code_of(config: Any) -> ModuleType | None:
    try:
        return importlib.import_module(type(config).__module__.replace(".configuration_", ".modeling_"))
    except ImportError:
        return None


def their_rotations(config: Any) -> dict[str, tuple[Tensor, float]]:
    """Return inverse frequencies and attention factor of each kind of layers, as the model's own code makes them."""
    code = code_of(config)
    if config.model_type in ("gptj", "codegen"):
        return {"": (angles(code.create_sinusoidal_positions(2, config.rotary_dim)[1]), 1.0)}
    if config.model_type == "roformer":
        table = code.RoFormerSinusoidalPositionalEmbedding(2, config.hidden_size // config.num_attention_heads)
        return {"": (angles(table.create_weight()[1]), 1.0)}
    for name, kind in vars(code).items():
        if not (inspect.isclass(kind) and re.search(r"(?<!Vision)(?<!Audio)RotaryEmbedding$", name)):
            continue
        try:
            made = kind(config)
        except (AttributeError, KeyError, TypeError, ValueError):  # of another part of the model
            continue
        buffers = {name: one for name, one in made.named_buffers() if re.fullmatch(r"(?!.*original).*inv_freq", name)}
        layers = {name: name.removesuffix("inv_freq").removesuffix("_") for name in buffers}
        return {
            layers[name]: (one, getattr(made, f"{layers[name]}_attention_scaling".removeprefix("_"), 1.0))
            for name, one in buffers.items()
        }
    return {}


def angles(row: Tensor) -> Tensor:
    """Take the angles out of sines and cosines, one half each."""
    sin, cos = row.chunk(2)
    return torch.atan2(sin, cos)


def assert_same(ours: Mapping[str, Any], inverse: Tensor, attention_factor: float, name: str) -> None:
    scheme = make_scheme("rope", **ours)
    assert isinstance(scheme, RotaryPositions)
    actual = scheme.angles(2)[1].float()
    if name.startswith("ernie4_5_vl_moe"):  # it has them in the order of its axes, and undoes that in its forward pass
        actual, inverse = actual.sort().values, inverse.sort().values
    assert torch.allclose(actual, inverse, rtol=2e-6, atol=1e-9), name
    assert scheme.scaling.amplitude() == pytest.approx(attention_factor, rel=1e-6), name


def check_type(name: str, given: Mapping[str, Any]) -> bool:
    """Compare a type's rotations with ours; False where it has none that the text is read with."""
    config = CONFIG_MAPPING[name](**json.loads(json.dumps(given)))
    read = text_config_of(config)
    if code_of(read) is None:
        return False
    theirs = their_rotations(read)
    sparse = {"model_type": name} | json.loads(json.dumps(given))
    if not theirs:
        with pytest.raises(CheckpointError):
            read_rope_config(sparse)
        return False
    for file in (sparse, json.loads(json.dumps(config.to_dict(), default=str))):
        found = read_rope_config(file)
        first = next((layers for layers in theirs if layers not in found.others), "")
        rotations = {first: found.arguments, **found.others}
        assert theirs.keys() <= rotations.keys(), name
        for layers, (inverse, attention_factor) in theirs.items():
            assert_same(rotations[layers], inverse, attention_factor, name)
    return True


def reads_text(name: str) -> bool:
    """Tell whether a type reads text: parts that see or hear, or have no vocabulary, have rotations of other kinds."""
    try:
        config = CONFIG_MAPPING[name]()
    except Exception:  # two types cannot be made without values
        return False
    return hasattr(text_config_of(config), "vocab_size")


@pytest.mark.parametrize("name", COMMON)
def test_a_file_without_any_size_means_what_its_class_says(name: str) -> None:
    assert check_type(name, NEEDED.get(name, {}))


def check_scalings(name: str) -> int:
    """Compare a type's rotations under each scaling that its class takes, as older files write it."""
    checked = 0
    for scaling in SCALINGS:
        given = NEEDED.get(name, {}) | {
            "rope_theta": 250_000.0,
            "rope_scaling": scaling,
            "max_position_embeddings": 2048,
        }
        try:
            config = CONFIG_MAPPING[name](**json.loads(json.dumps(given)))
        except Exception:  # Phi-3 takes LongRoPE only, and others likewise
            continue
        read = text_config_of(config)
        if read is not config or (read.rope_parameters or {}).get("factor", 0) != scaling["factor"]:
            continue  # each kind of layers has its own, or what a file says of all does not reach the text
        theirs = their_rotations(read)
        if set(theirs) == {""}:
            assert_same(read_rope_config({"model_type": name} | given).arguments, *theirs[""], name)
            checked += 1
    return checked


@pytest.mark.parametrize("name", ["llama", "qwen3", "gpt_neox", "deepseek_v3", "glm4", "stablelm", "gpt_oss"])
def test_scalings_of_older_files_are_read_as_transformers_reads_them(name: str) -> None:
    assert check_scalings(name) >= 5


@pytest.mark.parametrize("name", ["phi3", "llama", "minicpm3", "of nobody"])
@pytest.mark.parametrize("kind", ["longrope", "su"])
@pytest.mark.parametrize("more", [{}, {"factor": 8.0}, {"attention_factor": 1.25}])
def test_longrope_has_a_list_up_to_the_trained_length_and_another_past_it(
    name: str, kind: str, more: dict[str, float]
) -> None:
    lists = {"short_factor": [1 + 0.01 * i for i in range(16)], "long_factor": [1.5 * 1.2**i for i in range(16)]}
    sizes = {"hidden_size": 128, "num_attention_heads": 4, "qk_rope_head_dim": 32}
    file = sizes | {
        "model_type": name, "max_position_embeddings": 4096, "original_max_position_embeddings": 512,
        "rope_theta": 10_000.0, "rope_scaling": {"type": kind, **lists, **more},
    }  # fmt: skip
    parameters = {"rope_type": "longrope", "rope_theta": 10_000.0, "original_max_position_embeddings": 512}
    theirs = CONFIG_MAPPING["llama"](
        **sizes, head_dim=32, max_position_embeddings=4096, rope_parameters=parameters | lists | more
    )
    scheme = make_scheme("rope", **read_rope_config(file).arguments)
    assert isinstance(scheme, RotaryPositions)
    for seq_len in (2, 512, 513, 4096):
        inverse, attention_factor = ROPE_INIT_FUNCTIONS["longrope"](theirs, torch.device("cpu"), seq_len=seq_len)
        actual = scheme.angles(seq_len)[1].float()
        assert torch.allclose(actual, inverse, rtol=2e-6, atol=0)
        assert scheme.scaling.amplitude() == pytest.approx(attention_factor, rel=1e-6)


WIDTH = 8


def partners(rotate: Callable[[Tensor], Any]) -> list[int]:
    """Return the columns that end up in the same places as the first column does."""
    turned = rotate(torch.eye(WIDTH).view(WIDTH, 1, 1, WIDTH))
    turned = (turned[0] if isinstance(turned, tuple) else turned).reshape(WIDTH, WIDTH)
    places = [row.abs().gt(1e-6).nonzero().flatten().tolist() for row in turned]
    return [column for column in range(1, WIDTH) if places[column] == places[0]]


def their_pairing(config: Any) -> str:
    """Rotate unit vectors by a model's own code, and see which columns mix."""
    code = code_of(config)
    angle = torch.tensor([0.3, 0.7, 1.1, 1.6])
    if config.model_type == "roformer":
        rotate = code.RoFormerSelfAttention.apply_rotary_position_embeddings
        both = torch.cat([angle.sin(), angle.cos()]).view(1, 1, 1, WIDTH)
        return {1: "interleaved", 4: "halves"}[partners(lambda x: rotate(both, x, x))[0]]
    if config.model_type in ("deepseek_v2", "llama4_text"):
        turn = torch.polar(torch.ones(4), angle).view(1, 1, 4)
        return {1: "interleaved", 4: "halves"}[partners(lambda x: code.apply_rotary_emb(x, x, turn))[0]]
    name = "apply_rotary_pos_emb_interleave"
    always = config.model_type in ("axk2", "deepseek_v32")  # whose other function is the indexer's
    if not (hasattr(code, name) and (getattr(config, "rope_interleave", True) or always)):
        name = "apply_rotary_pos_emb"
    rotate = getattr(code, name)
    for angles in (torch.cat([angle, angle]), angle):  # some take one for each pair
        for count in (2, 1):
            cos, sin = angles.cos().view(1, 1, -1), angles.sin().view(1, 1, -1)
            try:
                found = partners(lambda x, count=count, cos=cos, sin=sin: rotate(*[x] * count, cos, sin))
            except (AttributeError, IndexError, RuntimeError, TypeError, ValueError):
                continue
            if found in ([1], [WIDTH // 2]):
                return "interleaved" if found == [1] else "halves"
    raise AssertionError(config.model_type)


def check_pairing(name: str, **more: Any) -> None:
    file = {"model_type": name} | NEEDED.get(name, {}) | more
    config = CONFIG_MAPPING[name](**json.loads(json.dumps(NEEDED.get(name, {}) | more)))
    assert read_rope_config(file).arguments["pairing"] == their_pairing(text_config_of(config)), name


@pytest.mark.parametrize("name", [*COMMON, "ernie4_5", "helium", "moonshine_streaming"])
def test_pairings_are_those_of_the_models_own_code(name: str) -> None:
    check_pairing(name)


@pytest.mark.parametrize("interleaved", [True, False])
def test_a_pairing_that_the_file_says_is_taken(interleaved: bool) -> None:
    check_pairing("deepseek_v3", rope_interleave=interleaved)
    nomic = {"model_type": "nomic_bert", "n_embd": 768, "n_head": 12, "rotary_emb_interleaved": interleaved}
    found = read_rope_config(nomic)
    assert found.arguments["pairing"] == ("interleaved" if interleaved else "halves")
    assert "pairing_unsaid" not in [one.code for one in found.findings]


@pytest.mark.thorough
def test_every_type_of_transformers_is_right_or_refused() -> None:
    names = [name for name in sorted(CONFIG_MAPPING_NAMES) if name not in WITHOUT_CODE and reads_text(name)]
    right = [name for name in names if check_type(name, NEEDED.get(name, {}))]
    assert len(right) > 250
    for name in right:
        check_pairing(name)
    assert sum(map(check_scalings, right)) > 500
