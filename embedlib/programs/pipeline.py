"""Short PyTorch programs that print the numbers of a page, to be read and run by its reader."""

from typing import Any

from embedlib.examples import BY_HAND_POSITIONS, BY_HAND_ROWS
from embedlib.measures.contributions import has_similarity
from embedlib.positional import PositionalScheme

_HEAD = """\
import torch
from embedlib import {imports}{also}

text = {text}
tokenizer = get_tokenizer({tokenizer}{tokenizer_text})
token_ids = torch.tensor(tokenizer.encode(text){cut})
"""

_RANDOM_TABLE = """\
torch.manual_seed({seed})
embedding = torch.nn.Embedding(tokenizer.vocab_size, {d_model})
token_embeddings = embedding(token_ids).detach(){scale}
"""

_TRAINED_TABLE = """\
shipped = trained_table()  # one row per word, trained on sentences of a small grammar
torch.manual_seed({seed})
embedding = torch.nn.Embedding(tokenizer.vocab_size, {d_model}).requires_grad_(False)
embedding.weight *= shipped.vectors.square().mean().sqrt()  # random rows, now about as long as trained ones
for token_id in token_ids.tolist():
    word = tokenizer.token_bytes(token_id).decode(errors="replace").removeprefix(" ").casefold()
    if word in shipped.words:
        embedding.weight[token_id] = shipped.vectors[shipped.words.index(word)]
token_embeddings = embedding(token_ids){scale}
"""

_TABLE_BY_HAND = """\
rows = {rows}
words = [tokenizer.token_bytes(i).decode() for i in range(tokenizer.vocab_size)]
embedding = torch.nn.Embedding.from_pretrained(torch.tensor([rows[word] for word in words]))
token_embeddings = embedding(token_ids){scale}
"""

_FREQUENCIES = """\
position = torch.arange(len(token_ids), dtype=torch.float64)
column = torch.arange(0, {d_model}, 2, dtype=torch.float64)
angle = torch.outer(position, {base!r} ** (-column / {d_model}))
"""

_POSITIONS = {
    "interleaved": _FREQUENCIES
    + "position_vectors = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1).float()\n",
    "halves": _FREQUENCIES + "position_vectors = torch.cat([angle.sin(), angle.cos()], dim=-1).float()\n",
    "learned": """\
torch.manual_seed({seed})
position_table = torch.nn.Embedding({max_seq_len}, {d_model}).weight.detach() * {std!r}
position_vectors = position_table[: len(token_ids)]
""",
    "by_hand": """\
position_table = torch.tensor({rows})
position_vectors = position_table[: len(token_ids)]
""",
    "nothing": "position_vectors = torch.zeros_like(token_embeddings)  # {scheme} adds nothing to the rows\n",
    "library": """\
scheme = make_scheme({scheme!r}, d_model={d_model}, n_heads=1, max_seq_len={max_seq_len}{parameters})
with torch.no_grad():
    position_vectors = scheme.position_table(len(token_ids))
""",
}

_TAIL = """\
input_embeddings = token_embeddings + position_vectors

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120, threshold=100_000)
for name in ("token_ids", "token_embeddings", "position_vectors", "input_embeddings"):
    print(name, globals()[name])
"""


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
        text: becomes a string literal, so nothing in it can become code; what cannot be seen is escaped.
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
    scale = f" * {d_model} ** 0.5" if scale_by_sqrt_d else ""
    if table == "by_hand":
        rows = _TABLE_BY_HAND.format(rows=BY_HAND_ROWS, scale=scale)
        positions = _POSITIONS["by_hand"].format(rows=[list(row) for row in BY_HAND_POSITIONS])
    else:
        template = _TRAINED_TABLE if table == "trained" else _RANDOM_TABLE
        rows = template.format(seed=seed, d_model=d_model, scale=scale)
        positions = _position_lines(scheme, parameters, d_model, adds_positions, max_seq_len)
    head = _HEAD.format(
        imports="get_tokenizer, make_scheme" if "make_scheme" in positions else "get_tokenizer",
        also="\nfrom embedlib.word2vec.pretrained import trained_table" if table == "trained" else "",
        text=repr(text),  # what is not printable, bidirectional controls among it, is escaped
        tokenizer=repr(tokenizer),
        tokenizer_text=", text=text" if tokenizer in ("characters", "words") else "",
        cut="" if max_tokens is None else f"[:{max_tokens}]",
    )
    return "\n".join((head, rows, positions, _TAIL))


def _position_lines(
    scheme: str, parameters: dict[str, Any], d_model: int, adds_positions: bool, max_seq_len: int
) -> str:
    if not adds_positions:
        return _POSITIONS["nothing"].format(scheme=scheme)
    kind = parameters.get("layout", scheme)
    values = {"d_model": d_model, "max_seq_len": max_seq_len, **parameters}
    if kind in ("interleaved", "halves", "learned"):
        return _POSITIONS[kind].format(**values)
    listed = "".join(f", {name}={value!r}" for name, value in parameters.items())
    return _POSITIONS["library"].format(scheme=scheme, d_model=d_model, max_seq_len=max_seq_len, parameters=listed)


_SCHEME = """\
import torch
from embedlib import make_scheme

scheme = make_scheme({arguments})
torch.set_printoptions(precision=4, sci_mode=False, linewidth=120, threshold=100_000)
"""
_SHOWN = {
    "embedding": """
# One row for each position, added to the token rows.
print(scheme.position_table({n_positions}))
""",
    "query_key": """
# A query and a key of ones, turned: their product depends on the distance alone.
ones = torch.ones(scheme.n_heads, {n_positions}, scheme.head_dim)
q, k = scheme.rotate(ones, ones)
print(q[0] @ k[0].T)
""",
    "score": """
# What each head adds to its logits.
print(scheme.bias({n_positions}))
""",
    "content": """
# What random queries and keys get on top of their product.
generator = torch.Generator().manual_seed({seed})
q, k = (torch.empty(scheme.n_heads, {n_positions}, scheme.head_dim).normal_(generator=generator) for _ in range(2))
print(scheme.content_scores(q, k) * scheme.logit_scale())
""",
}
_SIMILARITY = """
# How alike two positions are, and its mean for each distance.
similarity = scheme.similarity({n_positions})
print(similarity)
print(torch.stack([similarity.diagonal(-distance).mean() for distance in range({n_positions})]))
"""


def scheme_program(scheme: PositionalScheme, *, n_positions: int, seed: int) -> str:
    """Write the program whose output is what the positions page shows of a scheme.

    Args:
        scheme: any.
        n_positions: number of positions.
        seed: of the random queries and keys, for schemes that read content.

    Returns:
        Source text of a program that needs torch and this library only.
    """
    values = {"d_model": scheme.d_model, "n_heads": scheme.n_heads, **scheme.parameter_values}
    parts = [_SCHEME.format(arguments=_arguments(scheme.name, values))]
    parts += [_SHOWN[place].format(n_positions=n_positions, seed=seed) for place in _SHOWN if place in scheme.acts_on]
    if has_similarity(scheme):
        parts.append(_SIMILARITY.format(n_positions=n_positions))
    return "".join(parts)


def _arguments(name: str, values: dict[str, Any]) -> str:
    """The scheme's arguments in one line, or one to a line where that would be too long to read."""
    listed = [repr(name), *(f"{key}={value!r}" for key, value in values.items())]
    line = ", ".join(listed)
    return line if len(line) <= 60 else "\n    " + ",\n    ".join(listed) + ",\n"
