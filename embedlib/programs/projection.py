"""The short program that prints where the rows of a table lie, which are nearest to one, and what directions mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_PRINCIPAL = """
pca = fit_pca({rows}, n_components={n_components})
print(f"{{pca.method}}: {{pca.explained_variance_ratio.tolist()}}")
print(pca.transform({rows}[:3].float()))  # where the first three rows lie
"""
_MAP = """
ids = {ids}
points = {method}(table[ids].float(), n_components={n_components}, metric={metric!r}, {settings})
print(points[:3])  # where the first three rows of the map lie
"""
_MEANING = """
lines = {lines}  # from the mean of some rows to the mean of others
axes = torch.stack([meaning_axis(table, start, stop) for start, stop in lines])
middles = torch.stack([table[[*start, *stop]].double().mean(dim=0) for start, stop in lines])
print(along(table[:3], axes) - (axes * middles).sum(dim=1))  # how far along them the first three rows lie
"""
_NEIGHBOURS = """
similarities, ids = nearest_neighbours(table, table[{row}][None], k=10, metric={metric!r}, exclude=[{row}])
for similarity, row in zip(similarities[0].tolist(), ids[0].tolist()):
    print(f"{{similarity:.4f}} {{names[row]!r}}")
"""
_ANALOGY = """
answers = analogy(table, {a}, {b}, {c}, k={k}, metric={metric!r})  # a - b + c
for similarity, row in zip(answers.similarities.tolist(), answers.ids.tolist()):
    print(f"{{similarity:.4f}} {{names[row]!r}}")
"""
_RANK = "print(rank_of(table, answers.query, {expected}, metric={metric!r}, exclude=[{a}, {b}, {c}]))\n"


@dataclass(frozen=True, slots=True)
class Part:
    """One step of the program.

    Attributes:
        names: what it imports, each with its module.
        code: its lines, which read `table` and `names`.
    """

    names: tuple[tuple[str, str], ...]
    code: str


def principal_part(*, n_components: int, rows: Sequence[int] = ()) -> Part:
    """Print the axes' shares and the first places.

    Args:
        n_components: how many principal axes are asked for.
        rows: those that the axes are of; empty for all.
    """
    some = f"table[{list(rows)}]" if rows else "table"
    return Part((("embedlib", "fit_pca"),), _PRINCIPAL.format(rows=some, n_components=n_components))


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
        settings: the method's other arguments.
        rows: those that the map is of; empty for all.
        limit: how many of them are drawn by `embedlib.random.sample_rows`; None where there is room for all.
        always: what the sample holds in any case, as places among `rows`, or rows where those are all.
    """
    ids, names = f"{list(rows)}" if rows else "range(len(table))", [("embedlib.projection", method)]
    if limit is not None:
        names.append(("embedlib.random", "sample_rows"))
        sample = f"sample_rows({len(rows) if rows else 'len(table)'}, {limit}, always={list(always)})"
        ids = f"[{list(rows)}[place] for place in {sample}]" if rows else sample
    written = ", ".join(f"{name}={value!r}" for name, value in settings.items())
    code = _MAP.format(method=method, ids=ids, n_components=n_components, metric=metric, settings=written)
    return Part(tuple(names), code)


def meaning_part(lines: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Part:
    """Print how far along lines of meaning the first rows lie; each line is from some rows to others."""
    written = [(list(start), list(stop)) for start, stop in lines]
    return Part(
        (("embedlib.neighbours.analogies", "along"), ("embedlib.neighbours.analogies", "meaning_axis")),
        _MEANING.format(lines=written),
    )


def neighbours_part(row: int, *, metric: str) -> Part:
    """Print the ten rows that are nearest to one."""
    return Part((("embedlib", "nearest_neighbours"),), _NEIGHBOURS.format(row=row, metric=metric))


def analogy_part(a: int, b: int, c: int, *, k: int, metric: str, expected: int | None = None) -> Part:
    """Print the rows nearest to a - b + c, and the rank of the one that is expected."""
    names = [("embedlib.neighbours.analogies", "analogy")]
    code = _ANALOGY.format(a=a, b=b, c=c, k=k, metric=metric)
    if expected is not None:
        names.append(("embedlib.neighbours.analogies", "rank_of"))
        code += _RANK.format(expected=expected, metric=metric, a=a, b=b, c=c)
    return Part(tuple(names), code)


def projection_program(
    table: str, parts: Sequence[Part], *, d_model: int = 64, seed: int = 0, tokenizer: str = "gpt2", text: str = ""
) -> str:
    """Write the program whose output is what the projection page shows.

    Args:
        table: "random", "learned", "grammar", or the name of a file of the reader's own.
        parts: what it does, in order.
        d_model: row width of a random or learned table.
        seed: of a random table.
        tokenizer: name in TOKENIZERS, whose vocabulary a random table has.
        text: from which some tokenizers make their vocabulary; becomes a string literal.

    Returns:
        Source text of a program that needs torch and this library only, and the file where there is one.
    """
    lines, needed = _table(table, d_model=d_model, seed=seed, tokenizer=tokenizer, text=text)
    modules: dict[str, set[str]] = {}
    for module, name in [*needed, *(name for part in parts for name in part.names)]:
        modules.setdefault(module, set()).add(name)
    imports = [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(modules.items())]
    return "\n".join(["import torch", *imports, "", lines]) + "".join(part.code for part in parts)


def _table(table: str, *, d_model: int, seed: int, tokenizer: str, text: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the lines that make `table` and `names`, and what they import."""
    if table == "random":
        given = f", text={text!r}" if tokenizer in ("characters", "words") else ""
        lines = (
            f"tokenizer = get_tokenizer({tokenizer!r}{given})\n"
            "names = [tokenizer.token_bytes(row) for row in range(tokenizer.vocab_size)]\n"
            f"torch.manual_seed({seed})\n"
            f"table = torch.nn.Embedding(tokenizer.vocab_size, {d_model}).weight.detach()\n"
        )
        return lines, [("embedlib", "get_tokenizer")]
    if table == "learned":
        lines = (
            f"learned = cooccurrence_table(words(reference_manual()), d_model={d_model})\n"
            "table, names = learned.vectors, learned.words\n"
        )
        corpus = "embedlib.texts.corpus"
        return lines, [
            ("embedlib.word2vec.ppmi", "cooccurrence_table"),
            (corpus, "reference_manual"),
            (corpus, "words"),
        ]
    if table == "grammar":
        lines = "shipped = trained_table()\ntable, names = shipped.vectors, shipped.words\n"
        return lines, [("embedlib.word2vec.pretrained", "trained_table")]
    lines = (
        f"found = read_table({table!r})\n"
        "table = torch.tensor(found.vectors)\n"
        "names = found.labels or range(len(table))\n"
    )
    return lines, [("embedlib.tables", "read_table")]
