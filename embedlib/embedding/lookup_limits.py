"""How much of a lookup is measured at most: memory and work that a server can give to one reader."""

from typing import Literal

MAX_TABLE_BYTES = 512 * 1024**2  # 50,257 x 2,048 numbers of float32, and a bit
MAX_ONE_HOT_BYTES = 256 * 1024**2  # held at once; 1,024 one-hot vectors of 50,257 numbers take 206 MB
MAX_TOKENS = 8_192
MAX_FLOPS = 4 * 10**11  # about ten seconds of one core


class LookupRefused(ValueError):
    """A measurement that is not made, because it would take too much memory or time.

    Attributes:
        code: "table_too_large", "too_many_tokens" or "too_much_work".
        value: what was asked for: bytes, tokens, or floating-point operations.
        most: the most that there may be of it.
    """

    def __init__(
        self, code: Literal["table_too_large", "too_many_tokens", "too_much_work"], message: str, value: int, most: int
    ) -> None:
        super().__init__(message)
        self.code = code
        self.value = value
        self.most = most


def one_hot_flops(vocab_size: int, d_model: int) -> int:
    """Return the operations by which one one-hot vector picks its row: 2·V·d, V products and V sums for each number."""
    return 2 * vocab_size * d_model


def check_sizes(vocab_size: int, d_model: int, n_tokens: int, max_one_hot_bytes: int = MAX_ONE_HOT_BYTES) -> None:
    """Raise what ``measure_lookup`` raises for these sizes, without measuring anything."""
    for name, size in (("vocab_size", vocab_size), ("d_model", d_model), ("n_tokens", n_tokens)):
        if size < 1:
            raise ValueError(f"{name}={size} must be at least 1")
    table_bytes, flops = 4 * vocab_size * d_model, n_tokens * one_hot_flops(vocab_size, d_model)
    if table_bytes > MAX_TABLE_BYTES:
        raise LookupRefused(
            "table_too_large",
            f"vocab_size={vocab_size} x d_model={d_model} takes {table_bytes} bytes, and at most {MAX_TABLE_BYTES} are "
            "measured: choose a smaller one",
            table_bytes,
            MAX_TABLE_BYTES,
        )
    if n_tokens > MAX_TOKENS:
        raise LookupRefused(
            "too_many_tokens",
            f"n_tokens={n_tokens} must be at most {MAX_TOKENS}: measure fewer, the cost of each is the same",
            n_tokens,
            MAX_TOKENS,
        )
    if flops > MAX_FLOPS:
        raise LookupRefused(
            "too_much_work",
            f"n_tokens={n_tokens} would take {flops} operations by the product, and at most {MAX_FLOPS} are measured: "
            "choose fewer tokens",
            flops,
            MAX_FLOPS,
        )
    if max_one_hot_bytes < 4 * vocab_size:
        raise ValueError(
            f"max_one_hot_bytes={max_one_hot_bytes} must be at least {4 * vocab_size}: one one-hot vector takes that"
        )
