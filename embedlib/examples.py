"""Worked examples: texts, sizes and sums under which courses on token embeddings print their numbers."""

from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from embedlib.i18n import N_


@dataclass(frozen=True)
class Example:
    """A text and settings to see it with.

    Attributes:
        name: stable name.
        title: what to look at, English, marked for translation.
        settings: those that differ from the defaults.
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
            "nlp",
            N_("Three words, three numbers each"),
            "I love NLP",
            {"tokenizer": "words", "table": "by_hand", "scheme": "learned"},
        ),
        Example("meaning", N_("A sentence with trained rows"), "The king and queen fed the dog and cat"),
        Example("cat", N_("Random rows, as before training"), "The cat sat on the mat", _RANDOM),
        Example("mat", N_("Two orders of the same words"), "The cat sat on the mat, the mat sat on the cat"),
        Example("pieces", N_("Characters cut into several tokens"), "👩‍👩‍👧 naïve 日本語", _RANDOM),
        Example("special", N_("A special token"), "The capital of France is [MASK]."),  # to MiniLM's tokenizer
        Example(
            "six_rows",
            N_("A whole table: 6 rows of 3 numbers"),
            "0 1 2 3 4 5",
            _RANDOM | {"tokenizer": "words", "d_model": 3, "heads": 1, "seed": 123, "scheme": "none"},
        ),
        Example(
            "fox",
            N_("Six words, random rows of seed 42"),
            "Quick fox is in the house",
            _RANDOM | {"tokenizer": "words", "d_model": 3, "heads": 1, "seed": 42, "scheme": "none"},
        ),
        Example(
            "sines",
            N_("Sines and cosines at four positions"),
            "one two three four",
            _RANDOM | {"tokenizer": "words", "d_model": 6, "heads": 1, "scheme": "sinusoidal"},
        ),
        Example("long", N_("A longer text"), LONG_TEXT, _RANDOM),
    )
}

# Rows that can be added in the head; keyed by word, so that any order of the three words shows its own sum.
_ROWS_BY_HAND = ((0.1, 0.3, 0.4), (0.2, 0.6, 0.5), (0.7, 0.9, 0.8))
BY_HAND_ROWS: dict[str, tuple[float, ...]] = {
    word: row
    for text in (EXAMPLES["nlp"].text, "Vive le TAL", "我 爱 NLP")
    for word, row in zip(text.split(), _ROWS_BY_HAND, strict=True)
}
BY_HAND_POSITIONS: tuple[tuple[float, ...], ...] = ((0.01, 0.02, 0.03), (0.04, 0.05, 0.06), (0.07, 0.08, 0.09))


def by_hand_table(words: list[str]) -> Tensor:
    """Return the by-hand rows of a vocabulary, (len(words), 3) float32."""
    missing = [word for word in words if word not in BY_HAND_ROWS]
    if missing:
        raise ValueError(f"word={missing[0]!r} has no row by hand: choose among {', '.join(BY_HAND_ROWS)}")
    return torch.tensor([BY_HAND_ROWS[word] for word in words], dtype=torch.float32)


def by_hand_rows(text: str) -> dict[str, tuple[float, ...]]:
    """Return the by-hand rows of a text's words, in the order of BY_HAND_ROWS."""
    return {word: row for word, row in BY_HAND_ROWS.items() if word in text.split()}


def by_hand_positions() -> Tensor:
    """Return the by-hand position table, (3, 3) float32."""
    return torch.tensor(BY_HAND_POSITIONS, dtype=torch.float32)


