"""Token rows plus position rows give input rows, in five steps; or what a scheme does instead of adding."""

from collections.abc import Mapping, Sequence

from torch import Tensor

from embedlib.components.payload import pack
from embedlib.components.vector_sum import LABELS, MAX_ROWS, ROTATION, SCORES, sum_header
from ui.components import register
from ui.components._shared.data import serve
from ui.components.embedding_matrix import Strip

__all__ = ["LABELS", "MAX_ROWS", "ROTATION", "SCORES", "vector_sum"]

_component = register("vector_sum", "vector_sum", styles=["_shared/stepper.css", "_shared/strip.css"])


def vector_sum(
    token_rows: Tensor,
    position_rows: Tensor,
    *,
    labels_of_tokens: Sequence[str],
    ids: Sequence[int | str],
    first_position: int,
    total: int,
    colours: Sequence[str],
    limits: Sequence[float],
    adds: bool,
    labels: Mapping[str, str],
    key: str,
    rotated: Tensor | None = None,
    pairs: tuple[int, int] | None = None,
    causal: bool = False,
    places: Sequence[int] | None = None,
    strip: Strip | None = None,
    strip_limit: float = 1.0,
) -> None:
    """Draw token rows, position rows and their sum, which the browser computes as ``Math.fround(a + b)``.

    That is the float32 sum to the bit: float64 holds the sum of two float32 exactly enough that rounding it once more
    gives the same float32 as adding them in float32 does. The rows are finite, (n_rows, n_columns) float32, at most
    MAX_ROWS: the page sends a window of longer texts. `sum_header` says what the other arguments are.

    Args:
        rotated: the token rows after rotation; position_rows are then angles from -π to π.
        strip: the embedding matrix that the token rows are picked from, drawn beside them with lines from it.
        strip_limit: where the colour scale of the strip ends.
    """
    header = sum_header(
        token_rows.shape,
        labels_of_tokens=labels_of_tokens,
        ids=ids,
        first_position=first_position,
        total=total,
        colours=colours,
        limits=limits,
        adds=adds,
        labels=labels,
        pairs=pairs,
        causal=causal,
        places=places,
    )
    if strip:  # fetched apart from the rows, which need not wait for it
        header["strip"] = strip.header | {"address": serve(strip.values).address, "limit": strip_limit}
    _component(key=key, data=pack(header, [token_rows, position_rows, *([] if rotated is None else [rotated])]))
