"""The program that prints the numbers of the lesson on the embedding layer."""

from collections.abc import Sequence

from embedlib.embedding import INITIALISATIONS, ROW_OPTIMIZERS
from embedlib.examples import BY_HAND_POSITIONS, HAND_POSITION, HAND_TOKEN, by_hand_rows
from embedlib.programs.render import fill, program

_TABLES = ("random", "minilm", "trained", "nlp", "sum")
# How torch.nn.init draws each of INITIALISATIONS: the function, and what follows the table.
_DRAWS = {
    "normal_1": ("normal_", ""),
    "normal_0.02": ("normal_", ", std=0.02"),
    "uniform": ("uniform_", ", -0.05, 0.05"),
    "xavier_uniform": ("xavier_uniform_", ""),
    "xavier_normal": ("xavier_normal_", ""),
}


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
    tied: bool = False,
    n_steps: int = 1,
    trained_width: int | None = None,
) -> str:
    """Write the program that prints the numbers of the embedding layer page.

    Args:
        tokenizer: name in TOKENIZERS, or "minilm".
        seed: of a random table, and of the random rows beside trained ones.
        table: "random", "minilm", "trained" for ``trained_rows``, or by hand: "nlp" for BY_HAND_ROWS, "sum" for the one
            row HAND_TOKEN.
        token_ids: that are looked up; None takes the tokens of the text.
        max_tokens: of the text; None keeps all.
        initialisation: name in INITIALISATIONS, of a random table, or of the fresh one beside a trained one.
        second: rows, width and looked-up ids of a layer that is drawn right after that table; None for none.
        context: rows of the table of positions, which is drawn last; None leaves positions out.
        tied: whether the output weights are the table.
        n_steps: each on its part of the ids as ``step_texts`` cuts them; 0 leaves training out.
        trained_width: how many of the first columns are trained; None trains all.
    """
    for name, value, choices in (
        ("table", table, _TABLES),
        ("initialisation", initialisation, INITIALISATIONS),
        ("optimizer", optimizer, ROW_OPTIMIZERS),
    ):
        if value not in choices:
            raise ValueError(f"{name}={value!r} is unknown: choose among {', '.join(choices)}")
    by_hand, is_learned = table in ("nlp", "sum"), table in ("minilm", "trained")
    if second is not None and by_hand:
        raise ValueError(f"second={second} goes on in the stream of a random table: table={table!r} has none")
    draw, draw_settings = _DRAWS[initialisation]
    kind = ROW_OPTIMIZERS[optimizer]
    settings = f"lr={learning_rate!r}" + (f", weight_decay={kind.weight_decay!r}" if kind.weight_decay else "")
    width = trained_width or (len(HAND_TOKEN) if by_hand else d_model)
    hand_rows = by_hand_rows(text) if table == "nlp" else [HAND_TOKEN]
    hand_positions = BY_HAND_POSITIONS if table == "nlp" else [HAND_POSITION]
    return program(fill("embedding_layer", **locals()))
