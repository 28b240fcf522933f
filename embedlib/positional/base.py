"""Base class of positional schemes: encoding, attention and similarity, which call a scheme's hooks.

A scheme is one file: a subclass of ``PositionalScheme`` that says what it is, what it can be set to, and overrides the
hook of each place it acts in. An override says in a line what it returns; its arguments and shapes are those said here.
"""

import copy
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ClassVar, TypeVar

import torch
from torch import Tensor, nn

from embedlib.errors import check_ints, check_memory
from embedlib.notebook import Figure, facts_html, matrix_figure, matrix_html
from embedlib.positional.bias import along_diagonals, signed_distances
from embedlib.positional.parameters import Parameter, ParameterValue, validate_parameters

# What to call for each place a scheme can act in.
HOOKS = {"embedding": "position_table", "query_key": "rotate", "score": "bias", "content": "content_scores"}

# What a scheme can do past the trained length: there is no row for it; the same rule goes on to greater distances; all
# far distances share one value; rotations or waves come up whose angles were never met; distance is taken relative to
# the query's position, so that the same distance gets another bias.
PAST_TRAINING = ("undefined", "continues", "saturates", "unseen angles", "unseen values", "rescales")

MAX_WIDTH = 2**20  # of d_model: far above any model; with 10**9 the frequencies alone take 4 GB and many seconds

_LENGTHS = 32  # results that one scheme of `with_cache` keeps

Scheme = TypeVar("Scheme", bound="PositionalScheme")
Made = TypeVar("Made")


def cached_by_length(make: Callable[..., Made]) -> Callable[..., Made]:
    """Mark a method whose result depends on its arguments and the weights alone: ``with_cache`` may cache it."""

    @wraps(make)
    def compute_once(scheme: "PositionalScheme", *args: Any, **kwargs: Any) -> Made:
        memory: dict[Any, Made] | None = scheme.__dict__.get("_memory")
        if memory is None:
            return make(scheme, *args, **kwargs)
        key = (make.__name__, scheme.dtype, scheme.device, args, *kwargs.items())
        if key not in memory:
            if len(memory) >= _LENGTHS:
                memory.clear()
            memory[key] = make(scheme, *args, **kwargs)
        return memory[key]

    return compute_once


def with_cache(scheme: Scheme) -> Scheme:
    """Return a scheme that computes tables, biases and angles once for each length, for many texts in a row.

    It shares the weights of the given one, which must not change from then on.
    """
    twin = copy.copy(scheme)
    twin.__dict__["_memory"] = {}
    return twin


def check_sizes(*, d_model: int, n_heads: int, max_seq_len: int) -> None:
    """Raise ValueError unless all are at least 1, d_model at most MAX_WIDTH, and n_heads divides it."""
    for name, size in (("d_model", d_model), ("n_heads", n_heads), ("max_seq_len", max_seq_len)):
        if size < 1:
            raise ValueError(f"{name}={size} must be at least 1")
    if d_model > MAX_WIDTH:
        raise ValueError(f"d_model={d_model} must be at most {MAX_WIDTH}")
    if d_model % n_heads:
        divisors = ", ".join(str(number) for number in range(1, d_model + 1) if d_model % number == 0)
        raise ValueError(f"n_heads={n_heads} must divide d_model={d_model}: choose among {divisors}")


def check_positions(seq_len: int, offset: int) -> None:
    """Raise ValueError unless seq_len is at least 1 and offset at least 0, both whole."""
    check_ints(seq_len=seq_len, offset=offset)
    if seq_len < 1:
        raise ValueError(f"seq_len={seq_len} must be at least 1")
    if offset < 0:
        raise ValueError(f"offset={offset} must be at least 0")


def check_heads(tensors: Mapping[str, Tensor], *, n_heads: int, head_dim: int) -> None:
    """Raise ValueError unless each is floating point (…, n_heads, seq_len, head_dim), all of one seq_len."""
    for name, tensor in tensors.items():
        shaped = tensor.ndim >= 3 and tensor.shape[-3] == n_heads and tensor.shape[-1] == head_dim
        if not shaped or not tensor.is_floating_point():
            raise ValueError(
                f"{name} is {tensor.dtype} of shape {tuple(tensor.shape)}: "
                f"it must be floating point of shape (…, n_heads={n_heads}, seq_len, head_dim={head_dim})"
            )
    lengths = {name: tensor.shape[-2] for name, tensor in tensors.items()}
    if len(set(lengths.values())) > 1:
        by_name = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise ValueError(f"seq_len differs ({by_name}): it must be the same for all")


def normal_weights(*shape: int, std: float, generator: torch.Generator) -> nn.Parameter:
    """Draw float32 weights of normal(0, std) on the CPU."""
    return nn.Parameter(torch.empty(shape, dtype=torch.float32).normal_(std=std, generator=generator))


