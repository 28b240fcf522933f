"""The short program that prints where the rows of a table lie, and which are nearest to one of them."""

from collections.abc import Sequence

_PROGRAM = """\
import torch
{imports}

{table}
pca = fit_pca({rows}, n_components={n_components})
print(f"{{pca.method}}: {{pca.explained_variance_ratio.tolist()}}")
print(pca.transform({rows}[:3].float()))  # where the first three rows lie
"""
_NEIGHBOURS = """
similarities, ids = nearest_neighbours(table, table[{row}][None], k=10, metric={metric}, exclude=[{row}])
for similarity, row in zip(similarities[0].tolist(), ids[0].tolist()):
    print(f"{{similarity:.4f}} {{names[row]!r}}")
"""


def projection_program(
    table: str,
    *,
    d_model: int,
    seed: int,
    tokenizer: str,
    text: str,
    metric: str,
    row: int | None,
    n_components: int,
    rows: Sequence[int] = (),
) -> str:
    """Write the program whose output is what the projection page shows.

    Args:
        table: "random", "learned", or the name of a file of the reader's own.
        d_model: row width of a random or learned table.
        seed: of a random table.
        tokenizer: name in TOKENIZERS, whose vocabulary a random table has.
        text: from which some tokenizers make their vocabulary; becomes a string literal.
        metric: what likeness is measured by.
        row: whose neighbours are printed; None for no such part.
        n_components: how many principal axes are asked for.
        rows: those that the axes are of; empty for all.

    Returns:
        Source text of a program that needs torch and this library only, and the file where there is one.
    """
    if table == "random":
        given = f", text={text!r}" if tokenizer in ("characters", "words") else ""
        imports = "from embedlib import fit_pca, get_tokenizer, nearest_neighbours"
        lines = (
            f"tokenizer = get_tokenizer({tokenizer!r}{given})\n"
            "names = [tokenizer.token_bytes(row) for row in range(tokenizer.vocab_size)]\n"
            f"torch.manual_seed({seed})\n"
            f"table = torch.nn.Embedding(tokenizer.vocab_size, {d_model}).weight.detach()\n"
        )
    elif table == "learned":
        imports = (
            "from embedlib import fit_pca, nearest_neighbours\n"
            "from embedlib.cooccurrence import cooccurrence_table\n"
            "from embedlib.corpus import reference_manual, words"
        )
        lines = (
            f"learned = cooccurrence_table(words(reference_manual()), d_model={d_model})\n"
            "table, names = learned.vectors, learned.words\n"
        )
    else:
        imports = "from embedlib import fit_pca, nearest_neighbours\nfrom embedlib.table_files import read_table"
        lines = (
            f"found = read_table({table!r})\n"
            "table = torch.tensor(found.vectors)\n"
            "names = found.labels or range(len(table))\n"
        )
    some = f"table[{list(rows)}]" if rows else "table"
    program = _PROGRAM.format(imports=imports, table=lines, rows=some, n_components=n_components)
    return program if row is None else program + _NEIGHBOURS.format(row=row, metric=repr(metric))
