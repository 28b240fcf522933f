"""What a model is made of: how many parameters, which of them are tables, and where its output weights come from."""

from dataclasses import dataclass
from math import prod
from typing import Literal

from embedlib.checkpoints.checkpoint import Checkpoint
from embedlib.tables.checks import usual_name
from embedlib.tables.safetensors import Entry

# What the weights are called that turn a last layer's output into scores of tokens, whatever stands before.
OUTPUT_TABLES = (
    "lm_head.weight",
    "embed_out.weight",
    "predictions.decoder.weight",
    "lm_head.decoder.weight",
    "vocab_projector.weight",
    "output.weight",
)
# Classes of transformers whose output weights are the token table unless config.json says otherwise.
SCORING = ("LMHeadModel", "ForCausalLM", "ForMaskedLM", "ForPreTraining", "ForConditionalGeneration")
FLOATS = ("F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2")


@dataclass(frozen=True, slots=True)
class ModelParts:
    """How many parameters a model has, and where.

    Attributes:
        n_parameters: of the whole model; weights that two parts share count once, buffers such as masks do not.
        token_table: vocab_size * d_model.
        position_table: rows * columns, those before position 0 included; 0 where there is no such table.
        output_table: of output weights of their own; 0 where there are none.
        output: "own" where output weights lie in the file, "tied" where the token table serves, else "none".
        told_by: what tells that: the tensor's name, "tie_word_embeddings", "architectures", or "" where nothing does.
    """

    n_parameters: int
    token_table: int
    position_table: int
    output_table: int
    output: Literal["own", "tied", "none"]
    told_by: str

    @property
    def rest(self) -> int:
        """Parameters of all layers, and whatever else is no table."""
        return self.n_parameters - self.token_table - self.position_table - self.output_table


def model_parts(checkpoint: Checkpoint) -> ModelParts:
    """Count a model's parameters, from headings and config.json alone.

    Output weights in the file are "own" unless config.json ties them; without any the token table serves where
    config.json says so, or says nothing and its architecture scores tokens.

    Raises:
        CheckpointError: a heading cannot be read now.
    """
    tensors = {name: entry for name, entry in checkpoint.tensors().items() if _is_parameter(name, entry)}
    sizes = {name: prod(entry.shape) for name, entry in tensors.items()}
    tables = [name for name, entry in tensors.items() if entry.shape == (checkpoint.vocab_size, checkpoint.d_model)]
    own = usual_name([name for name in tables if name != checkpoint.table_name], OUTPUT_TABLES)
    # T5 and its kind may write the one table three times.
    copies = {name for name in tables if name.endswith(".embed_tokens.weight") and name != checkpoint.table_name}
    tie, classes = checkpoint.config.get("tie_word_embeddings"), checkpoint.config.get("architectures")
    scores = isinstance(classes, list) and any(str(name).endswith(SCORING) for name in classes)
    output: Literal["own", "tied", "none"] = "none"
    told_by = ""
    if own is not None and tie is not True:
        output, told_by = "own", own
    elif tie is True and (scores or own is not None):
        output, told_by = "tied", "tie_word_embeddings"
    elif tie is None and scores:
        output, told_by = "tied", "architectures"
    shared = copies | ({own} if own is not None and output == "tied" else set())
    return ModelParts(
        n_parameters=sum(size for name, size in sizes.items() if name not in shared),
        token_table=checkpoint.vocab_size * checkpoint.d_model,
        position_table=sizes.get(checkpoint.position_name or "", 0),
        output_table=sizes[own] if own is not None and output == "own" else 0,
        output=output,
        told_by=told_by,
    )


def _is_parameter(name: str, entry: Entry) -> bool:
    """Tell parameters from buffers: numbers of positions, masks such as GPT-2's, frequencies of rotations."""
    mask = name.endswith((".bias", ".masked_bias")) and (len(entry.shape) == 4 or not entry.shape)
    return entry.dtype in FLOATS and not mask and not name.endswith("inv_freq")
