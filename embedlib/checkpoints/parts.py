"""Parameter counts of a model: the whole, its tables, and the origin of its output weights."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any, Literal

from embedlib.checkpoints.checkpoint import Checkpoint
from embedlib.tables.checks import usual_name
from embedlib.tables.safetensors import Entry

# What the weights are called that turn a last layer's output into scores of tokens, whatever stands before.
OUTPUT_TABLES = (
    "lm_head.weight", "embed_out.weight", "predictions.decoder.weight", "lm_head.decoder.weight",
    "vocab_projector.weight", "head.weight", "output.weight",
)  # fmt: skip
# Classes of transformers whose output weights are the token table unless config.json says otherwise.
SCORING = (
    "LMHeadModel", "ForCausalLM", "ForMaskedLM", "ForPreTraining", "ForConditionalGeneration", "ForTextToText",
    "GenerationDecoder", "MTModel",
)  # fmt: skip
# Classes that end so and score something else.
NOT_SCORING = ("ElectraForPreTraining", "FlavaForPreTraining", "FunnelForPreTraining", "SplinterForPreTraining")
# Tensors that transformers registers as buffers: numbers that training does not learn.
BUFFER = re.compile(
    r"(.*\.)?(inv_freq|rotary_emb\.\w+|masked_bias|final_logits_bias|running_mean|running_var|e_score_correction_bias|"
    r"embed_positions\.weights|(input|output)_(min|max)|act_fn\.(beta|eps)|"
    r"LayerNorm\.shift|x_min|x_max|(act|fc|weight)_scaling_factor|(weight|bias)_integer)"  # I-BERT's
)
# A quantised weight, and the numbers by which it is scaled back: of GPTQ and AWQ, bitsandbytes, compressed-tensors,
# float8 and MXFP4.
QUANTISED = re.compile(r"(.*\.)?(qweight|weight|weight_packed|\w+_blocks)")
SCALES = re.compile(
    r"(.*\.)?(scales|SCB|(weight|input|output|k|v)_scale(_inv|_2|_ub)?|weight_(scales|global_scale)|"
    r"input_global_scale|weight\.(absmax|quant_map|nested_absmax|nested_quant_map))"
)


@dataclass(frozen=True, slots=True)
class ModelParts:
    """Parameter counts of a model's parts.

    Attributes:
        n_parameters: of the whole model; shared weights count once, buffers such as masks do not, and a quantised layer
            counts its original weights.
        token_table: vocab_size * d_model.
        position_table: rows * columns of all such tables, those before position 0 included; 0 where there is none.
        output_table: of separate output weights; 0 where there are none.
        output: "own" where output weights lie in the file, "tied" where the token table serves, else "none".
        evidence: the evidence: the tensor's name, "tie_word_embeddings", "architectures", or "".
    """

    n_parameters: int
    token_table: int
    position_table: int
    output_table: int
    output: Literal["own", "tied", "none"]
    evidence: str

    @property
    def rest(self) -> int:
        """Parameters outside the tables: of all layers, and others."""
        return self.n_parameters - self.token_table - self.position_table - self.output_table


def model_parts(checkpoint: Checkpoint) -> ModelParts:
    """Count a model's parameters, from headers and config.json alone.

    Output weights in the file are "own" unless config.json ties them; without any the token table serves where
    config.json says so, or says nothing and its architecture scores tokens.
    """
    config, tensors = checkpoint.config, checkpoint.tensors()
    sizes = _count_weights(tensors, config)
    token_shape = checkpoint.vocab_size, checkpoint.d_model
    others = [name for name in sizes if len(tensors[name].shape) == 2 and name != checkpoint.table_name]
    own = usual_name(
        [name for name in others if _can_score_tokens(name, tensors[name].shape, token_shape)], OUTPUT_TABLES
    )
    # T5 and its kind may write the one table three times.
    copies = {name for name in others if name.endswith(".embed_tokens.weight") and tensors[name].shape == token_shape}
    tie, classes = config.get("tie_word_embeddings"), config.get("architectures")
    scores = isinstance(classes, list) and any(
        str(name).endswith(SCORING) and name not in NOT_SCORING for name in classes
    )
    output: Literal["own", "tied", "none"] = "none"
    evidence = ""
    if own is not None and tie is not True:
        output, evidence = "own", own
    elif tie is True and (scores or own is not None):
        output, evidence = "tied", "tie_word_embeddings"
    elif tie is None and scores:
        output, evidence = "tied", "architectures"
    shared = copies | ({own} if own is not None and output == "tied" else set())
    return ModelParts(
        n_parameters=sum(size for name, size in sizes.items() if name not in shared),
        token_table=checkpoint.vocab_size * checkpoint.d_model,
        position_table=sum(
            sizes.get(name, 0) for name in {*checkpoint.position_choices, checkpoint.position_name or ""}
        ),
        output_table=sizes[own] if own is not None and output == "own" else 0,
        output=output,
        evidence=evidence,
    )


def _can_score_tokens(name: str, shape: tuple[int, ...], token_shape: tuple[int, int]) -> bool:
    """Return whether a tensor can score tokens: RemBERT's is wider than the token table, Mllama's has fewer rows."""
    is_telling = "lm_head" in name or "predictions" in name  # layers and classifiers have others
    return shape == token_shape or (is_telling and (shape[0] == token_shape[0] or shape[1] == token_shape[1]))


def _count_weights(tensors: Mapping[str, Entry], config: Mapping[str, Any]) -> dict[str, int]:
    """Return the number of weights in each tensor before quantisation; buffers and scales are left out."""
    quantised = {
        name: _weights_per_number(entry.dtype, config)
        for name, entry in tensors.items()
        if entry.dtype in ("I8", "U8", "I32") and QUANTISED.fullmatch(name)
    }
    has_scales = bool(quantised) or any(entry.dtype.startswith("F8") for entry in tensors.values())
    counts = {name: int(prod(tensors[name].shape) * each) for name, each in quantised.items()}
    for name, entry in tensors.items():
        is_mask = name.endswith(".bias") and len(entry.shape) == 4  # GPT-2's
        is_buffer = is_mask or BUFFER.fullmatch(name) or (has_scales and SCALES.fullmatch(name))
        if entry.dtype.startswith(("F", "BF")) and not is_buffer:
            counts[name] = prod(entry.shape)
    return counts


def _weights_per_number(dtype: str, config: Mapping[str, Any]) -> Fraction:
    """Return how many weights are packed into one number of a quantised tensor."""
    about = json.dumps(config.get("quantization_config"))
    given = re.search(r'"bits": ([1-8])\b|"weights": {[^{}]*"num_bits": ([1-8])\b', about)
    bits = int(given[1] or given[2]) if given else 2 if '"bitnet"' in about else 4
    return {"I8": Fraction(1), "U8": Fraction(8, bits), "I32": Fraction(32, bits)}[dtype]
