"""The short program that prints what the lesson on the embedding layer shows."""

from collections.abc import Sequence

from embedlib.embedding.initialisation import INITIALISATIONS
from embedlib.embedding.optimizers import ROW_OPTIMIZERS
from embedlib.examples import BY_HAND_POSITIONS, BY_HAND_ROWS, HAND_POSITION, HAND_TOKEN

_HEAD = """\
import torch
from torch.nn import functional
from embedlib import get_tokenizer
{also}
torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)
text = {text}
tokenizer = get_tokenizer({tokenizer}{tokenizer_text})
"""

_TABLES = {
    "random": """\
torch.manual_seed({seed})
E = torch.empty(tokenizer.vocab_size, {d_model})
{draw}
""",
    "trained": """\
torch.manual_seed({seed})
fresh = torch.empty(tokenizer.vocab_size, {d_model})
{fresh_draw}
E, known = trained_rows(tokenizer, seed={seed})  # known: which rows are trained
""",
    "nlp": """\
rows = {rows}
E = torch.tensor([rows[tokenizer.token_bytes(i).decode()] for i in range(tokenizer.vocab_size)])
""",
    "sum": "E = torch.tensor([{row}])\n",
}

_DRAWS = {
    "normal_1": "torch.nn.init.normal_({table})",
    "normal_0.02": "torch.nn.init.normal_({table}, std=0.02)",
    "uniform": "torch.nn.init.uniform_({table}, -0.05, 0.05)",
    "xavier_uniform": "torch.nn.init.xavier_uniform_({table})",
    "xavier_normal": "torch.nn.init.xavier_normal_({table})",
}

_LOOKUP = """
# Picking rows, one-hot vectors times E, and a linear layer without bias are the same.
token_ids = torch.tensor({ids})
picked = functional.embedding(token_ids, E)
one_hot = functional.one_hot(token_ids, len(E)).float()
print("token_ids", token_ids.tolist())
print("picked", picked)
print("one-hot times E is equal:", torch.equal(one_hot @ E, picked))
print("a linear layer is equal:", torch.equal(functional.linear(one_hot, E.T), picked))

norms = E.norm(dim=1)
print(f"rows are {{norms.min():.4f}} to {{norms.max():.4f}} long, {{norms.mean():.4f}} on average")
"""

_NOT_FRESH = """\
norms = fresh.norm(dim=1)
print(f"fresh rows are {norms.min():.4f} to {norms.max():.4f} long, {norms.mean():.4f} on average")
norms = E[known].norm(dim=1)
if len(norms):
    print(len(norms), "rows are trained:")
    print(f"they are {norms.min():.4f} to {norms.max():.4f} long, {norms.mean():.4f} on average")
"""

_SECOND = """
# A second layer takes its numbers from where {before} left the random stream.
second = torch.nn.Embedding({rows}, {width}).weight.detach()
print("second", second)
print("picked from it", second[{ids}])
"""

_POSITIONS = """
# Row p of a second table is added to the token at place p of its sample.
{draw}
places = torch.arange(len(token_ids)) % {context}
print("with positions", picked + P[places])
"""

_TRAINING = """
# The smallest language model: products of rows tell which token comes next.
table = torch.nn.Parameter(E[:, :{width}].clone())
{output}
{optimizers}
for step, part in enumerate(torch.arange(len(token_ids) - 1).tensor_split({n_steps}), start=1):
    ids = token_ids[part[0] : part[-1] + 2]
    before = table.detach().clone()
    loss = functional.cross_entropy(functional.embedding(ids[:-1], table{sparse}) @ output.T, ids[1:])
    for optimizer in optimizers:
        optimizer.zero_grad()
    loss.backward()
    for optimizer in optimizers:
        optimizer.step()
    moves = (table.detach() - before).double().norm(dim=1)
    print(f"step {{step}}: loss {{loss:.4f}}, {{int((moves > 0).sum())}} of {{len(table)}} rows moved")
    for row in ids[:-1].unique().tolist():
        print(f"  {{row}} {{tokenizer.token_bytes(row)!r}} was looked up and moved by {{moves[row]:.6f}}")
"""

_OUTPUT = """\
generator = torch.Generator().manual_seed(0)
output = torch.nn.Parameter(torch.empty(table.shape).normal_(std={width}**-0.5, generator=generator))"""


