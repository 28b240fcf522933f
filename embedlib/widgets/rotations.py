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
# The browser's view state is "VERSION~KEY!VALUE~KEY!VALUE"; the value of this key is seven numbers: query, key, whether
# both move together, pair, whether the hands start at the rows of two tokens, the query's token, the key's.
_VERSION, _KEY, _LENGTH = "1", ".hands", 7
_INDICES = {"query": 0, "key": 1, "pair": 3}


class TwoHands(ComponentWidget):
    """Two hands in a notebook, whose positions and pair are traits."""

    query = traitlets.Int(0)
    key = traitlets.Int(0)
    pair = traitlets.Int(0)

    def __init__(
        self,
        *,
        query: int,
        key: int,
        pair: int,
        n_positions: int,
        n_tokens: int,
        speeds: Sequence[float],
        columns: Sequence[tuple[int, int]],
        **traits: Any,
    ) -> None:
        """Make a widget; `query` and `key` are below n_positions, `pair` is an index of `speeds` and `columns`."""
        self._ends = {"query": n_positions, "key": n_positions, "pair": len(speeds)}
        self._speeds, self._columns = speeds, columns
        last = max(0, n_tokens - 1)
        self._numbers = [query, key, 1, pair, 0, min(query, last), min(key, last)]
        super().__init__(_component="two_hands", query=query, key=key, pair=pair, **traits)
        self._write_state()

    @property
    def static_html(self) -> str:
        """The large clock, as HTML without scripts."""
        speed, (first, second) = self._speeds[self.pair], self._columns[self.pair]
        title = f"dimensions {first} and {second}: {self.query - self.key} positions × {speed:.4g} rad apart"
        hands = {f"query at {self.query}": self.query * speed, f"key at {self.key}": self.key * speed}
        return hands_html(title, hands)

    def __repr__(self) -> str:
        return f"RoPE: query at {self.query}, key at {self.key}, {len(self._speeds)} pairs of dimensions"

    @traitlets.validate("query", "key", "pair")  # type: ignore[untyped-decorator]
    def _check_number(self, proposal: Any) -> int:
        name, value = proposal["trait"].name, int(proposal["value"])
        if not 0 <= value < self._ends[name]:
            raise ValueError(f"{name}={value} must be in 0 … {self._ends[name] - 1}")
        return value

    @traitlets.observe("query", "key", "pair")  # type: ignore[untyped-decorator]
    def _update_number(self, change: Any) -> None:
        if self._numbers[_INDICES[change["name"]]] != change["new"]:
            self._numbers[_INDICES[change["name"]]] = change["new"]
            self._write_state()

    def _write_state(self) -> None:
        self._view_state = f"{_VERSION}~{_KEY}!{','.join(map(str, self._numbers))}"

    @traitlets.observe("_view_state")  # type: ignore[untyped-decorator]
    def _read_state(self, change: Any) -> None:
        version, *entries = change["new"].split("~")
        try:  # a browser can send anything
            numbers = [int(number) for number in dict(entry.split("!") for entry in entries)[_KEY].split(",")]
        except (KeyError, ValueError):
            return
        if version != _VERSION or len(numbers) != _LENGTH:
            return
        if all(0 <= numbers[index] < self._ends[name] for name, index in _INDICES.items()):
            self._numbers = numbers
            for name, index in _INDICES.items():
                setattr(self, name, numbers[index])


def two_hands(
    scheme: PositionalScheme,
    source: InputEmbeddings | None = None,
    *,
    n_positions: int = 64,
    query: int = 8,
    key: int = 3,
    pair: int | None = None,
) -> TwoHands:
    """Draw RoPE's rotation as a clock, the query as one hand and the key as the other; their distance sets the product.

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
    columns = list(zip(first, second, strict=True))
    data = hands_data(
        speeds,
        columns=columns,
        amplitude=scheme.scaling.amplitude(),
        n_positions=n_positions,
        tokens=tokens,
        rows=rows,
        seed=0,
        query=query,
        labels=LABELS | {"start_tokens_note": "Each hand starts as its token’s row in the first head."},
    )
    return TwoHands(
        n_positions=n_positions,
        n_tokens=len(tokens),
        speeds=speeds.tolist(),
        columns=columns,
        query=query,
        key=key,
        pair=min(2, len(speeds) - 1) if pair is None else pair,
        _header=data,
    )