@dataclass(frozen=True)
class LayerExample:
    """Settings of the lesson that reproduce a course's figures.

    Attributes:
        name: stable name.
        title: what to look at, English, marked for translation.
        tokenizer: name in TOKENIZERS.
        chosen: position of the token to look at.
        vocab_size: rows for the measured cost; None leaves that unchanged.
        n_tokens: number of rows looked up there; None likewise.
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
            "gpt2_size", N_("GPT-2’s table, 1,024 tokens"), EXAMPLES["cat"].text, "gpt2", 768, 123,
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
        EXAMPLES["meaning"].text: "Le chat noir et le chat blanc",
        EXAMPLES["cat"].text: "Le chat dort sur le tapis",
        EXAMPLES["mat"].text: "Le chat dort sur le tapis, le tapis dort sur le chat",
        EXAMPLES["pieces"].text: "L’été, aujourd’hui, un cœur naïf 👩‍👩‍👧",
        EXAMPLES["special"].text: "La capitale de la France est [MASK].",
        EXAMPLES["fox"].text: "Le renard roux dort bien tard",
        EXAMPLES["nlp"].text: "Vive le TAL",
        EXAMPLES["sines"].text: "un deux trois quatre",
        LONG_TEXT: (
            "Un modèle ne voit jamais de lettres. Il voit une liste de nombres entiers, un par morceau de texte, et "
            "chaque nombre désigne une ligne d’une table. Les lignes ne portent aucun ordre ; un second vecteur, tiré "
            "de la seule position, s’ajoute donc à chacune. Ce qui entre dans la première couche est la somme des deux."
        ),
        STORY: (
            "Le roi et la reine avaient un vieux chien. Chaque jour, il allait avec eux au marché, et chaque soir ils "
            "rentraient au palais. Mais une nuit froide de décembre, le chien se perdit. Le roi interrogea le fermier, "
            "la reine interrogea le professeur, et le boulanger entendit le chien dans la boulangerie. Il avait mangé "
            "tout le pain, et le boulanger était furieux. Le roi lui acheta un four neuf, et le chien dort à côté "
            "chaque nuit."
        ),
        # Tokens
        "The queen rewrote a fairytale": "L’été, la reine réécrit un conte",
        "Hello, do you like tea? <|endoftext|> In the sunlit terraces of someunknownPlace.": (
            "Bonjour, aimez-vous le thé ? <|endoftext|> Sur les terrasses ensoleillées de quelqueLieuInconnu."
        ),
        "Untranslatable counterexamples disproportionately overwhelm uncompromising tokenizers.": (
            "Anticonstitutionnellement, d’incompréhensibles disproportionnalités désorientent les tokeniseurs."
        ),
        "Answer in one short sentence.": "Réponds par une phrase courte.",
        "Do you like tea?": "Aimes-tu le thé ?",
        "Yes, with a little milk.": "Oui, avec un peu de lait.",
        # Embedding layer: 20 of GPT-2's tokens, and one word
        "A model never sees letters. It sees a list of whole numbers, one for each piece of text": (
            "Un modèle ne voit jamais de lettres, mais des nombres"
        ),
        "word": "mot",
        # Word order: two things that change places, and a word whose place turns the meaning
        "the dog saw the man": "le chien a vu l’homme",
        "the man saw the dog": "l’homme a vu le chien",
        "the cat sat on the mat": "le chat dort sur le tapis",
        "the mat sat on the cat": "le tapis dort sur le chat",
        "NLP love I": "TAL le Vive",
        "she was happy , not sad": "il peut ne pas venir",
        "she was not happy , sad": "il ne peut pas venir",
    },
    "zh": {
        EXAMPLES["meaning"].text: "国王和女王相信公主和王子",  # of characters that MiniLM has rows for
        EXAMPLES["cat"].text: "猫坐在垫子上",
        EXAMPLES["mat"].text: "山上有水，水上有山",
        EXAMPLES["pieces"].text: "猫 👩‍👩‍👧 naïve",
        EXAMPLES["special"].text: "国王和女王有[MASK]。",
        EXAMPLES["fox"].text: "敏捷 的 狐狸 在 屋 里",
        EXAMPLES["nlp"].text: "我 爱 NLP",
        EXAMPLES["sines"].text: "一 二 三 四",
        LONG_TEXT: (
            "模型从不看字母。它看到一串整数，每个整数指向表中的一行。行里没有顺序，"
            "所以每行再加上一个由位置决定的向量。第一层收到两者之和。"
        ),
        # Of characters that MiniLM has rows for, as are three pairs of Word order.
        STORY: (
            "国王和女王有一白犬。春天，白犬和王子出城，上山下河，天天同行。秋天，火山出火，城中人人不安。"
            "王子和白犬同上高山。山上有石，石中有水，水中有金花。白犬口中有金花，王子手中有清水。"
            "国王和女王心安，家家平安。"
        ),
        "The queen rewrote a fairytale": "猫坐在垫子上，看着窗外的雨",
        "Hello, do you like tea? <|endoftext|> In the sunlit terraces of someunknownPlace.": (
            "你好，喝茶吗？<|endoftext|> 在某个unknownPlace阳光下的露台上。"
        ),
        "Untranslatable counterexamples disproportionately overwhelm uncompromising tokenizers.": (
            "脱氧核糖核酸实验室位于布宜诺斯艾利斯。"
        ),
        "Answer in one short sentence.": "请用一句话回答。",
        "Do you like tea?": "你喜欢喝茶吗？",
        "Yes, with a little milk.": "喜欢，加一点牛奶。",
        "A model never sees letters. It sees a list of whole numbers, one for each piece of text": "模型不看字，只看数",
        "word": "词",
        "the dog saw the man": "国王 相信 女王",
        "the man saw the dog": "女王 相信 国王",
        "the cat sat on the mat": "山 上 有 水",
        "the mat sat on the cat": "水 上 有 山",
        "NLP love I": "NLP 爱 我",
        "she was happy , not sad": "学生 不 都 相信",
        "she was not happy , sad": "学生 都 不 相信",
    },
}


def in_language(text: str, language: str) -> str:
    """Return an example's text in a language, by its code ("fr"); the text itself if there is no other."""
    return _IN_LANGUAGES.get(language, {}).get(text, text)
