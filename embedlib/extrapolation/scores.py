"""Scores of a decoder at each length: perplexity, share of right tokens, share of sequences right throughout."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import torch

from embedlib.extrapolation.tasks import Batch, Task
from embedlib.positional import FormulaError
from embedlib.progress import Progress, ignore_progress
from embedlib.transformer.decoder import Decoder

State = Literal["trained", "longer", "untrained_rows", "undefined"]

# Most logits of attention in one pass: n_heads · seq_len² for each sequence. A tenth of a second on one core, and 17 MB
# for each of the few copies that a pass holds, up to the length at which one sequence alone has more.
MAX_SCORES = 2**22


@dataclass(frozen=True, slots=True)
class LengthScore:
    """Scores of a decoder at one length, with the right tokens before every position (teacher forcing).

    For greedy decoding the share of sequences right throughout is the same: up to its first mistake the decoder reads
    the right tokens.

    Attributes:
        length: in the task's own count.
        seq_len: positions of such a sequence.
        state: "trained", "longer" (past training, with a rule for it), "untrained_rows" (past training, in a table's
            untrained rows) or "undefined" (past a table's end, or where a formula is infinite or undefined; then the
            three numbers are None).
        loss: mean cross-entropy in nats over all scored positions.
        accuracy: share of scored positions whose likeliest token is the right one, in [0, 1].
        exact: share of sequences right throughout, in [0, 1].
    """

    length: int
    seq_len: int
    state: State
    loss: float | None
    accuracy: float | None
    exact: float | None
    n_sequences: int

    @property
    def perplexity(self) -> float | None:
        """e^loss, the number of equally likely tokens with the same uncertainty; infinite beyond float range."""
        if self.loss is None:
            return None
        return math.exp(self.loss) if self.loss < 700 else math.inf


def length_scores(
    decoder: Decoder,
    task: Task,
    lengths: Iterable[int],
    *,
    seed: int,
    n_sequences: int = 256,
    progress: Progress = ignore_progress,
) -> tuple[LengthScore, ...]:
    """Score a decoder at each length, on held-out sequences.

    Equal seeds give the same sequences for every decoder. `progress` is called after every pass, of which none on a CPU
    takes long.
    """
    wanted = tuple(lengths)
    if n_sequences < 1:
        raise ValueError(f"n_sequences={n_sequences} must be at least 1")
    states = [length_state(decoder, task, length) for length in wanted]
    batches = {length: task.held_out(length, n_sequences, seed=seed) for length in wanted}
    work = [0 if state == "undefined" else task.seq_len(n) for n, state in zip(wanted, states, strict=True)]
    scores = []
    for number, (length, state) in enumerate(zip(wanted, states, strict=True)):
        done, share = sum(work[:number]) / max(1, sum(work)), work[number] / max(1, sum(work))

        def report(part: float, done: float = done, share: float = share) -> None:
            progress(min(1.0, done + share * part))

        loss = accuracy = exact = None
        if state != "undefined":
            try:
                loss, accuracy, exact = _score_sequences(decoder, batches[length], report)
            except FormulaError:
                state = "undefined"
        scores.append(LengthScore(length, task.seq_len(length), state, loss, accuracy, exact, n_sequences))
    return tuple(scores)


def length_state(decoder: Decoder, task: Task, length: int) -> State:
    """Return whether a length was trained, or is beyond the trained ones; see ``LengthScore.state``."""
    scheme, seq_len = decoder.scheme, task.seq_len(length)
    if not scheme.any_length and seq_len > scheme.max_seq_len:
        return "undefined"
    if seq_len > task.seq_len(task.longest):
        return "longer" if scheme.any_length else "untrained_rows"
    return "trained"


def _score_sequences(decoder: Decoder, batch: Batch, report: Progress) -> tuple[float, float, float]:
    """Return loss, accuracy and exact match, in passes of bounded size."""
    device, n_sequences = decoder.rows.device, len(batch.inputs)
    seq_len, n_scored = batch.inputs.shape[1], batch.targets.shape[1]
    pass_size = max(1, MAX_SCORES // max(decoder.scheme.n_heads * seq_len**2, n_scored * len(decoder.rows)))
    loss, right, exact = 0.0, 0, 0
    with torch.no_grad():
        for start in range(0, n_sequences, pass_size):
            inputs, targets = (x[start : start + pass_size].to(device) for x in (batch.inputs, batch.targets))
            logits = decoder(inputs, n_scored=n_scored)  # (pass_size, n_scored, vocab_size)
            hits = logits.argmax(-1) == targets
            summed = torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="sum")
            loss += float(summed)
            right += int(hits.sum())
            exact += int(hits.all(dim=1).sum())
            report((start + len(inputs)) / n_sequences)
    return loss / batch.targets.numel(), right / batch.targets.numel(), exact / n_sequences
