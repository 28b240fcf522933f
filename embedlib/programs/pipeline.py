"""The programs that print an embedded text, and one positional scheme."""

from typing import Any

from embedlib.examples import BY_HAND_POSITIONS, BY_HAND_ROWS
from embedlib.measures import has_similarity
from embedlib.positional import PositionalScheme
from embedlib.programs.render import fill, program


def pipeline_program(
    text: str,
    *,
    tokenizer: str,
    table: str,
    d_model: int,
    seed: int,
    scale_by_sqrt_d: bool,
    scheme: str,
    parameters: dict[str, Any],
    adds_positions: bool,
    max_seq_len: int,
    max_tokens: int | None = None,
) -> str:
    """Write the program whose output is what the pipeline page shows.

    Args:
        text: that is embedded.
        tokenizer: name in TOKENIZERS.
        table: "random", "trained" or "by_hand".
        d_model: row width; that of the trained table where its rows are asked for.
        seed: of the random table, or of the rows that are not trained.
        scale_by_sqrt_d: whether token rows are multiplied by sqrt(d_model).
        scheme: name in SCHEMES.
        parameters: of the scheme.
        adds_positions: whether the scheme adds to the rows.
        max_seq_len: rows of a learned table.
        max_tokens: how many tokens are kept; None keeps all.

    Returns:
        Source text of a program that needs torch and this library only.
    """
    kind = "by_hand" if table == "by_hand" else parameters.get("layout", scheme) if adds_positions else "nothing"
    if kind not in ("by_hand", "interleaved", "halves", "learned", "nothing"):
        kind = "library"
    hand_rows, hand_positions = BY_HAND_ROWS, BY_HAND_POSITIONS
    return program(fill("pipeline", **locals()))


def scheme_program(scheme: PositionalScheme, *, n_positions: int, seed: int) -> str:
    """Write the program whose output is what the positions page shows of a scheme.

    Args:
        scheme: any.
        n_positions: number of positions.
        seed: of the random queries and keys, for schemes that read content.

    Returns:
        Source text of a program that needs torch and this library only.
    """
    return program(fill("scheme", has_similarity=has_similarity(scheme), **locals()))