def embedding_layer_program(
    text: str,
    *,
    tokenizer: str,
    d_model: int,
    seed: int,
    table: str = "random",
    token_ids: Sequence[int] | None = None,
    max_tokens: int | None = None,
    initialisation: str = "normal_1",
    second: tuple[int, int, Sequence[int]] | None = None,
    context: int | None = None,
    optimizer: str = "sgd",
    learning_rate: float = 0.1,
    weight_decay: float = 0.01,
    tied: bool = False,
    n_steps: int = 1,
    trained_width: int | None = None,
) -> str:
    """Write the program whose output is what the page shows.

    Args:
        text: becomes a string literal, so nothing in it can become code.
        tokenizer: name in TOKENIZERS.
        d_model: row width of a random table; that of the trained table where its rows are asked for.
        seed: of a random table, and of the random rows beside trained ones.
        table: "random", "trained" for those of ``trained_rows``, or by hand: "nlp" for the rows of BY_HAND_ROWS, "sum"
            for the one row HAND_TOKEN.
        token_ids: what is looked up; None takes the tokens of the text.
        max_tokens: how many tokens of the text are kept; None keeps all.
        initialisation: name in INITIALISATIONS, of a random table, or of the fresh one that a trained one is beside.
        second: rows, width and looked-up ids of a layer that is made right after that table; None for none.
        context: how many rows the table of positions has, which is drawn last; None leaves positions out.
        optimizer: name in ROW_OPTIMIZERS.
        learning_rate: of the steps.
        weight_decay: of "adamw".
        tied: whether the output weights are the table.
        n_steps: how many steps, each on its part of the ids as ``step_texts`` cuts them; 0 leaves training out.
        trained_width: how many of the first columns are trained; None trains all.

    Returns:
        Source text of a program that needs torch and this library only.

    Raises:
        ValueError: an unknown table, initialisation or optimizer, or a second layer beside a table by hand.
    """
    for name, value, choices in (
        ("table", table, _TABLES),
        ("initialisation", initialisation, INITIALISATIONS),
        ("optimizer", optimizer, ROW_OPTIMIZERS),
    ):
        if value not in choices:
            raise ValueError(f"{name}={value!r} is unknown: choose among {', '.join(choices)}")
    by_hand = table in ("nlp", "sum")
    if second is not None and by_hand:
        raise ValueError(f"second={second} goes on in the stream of a random table: table={table!r} has none")
    cut = "" if max_tokens is None else f"[:{max_tokens}]"
    ids = f"tokenizer.encode(text){cut}" if token_ids is None else repr(list(token_ids))
    given = ", text=text" if tokenizer in ("characters", "words") else ""
    width = len(HAND_TOKEN) if by_hand else d_model
    draw = _DRAWS[initialisation]
    parts = [
        _HEAD.format(
            text=repr(text),
            tokenizer=repr(tokenizer),
            tokenizer_text=given,
            also="from embedlib.word2vec.pretrained import trained_rows\n" if table == "trained" else "",
        ),
        _TABLES[table].format(
            seed=seed,
            d_model=d_model,
            draw=draw.format(table="E"),
            fresh_draw=draw.format(table="fresh"),
            rows=BY_HAND_ROWS,
            row=list(HAND_TOKEN),
        ),
        _LOOKUP.format(ids=ids),
    ]
    if table == "trained":
        parts.append(_NOT_FRESH)
    if second is not None:
        before = "the fresh table" if table == "trained" else "E"
        parts.append(_SECOND.format(before=before, rows=second[0], width=second[1], ids=list(second[2])))
    if context is not None:
        parts.append(_POSITIONS.format(draw=_positions(table, context, draw), context=context))
    if n_steps:
        shown = trained_width or width
        parts.append(_training(optimizer, shown, learning_rate, weight_decay, tied=tied, n_steps=n_steps))
    return "".join(parts)


def _positions(table: str, context: int, draw: str) -> str:
    if table in ("random", "trained"):
        made = draw.format(table="P")
        return f"P = torch.empty({context}, E.shape[1])\n{made}"
    rows = BY_HAND_POSITIONS if table == "nlp" else (HAND_POSITION,)
    return f"P = torch.tensor({[list(row) for row in rows]})"


def _training(optimizer: str, width: int, rate: float, decay: float, *, tied: bool, n_steps: int) -> str:
    kind = ROW_OPTIMIZERS[optimizer]
    settings = f"lr={rate!r}" + (f", weight_decay={decay!r}" if kind.decays else "")
    made = f"torch.optim.{kind.title}([{'table' if tied else 'table, output'}], {settings})"
    if kind.sparse:
        made = f"torch.optim.SparseAdam([table], {settings}), torch.optim.Adam([output], {settings})"
    return _TRAINING.format(
        width=width,
        n_steps=n_steps,
        output="output = table" if tied else _OUTPUT.format(width=width),
        optimizers=f"optimizers = [{made}]",
        sparse=", sparse=True" if kind.sparse else "",
    )
