"""Models that others have trained: their rows, positions and tokenizers, of which only what is asked for is read."""

from embedlib.checkpoints.bert import BertInput, bert_input, minilm
from embedlib.checkpoints.checkpoint import Checkpoint, open_checkpoint
from embedlib.checkpoints.files import CHECKPOINT_ERRORS, CheckpointError
from embedlib.checkpoints.positions import positional_scheme
from embedlib.checkpoints.tokenizer import FileTokenizer

__all__ = [
    "CHECKPOINT_ERRORS",
    "BertInput",
    "Checkpoint",
    "CheckpointError",
    "FileTokenizer",
    "bert_input",
    "minilm",
    "open_checkpoint",
    "positional_scheme",
]
