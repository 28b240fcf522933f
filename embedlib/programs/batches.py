"""The short program that prints one batch of windows: a DataLoader, two embedding tables, every shape on the way."""

from embedlib.texts.windows import WindowPlan

_PROGRAM = """\
from itertools import islice
{path_import}
import torch
from torch.utils.data import DataLoader, Dataset

from embedlib import get_tokenizer
{corpus_import}{rows_import}
text = {text}
tokenizer = get_tokenizer({tokenizer}{tokenizer_text})
token_ids = torch.tensor(tokenizer.encode(text))

max_length, stride, batch_size, d_model = {max_length}, {stride}, {batch_size}, {d_model}


class Windows(Dataset):
    def __len__(self):
        return (len(token_ids) - max_length - 1) // stride + 1

    def __getitem__(self, window):
        ids = token_ids[window * stride : window * stride + max_length + 1]
        return ids[:-1], ids[1:]  # the targets are the inputs, one id further


loader = DataLoader(
    Windows(),
    batch_size=batch_size,
    shuffle={shuffle},
    drop_last={drop_last},{generator}
)

torch.manual_seed({table_seed})
token_table = torch.nn.Embedding(tokenizer.vocab_size, d_model)
position_table = torch.nn.Embedding(max_length, d_model)  # context_length = max_length
{rows}
inputs, targets = next(islice(loader, {batch}, None))  # batch {number} of len(loader)
token_embeddings = token_table(inputs).detach()
position_vectors = position_table(torch.arange(max_length)).detach()
input_embeddings = token_embeddings + position_vectors  # the same rows for every sample

print("ids", len(token_ids), "windows", len(Windows()), "batches", len(loader))
torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)
for name in ("inputs", "targets", "token_embeddings", "position_vectors", "input_embeddings"):
    print(name, tuple(globals()[name].shape))
    print(globals()[name])
"""
_CORPUS_IMPORT = "from embedlib.texts.corpus import reference_manual\n"
_ROWS_IMPORT = "from embedlib.word2vec.pretrained import trained_rows\n"
_ROWS = """\
trained, known = trained_rows(tokenizer, seed={table_seed})  # known: which rows are trained
token_table = torch.nn.Embedding.from_pretrained(trained)  # in place of the fresh rows
"""
_GENERATOR = "\n    generator=torch.Generator().manual_seed({seed}),"


def batches_program(
    plan: WindowPlan,
    *,
    text: str | None,
    file: str | None = None,
    tokenizer: str,
    table: str = "random",
    d_model: int,
    table_seed: int,
    batch: int,
) -> str:
    """Write the program whose output is what the batches page shows of one batch.

    Args:
        plan: how the text is cut.
        text: the text itself, which becomes a string literal, so nothing in it can become code; None where it is that
            of `file`, or of Python's manual.
        file: name of a text file, which becomes a string literal; None for none.
        tokenizer: name in TOKENIZERS.
        table: where the tokens' rows come from, "random", or "trained" for ``trained_rows``.
        d_model: row width; that of the trained table where its rows are asked for.
        table_seed: of the two random tables.
        batch: which one, 0 … plan.n_batches - 1.

    Returns:
        Source text of a program that needs torch and this library only.
    """
    if text is not None:
        source = repr(text)  # what is not printable, bidirectional controls among it, is escaped
    elif file is not None:
        source = f'Path({file!r}).read_bytes().decode("utf-8-sig")'
    else:
        source = "reference_manual()"
    return _PROGRAM.format(
        path_import="from pathlib import Path\n" if source.startswith("Path(") else "",
        corpus_import=_CORPUS_IMPORT if source == "reference_manual()" else "",
        text=source,
        tokenizer=repr(tokenizer),
        tokenizer_text=", text=text" if tokenizer in ("characters", "words") else "",
        max_length=plan.max_length,
        stride=plan.stride,
        batch_size=plan.batch_size,
        d_model=d_model,
        shuffle=plan.shuffle,
        drop_last=plan.drop_last,
        generator=_GENERATOR.format(seed=plan.seed) if plan.shuffle else "",
        table_seed=table_seed,
        rows_import=_ROWS_IMPORT if table == "trained" else "",
        rows=_ROWS.format(table_seed=table_seed) if table == "trained" else "",
        batch=batch,
        number=batch + 1,
    )
