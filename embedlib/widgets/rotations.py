"""The widget of rotary positions: two hands of a clock."""

from collections.abc import Sequence
from typing import Any

import torch
import traitlets

from embedlib.components.two_hands import LABELS, hands_data
from embedlib.measures import paired_columns
from embedlib.notebook import hands_html
from embedlib.pipeline import InputEmbeddings
from embedlib.positional import PositionalScheme, RotaryPositions
from embedlib.tokenizers import token_labels
from embedlib.widgets.widget import ComponentWidget

MAX_POSITIONS = 4_096
# The browser's view state; seven numbers follow: query, key, whether both move together, pair, whether the hands start
# at the rows of two tokens, the query's token, the key's.
_PREFIX, _LENGTH = "1~.hands!", 7
_PLACES = {"query": 0, "key": 1, "pair": 3}


class TwoHands(ComponentWidget):
    """Two hands in a notebook, whose positions and pair are traits."""

    query = traitlets.Int(0)
    key = traitlets.Int(0)
    pair = traitlets.Int(0)

    def __init__(
        self, *, query: int, key: int, pair: int, n_positions: int, n_pairs: int, n_tokens: int, **traits: Any
    ) -> None:
        """Make a widget; `query` and `key` are below n_positions, `pair` below n_pairs."""
        self._ends = {"query": n_positions, "key": n_positions, "pair": n_pairs}
        last = max(0, n_tokens - 1)
        self._numbers = [query, key, 1, pair, 0, min(query, last), min(key, last)]
        super().__init__(_component="two_hands", query=query, key=key, pair=pair, **traits)
        self._write_state()

    @traitlets.validate("query", "key", "pair")  # type: ignore[untyped-decorator]
    def _check_number(self, proposal: Any) -> int:
        name, value = proposal["trait"].name, int(proposal["value"])
        if not 0 <= value < self._ends[name]:
            raise ValueError(f"{name}={value} must be in 0 … {self._ends[name] - 1}")
        return value

    @traitlets.observe("query", "key", "pair")  # type: ignore[untyped-decorator]
    def _update_number(self, change: Any) -> None:
        if self._numbers[_PLACES[change["name"]]] != change["new"]:
            self._numbers[_PLACES[change["name"]]] = change["new"]
            self._write_state()

    def _write_state(self) -> None:
        self._view_state = _PREFIX + ",".join(map(str, self._numbers))

    @traitlets.observe("_view_state")  # type: ignore[untyped-decorator]
    def _read_state(self, change: Any) -> None:
        try:  # a browser can send anything
            numbers = [int(number) for number in change["new"].removeprefix(_PREFIX).split(",")]
        except ValueError:
            return
        if len(numbers) == _LENGTH:
            self._numbers = numbers
            for name, place in _PLACES.items():
                setattr(self, name, numbers[place])


def two_hands(
    scheme: PositionalScheme,
    source: InputEmbeddings | None = None,
    *,
    n_positions: int = 64,
    query: int = 8,
    key: int = 3,
    pair: int | None = None,
) -> TwoHands:
    """Show how RoPE rotates a query and a key: two hands of a clock, whose product depends on their distance.

    Args:
        scheme: ``make_scheme("rope", …)``.
        source: what ``embed_text`` returned with rows of the scheme's width: hands can start at its tokens' rows.
        n_positions: from 2 to 4,096 positions.
        query: position of the query.
        key: position of the key.
        pair: index of the pair of dimensions that is shown large; None for the third, or the last.

    Returns:
        A widget whose traits ``query``, ``key`` and ``pair`` follow the hands.

    Raises:
        ValueError: a scheme without rotations, rows of another width, or a number out of its range.

    >>> from embedlib import make_scheme
    >>> from embedlib.widgets import two_hands
    >>> widget = two_hands(make_scheme("rope", d_model=8, n_heads=1), query=5, key=2)
    >>> widget.query - widget.key
    3
    """
    if not isinstance(scheme, RotaryPositions):
        name = getattr(scheme, "name", type(scheme).__name__)
        raise ValueError(f'scheme={name!r} has no hands: give make_scheme("rope", d_model=…, n_heads=…)')
    if not 2 <= n_positions <= MAX_POSITIONS:
        raise ValueError(f"n_positions={n_positions} must be in 2 … {MAX_POSITIONS}")
    first, second = (columns.tolist() for columns in paired_columns(scheme))
    tokens: Sequence[str] = ()
    rows = None
    if source is not None:
        width = source.token_embeddings.shape[1]
        if width != scheme.d_model:
            raise ValueError(f"source has d_model={width} but the scheme {scheme.d_model}: embed the text with as many")
        embeddings = source.token_embeddings[:n_positions].detach().float().cpu()
        if not embeddings.isfinite().all():
            raise ValueError("source.token_embeddings holds NaN or infinity: embed the text with finite rows")
        tokens = token_labels(source.tokens)[:n_positions]
        rows = torch.stack([embeddings[:, first], embeddings[:, second]], dim=-1)  # (n_tokens, n_pairs, 2)
    speeds = scheme.angles(n_positions)[1].detach().double().cpu()  # (n_pairs,)
    pair = min(2, len(speeds) - 1) if pair is None else pair
    data = hands_data(
        speeds,
        columns=list(zip(first, second, strict=True)),
        amplitude=scheme.scaling.amplitude(),
        n_positions=n_positions,
        tokens=tokens,
        rows=rows,
        seed=0,
        query=query,
        labels=LABELS | {"start_tokens_note": "Each hand starts as its token’s row in the first head."},
    )
    widget = TwoHands(
        n_positions=n_positions,
        n_pairs=len(speeds),
        n_tokens=len(tokens),
        query=query,
        key=key,
        pair=pair,
        _header=data,
        summary=f"RoPE: query at {query}, key at {key}, {len(speeds)} pairs of dimensions",
    )
    speed = float(speeds[pair])
    title = f"dimensions {first[pair]} and {second[pair]}: {query - key} positions × {speed:.4g} rad apart"
    widget.still = hands_html(title, {f"query at {query}": query * speed, f"key at {key}": key * speed})
    return widget
