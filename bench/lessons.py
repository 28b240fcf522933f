"""Cost of the lessons on tokens: a text of 1 MB cut into tokens, and vocabularies trained on demand."""

from collections.abc import Callable, Iterator
from functools import partial

from bench.table import Row
from bench.timing import Samples, wall_seconds
from embedlib.texts import reference_manual
from embedlib.tokenizers import get_tokenizer, token_spans
from embedlib.tokenizers.trained import TRAINED, train_tokenizer

N_BYTES = 1_000_000
VOCAB_SIZE = 1_000
ROUNDS = 7


def rows() -> Iterator[Row]:
    """Yield the rows of the table as they are measured."""
    manual = reference_manual()
    yield from training_rows(manual)
    yield from tokenizing_rows(one_megabyte(manual))


def training_rows(manual: str) -> Iterator[Row]:
    """Time the training of a vocabulary of each kind on the built-in corpus."""
    for kind in TRAINED:
        samples = measure_repeatedly(partial(train_tokenizer, kind, manual, vocab_size=VOCAB_SIZE))
        learned_from = train_tokenizer(kind, manual, vocab_size=VOCAB_SIZE).learned_from
        part = "" if learned_from == len(manual) else f", learned from the first {learned_from:,} characters"
        yield Row(f"{VOCAB_SIZE:,} tokens by {kind} from the manual{part}, s", str(samples), "", samples.median, 2)


def tokenizing_rows(text: str) -> Iterator[Row]:
    """Time finding all tokens of a long text, against an object for each of them."""
    gpt2 = get_tokenizer("gpt2")
    spans = measure_repeatedly(partial(token_spans, gpt2, text))
    objects = measure_repeatedly(partial(gpt2.tokenize, text))
    yield Row(
        "spans of 1 MB of English by gpt2, s", str(spans), f"an object for each token: {objects}", spans.median, 0.3
    )


def measure_repeatedly(work: Callable[[], object]) -> Samples:
    """Measure the same several times, after one warm-up."""
    return Samples([wall_seconds(work) for _ in range(ROUNDS + 1)][1:])


def one_megabyte(manual: str) -> str:
    """Repeat a text until its UTF-8 bytes are as many as the rows say, up to a last character."""
    data = manual.encode()
    return (data * (N_BYTES // len(data) + 1))[:N_BYTES].decode("utf-8", "ignore")
