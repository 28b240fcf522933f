"""Rotary positions as two hands of a clock, which show that the product of query and key depends on their distance."""

from collections.abc import Sequence

import torch
from torch import Tensor

from embedlib.figures import lines_figure
from embedlib.i18n import N_
from embedlib.measures import paired_columns
from embedlib.positional import RotaryPositions
from ui.cache import random_table, tokenizer_for
from ui.cache.schemes import SchemeKey
from ui.components.two_hands import LABELS, hands_data, two_hands
from ui.export import Columns, Drawing, figure_drawing, save_menu
from ui.i18n import _, translate_labels
from ui.positions.view import SchemeView, file_stem
from ui.settings import state
from ui.shared.page import section
from ui.shared.text.prepared import prepare


@section(
    "positions-hands",
    N_("Two hands: why a rotation gives the distance"),
    lead=N_(
        "RoPE takes the numbers of a query and of a key in pairs. Each pair is a hand of a clock, and the hand is "
        "rotated by an angle that grows with the position. An attention score adds up the products of such hands: "
        "length × length × cosine of the angle between them. If both positions move on by the same number, both hands "
        "are rotated alike, and the angle between them stays: of the two positions only the difference counts, how far "
        "apart they are and on which side."
    ),
)
def hands(view: SchemeView, scheme: RotaryPositions) -> None:
    """Show a query and a key as two hands that the reader moves."""
    first, second = (columns.tolist() for columns in paired_columns(scheme))
    n_positions, seed = max(2, view.n_positions), state.get("seed")
    save_menu(hand_products, view.key, n_positions)
    two_hands(
        hands_data(
            scheme.angles(n_positions)[1],
            columns=list(zip(first, second, strict=True)),
            amplitude=scheme.scaling.amplitude(),
            n_positions=n_positions,
            tokens=view.tokens,
            rows=_rows_of_tokens(view, first, second, seed),
            seed=seed,
            query=min(view.position, n_positions - 1),
            labels=translate_labels(LABELS),
        ),
        key="two-hands",
    )


def hand_products(key: SchemeKey, n_positions: int) -> Drawing:
    """Draw the products of hands that start together by distance: of every pair, and their sum."""
    scheme = key.scheme()
    assert isinstance(scheme, RotaryPositions)
    products = scheme.scaling.amplitude() ** 2 * scheme.angles(n_positions).cos()  # (n_positions, n_pairs)
    columns = {f"pair_{pair}": product for pair, product in enumerate(products.T)}
    total = products.sum(1)
    return figure_drawing(
        file_stem(key, "two-hands"),
        _("Attention score of two hands by distance"),
        Columns({**columns, "sum": total}, row="distance"),
        lines_figure,
        total[None].float(),
        key="two-hands",
        names=[""],
        x_title=_("distance"),
        y_title=_("score"),
        hover_text="{x}: {y}",
    )


def _rows_of_tokens(view: SchemeView, first: Sequence[int], second: Sequence[int], seed: int) -> Tensor | None:
    """Return the first head's part of the tokens' rows by pairs, (n_tokens, n_pairs, 2); None without tokens."""
    if not view.tokens:
        return None
    text = prepare(state.get("text")).text
    tokenizer = tokenizer_for(state.get("tokenizer"), text)
    ids = [token.id for token in tokenizer.tokenize(text)[: len(view.tokens)]]
    rows = random_table(tokenizer.vocab_size, view.key.d_model, seed)[ids].cpu()
    return torch.stack([rows[:, first], rows[:, second]], dim=-1)
