"""Cost of the lesson on the embedding layer: a lookup, its measurement on the page, and a training step."""

from collections.abc import Iterator
from functools import partial

import torch
from torch import nn

from bench.library import D_MODEL, VOCAB_SIZE
from bench.table import Row
from bench.timing import Samples, interleave, one_thread, ratio, wall_seconds
from embedlib.embedding import embedding_table, lookup, measure_lookup, one_hot_lookup, row_norm_law, train_rows

N_TOKENS = 1_024
TRAINED_WIDTH = 64
STEP_TOKENS = 64


def rows() -> Iterator[Row]:
    """Yield the rows of the table as they are measured."""
    with one_thread():
        yield from lookup_rows()
        yield measured_row()
        yield from step_rows()
        yield expected_length_row()


def lookup_rows() -> Iterator[Row]:
    """Compare our lookup with torch's layer, and with what it saves: the product with one-hot vectors."""
    table = embedding_table(VOCAB_SIZE, D_MODEL)
    token_ids = torch.randint(VOCAB_SIZE, (N_TOKENS,), generator=torch.Generator().manual_seed(0))
    layer = nn.Embedding(VOCAB_SIZE, D_MODEL)
    layer.weight = nn.Parameter(table)
    what = f"lookup of {N_TOKENS:,} rows in {VOCAB_SIZE} x {D_MODEL}"
    ours, torchs = interleave(
        lambda: wall_seconds(lambda: lookup(table, token_ids)),
        lambda: wall_seconds(lambda: layer(token_ids)),
        rounds=31,
    )
    # Ours looks at every id first, and names the one that is no row.
    yield Row(what, str(ours), f"torch.nn.Embedding: {torchs}", ratio(ours, torchs), 1.5)
    ours, product = interleave(
        lambda: wall_seconds(lambda: lookup(table, token_ids)),
        lambda: wall_seconds(lambda: one_hot_lookup(table, token_ids)),
        rounds=3,
    )
    yield Row(what, str(ours), f"one-hot vectors times the table: {product}", ratio(ours, product), 0.01)


def measured_row() -> Row:
    """Time the measurement that the page makes on the spot, at the lesson's size."""
    samples = Samples([wall_seconds(lambda: measure_lookup(VOCAB_SIZE, D_MODEL, N_TOKENS)) for _ in range(3)])
    return Row(f"both ways measured at {VOCAB_SIZE} x {D_MODEL}, s", str(samples), "", samples.median, 10.0)


def step_rows() -> Iterator[Row]:
    """Time one training step on GPT-2's vocabulary, as wide as the page trains it."""
    table = embedding_table(VOCAB_SIZE, TRAINED_WIDTH)
    text = torch.randint(VOCAB_SIZE, (STEP_TOKENS,), generator=torch.Generator().manual_seed(0))
    for optimizer, tied in (("sgd", False), ("adamw", True)):
        step = partial(train_rows, table, [text], optimizer=optimizer, tied=tied)
        step()
        samples = Samples([wall_seconds(step) for _ in range(7)])
        kind = "tied" if tied else "untied"
        yield Row(
            f"a step of {optimizer}, {kind}, {VOCAB_SIZE} x {TRAINED_WIDTH}, {STEP_TOKENS} tokens, s",
            str(samples),
            "",
            samples.median,
            1.0,
        )


def expected_length_row() -> Row:
    """Time the expected length of a row."""
    samples = Samples([wall_seconds(lambda: row_norm_law("uniform", VOCAB_SIZE, D_MODEL)) for _ in range(11)])
    return Row(f"expected length of rows of {D_MODEL}, s", str(samples), "", samples.median, 0.01)
