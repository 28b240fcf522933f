"""The programs that compare schemes: profiles and measures on one text, and two orders of the same words."""

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
    as_widget: bool = False,
) -> str:
    """Write the program that prints the numbers of the page of schemes side by side; None for undefined ones.

    Args:
        tokenizer: name in TOKENIZERS, or "minilm".
        table: "random" or "trained", with its d_model.
        read: characters that the trained decoders read.
        unit: of the similarity by distance, "relative" or "standard" as in ``embedlib.measures.profiles``.
        schemes: name in SCHEMES to the parameters that differ from the defaults. A suffix after a colon distinguishes
            the same scheme with other parameters.
        formulas: names in ``schemes`` that stand for formulas, with the arguments of make_scheme as parameters.
        as_widget: instead write the lines that show the schemes' similarities as a widget, for the program's names.
    """
    if unit not in _UNITS:
        raise ValueError(f"unit={unit!r} must be one of {', '.join(_UNITS)}")
    models, kind = _position_models(schemes), _scheme_name(schemes, formulas)
    characters = Code("text") if text.startswith(read) else read
    return program(fill("compare_widget" if as_widget else "compare", **locals()))


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
    """Write the program that prints the numbers of the word order page, and which schemes need the mask.

    Args:
        tokenizer: name in TOKENIZERS, or "minilm".
        table: of token rows: "random", "trained" for ``trained_rows``, or "minilm".
        causal: whether the encoder's attention is masked.
        schemes: name in SCHEMES to the parameters that differ from the defaults.
        minilm: whether MiniLM, with and without positions, reads both sentences too, with all their tokens.
    """
    models, kind = _position_models(schemes), _scheme_name(schemes, formulas)
    needing_mask = [] if causal else [name for name, scheme in SCHEMES.items() if scheme.causal_only]
    return program(fill("order", **locals()))


def _scheme_name(schemes: Mapping[str, Mapping[str, Any]], formulas: Collection[str]) -> str:
    """Write the first argument of make_scheme for a name."""
    kind = 'name.partition(":")[0]' if any(":" in name for name in schemes) else "name"
    return f'"formula" if name in {literal(list(formulas))} else {kind}' if formulas else kind


def _position_models(schemes: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the models whose position rows are among the schemes."""
    return [one["weights"] for one in schemes.values() if one.get("weights", "random") not in ("trained", "random")]
