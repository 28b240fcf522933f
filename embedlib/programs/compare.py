"""The short program that prints what several schemes make of one text.

The short program that prints what each scheme makes of two orders of the same words.
"""

from collections.abc import Mapping
from typing import Any

_PROGRAM = """\
import torch
from embedlib import get_tokenizer, make_scheme
from embedlib.transformer.attention import attention_pattern
from embedlib.measures import MEASURES, MeasureContext
from embedlib.measures.profiles import {imports}{also}

text = {text}
tokenizer = get_tokenizer({tokenizer}{tokenizer_text})
token_ids = torch.tensor(tokenizer.encode(text)[:{max_tokens}])
{rows}
filled = rows[torch.arange({n_positions}) % len(rows)]  # the text, repeated or cut
context = MeasureContext({n_positions}, filled, seed={seed})

schemes = {schemes}
torch.set_printoptions(precision=4, sci_mode=False, linewidth=120, threshold=100_000)
for name, parameters in schemes.items():
    scheme = make_scheme(name, d_model={d_model}, n_heads={n_heads}, **parameters).requires_grad_(False)
    profile = profile_or_none(scheme, {n_positions})
    if profile is not None:
        profile = {unit}
    print(name, "by distance", profile)
    print(name, "attention", attention_pattern(scheme, rows, seed={seed}){head})
    for measure in MEASURES.values():
        print(name, measure.name, measure.compute(scheme, context))
"""
_RANDOM = """\
torch.manual_seed({seed})
embedding = torch.nn.Embedding(tokenizer.vocab_size, {d_model})
rows = embedding(token_ids).detach()"""
_TRAINED = """\
table, known = trained_rows(tokenizer, seed={seed})  # known: which tokens have rows that were trained
rows = table[token_ids]"""
_UNITS = {
    "relative": (
        "acts_by_logits, profile_or_none, relative",
        "relative(profile, profile, logits=acts_by_logits(scheme))",
    ),
    "standard": ("profile_or_none, standard", "standard(profile)"),
}


def compare_program(
    text: str,
    *,
    tokenizer: str,
    table: str,
    d_model: int,
    n_heads: int,
    seed: int,
    n_positions: int,
    head: int,
    unit: str,
    schemes: Mapping[str, Mapping[str, Any]],
    max_tokens: int,
) -> str:
    """Write the program whose output is what the page of schemes side by side shows.

    Args:
        text: becomes an string literal, so nothing in it can become code.
        tokenizer: name in TOKENIZERS.
        table: "random" or "trained".
        d_model: row width; that of the trained table where its rows are asked for.
        n_heads: number of attention heads.
        seed: of the random table and of all weights.
        n_positions: how many positions are measured, at least 2.
        head: whose attention is printed; -1 for the mean of all.
        unit: of the similarity by distance, "relative" or "standard" as in ``embedlib.measures.profiles``.
        schemes: for each name in SCHEMES that is compared, the parameters that differ from the defaults.
        max_tokens: how many tokens of the text are kept.

    Returns:
        Source text of a program that needs torch and this library only. It prints None for what is not defined.

    Raises:
        ValueError: another unit.
    """
    if unit not in _UNITS:
        raise ValueError(f"unit={unit!r} must be one of {', '.join(_UNITS)}")
    imports, in_unit = _UNITS[unit]
    listed = "".join(f"    {name!r}: {dict(parameters)!r},\n" for name, parameters in schemes.items())
    return _PROGRAM.format(
        imports=imports,
        also="\nfrom embedlib.word2vec.pretrained import trained_rows" if table == "trained" else "",
        rows=(_TRAINED if table == "trained" else _RANDOM).format(seed=seed, d_model=d_model),
        text=repr(text),
        tokenizer=repr(tokenizer),
        tokenizer_text=", text=text" if tokenizer in ("characters", "words") else "",
        max_tokens=max_tokens,
        seed=seed,
        d_model=d_model,
        n_heads=n_heads,
        n_positions=n_positions,
        schemes="{\n" + listed + "}",
        unit=in_unit,
        head=".mean(0)" if head < 0 else f"[{head}]",
    )


_ORDER_PROGRAM = """\
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
_ORDER_RANDOM = """\
torch.manual_seed({seed})
table = torch.nn.Embedding(tokenizer.vocab_size, {d_model}).weight.detach()"""
_ORDER_TRAINED = """\
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
    return _ORDER_PROGRAM.format(
        first=repr(first),
        second=repr(second),
        tokenizer=repr(tokenizer),
        tokenizer_text=', text=f"{first}\\n{second}"' if tokenizer in ("characters", "words") else "",
        also="from embedlib.word2vec.pretrained import trained_rows\n" if table == "trained" else "",
        rows=(_ORDER_TRAINED if table == "trained" else _ORDER_RANDOM).format(seed=seed, d_model=d_model),
        d_model=d_model,
        n_heads=n_heads,
        seed=seed,
        n_layers=n_layers,
        causal=causal,
        schemes="{\n" + listed + "}",
        max_tokens=max_tokens,
    )
