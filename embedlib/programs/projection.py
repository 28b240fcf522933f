"""The program that prints a table's projection, nearest rows, and directions with a meaning.

Each step is a part: lines that read `table` and `names`, and import what they need.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from embedlib.programs.render import Code, call, fill, program

Part: TypeAlias = str


def principal_part(*, n_components: int, rows: Sequence[int] = ()) -> Part:
    """Print the variance shares of the first principal axes of some rows, or of all, and the first coordinates."""
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
    """Make a map by "tsne" or "umap" and print its first coordinates.

    Args:
        rows: of the map; empty for all.
        limit: size of a sample of them by `embedlib.random.sample_rows`; None for all.
        always: indices among `rows` (rows if those are empty) that the sample contains.
    """
    ids = str(list(rows)) if rows else "range(len(table))"
    if limit is not None:
        sample = call("sample_rows", len(rows) or Code("len(table)"), limit, always=list(always))
        ids = f"[{list(rows)}[place] for place in {sample}]" if rows else sample
    return fill("projection/map", **locals())


def meaning_part(lines: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Part:
    """Print the first rows' coordinates along lines of meaning, each from some rows to others."""
    return fill("projection/meaning", lines=[(list(start), list(stop)) for start, stop in lines])


def neighbours_part(row: int, *, metric: str, k: int = 10) -> Part:
    """Print the k rows nearest to one."""
    return fill("projection/neighbours", **locals())


def analogy_part(a: int, b: int, c: int, *, k: int, metric: str, expected: int | None = None) -> Part:
    """Print the rows nearest to a - b + c, and the rank of the expected one."""
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
    """Write the program that prints the numbers of the projection page.

    Args:
        table: "random", "learned", "grammar", "minilm", "model:" and a source of open_checkpoint, or the name of a file
            of the user's own.
        d_model: of a random or learned table.
        tokenizer: name in TOKENIZERS, for the vocabulary of a random table.
        text: from which some tokenizers make their vocabulary.
        model_table: the tensor of a model's token rows, where its name is not a usual one.
        names_file: a text file beside the user's own table, with a name in each line.
        stays_in_file: whether that table is too large for memory.
        layout: given fields of a text file's TextLayout; the others are detected.
    """
    kind, _colon, source = table.partition(":")
    limits = {"limit_mapped": Code("2**35"), "max_rows": Code("2**26")} if stays_in_file else {}
    given = {"layout": call("TextLayout", **layout)} if layout else {}
    reading = call("read_table", table, **limits, **given)
    opened = call("open_checkpoint", source, **({} if model_table is None else {"table": model_table}))
    return program(fill("projection/table", **locals()), *parts)
