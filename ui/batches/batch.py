"""The batch in view: where its windows lie, its ids, and as many of its vectors as are drawn."""

from dataclasses import dataclass

from torch import Tensor

from embedlib.embedding.table import lookup
from ui.batches import cache
from ui.batches.request import Request
from ui.components.tensor_block import shown_shape


@dataclass(frozen=True)
class Batch:
    """One batch of windows.

    Attributes:
        request: where it comes from.
        starts: (n_samples,) int64, the place in the text at which each window begins.
        inputs: (n_samples, max_length) int64.
        targets: the same, one token further.
    """

    request: Request
    starts: Tensor
    inputs: Tensor
    targets: Tensor

    def place(self, sample: int, position: int) -> int:
        """Return where in the text an input stands; the target there is one further."""
        return int(self.starts[sample]) + position

    def label(self, sample: int, position: int) -> str:
        """Show an input as a short text; one position past the last is the last target."""
        return self.request.read.label(self.place(sample, position))


@dataclass(frozen=True)
class Block:
    """The corner of a batch's block that is drawn: three tensors (n_samples, n_positions, n_dimensions) float32.

    Attributes:
        token: rows of the token table.
        position: rows of the position table, the same for every sample.
        input: their sum.
    """

    token: Tensor
    position: Tensor
    input: Tensor


def batch_in_view(request: Request) -> Batch:
    """Cut the windows of the batch in view."""
    plan, ids = request.plan, request.read.spans.ids
    inputs, targets = plan.batch(ids, request.batch)
    return Batch(request, plan.windows(request.batch) * plan.stride, inputs, targets)


def block_of(batch: Batch) -> Block:
    """Look up the vectors of a batch: its first samples, places and dimensions, as far as they are drawn."""
    request = batch.request
    n_samples, n_positions, width = shown_shape((*batch.inputs.shape, request.d_model))
    ids = batch.inputs[:n_samples, :n_positions]
    table, rows = cache.tables_of(request.read.vocab_size, request.d_model, request.seed, request.plan.max_length)
    if request.table == "trained":
        table, _known = cache.trained_of(request.source, request.tokenizer, request.seed)
    token = lookup(table, ids.to(table.device))[..., :width].cpu()  # (n_samples, n_positions, width)
    position = rows[:n_positions, :width].cpu().expand(token.shape)
    return Block(token, position, token + position)


def trained_inputs(batch: Batch) -> list[bool]:
    """Tell which tokens of the block have trained rows, as far as they are drawn, sample by sample."""
    request = batch.request
    n_samples, n_positions, _width = shown_shape((*batch.inputs.shape, request.d_model))
    _table, known = cache.trained_of(request.source, request.tokenizer, request.seed)
    ids = batch.inputs[:n_samples, :n_positions].flatten()
    found: list[bool] = known[ids.to(known.device)].tolist()
    return found
