"""The pictures of the compare page as one table that other programs read."""

import csv
import io
from collections.abc import Mapping
from itertools import chain

from torch import Tensor


def matrices_csv(matrices: Mapping[str, Tensor]) -> str:
    """Write matrices below each other, one line per scheme and row; what is masked is nan.

    Args:
        matrices: for each scheme (n_rows, n_columns), both of any size.

    Returns:
        Lines of scheme, row, column_0 … as many as the widest has; a narrower one leaves the rest empty. Numbers are
        written so that reading them gives the same float32.
    """
    widest = max((matrix.shape[1] for matrix in matrices.values()), default=0)
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(["scheme", "row", *(f"column_{column}" for column in range(widest))])
    for scheme, matrix in matrices.items():
        beyond = [""] * (widest - matrix.shape[1])
        for row, values in enumerate(matrix.detach().cpu().numpy()):
            writer.writerow(chain((scheme, row), map(str, values), beyond))
    return target.getvalue()
