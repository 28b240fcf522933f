"""Cached computations of the embedding layer's page, keyed by what they depend on."""

import threading
from dataclasses import dataclass

import torch
from torch import Tensor

from embedlib.embedding import INITIALISATIONS, embedding_table, initial_table, lookup, one_hot_lookup
from embedlib.examples import HAND_POSITION, HAND_TOKEN, by_hand_positions, by_hand_table
from embedlib.figures import colour_limit
from embedlib.tokenizers import token_label
from ui import cache
from ui.cache.bounded import LIMIT, BoundedCache, estimate_bytes, memo
from ui.cache.minilm import minilm_positions, minilm_table
from ui.components.embedding_matrix import Strip, matrix_strip
from ui.components.token_chips import Chip
from ui.embedding_layer.request import MAX_TOKENS, Request


@dataclass(frozen=True, eq=False)
class DrawnTable:
    """A random table, and the state of the generator after it."""

    table: Tensor
    stream: Tensor


@dataclass(frozen=True)
class TableKey:
    """Cache key of a random table."""

    start: str
    vocab_size: int
    d_model: int
    seed: int


_making = threading.Lock()


def table_key(request: Request) -> TableKey:
    """Return the key of a request's random table; beside a trained E that is a fresh table of its size."""
    return TableKey(request.start, request.vocab_size, request.d_model, request.seed)


@memo(1_000_000_000)
def draw_table(key: TableKey) -> DrawnTable:
    """Draw a random table by its initialisation, one at a time."""
    with _making:
        generator = torch.Generator().manual_seed(key.seed)
        table = torch.empty(key.vocab_size, key.d_model, dtype=torch.float32)
        INITIALISATIONS[key.start].fill(table, generator)
        return DrawnTable(table.to(cache.device().device), generator.get_state())


def full_matrix(request: Request) -> Tensor:
    """Return the matrix E of a request, (vocab_size, d_model)."""
    if request.matrix == "sum":
        return torch.tensor([HAND_TOKEN])
    if request.matrix == "nlp":
        tokenizer = cache.tokenizer_for(request.tokenizer, request.text)
        return by_hand_table([tokenizer.token_bytes(row).decode() for row in range(tokenizer.vocab_size)])
    if request.matrix == "minilm":
        return minilm_table()
    if request.matrix == "trained":
        return _trained_table(request)[0]
    return draw_table(table_key(request)).table


def _trained_table(request: Request) -> tuple[Tensor, Tensor]:
    """Return E, and which of its rows are trained."""
    return cache.partly_trained_table(request.tokenizer, request.text, request.seed)


@memo()
def trained_tokens(request: Request) -> list[bool]:
    """Return whether each token that is looked up has a trained row."""
    trained = _trained_table(request)[1]
    return [bool(trained[token_id]) for token_id in request.token_ids]


def trained_count(request: Request) -> tuple[int, int]:
    """Return how many rows of E are trained, and how many rows it has."""
    trained = _trained_table(request)[1]
    return int(trained.sum()), len(trained)


@memo()
def trained_norms(request: Request) -> Tensor:
    """Return the length of each trained row of E, on the CPU; empty where no token is a trained word."""
    if request.matrix == "minilm":
        return _row_norms(minilm_table())
    table, trained = _trained_table(request)
    return _row_norms(table[trained])


@memo()
def next_layer(key: TableKey, rows: int, width: int) -> DrawnTable:
    """Draw the table of a layer created right after E, from the same generator: (rows, width) on the CPU.

    It begins as torch.nn.Embedding does, whatever E begins as.
    """
    generator = torch.Generator()
    generator.set_state(draw_table(key).stream)
    table = embedding_table(rows, width, seed=generator)
    return DrawnTable(table, generator.get_state())


def position_table(request: Request, context: int, second: tuple[int, int] | None) -> Tensor:
    """Return the table of positions, (context, d_model): by hand, the model's, or drawn after the layers."""
    if request.matrix == "sum":
        return torch.tensor([HAND_POSITION])
    if request.matrix == "nlp":
        return by_hand_positions()
    if request.matrix == "minilm":
        return minilm_positions()[:context].cpu()
    return _draw_position_table(table_key(request), context, second)


