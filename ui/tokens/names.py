"""Labels of tokenizers, characters and tokens, and sentences on vocabularies trained here."""

import re
from collections.abc import Sequence

from embedlib.errors import CodedError
from embedlib.tokenizers import Token, token_label, vocabulary_spellings
from embedlib.tokenizers import character_label as label_character
from embedlib.tokenizers.trained import TrainedTokenizer
from ui.cache.bounded import memo
from ui.i18n import _, join_sentences
from ui.markdown import as_code, file_as_code
from ui.settings import OWN_TOKENIZER as OWN
from ui.settings import controls, is_model_name
from ui.shared.text.tokens import REMOTE_TOKENIZERS
from ui.tokens.cache import TokenizerSpec, load_tokenizer, train_shared, training_text


def tokenizer_title(name: str) -> str:
    """Return a tokenizer's title; of a model's id only the last part.

    What could be markdown is left out of it.
    """
    if is_model_name(name):
        return re.sub(r"[^\w.-]|^www\.", "", name.rpartition("/")[2]) or "?"
    own = {
        "minilm": "MiniLM",
        "gpt2": "GPT-2",
        OWN: _("your file"),
        "bpe": _("BPE"),
        "wordpiece": _("WordPiece"),
        "unigram": _("Unigram"),
        "bytes": _("bytes"),
        "characters": _("single characters"),
        "words": _("words"),
    }
    return own.get(name, name)


def tokenizer_option_label(name: str) -> str:
    """Return a tokenizer's label among the options; an encoding's names the models that use it."""
    return controls.tokenizer_titles()[name] if name in (*REMOTE_TOKENIZERS, "minilm") else tokenizer_title(name)


@memo()
def character_label(character: str) -> str:
    """Return a label for a grapheme cluster: itself where it is visible, else a mark for it."""
    return label_character(character)


def token_names(spec: TokenizerSpec, tokens: Sequence[Token]) -> list[str]:
    """Return each token's spelling in its vocabulary, "##ing", "▁the", "[UNK]", or a label of its bytes."""
    spelled = vocabulary_spellings(load_tokenizer(spec), (token.id for token in tokens))
    return [token_label(spelled[token.id].encode() if spelled else token.bytes) for token in tokens]


def refusal_sentence(error: CodedError) -> str:
    """Return a sentence on why a vocabulary cannot be trained, with the remedy."""
    if error.code == "text_too_short":
        return _("the text has no words: type some.")
    return _("set at least {least:,}, the size of the alphabet.").format(least=error.values["least"])


def vocabulary_origin(spec: TokenizerSpec) -> str:
    """Return sentences on the source of a tokenizer's vocabulary, and whether it reached the requested size."""
    if spec.is_encoding:
        return _("made by OpenAI from text of the web")
    if spec.name == OWN:
        return file_as_code(load_tokenizer(spec).name)
    if spec.is_from_model:
        name = "all-MiniLM-L6-v2" if spec.name == "minilm" else as_code(spec.name)
        return _("comes with the model {name}").format(name=name)
    if spec.name == "bytes":
        return _("all 256 values of a byte")
    if spec.name == "words":
        return _("a list made from your text, so no word is missing; a real one would need hundreds of thousands")
    if not spec.is_trained_here:
        return _("the characters of your text")
    return join_sentences(_training_note(spec), _size_note(train_shared(spec)))


def _training_note(spec: TokenizerSpec) -> str:
    if spec.train_on == "text":
        return _("trained here on your text.")
    count = len(training_text(spec.train_on))
    if spec.train_on == "manual":
        return _("trained here on {count:,} characters of Python’s manual.").format(count=count)
    return _("trained here on {count:,} characters of simple sentences and Python’s manual.").format(count=count)


def _size_note(tokenizer: TrainedTokenizer) -> str:
    if tokenizer.vocab_size >= tokenizer.requested_size:
        return ""
    return _("The training text gives no more; {asked:,} were asked for.").format(asked=tokenizer.requested_size)
