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