@memo()
def _draw_position_table(key: TableKey, context: int, second: tuple[int, int] | None) -> Tensor:
    generator = torch.Generator()
    generator.set_state((draw_table(key) if second is None else next_layer(key, *second)).stream)
    return INITIALISATIONS[key.start].fill(torch.empty(context, key.d_model), generator)


@memo()
def token_rows(request: Request) -> Tensor:
    """Look the ids up: (n_tokens, d_model) on the CPU."""
    table = full_matrix(request)
    return lookup(table, torch.tensor(request.token_ids, device=table.device)).cpu()


_products: BoundedCache[tuple[object, ...], Tensor] = BoundedCache(LIMIT, estimate_bytes)


def product_rows(request: Request, first: int, last: int) -> Tensor:
    """Multiply the one-hot rows of tokens first to last - 1 by E: (last - first, d_model) on the CPU.

    The product of each id is cached: an edit of the text adds no more than a new id or two.
    """
    matrix = _matrix_key(request)
    ids = request.token_ids[first:last]
    products = {row: product for row in ids if (product := _products.find((*matrix, row))) is not None}
    new = list(dict.fromkeys(row for row in ids if row not in products))
    if new:
        table = full_matrix(request)
        made = one_hot_lookup(table, torch.tensor(new, device=table.device)).cpu()
        products |= {row: _products.get((*matrix, row), product.clone) for row, product in zip(new, made, strict=True)}
    return torch.stack([products[row] for row in ids])


def _matrix_key(request: Request) -> tuple[object, ...]:
    """Return the cache key of E."""
    if request.matrix == "random":
        return (table_key(request),)
    text = request.text if request.tokenizer in ("characters", "words") else ""  # of which they make their vocabulary
    return request.matrix, request.tokenizer, text, request.seed


@memo()
def colour_range(request: Request) -> float:
    """Return the end of the rows' colour scale."""
    return colour_limit(token_rows(request))


@memo()
def _strip(key: TableKey) -> Strip:
    return matrix_strip(draw_table(key).table)


def sampled_strip(request: Request) -> Strip:
    """Draw the whole matrix as a strip of its sampled rows."""
    if request.matrix == "random":
        return _strip(table_key(request))
    return matrix_strip(full_matrix(request))


@memo()
def token_chips(request: Request) -> list[Chip]:
    """Describe the tokens that are looked up as chips."""
    if not request.typed:
        return cache.token_chips(cache.tokenize_text(request.text, request.tokenizer), request.tokenizer)[:MAX_TOKENS]
    return [
        Chip(position, row, row_label(request, row) or str(row), _token_bytes(request, row).hex(" ").upper())
        for position, row in enumerate(request.token_ids)
    ]


def row_label(request: Request, token_id: int) -> str:
    """Return the label of a row's token; "" for a row without one."""
    if name := cache.vocabulary_spellings(request.tokenizer, [token_id]).get(token_id):
        return token_label(name.encode())
    data = _token_bytes(request, token_id)
    return token_label(data) if data else ""


def _token_bytes(request: Request, token_id: int) -> bytes:
    try:
        return cache.tokenizer_for(request.tokenizer, request.text).token_bytes(token_id)
    except ValueError:  # some encodings have ids without a token
        return b""


@memo()
def initial_norms(start: str, vocab_size: int, d_model: int, seed: int) -> Tensor:
    """Return the length of each row of a fresh table, (vocab_size,) on the CPU.

    A normal start is another one made wider or narrower, and so is a uniform one: two tables are drawn for all five.
    """
    kind = INITIALISATIONS[start]
    base = "normal_1" if kind.normal else "uniform"
    ratio = kind.std(vocab_size, d_model) / INITIALISATIONS[base].std(vocab_size, d_model)
    return _base_norms(TableKey(base, vocab_size, d_model, seed)) * ratio


@memo()
def _base_norms(key: TableKey) -> Tensor:
    if key.start == "normal_1":
        return _row_norms(draw_table(key).table)
    with _making:
        return _row_norms(initial_table(key.start, key.vocab_size, key.d_model, seed=key.seed))


def _row_norms(table: Tensor) -> Tensor:
    norms: Tensor = torch.linalg.vector_norm(table, dim=1)
    return norms.cpu()
