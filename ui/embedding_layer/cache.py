"""What the embedding layer's page computes, kept by what it depends on."""

import threading
from dataclasses import dataclass

import torch
from torch import Tensor

from embedlib.embedding import INITIALISATIONS, embedding_table, lookup, one_hot_lookup
from embedlib.examples import HAND_POSITION, HAND_TOKEN, by_hand_positions, by_hand_table
from embedlib.figures import colour_limit
from embedlib.tokenizers import token_label
from ui import cache
from ui.cache.bounded import LIMIT, BoundedCache, estimate_bytes, memo
from ui.cache.chips import chips
from ui.cache.minilm import minilm_positions, minilm_table
from ui.components.embedding_matrix import Strip, matrix_strip
from ui.components.token_chips import Chip
from ui.embedding_layer.request import MAX_TOKENS, Request


@dataclass(frozen=True, eq=False)
class Drawn:
    """A table drawn from a stream of random numbers, and where the stream goes on."""

    table: Tensor
    stream: Tensor


@dataclass(frozen=True)
class Key:
    """What a random table depends on."""

    start: str
    vocab_size: int
    d_model: int
    seed: int


_making = threading.Lock()


def key_of(request: Request) -> Key:
    """Return what the random table of a request depends on; beside a trained E that is a fresh table of its size."""
    return Key(request.start, request.vocab_size, request.d_model, request.seed)


@memo(1_000_000_000)
def drawn_table(key: Key) -> Drawn:
    """Draw a table as its initialisation does; one is made at a time."""
    with _making:
        generator = torch.Generator().manual_seed(key.seed)
        table = torch.empty(key.vocab_size, key.d_model, dtype=torch.float32)
        INITIALISATIONS[key.start].fill(table, generator)
        return Drawn(table.to(cache.device().device), generator.get_state())


def table_of(request: Request) -> Tensor:
    """Return the matrix E of a request, (vocab_size, d_model)."""
    if request.matrix == "sum":
        return torch.tensor([HAND_TOKEN])
    if request.matrix == "nlp":
        tokenizer = cache.tokenizer_for(request.tokenizer, request.text)
        return by_hand_table([tokenizer.token_bytes(row).decode() for row in range(tokenizer.vocab_size)])
    if request.matrix == "minilm":
        return minilm_table()
    if request.matrix == "trained":
        return _trained(request)[0]
    return drawn_table(key_of(request)).table


def _trained(request: Request) -> tuple[Tensor, Tensor]:
    """Return E, and which of its rows are trained."""
    return cache.partly_trained_table(request.tokenizer, request.text, request.seed)


@memo()
def trained_tokens(request: Request) -> list[bool]:
    """Tell which of the tokens that are looked up have trained rows."""
    trained = _trained(request)[1]
    return [bool(trained[token_id]) for token_id in request.token_ids]


def trained_count(request: Request) -> tuple[int, int]:
    """Return how many rows of E are trained, and how many rows it has."""
    trained = _trained(request)[1]
    return int(trained.sum()), len(trained)


@memo()
def trained_norms(request: Request) -> Tensor:
    """Return how long each trained row of E is, on the CPU; none where no token is a trained word."""
    if request.matrix == "minilm":
        return _lengths(minilm_table())
    table, trained = _trained(request)
    return _lengths(table[trained])


@memo()
def layer_after(key: Key, rows: int, width: int) -> Drawn:
    """Draw the table of a layer that is made right after E, from the same stream: (rows, width) on the CPU.

    It begins as torch.nn.Embedding does, whatever E begins as.
    """
    generator = torch.Generator()
    generator.set_state(drawn_table(key).stream)
    table = embedding_table(rows, width, seed=generator)
    return Drawn(table, generator.get_state())


def positions_of(request: Request, context: int, second: tuple[int, int] | None) -> Tensor:
    """Return the table of positions, (context, d_model): by hand, the model's, or drawn after the layers."""
    if request.matrix == "sum":
        return torch.tensor([HAND_POSITION])
    if request.matrix == "nlp":
        return by_hand_positions()
    if request.matrix == "minilm":
        return minilm_positions()[:context].cpu()
    return _drawn_positions(key_of(request), context, second)