class PositionalScheme(nn.Module):
    """Base class of positional schemes, which let a token's position enter attention.

    A subclass names its places in ``acts_on`` and overrides the hook of each:

    - "embedding": ``position_table``, rows that ``encode`` adds to the token rows;
    - "query_key": ``rotate``, which may rotate or scale q and k, each in its own way;
    - "score": ``bias``, added to the logits after they are scaled, or ``distance_bias`` where only the distance counts;
    - "content": ``content_scores``, a term that reads q and k, added to q·k before the logits are scaled.

    ``logit_scale`` is the factor of q·k; a scheme that also adds to the values overrides ``mix``, one whose
    similarity is another ``_similarity``, one that has weights or further rules ``build``.
    Queries, keys and values are (…, n_heads, seq_len, head_dim), and ValueError says where one is not. Positions run
    from ``offset``, so that a window cut out of a longer text can be computed by itself. ``causal`` is True for
    attention that sees no later key.
    Tables and biases are made on the scheme's own device and in its own dtype: move it with ``.to()``.

    Attributes:
        name: the key in SCHEMES.
        title: short name for a heading, English, marked for translation.
        acts_on: the places, a subset of "embedding" "query_key" "score" "content".
        summary: one or two plain sentences: what it does; English, marked for translation.
        formula: LaTeX, for the default parameters; ``latex`` has it for those of an instance.
        source: paper and link.
        PARAMETERS: the keywords that the constructor takes beyond the common three.
        WEIGHTS: for each value of the parameter ``weights`` but "random", the sizes and parameters it needs.
        causal_only: True where the scheme is undefined for keys after the query.
        any_length: False where nothing is defined past max_seq_len.
        past_training: behaviour at distances or positions past training, one of PAST_TRAINING.
        used_by: models that have it, plain text, English, marked for translation.
        parameter_values: the checked value of each of PARAMETERS; each is an attribute of its own name too, unless a
            method is called so.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    acts_on: frozenset[str] = frozenset()
    summary: ClassVar[str]
    formula: ClassVar[str]
    source: ClassVar[str]
    PARAMETERS: ClassVar[tuple[Parameter, ...]] = ()
    WEIGHTS: ClassVar[Mapping[str, Mapping[str, int]]] = {}
    causal_only: bool = False
    any_length: ClassVar[bool] = True
    past_training: str
    used_by: ClassVar[str]

    def __init__(self, *, d_model: int, n_heads: int, max_seq_len: int = 1024, **parameters: ParameterValue) -> None:
        """Check and store the sizes and parameters, then call ``build``.

        Args:
            d_model: width of the token rows, from 1 to MAX_WIDTH.
            n_heads: number of attention heads; divides d_model.
            max_seq_len: positions 0 … max_seq_len - 1 exist where a scheme has a table of them, at least 1.
            **parameters: values for PARAMETERS; missing ones take their defaults.

        Raises:
            ValueError: a size below 1, n_heads that does not divide d_model, an unknown or wrong parameter, weights
                that need other sizes, or what ``build`` refuses.
        """
        super().__init__()
        check_sizes(d_model=d_model, n_heads=n_heads, max_seq_len=max_seq_len)
        self.d_model, self.n_heads, self.max_seq_len = d_model, n_heads, max_seq_len
        self.head_dim = d_model // n_heads
        self.parameter_values = validate_parameters(self.name, self.PARAMETERS, parameters)
        # Empty: it only remembers where .to() sent a scheme that has no weights.
        self.register_buffer("_place", torch.empty(0, dtype=torch.float32), persistent=False)
        self._place: Tensor
        for name, value in self.parameter_values.items():
            if not callable(getattr(type(self), name, None)):  # a formula's "bias" is called like the hook
                setattr(self, name, value)
        weights = str(self.parameter_values.get("weights"))
        for name, needed in self.WEIGHTS.get(weights, {}).items():
            if getattr(self, name) != needed:
                raise ValueError(f"{name}={getattr(self, name)} must be {needed} for weights={weights!r}, or 'random'")
        with check_memory(d_model=d_model, max_seq_len=max_seq_len):
            self.build()

    def figure(self, seq_len: int = 32) -> Figure:
        """Draw the position rows; without any the similarity of positions, or else logits of equal tokens."""
        name, matrix = self.summary_matrix(seq_len)
        titles = ("column", "position") if name == "position rows" else ("key position", "query position")
        return matrix_figure(matrix, x_title=titles[0], y_title=titles[1], title=f"{self.title}: {name}")

    def _repr_html_(self) -> str:
        """Show sizes, parameters and the matrix of `figure` in a notebook."""
        facts: dict[str, object] = {
            "acts on": ", ".join(sorted(self.acts_on)) or "nothing",
            "d_model": self.d_model,
            "n_heads": self.n_heads,
        }
        for parameter in self.PARAMETERS:
            if parameter.is_read(self.parameter_values):
                facts[parameter.name] = self.parameter_values[parameter.name]
        return facts_html(self.title, facts) + matrix_html(*self.summary_matrix(16))

    def summary_matrix(self, seq_len: int) -> tuple[str, Tensor]:
        """Return the matrix that shows best what the scheme does to positions, and its name."""
        seq_len = seq_len if self.any_length else min(seq_len, self.max_seq_len)
        if "embedding" in self.acts_on:
            return "position rows", self.position_table(seq_len)
        try:
            return "similarity", self.similarity(seq_len)
        except ValueError:  # it depends on the content
            same = torch.ones(self.n_heads, seq_len, self.head_dim, dtype=self.dtype, device=self.device)
            return "logits of equal tokens", self.scores(same, same)[0]

    def build(self) -> None:
        """Draw the initial weights, and raise ValueError for unsupported sizes; the default does nothing."""

    @property
    def device(self) -> torch.device:
        """Device of tables and biases."""
        return self._place.device

    @property
    def dtype(self) -> torch.dtype:
        """Dtype of tables and biases; float32 until ``.to()`` or ``.double()`` changes it."""
        return self._place.dtype

    def latex(self) -> str:
        """Return the formula with the scheme's own parameters; by default ``formula``."""
        return self.formula

    def position_table(self, seq_len: int, *, offset: int = 0) -> Tensor:
        """Return the position rows, which are added to the token rows.

        Returns:
            (seq_len, d_model), row i for position offset + i.

        Raises:
            ValueError: the scheme does not act on the embedding; seq_len or offset out of range.
        """
        raise self._wrong_hook_error("embedding")

    def rotate(self, q: Tensor, k: Tensor, *, offset: int = 0) -> tuple[Tensor, Tensor]:
        """Rotate or scale queries and keys by their position; unchanged where the scheme acts elsewhere."""
        self.check_heads(q=q, k=k)
        check_positions(q.shape[-2], offset)
        return q, k

    @cached_by_length
    def bias(self, seq_len: int, *, causal: bool = True, offset: int = 0) -> Tensor:
        """Return the bias on the scaled logits, which depends on positions alone: by default ``distance_bias``.

        Returns:
            (n_heads, seq_len, seq_len), finite; row = query, column = key. Later keys, which the mask hides, have 0 if
            causal.

        Raises:
            ValueError: the scheme does not act on the score; seq_len or offset out of range.
        """
        check_positions(seq_len, offset)
        working = torch.promote_types(self.dtype, torch.float32)  # half precision cannot count past 2,048
        distance = signed_distances(seq_len, dtype=working, device=self.device)  # (2·seq_len - 1,)
        by_distance = self.distance_bias(distance)
        if by_distance is None:
            raise self._wrong_hook_error("score")
        if causal:
            by_distance = by_distance.masked_fill(distance < 0, 0.0)
        return along_diagonals(by_distance.to(self.dtype))  # (n_heads, seq_len, seq_len)

    def distance_bias(self, distance: Tensor) -> Tensor | None:
        """Return the bias of single distances of any size; None if it depends on anything else.

        Args:
            distance: (n,) whole numbers of a floating point dtype, query position minus key position.

        Returns:
            (n_heads, n), dtype of distance; entry (i, j) of ``bias(…, causal=False)`` is that of distance i - j.
        """
        return None

    def content_scores(self, q: Tensor, k: Tensor, *, causal: bool = True) -> Tensor:
        """Return the term that depends on content and position together, before scaling.

        It is multiplied by ``logit_scale()`` together with q·k, so a scheme whose paper adds its term after the scaling
        divides by ``logit_scale()`` here. Where the term of a pair also reads other keys, keys after the query must be
        left out when causal; entries above the diagonal itself do not matter, since the mask hides them.

        Returns:
            (…, n_heads, seq_len, seq_len).

        Raises:
            ValueError: the scheme does not read content.
        """
        raise self._wrong_hook_error("content")

    def terms(self, q: Tensor, k: Tensor) -> dict[str, Tensor]:
        """Return the parts of the logits one by one, for a scheme whose paper names them.

        Together they are the whole logits: ``scores`` without its mask is their sum. Other schemes have none.

        Returns:
            Name (LaTeX, in the paper's letters) to (…, n_heads, seq_len, seq_len), scaled as the logits are and not
            masked, in the order of the formula.
        """
        self.check_heads(q=q, k=k)
        return {}

    def logit_scale(self) -> float:
        """Return the factor of q·k and of the content term: 1/sqrt(head_dim) by default."""
        return float(self.head_dim**-0.5)

    def check_heads(self, **tensors: Tensor) -> None:
        """Raise ValueError unless each is floating point (…, n_heads, seq_len, head_dim), all of one seq_len."""
        check_heads(tensors, n_heads=self.n_heads, head_dim=self.head_dim)

    def _wrong_hook_error(self, place: str) -> ValueError:
        others = " or ".join(f"{HOOKS[other]}()" for other in HOOKS if other in self.acts_on)
        remedy = f"call {others}" if others else "it acts nowhere"
        return ValueError(f"scheme {self.name!r} does not act on {place!r}, so it has no {HOOKS[place]}(): {remedy}")

    def extra_repr(self) -> str:
        """Return the sizes and parameters, for print(scheme)."""
        sizes = {"d_model": self.d_model, "n_heads": self.n_heads, "max_seq_len": self.max_seq_len}
        return ", ".join(f"{name}={value!r}" for name, value in {**sizes, **self.parameter_values}.items())

    def encode(self, x: Tensor, *, offset: int = 0) -> Tensor:
        """Add a row per position, or return x unchanged where the scheme acts elsewhere.

        Args:
            x: (…, seq_len, d_model) token rows.
            offset: position of the first row, at least 0.

        Returns:
            (…, seq_len, d_model), dtype and device of x; exactly ``x + position_table(seq_len)``.

        Raises:
            ValueError: x of another width, or what ``position_table`` raises.
        """
        if x.ndim < 2 or x.shape[-1] != self.d_model or not x.is_floating_point():
            raise ValueError(
                f"x is {x.dtype} of shape {tuple(x.shape)}: "
                f"it must be floating point of shape (…, seq_len, d_model={self.d_model})"
            )
        if "embedding" not in self.acts_on:
            return x
        return x + self.position_table(x.shape[-2], offset=offset).to(x)  # (…, seq_len, d_model)

    def scores(self, q: Tensor, k: Tensor, *, causal: bool = True, offset: int = 0) -> Tensor:
        """Return the attention logits: (rotated q·k + content term) · logit_scale + bias.

        Returns:
            (…, n_heads, seq_len, seq_len), -inf where masked.

        Raises:
            ValueError: causal=False for a scheme that is causal only.
        """
        if self.causal_only and not causal:
            raise ValueError(f"causal={causal} is not defined for scheme {self.name!r}: use causal=True")
        turned_q, turned_k = self.rotate(q, k, offset=offset)
        logits = turned_q @ turned_k.transpose(-1, -2)  # (…, n_heads, seq_len, seq_len)
        if "content" in self.acts_on:
            logits = logits + self.content_scores(q, k, causal=causal)
        logits = logits * self.logit_scale()
        seq_len = q.shape[-2]
        if "score" in self.acts_on:
            logits = logits + self.bias(seq_len, causal=causal, offset=offset).to(logits)
        if causal:
            later = torch.ones(seq_len, seq_len, dtype=torch.bool, device=logits.device).triu(1)
            logits = torch.where(later, float("-inf"), logits)  # masked_fill takes half as long again
        return logits

    def attend(self, q: Tensor, k: Tensor, v: Tensor, *, causal: bool = True, offset: int = 0) -> Tensor:
        """Mix the values by the softmax of the scores: (…, n_heads, seq_len, head_dim); ValueError as ``scores``."""
        self.check_heads(q=q, k=k, v=v)
        return self.mix(self.scores(q, k, causal=causal, offset=offset).softmax(-1), v)

    def mix(self, weights: Tensor, v: Tensor) -> Tensor:
        """Mix values by the attention's weights, (…, n_heads, seq_len, seq_len): their product, unless overridden."""
        return weights @ v

    def similarity(self, seq_len: int) -> Tensor:
        """Return the similarity of any two positions under this scheme, by which schemes are compared.

        Rows added: their dot products. A bias: its mean over heads, without a mask. Others define their own.

        Returns:
            (seq_len, seq_len), without gradients; row = query, column = key. The unit is the scheme's own.

        Raises:
            ValueError: not defined for this scheme, or seq_len out of range.
            CodedError: not enough memory for the matrix.
        """
        check_positions(seq_len, 0)
        with torch.no_grad(), check_memory(seq_len=seq_len):
            return self._similarity(seq_len)

    def _similarity(self, seq_len: int) -> Tensor:
        if "embedding" in self.acts_on:
            table = self.position_table(seq_len)  # (seq_len, d_model)
            return table @ table.T
        if "score" in self.acts_on:
            return self.bias(seq_len, causal=False).mean(0)
        raise ValueError(f"similarity of positions is not defined for scheme {self.name!r}: it depends on the content")
