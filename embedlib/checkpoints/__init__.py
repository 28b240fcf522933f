"""Models that others have trained: their rows, positions and tokenizers, of which only what is asked for is read."""

from embedlib.checkpoints.checkpoint import Checkpoint, open_checkpoint
from embedlib.checkpoints.files import CHECKPOINT_ERRORS, CheckpointError
from embedlib.checkpoints.tokenizer import FileTokenizer

__all__ = ["CHECKPOINT_ERRORS", "Checkpoint", "CheckpointError", "FileTokenizer", "open_checkpoint"]
