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
    """Write the program whose output is what the batches page shows of one batch.

    Args:
        text: the text itself; None where it is that of `file`, or of Python's manual.
        file: name of a text file; None for none.
        tokenizer: name in TOKENIZERS, or "minilm".
        table: of the tokens' rows, "random", "minilm", or "trained" for ``trained_rows``.
        d_model: row width; that of the trained table where its rows are used.
        batch: which one, 0 … plan.n_batches - 1.

    Returns:
        Source text of a program that needs torch and this library only.
    """
    return program(fill("batches", **locals()))
