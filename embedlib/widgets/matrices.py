"""Widgets of matrices: a sum of token rows and position rows, and matrices side by side."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from embedlib.colours import DIVERGING, SERIES, Theme, colour_limit
from embedlib.components import matrix_grid as grid_component
from embedlib.components import vector_sum as sum_component
from embedlib.components.matrix_grid import Panel, Panels, grid_header
from embedlib.components.payload import float_bytes
from embedlib.components.vector_sum import MAX_ROWS, sum_header
from embedlib.measures import Effect, effect_on_rows
from embedlib.notebook import matrix_html
from embedlib.pipeline import InputEmbeddings
from embedlib.positional import PositionalScheme
from embedlib.tokenizers import token_labels
from embedlib.widgets.widget import ChoiceWidget, as_matrix

MAX_TOKENS = 4_096  # of a sum, of which 64 are shown
MAX_GRID_ROWS = 2_048
MAX_NAMED = 24  # rows that have their labels beside them
MAX_CELLS = 1_000_000  # of all matrices of a widget
_LABELS = {"adds": sum_component.LABELS, "turns": sum_component.ROTATION, "scores": sum_component.SCORES}
_THEMES: tuple[Theme, ...] = ("light", "dark")


def vector_sum(
    source: InputEmbeddings | Any,
    positions: PositionalScheme | Any = None,
    *,
    labels: Sequence[str] | None = None,
    first: int = 0,
    chosen: int | None = None,
) -> ChoiceWidget:
    """Play how token rows and position rows become input rows, step by step and number by number.

    Args:
        source: what ``embed_text`` returned, or token rows (seq_len, d_model): a tensor, an array or lists.
        positions: what acts on the rows: position rows of the same shape, or a scheme, which may also rotate or change
            scores; None for those of ``embed_text``.
        labels: how the tokens are written, one for each row; those of ``embed_text`` if None.
        first: position of the first of the at most 64 tokens that are shown.
        chosen: position of the chosen token; None for none.

    Returns:
        A widget whose trait ``chosen`` is the position of the token that is chosen, or None.

    Raises:
        ValueError: shapes that do not fit, NaN or infinity, no row, more than 4,096, or no such position.

    >>> from embedlib import embed_text
    >>> from embedlib.widgets import vector_sum
    >>> widget = vector_sum(embed_text("the cat sat", d_model=8))
    >>> widget.chosen = 2
    >>> widget
    token rows + position rows = input rows, 3 × 8
    """
    ids: list[int | str]
    if isinstance(source, InputEmbeddings):
        rows, ids = source.token_embeddings, source.token_ids.tolist()
        labels = token_labels(source.tokens) if labels is None else labels
        positions = source.position_vectors if positions is None else positions
        name = "source.token_embeddings"
    elif positions is None:
        raise ValueError("positions is missing: give position rows, a scheme, or what embed_text returned as source")
    else:
        rows, ids, name = source, [], "source"
    rows = as_matrix(rows, name, n_rows=MAX_TOKENS, n_cells=4 * MAX_CELLS)
    count = len(rows)
    labels = [str(position) for position in range(count)] if labels is None else list(labels)
    if len(labels) != count:
        raise ValueError(f"labels has {len(labels)} entries but there are {count} rows: give one for each")
    if not 0 <= first < count:
        raise ValueError(f"first={first} must be in 0 … {count - 1}, the positions of the rows")
    stop = min(count, first + MAX_ROWS)
    if isinstance(positions, PositionalScheme):
        if positions.d_model != rows.shape[1]:
            raise ValueError(
                f"positions has d_model={positions.d_model} but the rows have {rows.shape[1]} columns: make the scheme "
                f"with d_model={rows.shape[1]}"
            )
        with torch.no_grad():
            effect, adds = effect_on_rows(positions, rows, first, stop), bool(positions.acts_on)
    else:
        added = as_matrix(positions, "positions", n_rows=MAX_TOKENS, n_cells=4 * MAX_CELLS)
        if added.shape != rows.shape:
            raise ValueError(
                f"positions has shape {' × '.join(map(str, added.shape))} but the token rows have "
                f"{' × '.join(map(str, rows.shape))}: give one position row for each"
            )
        parts = (part[first:stop] for part in (rows, added, rows + added))
        effect, adds = Effect("adds", *parts), bool(added.any())
    words = _LABELS[effect.kind]
    header = sum_header(
        effect.before.shape,
        labels_of_tokens=labels[first:stop],
        ids=ids[first:stop] or [""] * (stop - first),
        first_position=first,
        total=count,
        colours=DIVERGING["light"],
        limits=effect.colour_limits(),
        adds=adds,
        labels=words,
        pairs=effect.pairs,
        causal=effect.kind == "scores",
    )
    names = [words[name] for name in ("token_rows", "position_rows", "input_rows")]
    matrices = (effect.before, effect.change, effect.after)
    return ChoiceWidget(
        _component="vector_sum",
        _header=header,
        _tail=b"".join(map(float_bytes, matrices[: 3 if effect.pairs else 2])),
        _themes={theme: {"colours": DIVERGING[theme]} for theme in _THEMES},
        chosen=chosen,
        n_choices=count,
        summary=f"{_equation(effect, names)}, {' × '.join(map(str, effect.before.shape))}",
        static_html="".join(matrix_html(name, matrix) for name, matrix in zip(names, matrices, strict=True)),
    )


def matrix(
    values: Tensor | Any,
    *,
    title: str = "",
    rows: str | None = None,
    columns: str | None = None,
    labels: Sequence[str] = (),
    limit: float | None = None,
    chosen: int | None = None,
) -> ChoiceWidget:
    """Show matrices side by side, each cell's numbers under one pointer.

    Args:
        values: (rows, columns): a tensor, an array or lists; -inf is drawn as masked. A mapping from titles to such
            matrices; a scheme, of which what it does is shown; or what ``embed_text`` returned, of which the three
            matrices are.
        title: of a single matrix or a scheme; a mapping has the titles as its keys.
        rows: what a row is, such as "query"; None for "row", or "position" of a scheme and of ``embed_text``.
        columns: what a column is, such as "key"; None for "column", or what a scheme and ``embed_text`` have.
        labels: of the first rows, such as tokens.
        limit: where the colours end; None fits each matrix.
        chosen: index of the chosen row; None for none.

    Returns:
        A widget whose trait ``chosen`` is the index of the row that is chosen, or None.

    Raises:
        ValueError: a title for several matrices, a shape that is no matrix, NaN, more than 2,048 rows or 1,000,000
            numbers, or no such row.

    >>> from embedlib import make_scheme
    >>> from embedlib.widgets import matrix
    >>> matrix(make_scheme("rope", d_model=8, n_heads=2).similarity(4), title="RoPE", rows="query", columns="key")
    RoPE: 4 × 4
    """
    if limit is not None and not limit > 0:
        raise ValueError(f"limit={limit} must be above 0, or None to fit each matrix")
    if title and isinstance(values, (InputEmbeddings, Mapping)):
        raise ValueError(
            f"title={title!r} is for a single matrix: give a mapping from titles to matrices, without title"
        )
    if isinstance(values, InputEmbeddings):
        labels = labels or token_labels(values.tokens)
        rows, columns = rows or "position", columns or "dimension"
        values = {
            "token rows": values.token_embeddings,
            "position rows": values.position_vectors,
            "input rows": values.input_embeddings,
        }
    elif isinstance(values, PositionalScheme):
        name, shown = values.summary_matrix(32)
        rows = rows or "position"
        columns = columns or ("dimension" if "embedding" in values.acts_on else "position")
        values = {title or f"{values.title}: {name}": shown}
    rows, columns = rows or "row", columns or "column"
    matrices = values if isinstance(values, Mapping) else {title: values}
    if not matrices:
        raise ValueError("values is empty: give at least one matrix")
    panels, given = [], {}
    for name, one in matrices.items():
        argument = f"values[{name!r}]" if len(matrices) > 1 else "values"
        given[name] = cells = as_matrix(one, argument, masks=True, n_rows=MAX_GRID_ROWS, n_cells=MAX_CELLS)
        finite = cells[cells.isfinite()]
        low, high = (float(finite.min()), float(finite.max())) if finite.numel() else (0.0, 0.0)
        size = f"{len(cells)} × {cells.shape[1]}, {low:.4g} to {high:.4g}"
        panels.append(
            Panel(
                title=name,
                place="",
                group=0,
                note="",
                alt=f"{name}: {size}" if name else size,
                values=cells,
                limit=limit or colour_limit(finite),
                under=size,
                down=f"← {rows} 0 to {len(cells) - 1}",
                across=f"{columns} 0 to {cells.shape[1] - 1} →",
                rows=rows,
                columns=columns,
                named=len(labels) == len(cells) <= MAX_NAMED,
            )
        )
    total = sum(cells.numel() for cells in given.values())
    if total > MAX_CELLS:
        raise ValueError(f"values holds {total:,} numbers: the widget holds {MAX_CELLS:,}; give fewer matrices")
    header = grid_header(
        chosen=chosen,
        tokens=labels,
        colours=DIVERGING["light"],
        group_colours=[SERIES["light"][0]],
        labels=grid_component.LABELS,
    )
    described = Panels(panels)
    return ChoiceWidget(
        _component="matrix_grid",
        _header=header | {"panels": [panel.description() for panel in described]},
        _tail=described.value_data.content,
        _themes={
            theme: {
                "colours": DIVERGING[theme],
                "groups": [SERIES[theme][0]],
            }
            for theme in _THEMES
        },
        chosen=chosen,
        n_choices=max(map(len, given.values())),
        summary="; ".join(f"{name or 'matrix'}: {' × '.join(map(str, cells.shape))}" for name, cells in given.items()),
        static_html="".join(matrix_html(name or "matrix", cells) for name, cells in given.items()),
    )


def _equation(effect: Effect, names: Sequence[str]) -> str:
    before, change, after = names
    return f"{before} rotated by {change} = {after}" if effect.kind == "turns" else f"{before} + {change} = {after}"
