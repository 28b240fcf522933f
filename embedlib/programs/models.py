"""The program that prints the numbers of the page of trained models."""

from embedlib.programs.render import Code, call, fill, program


def models_program(
    source: str,
    text: str,
    *,
    table: str | None = None,
    positions: str | None = None,
    other: str | None = None,
    other_table: str | None = None,
    word: str | None = None,
    has_positions: bool = True,
    most: int = 4_000,
) -> str:
    """Write the program that prints a model's rows, positions and neighbours.

    Args:
        source: "minilm", the id of a model on the Hub, or a folder.
        table: name of its tensor of token rows, where that is not a usual one.
        positions: name of its tensor of position rows, where it has several.
        other: the model beside it; None for the table of the grammar.
        word: whose neighbours are printed; None for none.
        has_positions: whether the model has a position table.
        most: number of common words by which the tables are compared, the first in the first model's.
    """

    def opening_call(name: str, table: str | None = None, positions: str | None = None) -> Code:
        named = {key: tensor for key, tensor in (("table", table), ("positions", positions)) if tensor}
        return Code("minilm()") if name == "minilm" else call("open_checkpoint", name, **named)

    uses = sorted({"minilm" if name == "minilm" else "open_checkpoint" for name in (source, other) if name})
    return program(fill("models", **locals()))
