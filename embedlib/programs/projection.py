"""The program that prints where the rows of a table lie, which are nearest to one, and what directions mean.

Each step of it is a part: lines that read `table` and `names`, and import what they need.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from embedlib.programs.render import Code, call, fill, program

Part: TypeAlias = str


def principal_part(*, n_components: int, rows: Sequence[int] = ()) -> Part:
    """Print the shares of the first n_components principal axes of some rows, or of all, and the first places."""
    some = f"table[{list(rows)}]" if rows else "table"
    return fill("projection/principal", **locals())


def map_part(
    method: str,
    *,
    n_components: int,
    metric: str,
    settings: Mapping[str, Any],
    rows: Sequence[int] = (),
    limit: int | None = None,
    always: Sequence[int] = (),
) -> Part:
    """Make a map and print its first places.

    Args:
        method: "tsne" or "umap".
        n_components: 2 or 3.
        metric: "cosine" or "euclidean".
        rows: those that the map is of; empty for all.
        limit: how many of them are drawn by `embedlib.random.sample_rows`; None where there is room for all.
        always: what the sample holds in any case, as places among `rows`, or rows where those are all.
    """
    ids = str(list(rows)) if rows else "range(len(table))"
    if limit is not None:
        sample = call("sample_rows", len(rows) or Code("len(table)"), limit, always=list(always))
        ids = f"[{list(rows)}[place] for place in {sample}]" if rows else sample
    return fill("projection/map", **locals())


def meaning_part(lines: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Part:
    """Print how far along lines of meaning the first rows lie; each line is from some rows to others."""
    return fill("projection/meaning", lines=[(list(start), list(stop)) for start, stop in lines])


def neighbours_part(row: int, *, metric: str, k: int = 10) -> Part:
    """Print the k rows that are nearest to one."""
    return fill("projection/neighbours", **locals())


def analogy_part(a: int, b: int, c: int, *, k: int, metric: str, expected: int | None = None) -> Part:
    """Print the rows nearest to a - b + c, and the rank of the one that is expected."""
    return fill("projection/analogy", **locals())


def projection_program(
    table: str,
    parts: Sequence[Part],
    *,
    d_model: int = 64,
    seed: int = 0,
    tokenizer: str = "gpt2",
    text: str = "",
    model_table: str | None = None,
    names_file: str | None = None,
    stays_in_file: bool = False,
    layout: Mapping[str, Any] | None = None,
) -> str:
    """Write the program whose output is what the projection page shows.

    Args:
        table: "random", "learned", "grammar", "minilm", "model:" and what open_checkpoint takes, or the name of a
            file of the reader's own.
        d_model: row width of a random or learned table.
        tokenizer: name in TOKENIZERS, whose vocabulary a random table has.
        text: from which some tokenizers make their vocabulary.
        model_table: the tensor of a model's token rows, where its name is not a usual one.
        names_file: a text file beside a table of the reader's own, with a name in each line.
        stays_in_file: whether that table is too large to be read into memory.
        layout: what of a text file's TextLayout is given and not found out.

    Returns:
        Source text of a program that needs torch and this library only, and the file where there is one.
    """
    kind, _colon, source = table.partition(":")
    limits = {"limit_mapped": Code("2**35"), "max_rows": Code("2**26")} if stays_in_file else {}
    given = {"layout": call("TextLayout", **layout)} if layout else {}
    reading = call("read_table", table, **limits, **given)
    opened = call("open_checkpoint", source, **({} if model_table is None else {"table": model_table}))
    return program(fill("projection/table", **locals()), *parts)
