"""What of the embedding layer's page the link carries."""

from embedlib.embedding import BYTES_PER_NUMBER, INITIALISATIONS, MAX_MEASURED_TOKENS
from ui.settings import Choice, Flag, Real, Setting, Text, Whole

SETTINGS: dict[str, Setting] = {
    "layer_matrix": Choice("trained", ("minilm", "trained", "random", "nlp", "sum")),
    "layer_start": Choice("normal_1", tuple(INITIALISATIONS)),
    "layer_ids": Text(""),
    "layer_second": Flag(False),
    "layer_second_rows": Whole(4, 1, 64),
    "layer_second_width": Whole(5, 1, 64),
    "layer_second_ids": Text("0 2"),
    "layer_context": Whole(4, 1, 64),
    "layer_cost_rows": Whole(50_257, 1, 1_000_000),
    "layer_cost_width": Whole(768, 1, 16_384),
    "layer_cost_tokens": Whole(1_024, 1, MAX_MEASURED_TOKENS),
    "layer_optimizer": Choice("sgd", ("sgd", "adam", "adamw", "sparse_adam")),
    "layer_tied": Flag(False),
    "layer_rate": Real(0.1, 1e-6, 10.0),
    "layer_steps": Whole(1, 1, 4),
    "layer_shares": Flag(False),
    "layer_number": Choice("fp32", tuple(BYTES_PER_NUMBER)),
}