@memo()
def _drawn_positions(key: Key, context: int, second: tuple[int, int] | None) -> Tensor:
    generator = torch.Generator()
    generator.set_state((drawn_table(key) if second is None else layer_after(key, *second)).stream)
    return INITIALISATIONS[key.start].fill(torch.empty(context, key.d_model), generator)


@memo()
def rows_of(request: Request) -> Tensor:
    """Look the ids up: (n_tokens, d_model) on the CPU."""
    table = table_of(request)
    return lookup(table, torch.tensor(request.token_ids, device=table.device)).cpu()


_products: BoundedCache[tuple[object, ...], Tensor] = BoundedCache(LIMIT, estimate_bytes)


def product_of(request: Request, first: int, last: int) -> Tensor:
    """Multiply the one-hot rows of tokens first to last - 1 by E: (last - first, d_model) on the CPU.

    Each id's product, in which every row of E has a part, is kept: a key brings no more than a new id or two.
    """
    matrix = _matrix_key(request)
    ids = request.token_ids[first:last]
    products = {row: product for row in ids if (product := _products.find((*matrix, row))) is not None}
    new = list(dict.fromkeys(row for row in ids if row not in products))
    if new:
        table = table_of(request)
        made = one_hot_lookup(table, torch.tensor(new, device=table.device)).cpu()
        products |= {row: _products.get((*matrix, row), product.clone) for row, product in zip(new, made, strict=True)}
    return torch.stack([products[row] for row in ids])


def _matrix_key(request: Request) -> tuple[object, ...]:
    """Return what E depends on."""
    if request.matrix == "random":
        return (key_of(request),)
    text = request.text if request.tokenizer in ("characters", "words") else ""  # of which they make their vocabulary
    return request.matrix, request.tokenizer, text, request.seed


@memo()
def limit_of(request: Request) -> float:
    """Return where the colour scale of the rows ends."""
    return colour_limit(rows_of(request))


@memo()
def _strip(key: Key) -> Strip:
    return matrix_strip(drawn_table(key).table)


def strip_of(request: Request) -> Strip:
    """Draw the whole matrix as a strip of its sampled rows."""
    if request.matrix == "random":
        return _strip(key_of(request))
    return matrix_strip(table_of(request))


@memo()
def chips_of(request: Request) -> list[Chip]:
    """Describe the tokens that are looked up as chips."""
    if not request.typed:
        names = cache.vocabulary_spellings(request.tokenizer)
        return chips(cache.tokenize_text(request.text, request.tokenizer), names)[:MAX_TOKENS]
    return [
        Chip(position, row, name_of(request, row) or str(row), _bytes_of(request, row).hex(" ").upper())
        for position, row in enumerate(request.token_ids)
    ]


def name_of(request: Request, token_id: int) -> str:
    """Return how the token of a row is written; "" for a row that no token names."""
    if names := cache.vocabulary_spellings(request.tokenizer):
        return token_label(names[token_id].encode())
    data = _bytes_of(request, token_id)
    return token_label(data) if data else ""


def _bytes_of(request: Request, token_id: int) -> bytes:
    try:
        return cache.tokenizer_for(request.tokenizer, request.text).token_bytes(token_id)
    except ValueError:  # some encodings have ids without a token
        return b""


@memo()
def start_norms(start: str, vocab_size: int, d_model: int, seed: int) -> Tensor:
    """Return how long each row of a fresh table is, (vocab_size,) on the CPU.

    A normal start is another one made wider or narrower, and so is a uniform one: two tables are drawn for all five.
    """
    kind = INITIALISATIONS[start]
    base = "normal_1" if kind.normal else "uniform"
    ratio = kind.std(vocab_size, d_model) / INITIALISATIONS[base].std(vocab_size, d_model)
    return _base_norms(Key(base, vocab_size, d_model, seed)) * ratio


@memo()
def _base_norms(key: Key) -> Tensor:
    if key.start == "normal_1":
        return _lengths(drawn_table(key).table)
    with _making:
        table = torch.empty(key.vocab_size, key.d_model)
        INITIALISATIONS[key.start].fill(table, torch.Generator().manual_seed(key.seed))
        return _lengths(table)


def _lengths(table: Tensor) -> Tensor:
    norms: Tensor = torch.linalg.vector_norm(table, dim=1)
    return norms.cpu()
