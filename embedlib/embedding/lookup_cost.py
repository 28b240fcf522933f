"""Cost of a lookup, and of the same rows as a product with one-hot vectors: measured and counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import torch
from torch import Tensor
from torch.nn import functional

from embedlib.embedding.table import embedding_table
from embedlib.errors import CodedError
from embedlib.progress import Progress, ignore_progress

# What is measured at most: memory and work that a server can give to one reader.
MAX_TABLE_BYTES = 512 * 1024**2  # 50,257 x 2,048 numbers of float32, and a bit
MAX_ONE_HOT_BYTES = 256 * 1024**2  # held at once; 1,024 one-hot vectors of 50,257 numbers take 206 MB
MAX_MEASURED_TOKENS = 8_192
MAX_FLOPS = 4 * 10**11  # about ten seconds of one core
_REPEATS = 5
_LOOKUP_SECONDS = 0.1  # how long lookups are repeated; each takes a few milliseconds at most
_ENOUGH = 3.0  # seconds after which the slow way is not repeated


def one_hot_flops(vocab_size: int, d_model: int) -> int:
    """Return the operations of one one-hot lookup: 2·V·d, V products and V sums for each number."""
    return 2 * vocab_size * d_model


def check_lookup_sizes(
    vocab_size: int, d_model: int, n_tokens: int, max_one_hot_bytes: int = MAX_ONE_HOT_BYTES
) -> None:
    """Raise the errors of ``measure_lookup`` for these sizes, without measuring."""
    for name, size in (("vocab_size", vocab_size), ("d_model", d_model), ("n_tokens", n_tokens)):
        if size < 1:
            raise ValueError(f"{name}={size} must be at least 1")
    table_bytes, flops = 4 * vocab_size * d_model, n_tokens * one_hot_flops(vocab_size, d_model)
    for code, value, most, what in (
        ("table_too_large", table_bytes, MAX_TABLE_BYTES, "bytes of the table"),
        ("too_many_tokens", n_tokens, MAX_MEASURED_TOKENS, "tokens"),
        ("too_much_work", flops, MAX_FLOPS, "operations of the product"),
    ):
        if value > most:
            sizes = f"vocab_size={vocab_size}, d_model={d_model}, n_tokens={n_tokens}"
            raise CodedError(code, f"{sizes}: {value} {what}, at most {most}: choose fewer", value=value, most=most)
    if max_one_hot_bytes < 4 * vocab_size:
        raise ValueError(
            f"max_one_hot_bytes={max_one_hot_bytes} must be at least {4 * vocab_size}: one one-hot vector takes that"
        )


@dataclass(frozen=True)
class LookupCost:
    """Time and memory of a lookup and of the product with one-hot vectors, measured on this machine.

    Bytes are those of new tensors: the result, and for the product the one-hot vectors. The table, the ids and the
    inner buffers of a product are not counted. Seconds are medians.

    Attributes:
        n_tokens: number of rows read.
        one_hot_seconds: to write the one-hot vectors.
        product_seconds: of their product with the table.
        lookup_bytes: of the rows.
        product_bytes: of all one-hot vectors, and of the rows.
        peak_bytes: of the largest block of one-hot vectors and of the rows: the most at once.
        n_blocks: number of blocks of tokens, where all one-hot vectors would be too many at once.
        repeats: of the product.
        is_equal: whether both gave the same numbers.
        device: its name.
        n_threads: of torch on the CPU.
    """

    vocab_size: int
    d_model: int
    n_tokens: int
    lookup_seconds: float
    one_hot_seconds: float
    product_seconds: float
    lookup_bytes: int
    product_bytes: int
    peak_bytes: int
    n_blocks: int
    repeats: int
    lookup_repeats: int
    is_equal: bool
    device: str
    n_threads: int

    @property
    def one_hot_lookup_seconds(self) -> float:
        """One-hot vectors and product together."""
        return self.one_hot_seconds + self.product_seconds

    @property
    def slowdown(self) -> float:
        """Time of the product as a multiple of that of the lookup."""
        return self.one_hot_lookup_seconds / self.lookup_seconds

    @property
    def flops(self) -> int:
        """Multiplications and additions of the product, for all tokens."""
        return self.n_tokens * one_hot_flops(self.vocab_size, self.d_model)


def measure_lookup(
    vocab_size: int,
    d_model: int,
    n_tokens: int,
    *,
    seed: int = 123,
    device: torch.device | None = None,
    max_one_hot_bytes: int = MAX_ONE_HOT_BYTES,
    progress: Progress | None = None,
) -> LookupCost:
    """Read random rows of a random table in two ways, and measure both.

    ``torch.nn.functional.embedding``, and one-hot vectors in float32, written into one tensor and multiplied with the
    table, as a linear layer without bias does. Each is repeated, the product five times or until three seconds are
    over. Beside the table, the process holds `peak_bytes` more.

    Args:
        d_model: the table may take MAX_TABLE_BYTES.
        n_tokens: number of rows, 1 to MAX_MEASURED_TOKENS; the product may take MAX_FLOPS operations.
        max_one_hot_bytes: the most that one-hot vectors may take at once, at least 4·vocab_size; more go block by
            block.
        progress: called with the share done; may raise, as Cancelled, to stop at the next block.

    Raises:
        CodedError: a table, a number of tokens or an amount of work above the limits.
        ValueError: a size below 1, or max_one_hot_bytes below one vector.
    """
    from torch.utils.benchmark import Timer  # 0.2 s, for those alone who measure

    check_lookup_sizes(vocab_size, d_model, n_tokens, max_one_hot_bytes)
    report = progress or ignore_progress
    report(0.0)
    table = embedding_table(vocab_size, d_model, seed=seed, device=device)
    generator = torch.Generator().manual_seed(seed)
    token_ids = torch.randint(vocab_size, (n_tokens,), generator=generator).to(table.device)  # (n_tokens,)
    per_block = min(n_tokens, max_one_hot_bytes // (4 * vocab_size))
    blocks = [token_ids[start : start + per_block] for start in range(0, n_tokens, per_block)]

    # Once before it is measured, on a few rows: threads wake, and torch chooses its kernels.
    functional.embedding(token_ids[:8], table)
    _one_hot(token_ids[:1], vocab_size) @ table

    picked = functional.embedding(token_ids, table)  # (n_tokens, d_model)
    names = {"embedding": functional.embedding, "token_ids": token_ids, "table": table}
    lookups = Timer(
        "embedding(token_ids, table)", globals=names, num_threads=torch.get_num_threads()
    ).blocked_autorange(min_run_time=_LOOKUP_SECONDS)
    rounds: list[tuple[float, float, bool]] = []  # seconds to write and to multiply, and whether the rows are the same
    while len(rounds) < _REPEATS and sum(written + multiplied for written, multiplied, _equal in rounds) < _ENOUGH:
        rounds.append(_product_round(table, blocks, picked, report, before=len(rounds)))
    report(1.0)
    return LookupCost(
        vocab_size=vocab_size,
        d_model=d_model,
        n_tokens=n_tokens,
        lookup_seconds=lookups.median,
        one_hot_seconds=median(written for written, _multiplied, _equal in rounds),
        product_seconds=median(multiplied for _written, multiplied, _equal in rounds),
        lookup_bytes=picked.nbytes,
        product_bytes=4 * n_tokens * vocab_size + picked.nbytes,
        peak_bytes=4 * per_block * vocab_size + picked.nbytes,
        n_blocks=len(blocks),
        repeats=len(rounds),
        lookup_repeats=len(lookups.times) * lookups.number_per_run,
        is_equal=all(equal for _written, _multiplied, equal in rounds),
        device=str(table.device),
        n_threads=torch.get_num_threads(),
    )


def _product_round(
    table: Tensor, blocks: Sequence[Tensor], picked: Tensor, report: Progress, *, before: int
) -> tuple[float, float, bool]:
    """Write one-hot vectors and multiply them, block by block; `before` counts the rounds that are done."""
    from torch.utils.benchmark import timer  # the time once the device has done all that it was asked

    writing, multiplying, equal, start = 0.0, 0.0, True, 0
    for number, block in enumerate(blocks):
        report((before + number / len(blocks)) / _REPEATS)
        started = timer()
        one_hot = _one_hot(block, len(table))  # (per_block, vocab_size)
        between = timer()
        product = one_hot @ table  # (per_block, d_model)
        ended = timer()
        writing += between - started
        multiplying += ended - between
        equal = equal and torch.equal(product, picked[start : start + len(block)])
        start += len(block)
        del one_hot, product  # before the next ones are made
    return writing, multiplying, equal


def _one_hot(token_ids: Tensor, vocab_size: int) -> Tensor:
    """Return (n, vocab_size) float32; torch's one_hot writes int64, whose copy would take three times the bytes."""
    one_hot = torch.zeros(len(token_ids), vocab_size, dtype=torch.float32, device=token_ids.device)
    return one_hot.scatter_(1, token_ids[:, None], 1.0)
