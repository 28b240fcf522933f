"""The program that prints one batch of windows: a DataLoader, two embedding tables, every shape on the way."""

from embedlib.programs.render import fill, program
from embedlib.texts import WindowPlan


def batches_program(
    plan: WindowPlan,
    *,
    text: str | None,
    file: str | None = None,
    tokenizer: str,
    table: str = "random",
    d_model: int,
    table_seed: int,
    batch: int,
) -> str:
    """Write the program that prints one batch of the batches page.

    Args:
        text: None if it is that of `file`, or Python's manual.
        file: name of a text file; None for none.
        tokenizer: name in TOKENIZERS, or "minilm".
        table: of token rows: "random", "minilm", or "trained" for ``trained_rows``, with their d_model.
        batch: its index, 0 … plan.n_batches - 1.
    """
    return program(fill("batches", **locals()))
