"""The program that prints several tokenizations of one text, down to merges and bytes."""

from collections.abc import Sequence
from typing import Literal

from embedlib.programs.render import Code, call, fill, literal, program, tokenizer_call
from embedlib.tokenizers import ENCODINGS, TOKENIZERS
from embedlib.tokenizers.trained import MAX_UNIGRAM_CHARACTERS, TRAINED


def tokens_program(
    text: str,
    *,
    tokenizers: Sequence[str],
    closely: str,
    specials: bool = False,
    train_on: Literal["sentences", "manual", "text"] = "manual",
    pieces: int = 1_000,
    compared: Sequence[str] | None = None,
    piece: int | None = None,
    character: int | None = None,
    sentences: Sequence[str] = (),
) -> str:
    """Write the program that prints the numbers of the tokens page.

    Args:
        text: an empty one prints nothing but the sentences.
        tokenizers: side by side, at least one: names in TOKENIZERS or TRAINED, "minilm", sources of open_tokenizer, or
            "yours" for a tokenizer.json in the program's folder.
        specials: whether the names of special tokens in the text count as these tokens.
        train_on: text of trained tokenizers: "sentences" of the grammar and a part of Python's manual; the beginning of
            the "manual", as much as each of them can learn from; or the "text".
        compared: tokenizers whose disagreements are printed; None for all.
        piece: index of the piece that is merged step by step, if `closely` is a byte-pair encoding; None for none.
        character: index of the grapheme cluster that is split into code points and bytes; None for none.
        sentences: keys of SENTENCES in embedlib.tokenizers, counted in every language; empty for none.
    """
    _check_choices(tokenizers, closely, compared, piece)
    calls = {name: _tokenizer_code(name, train_on, pieces) for name in tokenizers}
    selected = Code(f"tokenizers[{literal(closely)}]")
    from_sentences = bool(sentences) and closely in ("characters", "words")
    counting = selected if text else calls[closely]
    if from_sentences:
        counting = tokenizer_call(closely, "all_sentences()")
    rules = closely if closely in ENCODINGS else selected
    unknown = None if closely in TOKENIZERS else "tokenizer.unknown_id"
    made = " ".join([*(calls.values() if text else ()), *([counting] if sentences else ())])
    return program(fill("tokens", **locals()))


def _check_choices(tokenizers: Sequence[str], closely: str, compared: Sequence[str] | None, piece: int | None) -> None:
    known = {*TOKENIZERS, *TRAINED, "minilm", "yours"}
    unknown = [name for name in tokenizers if name not in known and "/" not in name]
    if unknown or not tokenizers:
        raise ValueError(f"tokenizers={list(tokenizers)}: give at least one of {', '.join((*TOKENIZERS, *TRAINED))}")
    for name in (closely, *(compared or ())):
        if name not in tokenizers:
            raise ValueError(f"{name!r} is not side by side with the others: choose among {', '.join(tokenizers)}")
    if piece is not None and closely not in ENCODINGS and closely != "bpe":
        raise ValueError(f"piece={piece}: {closely!r} merges no byte pairs; give None")


def _tokenizer_code(name: str, train_on: str, pieces: int) -> Code:
    """Write the call that makes a tokenizer."""
    if name == "minilm":
        return Code("minilm().tokenizer()")
    if name == "yours" or "/" in name:
        return call("open_tokenizer", "." if name == "yours" else name)
    if name not in TRAINED:
        return tokenizer_call(name)
    corpus = {
        "sentences": "grammar_text(1_000)[:30_000] + reference_manual()[:10_000]",
        "manual": f"reference_manual()[:{MAX_UNIGRAM_CHARACTERS}]",
        "text": "text",
    }[train_on]
    return call("train_tokenizer", name, Code(corpus), vocab_size=pieces)
