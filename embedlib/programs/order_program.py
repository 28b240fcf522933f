"""The short program that prints what each scheme makes of two orders of the same words."""

from collections.abc import Mapping
from typing import Any

_PROGRAM = """\
import torch
from embedlib import get_tokenizer, make_scheme
from embedlib.texts.bags import shared_rows
from embedlib.transformer.encoder import pooled, relative_change
{also}
first, second = {first}, {second}
tokenizer = get_tokenizer({tokenizer}{tokenizer_text})
{rows}
a, b = (table[torch.tensor(tokenizer.encode(text)[:{max_tokens}])] for text in (first, second))

schemes = {schemes}
with torch.no_grad():
    for name, parameters in schemes.items():
        scheme = make_scheme(name, d_model={d_model}, n_heads={n_heads}, **parameters)
        shared = shared_rows(scheme.encode(a), scheme.encode(b))
        x, y = (pooled(rows, scheme, seed={seed}, n_layers={n_layers}, causal={causal}) for rows in (a, b))
        print(f"{{name:15}} {{shared}} rows in both, output changed by {{relative_change(x, y):.4%}}")
"""
_RANDOM = """\
torch.manual_seed({seed})
table = torch.nn.Embedding(tokenizer.vocab_size, {d_model}).weight.detach()"""
_TRAINED = """\
table, known = trained_rows(tokenizer, seed={seed})  # known: which tokens have rows that were trained"""


def order_program(
    first: str,
    second: str,
    *,
    tokenizer: str,
    table: str = "random",
    d_model: int,
    n_heads: int,
    seed: int,
    n_layers: int,
    causal: bool,
    schemes: Mapping[str, Mapping[str, Any]],
    max_tokens: int,
) -> str:
    """Write the program whose output is what the word order page shows.

    Args:
        first: a sentence; becomes a string literal, so nothing in it can become code.
        second: the other sentence.
        tokenizer: name in TOKENIZERS.
        table: where the token rows come from, "random", or "trained" for ``trained_rows``.
        d_model: row width; that of the trained table where its rows are asked for.
        n_heads: number of attention heads.
        seed: of the random table and of the encoder.
        n_layers: of the encoder.
        causal: whether the encoder's attention is masked.
        schemes: for each name in SCHEMES that is compared, the parameters that differ from the defaults.
        max_tokens: how many tokens of each sentence are kept.

    Returns:
        Source text of a program that needs torch and this library only.
    """
    listed = "".join(f"    {name!r}: {dict(parameters)!r},\n" for name, parameters in schemes.items())
    return _PROGRAM.format(
        first=repr(first),
        second=repr(second),
        tokenizer=repr(tokenizer),
        tokenizer_text=', text=f"{first}\\n{second}"' if tokenizer in ("characters", "words") else "",
        also="from embedlib.word2vec.trained_rows import trained_rows\n" if table == "trained" else "",
        rows=(_TRAINED if table == "trained" else _RANDOM).format(seed=seed, d_model=d_model),
        d_model=d_model,
        n_heads=n_heads,
        seed=seed,
        n_layers=n_layers,
        causal=causal,
        schemes="{\n" + listed + "}",
        max_tokens=max_tokens,
    )
