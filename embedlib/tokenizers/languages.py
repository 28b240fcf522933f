"""The same sentences in five languages, and the number of tokens of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from embedlib.i18n import N_
from embedlib.tokenizers.alignment import token_counts
from embedlib.tokenizers.base import Tokenizer

REFERENCE_LANGUAGE = "en"  # what the others are compared with


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the comparison.

    Attributes:
        code: BCP 47 tag, for the lang attribute.
        title: its name in English, marked for translation.
        own_name: its name in itself.
    """

    code: str
    title: str
    own_name: str
    direction: Literal["ltr", "rtl"] = "ltr"


LANGUAGES: dict[str, Language] = {
    language.code: language
    for language in (
        Language("en", N_("English"), "English"),
        Language("fr", N_("French"), "Français"),
        Language("zh", N_("Chinese"), "中文"),
        Language("hi", N_("Hindi"), "हिन्दी"),
        Language("ar", N_("Arabic"), "العربية", "rtl"),
    )
}

# name -> language -> sentence. Each says the same as a speaker would say it, not word for word.
SENTENCES: dict[str, dict[str, str]] = {
    "story": {
        "en": "Every evening, the children read a story before going to sleep.",
        "fr": "Chaque soir, les enfants lisent une histoire avant de dormir.",
        "zh": "每天晚上，孩子们睡觉前都会读一个故事。",
        "hi": "हर शाम बच्चे सोने से पहले एक कहानी पढ़ते हैं।",
        "ar": "كل مساء، يقرأ الأطفال قصة قبل أن يناموا.",
    },
    "train": {
        "en": "The train to the north leaves at eight in the morning.",
        "fr": "Le train pour le nord part à huit heures du matin.",
        "zh": "开往北方的火车早上八点出发。",
        "hi": "उत्तर की ओर जाने वाली रेलगाड़ी सुबह आठ बजे निकलती है।",
        "ar": "ينطلق القطار المتجه إلى الشمال في الساعة الثامنة صباحًا.",
    },
    "pharmacy": {
        "en": "Can you tell me where the nearest pharmacy is?",
        "fr": "Pouvez-vous me dire où se trouve la pharmacie la plus proche ?",
        "zh": "您能告诉我最近的药店在哪里吗？",
        "hi": "क्या आप मुझे बता सकते हैं कि सबसे नज़दीकी दवा की दुकान कहाँ है?",
        "ar": "هل يمكنك أن تخبرني أين تقع أقرب صيدلية؟",
    },
    "garden": {
        "en": "My grandmother grows tomatoes and beans in a small garden behind the house.",
        "fr": "Ma grand-mère cultive des tomates et des haricots dans un petit jardin derrière la maison.",
        "zh": "我奶奶在房子后面的小园子里种番茄和豆子。",
        "hi": "मेरी दादी घर के पीछे एक छोटे बगीचे में टमाटर और फलियाँ उगाती हैं।",
        "ar": "تزرع جدتي الطماطم والفاصولياء في حديقة صغيرة خلف المنزل.",
    },
    "teacher": {
        "en": "A good teacher explains a difficult idea with a simple example.",
        "fr": "Un bon professeur explique une idée difficile avec un exemple simple.",
        "zh": "好老师会用简单的例子来讲解难懂的概念。",
        "hi": "एक अच्छा शिक्षक कठिन विचार को सरल उदाहरण से समझाता है।",
        "ar": "المعلم الجيد يشرح فكرة صعبة بمثال بسيط.",
    },
}


@dataclass(frozen=True, slots=True)
class LanguageCount:
    """Token counts of one language's sentences.

    Attributes:
        language: a key of LANGUAGES.
        tokens: of all sentences.
        unknown: how many of these are the unknown token, and so carry nothing of the text.
        characters: grapheme clusters of the sentences.
        bytes: of the sentences in UTF-8.
        ratio: tokens per token of the same sentences in English; None where English has none.
    """

    language: str
    texts: tuple[str, ...]
    tokens: int
    unknown: int
    characters: int
    bytes: int
    ratio: float | None

    @property
    def tokens_per_character(self) -> float:
        """Tokens per grapheme cluster."""
        return self.tokens / self.characters

    @property
    def tokens_per_byte(self) -> float:
        """Tokens per byte of UTF-8: at most 1 for a byte-pair encoding."""
        return self.tokens / self.bytes


def all_sentences() -> str:
    """Return every sentence in every language, one to a line, for tokenizers that take their vocabulary from it."""
    return "\n".join(text for sentence in SENTENCES.values() for text in sentence.values())


def tokens_by_language(
    tokenizer: Tokenizer, sentences: Sequence[str] = tuple(SENTENCES), *, unknown_id: int | None = None
) -> list[LanguageCount]:
    """Count the tokens of the same sentences (keys of SENTENCES, each tokenized by itself) in each language."""
    wrong = [name for name in sentences if name not in SENTENCES]
    if wrong or not sentences:
        raise ValueError(f"sentences={list(sentences)!r}: give at least one of {', '.join(SENTENCES)}")
    texts = {language: tuple(SENTENCES[name][language] for name in sentences) for language in LANGUAGES}
    ids = {language: [tokenizer.encode(text) for text in given] for language, given in texts.items()}
    english = sum(map(len, ids[REFERENCE_LANGUAGE]))
    counts = []
    for language, given in texts.items():
        numbers = [token_counts(text, row) for text, row in zip(given, ids[language], strict=True)]
        tokens = sum(number.tokens for number in numbers)
        counts.append(
            LanguageCount(
                language=language,
                texts=given,
                tokens=tokens,
                unknown=0 if unknown_id is None else sum(row.count(unknown_id) for row in ids[language]),
                characters=sum(number.characters for number in numbers),
                bytes=sum(number.bytes for number in numbers),
                ratio=tokens / english if english else None,
            )
        )
    return counts
