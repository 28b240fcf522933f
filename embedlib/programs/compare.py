"""The programs that compare schemes: their profiles and measures on one text, and two orders of the same words."""

from collections.abc import Collection, Mapping
from typing import Any

from embedlib.positional import SCHEMES
from embedlib.programs.render import Code, fill, literal, program

_UNITS = ("relative", "standard")


def compare_program(
    text: str,
    *,
    tokenizer: str,
    table: str,
    d_model: int,
    n_heads: int,
    seed: int,
    n_positions: int,
    read: str,
    unit: str,
    schemes: Mapping[str, Mapping[str, Any]],
    max_tokens: int,
    formulas: Collection[str] = (),
) -> str:
    """Write the program whose output is what the page of schemes side by side shows.

    Args:
        text: that all schemes get.
        tokenizer: name in TOKENIZERS, or "minilm".
        table: "random" or "trained".
        d_model: row width; that of the trained table where its rows are used.
        read: characters that the trained decoders read.
        unit: of the similarity by distance, "relative" or "standard" as in ``embedlib.measures.profiles``.
        schemes: for each name in SCHEMES that is compared, the parameters that differ from the defaults. After a colon
            the name may say what tells it from the same scheme with other parameters.
        formulas: names in ``schemes`` that stand for formulas, whose parameters are what make_scheme takes of one.

    Returns:
        Source text of a program that needs torch and this library only. It prints None for what is not defined.
    """
    if unit not in _UNITS:
        raise ValueError(f"unit={unit!r} must be one of {', '.join(_UNITS)}")
    models, kind = _models(schemes), _kind(schemes, formulas)
    characters = Code("text") if text.startswith(read) else read
    return program(fill("compare", **locals()))


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
    minilm: bool = False,
    formulas: Collection[str] = (),
) -> str:
    """Write the program whose output is what the word order page shows.

    Args:
        first: a sentence.
        tokenizer: name in TOKENIZERS, or "minilm".
        table: of the token rows, "random", "trained" for ``trained_rows``, or "minilm".
        d_model: row width; that of the trained table where its rows are used.
        causal: whether the encoder's attention is masked.
        schemes: for each name in SCHEMES that is compared, the parameters that differ from the defaults. The program
            names those that need the mask where there is none.
        minilm: whether MiniLM, as it was trained and without positions, reads both sentences too, all their tokens.

    Returns:
        Source text of a program that needs torch and this library only, and transformers for MiniLM.
    """
    models, kind = _models(schemes), _kind(schemes, formulas)
    needing_mask = [] if causal else [name for name, scheme in SCHEMES.items() if scheme.causal_only]
    return program(fill("order", **locals()))


def _kind(schemes: Mapping[str, Mapping[str, Any]], formulas: Collection[str]) -> str:
    """Write what make_scheme is asked for, of a name."""
    kind = 'name.partition(":")[0]' if any(":" in name for name in schemes) else "name"
    return f'"formula" if name in {literal(list(formulas))} else {kind}' if formulas else kind


def _models(schemes: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return whose position rows are among the schemes."""
    return [one["weights"] for one in schemes.values() if one.get("weights", "random") not in ("trained", "random")]
