"""Why a text gives no vocabulary, in plain English and in values that a page can translate."""

from typing import Literal

Code = Literal["vocabulary_too_small", "text_too_short"]


class TrainingRefused(ValueError):
    """A tokenizer that cannot be trained as asked; the message is one plain sentence with the remedy.

    Attributes:
        code: "vocabulary_too_small" (vocab_size holds less than the alphabet) or "text_too_short" (the text holds no
            word to learn from).
        least: the smallest vocab_size that this text and kind allow, or how many words a text must hold.
    """

    def __init__(self, code: Code, least: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code: Code = code
        self.least = least

    def __reduce__(self) -> tuple[type["TrainingRefused"], tuple[Code, int, str]]:
        """Pickle all three; ValueError alone would keep the sentence only."""
        return TrainingRefused, (self.code, self.least, str(self))


def check_vocab_size(vocab_size: int, least: int, alphabet: str) -> None:
    """Refuse a vocabulary that is smaller than the alphabet it begins with.

    Args:
        vocab_size: how many tokens it may hold.
        least: how many it holds before anything is learned.
        alphabet: what those are, for the sentence.

    Raises:
        TrainingRefused: vocab_size < least.
    """
    if vocab_size < least:
        sentence = f"vocab_size={vocab_size} is smaller than {alphabet}: choose at least {least}"
        raise TrainingRefused("vocabulary_too_small", least, sentence)


def check_words(n_words: int, words: str) -> None:
    """Refuse a text without a word to learn from.

    Args:
        n_words: how many it holds.
        words: what is counted, for the sentence.

    Raises:
        TrainingRefused: n_words is 0.
    """
    if not n_words:
        raise TrainingRefused("text_too_short", 1, f"text holds no {words} to learn from: give at least one")
