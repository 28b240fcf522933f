"""Trained models in folders or on the Hub: their rows, positions and tokenizers, read only as far as asked for."""

from embedlib.checkpoints.bert import BertInput, bert_input, minilm
from embedlib.checkpoints.checkpoint import Checkpoint, is_model_id, open_checkpoint, open_tokenizer
from embedlib.checkpoints.files import CHECKPOINT_ERRORS, CheckpointError
from embedlib.checkpoints.frequency import QUANTILES, LengthBands, length_bands, undertrained_scores
from embedlib.checkpoints.parts import ModelParts, model_parts
from embedlib.checkpoints.positions import positional_scheme
from embedlib.checkpoints.rope_findings import ROPE_FINDINGS, RopeConfig, RopeFinding, read_rope_config
from embedlib.checkpoints.tokenizer import FileTokenizer
from embedlib.checkpoints.vocabulary import Vocabulary, read_vocabulary
