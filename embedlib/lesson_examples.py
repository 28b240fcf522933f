"""The lesson on the embedding layer with the very figures that courses print: texts, sizes and sums."""

from dataclasses import dataclass

from embedlib.examples import EXAMPLES
from embedlib.i18n import N_


@dataclass(frozen=True)
class LayerExample:
    """Settings of the lesson under which a course's figures appear.

    Attributes:
        name: stable name.
        title: what to look at, English, marked for translation.
        text: the text whose tokens are looked up.
        tokenizer: name in TOKENIZERS.
        d_model: row width.
        seed: of the table.
        chosen: position in the text of the token to look at.
        vocab_size: rows at which the cost is measured; None leaves that as it is.
        n_tokens: how many rows are looked up there; None likewise.
    """

    name: str
    title: str
    text: str
    tokenizer: str
    d_model: int
    seed: int
    chosen: int = 0
    vocab_size: int | None = None
    n_tokens: int | None = None


LAYER_EXAMPLES: dict[str, LayerExample] = {
    example.name: example
    for example in (
        LayerExample("six_rows", EXAMPLES["six_rows"].title, EXAMPLES["six_rows"].text, "words", 3, 123, chosen=3),
        LayerExample("fox", EXAMPLES["fox"].title, EXAMPLES["fox"].text, "words", 3, 42),
        LayerExample(
            "gpt2_size", N_("GPT-2's table, 1,024 tokens"), EXAMPLES["cat"].text, "gpt2", 768, 123,
            vocab_size=50_257, n_tokens=1_024,
        ),
        LayerExample("nlp", EXAMPLES["nlp"].title, EXAMPLES["nlp"].text, "words", 3, 123),
    )
}  # fmt: skip

# The sum in one's head: a token's row and a position's.
HAND_TOKEN = (0.5, -0.2, 0.1)
HAND_POSITION = (0.1, 0.3, -0.1)
