"""An embedding matrix for any tokenizer in which tokens that are words of the trained table have trained rows."""

import torch
from torch import Tensor

from embedlib.embedding.table import embedding_table
from embedlib.tokenizers import Tokenizer
from embedlib.word2vec.trained_table import TrainedTable, trained_table


def trained_rows(
    tokenizer: Tokenizer,
    *,
    seed: int = 123,
    trained: TrainedTable | None = None,
    device: torch.device | None = None,
) -> tuple[Tensor, Tensor]:
    """Give each token that is a trained word the row of that word, and every other token a random row.

    " King", "king" and "KING" are tokens of their own with the same row: the table was trained on words without case.
    Random rows are drawn with the root mean square of the trained numbers, so that both kinds are about as long.

    Args:
        tokenizer: whose tokens the rows are for.
        seed: of the random rows.
        trained: where trained rows come from; None reads the table that ships with the library, 64 columns wide.
        device: where both tensors end up; None means CPU.

    Returns:
        The table, (vocab_size, d_model) float32, and which of its rows are trained, (vocab_size,) bool.

    Raises:
        RunFileError: the file that ships with the library is missing or broken.
    """
    shipped = trained_table() if trained is None else trained
    vocab_size, (n_words, d_model) = tokenizer.vocab_size, shipped.vectors.shape
    index = {word: row for row, word in enumerate(shipped.words)}
    words = torch.tensor([index.get(_word(tokenizer, token_id), n_words) for token_id in range(vocab_size)])
    known = words < n_words  # (vocab_size,)
    table = embedding_table(vocab_size, d_model, seed=seed) * root_mean_square(shipped)  # (vocab_size, d_model)
    table[known] = shipped.vectors[words[known]]
    return table.to(device), known.to(device)


def root_mean_square(trained: TrainedTable) -> Tensor:
    """Return how large the numbers of a trained table are, a scalar; those of a random table are 1."""
    return trained.vectors.square().mean().sqrt()


def _word(tokenizer: Tokenizer, token_id: int) -> str:
    """Return a token as the word it may be; "" where it is none."""
    try:
        return tokenizer.token_bytes(token_id).removeprefix(b" ").decode().casefold()
    except ValueError:  # part of a character, or one of the ids without a token that some encodings have
        return ""
