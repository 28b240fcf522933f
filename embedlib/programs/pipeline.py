"""The programs that print an embedded text, and one positional scheme."""

from collections.abc import Sequence
from typing import Any

from embedlib.examples import BY_HAND_POSITIONS, by_hand_rows
from embedlib.measures import has_similarity, named_terms, paired_columns
from embedlib.positional import SCHEMES, FormulaPositions, PositionalScheme, T5Positions, agreements
from embedlib.programs.render import fill, program

MATRIX_POSITIONS, PART_POSITIONS, FARTHEST = 128, 64, 512  # that figures of the positions page show at most
RANDOM_SIMILARITY = ("rope", "xpos", "shaw", "transformer_xl")  # similarities that take vectors of their own


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
    n_heads: int = 1,
    first_layer: bool = False,
) -> str:
    """Write the program that prints the numbers of the pipeline page.

    Args:
        tokenizer: name in TOKENIZERS, or "minilm".
        table: "random", "minilm", "trained" or "by_hand", with its d_model.
        seed: of the random table, or of the rows that are not trained.
        scale_by_sqrt_d: whether token rows are multiplied by sqrt(d_model).
        scheme: name in SCHEMES, or "formula"; a suffix after a colon distinguishes several formulas.
        adds_positions: whether the scheme adds to the rows.
        max_seq_len: rows of a learned table.
        max_tokens: of the text; None keeps all.
        n_heads: of a scheme that changes scores; those of the first are printed.
        first_layer: whether MiniLM's rows and positions get its type row and LayerNorm too.
    """
    kind = "by_hand" if table == "by_hand" else parameters.get("layout", scheme) if adds_positions else "nothing"
    if kind == "learned" and parameters.get("weights") == "minilm":
        kind = "minilm"
    is_shipped = kind == "learned" and parameters.get("weights", "random") != "random"
    if is_shipped or kind not in ("by_hand", "minilm", "interleaved", "halves", "learned", "nothing"):
        kind = "library"
    scheme, acts_on = scheme.partition(":")[0], frozenset[str]()
    if table != "by_hand":
        own = FormulaPositions(d_model=d_model, n_heads=n_heads, **parameters) if scheme not in SCHEMES else None
        acts_on = SCHEMES[scheme].acts_on if own is None else own.acts_on
    hand_rows, hand_positions = by_hand_rows(text), BY_HAND_POSITIONS
    return program(fill("pipeline", **locals()))


def scheme_program(
    scheme: PositionalScheme,
    *,
    n_positions: int,
    seed: int,
    position: int = 0,
    pairs: Sequence[int] = (0,),
    head: int = 0,
    random: bool = False,
) -> str:
    """Write the program that prints the numbers of the positions page.

    `pairs` are of columns; those beyond the scheme's are left out. `random` takes the similarity of random queries and
    keys in place of the scheme's own.
    """
    weights = str(scheme.parameter_values.get("weights", "random"))
    model = "" if weights in ("trained", "random") else weights
    given = {name: value for name, value in scheme.parameter_values.items() if value != ""}
    has_pairs = bool(scheme.acts_on & {"embedding", "query_key"})
    chosen = [pair for pair in pairs if has_pairs and pair < len(paired_columns(scheme)[0])] or [0]
    rotated_pairs = []
    if isinstance(scheme, FormulaPositions) and scheme.trees.keys() >= {"rows", "turn"}:
        rotated_pairs = [pair for pair in chosen if pair < len(paired_columns(scheme, rotated=True)[0])] or [0]
    in_matrix, in_parts = min(n_positions, MATRIX_POSITIONS), min(n_positions, PART_POSITIONS)
    is_random = random and scheme.name in RANDOM_SIMILARITY
    has_conventions = bool(agreements(scheme, 1))
    has_parts = bool(named_terms(scheme, 1, head=0, seed=0))
    buckets = isinstance(scheme, T5Positions) and min(scheme.max_distance * 5 // 4 + 8, FARTHEST)
    return program(fill("scheme", has_similarity=has_similarity(scheme), **locals()))
