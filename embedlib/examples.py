"""Worked examples: texts, sizes and sums under which courses on token embeddings print their numbers."""

from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from embedlib.i18n import N_


@dataclass(frozen=True)
class Example:
    """A text and the settings to see it with.

    Attributes:
        name: stable name.
        title: what to look at, English, marked for translation.
        text: the text.
        settings: what differs from the defaults.
    """

    name: str
    title: str
    text: str
    settings: dict[str, Any] = field(default_factory=dict)


LONG_TEXT = (
    "A model never sees letters. It sees a list of whole numbers, one for each piece of text, and each number "
    "names a row in a table. The row is the model's first idea of what the piece means. Rows carry no order, "
    "so the word that comes first looks just like the word that comes last; a second vector, made from the position "
    "alone, is added to each row before anything else happens. What enters the first layer is the sum of the two. "
    "Whether the sum still tells which word it was, and where it stood, depends on how long the two vectors are "
    "against each other."
)

# Of words whose rows the shipped table has trained, but for the points and commas.
STORY = (
    "The king and the queen had an old dog. Every day they walked with him to the market, and every evening they "
    "came home to the palace. But on a cold night in December the dog was lost. The king asked the farmer, the queen "
    "asked the teacher, and the baker heard the dog in the bakery. He ate all the bread, and the baker was very angry. "
    "The king bought the baker a new oven, and now the dog sleeps by it every night."
)

_RANDOM = {"table": "random"}  # the figures that courses print are of random rows

EXAMPLES: dict[str, Example] = {
    example.name: example
    for example in (
        Example(
            "meaning",
            N_("Trained rows"),
            "The king and queen fed the dog and cat",
            {"table": "trained"},
        ),
        Example("cat", N_("The cat sat on the mat"), "The cat sat on the mat", _RANDOM),
        Example("mat", N_("Same words, other order"), "The mat sat on the cat", _RANDOM),
        Example("pieces", N_("Split characters"), "👩‍👩‍👧 naïve 日本語", _RANDOM),
        Example(
            "special",
            N_("Special token"),
            "Hello, do you like tea? <|endoftext|> In the sunlit terraces",
            _RANDOM,
        ),
        Example(
            "six_rows",
            N_("A table of 6 × 3"),
            "0 1 2 3 4 5",
            _RANDOM | {"tokenizer": "words", "d_model": 3, "heads": 1, "seed": 123, "scheme": "none"},
        ),
        Example(
            "fox",
            N_("Six words, seed 42"),
            "Quick fox is in the house",
            _RANDOM | {"tokenizer": "words", "d_model": 3, "heads": 1, "seed": 42, "scheme": "none"},
        ),
        Example(
            "nlp", N_("Sum by hand"), "I love NLP", {"tokenizer": "words", "table": "by_hand", "scheme": "learned"}
        ),
        Example(
            "sines",
            N_("Four positions, six sines"),
            "one two three four",
            _RANDOM | {"tokenizer": "words", "d_model": 6, "heads": 1, "scheme": "sinusoidal"},
        ),
        Example("long", N_("Longer text"), LONG_TEXT, _RANDOM),
    )
}

# Rows that can be added in the head; keyed by word, so that any order of the three words shows its own sum.
BY_HAND_ROWS: dict[str, tuple[float, ...]] = {"I": (0.1, 0.3, 0.4), "love": (0.2, 0.6, 0.5), "NLP": (0.7, 0.9, 0.8)}
BY_HAND_POSITIONS: tuple[tuple[float, ...], ...] = ((0.01, 0.02, 0.03), (0.04, 0.05, 0.06), (0.07, 0.08, 0.09))


def by_hand_table(words: list[str]) -> Tensor:
    """Return the by-hand rows of a vocabulary.

    Returns: (len(words), 3) float32.
    """
    missing = [word for word in words if word not in BY_HAND_ROWS]
    if missing:
        raise ValueError(f"word={missing[0]!r} has no row by hand: choose among {', '.join(BY_HAND_ROWS)}")
    return torch.tensor([BY_HAND_ROWS[word] for word in words], dtype=torch.float32)


def by_hand_positions() -> Tensor:
    """Return the by-hand position table, (3, 3) float32."""
    return torch.tensor(BY_HAND_POSITIONS, dtype=torch.float32)


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

# The examples as readers of other languages find them, by the English text.
_IN_LANGUAGES: dict[str, dict[str, str]] = {
    "fr": {
        EXAMPLES["meaning"].text: "Le roi et la reine ont nourri le chien et le chat",
        EXAMPLES["cat"].text: "Le chat dort sur le tapis",
        EXAMPLES["mat"].text: "Le tapis dort sur le chat",
        EXAMPLES["pieces"].text: "L’été, aujourd’hui, un cœur naïf 👩‍👩‍👧",
        EXAMPLES["special"].text: "Bonjour, aimez-vous le thé ? <|endoftext|> Sur les terrasses ensoleillées",
        "The queen rewrote a fairytale": "L’été dernier, la reine réécrivit un conte de fées",
    },
    "zh": {
        EXAMPLES["meaning"].text: "国王和女王有白犬和金花",  # of characters that MiniLM has rows for
        EXAMPLES["cat"].text: "猫坐在垫子上",
        EXAMPLES["mat"].text: "垫子坐在猫上",
        EXAMPLES["pieces"].text: "猫 👩‍👩‍👧 naïve",
        EXAMPLES["special"].text: "你好，喝茶吗？<|endoftext|> 在阳光下的露台上",
        "The queen rewrote a fairytale": "猫坐在垫子上，看着窗外的雨",
    },
}


def in_language(text: str, language: str) -> str:
    """Return the text of an example as readers of a language find it.

    Args:
        text: in English.
        language: its code, as "fr".

    Returns: The text itself where that language has none of its own.
    """
    return _IN_LANGUAGES.get(language, {}).get(text, text)
