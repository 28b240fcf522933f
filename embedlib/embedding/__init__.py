"""The embedding matrix: initialisation, lookup and training, the cost of a lookup, and its size in known models."""

from embedlib.embedding.gradients import (
    MAX_TRAINED_NUMBERS,
    MOVE_REASONS,
    TIED_LOGITS,
    UNTIED_LOGITS,
    RowStep,
    gradient_bytes,
    rows_to_show,
    step_texts,
    train_rows,
)
from embedlib.embedding.initialisation import INITIALISATIONS, Initialisation, NormLaw, initial_table, row_norm_law
from embedlib.embedding.lookup_cost import (
    MAX_MEASURED_TOKENS,
    LookupCost,
    check_lookup_sizes,
    measure_lookup,
    one_hot_flops,
)
from embedlib.embedding.model_sizes import BYTES_PER_NUMBER, MODEL_SIZES, ModelSize
from embedlib.embedding.optimizers import ROW_OPTIMIZERS, RowOptimizer
from embedlib.embedding.table import embedding_table, lookup, one_hot_lookup

__all__ = [
    "BYTES_PER_NUMBER",
    "INITIALISATIONS",
    "MAX_MEASURED_TOKENS",
    "MAX_TRAINED_NUMBERS",
    "MODEL_SIZES",
    "MOVE_REASONS",
    "ROW_OPTIMIZERS",
    "TIED_LOGITS",
    "UNTIED_LOGITS",
    "Initialisation",
    "LookupCost",
    "ModelSize",
    "NormLaw",
    "RowOptimizer",
    "RowStep",
    "check_lookup_sizes",
    "embedding_table",
    "gradient_bytes",
    "initial_table",
    "lookup",
    "measure_lookup",
    "one_hot_flops",
    "one_hot_lookup",
    "row_norm_law",
    "rows_to_show",
    "step_texts",
    "train_rows",
]
