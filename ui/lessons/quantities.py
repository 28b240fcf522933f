"""Quantities for lesson questions, computed from the numbers of the page in view."""

import math
from collections.abc import Callable
from functools import partial

from embedlib.extrapolation import EXPERIMENTS
from embedlib.neighbours import analogy, nearest_neighbours, neighbour_rank
from embedlib.positional import AlibiPositions, make_scheme
from embedlib.tokenizers import has_vocabulary
from ui import cache
from ui.cache.minilm import minilm_model, minilm_pieces, minilm_table
from ui.settings import state
from ui.shared.schemes import scheme_title
from ui.shared.scores import mean_at
from ui.shared.text.tokens import REMOTE_TOKENIZERS

__all__ = ["QUANTITIES"]


def _tokens(tokenizer: str | None = None) -> list[int]:
    """Return the token ids of the user's text, by the tokenizer in view or another."""
    name = tokenizer or ("words" if state.get("table") == "by_hand" else state.get("tokenizer"))
    if name in REMOTE_TOKENIZERS and not has_vocabulary(name):
        raise ValueError(f"the vocabulary of {name} is not here")
    return [token.id for token in cache.tokenize_text(state.get("text"), name)]


def _vocabulary() -> int:
    return cache.tokenizer_for(state.get("tokenizer"), state.get("text")).vocab_size


def _most_frequent() -> int:
    ids = _tokens()
    return max(ids.count(one) for one in ids)


def _head_width() -> float:
    return float(state.get("d_model") / state.get("heads"))


def _longest_wave() -> float:
    """Return the wavelength of the last pair of dimensions, in positions."""
    d_model = state.get("d_model")
    base = float(state.get("sinusoidal.base"))
    return float(2 * math.pi * base ** ((d_model - 2) / d_model))


def _first_slope() -> float:
    """Return the slope of ALiBi's first head, with the parameters that are set."""
    parameters = {name: state.get(f"alibi.{name}") for name in ("max_exponent", "divided")}
    scheme = make_scheme("alibi", d_model=state.get("d_model"), n_heads=state.get("heads"), **parameters)
    assert isinstance(scheme, AlibiPositions)
    return float(scheme.slopes()[0])


def _bag_distance(scheme: str) -> float:
    """Return how much the summed input rows of the two sentences differ at most, under a scheme."""
    means = []
    for sentence in ("first", "second"):
        ids = [token.id for token in cache.tokenize_text(state.get(sentence), "minilm")]
        rows = make_scheme(scheme, d_model=384, n_heads=1).encode(minilm_table()[ids])  # (seq_len, 384)
        means.append(rows.double().sum(0))
    return float((means[0] - means[1]).abs().max())


def _row_named(word: str) -> int:
    return minilm_pieces().index(word)


def _analogy_rank() -> float:
    """Return the rank of queen for king - man + woman among all of MiniLM's rows except these three."""
    king, man, woman, queen = map(_row_named, ("king", "man", "woman", "queen"))
    answer = analogy(minilm_table(), king, man, woman, k=1)
    return float(neighbour_rank(minilm_table(), answer.query, queen, exclude=(king, man, woman)))


def _nearest_to_king() -> str:
    row = _row_named("king")
    nearest = nearest_neighbours(minilm_table(), minilm_table()[row : row + 1], 2)
    return next(minilm_pieces()[int(one)] for one in nearest.ids[0] if int(one) != row)


def _best_scheme(experiment: str, times: int, *, least: bool = False) -> str:
    """Return the scheme in view with the best mean at a multiple of the trained length."""
    length = times * EXPERIMENTS[experiment].shapes["small"].trained_length
    means = {scheme: mean_at(experiment, scheme, length) for scheme in state.get("ext_schemes")}
    scored = {scheme: mean for scheme, mean in means.items() if mean is not None}
    return scheme_title((min if least else max)(scored, key=lambda scheme: scored[scheme]))


def _config(name: str) -> float:
    return float(minilm_model().config[name])


QUANTITIES: dict[str, Callable[[], float | str]] = {
    "characters": lambda: len(state.get("text")),
    "bytes": lambda: len(state.get("text").encode("utf-8", "replace")),
    "tokens": lambda: len(_tokens()),
    "tokens_gpt2": lambda: len(_tokens("gpt2")),
    "tokens_bytes": lambda: len(_tokens("bytes")),
    "different_tokens": lambda: len(set(_tokens())),
    "most_repeated": _most_frequent,
    "first_id": lambda: _tokens()[0],
    "vocabulary": _vocabulary,
    "d_model": lambda: state.get("d_model"),
    "table_numbers": lambda: _vocabulary() * state.get("d_model"),
    "text_numbers": lambda: len(_tokens()) * state.get("d_model"),
    "position_pairs": lambda: state.get("d_model") / 2,
    "head_width": _head_width,
    "longest_wave": _longest_wave,
    "alibi_slope": _first_slope,
    "batch_tokens": lambda: state.get("max_length") * state.get("batch_size"),
    "max_length": lambda: state.get("max_length"),
    "order_without_positions": partial(_bag_distance, "none"),
    "analogy_rank": _analogy_rank,
    "nearest_to_king": _nearest_to_king,
    "best_look_back": partial(_best_scheme, "back", 2),
    "best_sort": partial(_best_scheme, "sort", 2),
    "best_text": partial(_best_scheme, "text", 8, least=True),
    "model_layers": partial(_config, "num_hidden_layers"),
    "model_heads": partial(_config, "num_attention_heads"),
    "model_positions": partial(_config, "max_position_embeddings"),
}
