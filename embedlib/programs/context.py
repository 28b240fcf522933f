"""The program that prints a trained model's layers for a word, a text and sentences."""

from collections.abc import Mapping, Sequence
from typing import Any

from embedlib.programs.render import Code, call, fill, program


def context_program(
    source: str,
    *,
    in_folder: bool = False,
    word: str,
    sentences: Sequence[str],
    uses: Sequence[tuple[int, str]],
    layer: int,
    text: str,
    attention_layer: int,
    head: int,
    positions: Mapping[str, Mapping[str, Any]],
    compared: Sequence[str],
    max_tokens: int,
    as_widget: bool = False,
) -> str:
    """Write the program that prints the numbers of the context page.

    Args:
        source: of the model: "minilm", an id of the Hub, or a folder.
        in_folder: whether that folder is relative to the one in EMBEDLIB_MODELS.
        word: that is followed.
        sentences: two or three that contain it.
        uses: further uses of the word: a number for the meaning, and a sentence; empty for none.
        layer: in which these are compared, 0 for the input.
        text: whose tokens, attention and positions are printed; "" for none.
        attention_layer: from 1.
        head: from 0.
        positions: name to the arguments of ``embedlib.contextual.Positions``.
        compared: sentences that are compared with each other; empty for none.
        as_widget: instead write the lines that show the head's attention weights as a widget; needs a text.
    """
    model = call("open_model", source, **({"root": Code('os.environ["EMBEDLIB_MODELS"]')} if in_folder else {}))
    made = {name: call("Positions", **arguments) for name, arguments in positions.items()}
    return program(fill("context_widget" if as_widget else "context", **locals()))
