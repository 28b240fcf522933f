"""The short program that prints what several tokenizers make of one text, down to its merges and bytes."""

from collections.abc import Sequence

from embedlib.tokenizers import TOKENIZERS
from embedlib.tokenizers.bpe import ENCODINGS
from embedlib.tokenizers.trained import TRAINED
from embedlib.tokenizers.trained.unigram import MAX_CHARACTERS

_TOKENS = """\
{imports}
text = {text}
tokenizers = {{
{tokenizers}}}
tokens = {{name: {tokenize} for name, tokenizer in tokenizers.items()}}
for name, found in tokens.items():
    count = counts(text, found)
    print(name, count.tokens, "tokens:", count.characters_per_token, "characters each,", count.bytes_per_token, "bytes")
    print(name, [token.id for token in found])
    print(name, token_labels(found))
print("cut differently before characters", align(text, tokens).disagreements({compared}).places.tolist())
"""
_MERGES = """
# One piece of the text, merged pair by pair.
rules = merge_rules({rules})
data = text.encode()
start, stop = pre_tokens(rules, text)[{piece}]
for step in merge_steps(rules, data[start:stop]):
    print(step.parts, "merges", step.merges, "of rank", step.rank)
print("ids", step.ids)
"""
_BYTES = """
# What one character is made of.
for character in byte_view(text, tokens[{closely}], first={character}, stop={stop}):
    for point in character.code_points:
        print(point.code, point.name, [(byte.hex, byte.bits, byte.token) for byte in point.bytes])
"""
_LANGUAGES = """
# The same sentences in five languages.
known = {known}
for count in tokens_by_language(known, {sentences}, unknown_id={unknown}):
    print(count.language, count.tokens, count.ratio, count.tokens_per_character, count.tokens_per_byte)
"""
_IMPORTS = {
    "get_tokenizer": "embedlib",
    "align, counts": "embedlib.tokenizers.alignment",
    "byte_view": "embedlib.tokenizers.byte_view",
    "reference_manual": "embedlib.texts.corpus",
    "token_labels": "embedlib.tokenizers.labels",
    "merge_rules, merge_steps, pre_tokens": "embedlib.tokenizers.bpe_merges",
    "all_sentences, tokens_by_language": "embedlib.tokenizers.languages",
    "tokens_by_language": "embedlib.tokenizers.languages",
    "special_tokens, tokenize_typed": "embedlib.tokenizers.special",
    "train_tokenizer": "embedlib.tokenizers.trained",
}


def tokens_program(
    text: str,
    *,
    tokenizers: Sequence[str],
    closely: str,
    specials: bool = False,
    train_on_manual: bool = True,
    pieces: int = 1_000,
    compared: Sequence[str] | None = None,
    piece: int | None = None,
    character: int | None = None,
    sentences: Sequence[str] = (),
) -> str:
    """Write the program whose output is what the tokens page shows.

    Args:
        text: becomes a string literal, so nothing in it can become code; what cannot be seen is escaped. Of an empty
            one nothing is printed but the sentences.
        tokenizers: those side by side, at least one: names in TOKENIZERS or TRAINED.
        closely: the one of them that the other parts look at.
        specials: whether the names of special tokens in the text count as these tokens.
        train_on_manual: whether trained tokenizers learn from the beginning of Python's manual, as much of it as each
            of them can learn from, and not from the text.
        pieces: how many pieces these are asked to have.
        compared: between which of tokenizers disagreements are looked for; None for all.
        piece: which of the text's pieces is merged step by step, from 0, where closely merges byte pairs; None for no
            such part.
        character: which character is taken apart, from 0, as they are read; None for no such part.
        sentences: keys of SENTENCES in embedlib.tokenizers.languages, counted in every language; none for no such
            part.

    Returns:
        Source text of a program that needs this library only.

    Raises:
        ValueError: a name that is no tokenizer's, closely or compared is not among tokenizers, or a piece is asked of a
            tokenizer that merges no byte pairs.
    """
    _check(tokenizers, closely, compared, piece)
    if not text:
        piece = character = None
    parts, names = [], {"align, counts", "token_labels"} if text else set()
    if piece is not None:
        names.add("merge_rules, merge_steps, pre_tokens")
        rules = repr(closely) if closely in ENCODINGS else f"tokenizers[{closely!r}]"
        parts.append(_MERGES.format(rules=rules, piece=piece))
    if character is not None:
        names.add("byte_view")
        parts.append(_BYTES.format(closely=repr(closely), character=character, stop=character + 1))
    if sentences:
        from_text = closely in ("characters", "words")
        names.add("all_sentences, tokens_by_language" if from_text else "tokens_by_language")
        in_hand = f"tokenizers[{closely!r}]" if text else _made(closely, train_on_manual, pieces)
        made = f"get_tokenizer({closely!r}, text=all_sentences())" if from_text else in_hand
        unknown = "known.unknown_id" if closely in TRAINED else "None"
        parts.append(_LANGUAGES.format(known=made, sentences=list(sentences), unknown=unknown))
    made_here = tokenizers if text else [closely]
    if any(name in TRAINED for name in made_here):
        names |= {"train_tokenizer", "reference_manual"} if train_on_manual else {"train_tokenizer"}
    if any(name not in TRAINED for name in made_here):
        names.add("get_tokenizer")
    if specials and text:
        names.add("special_tokens, tokenize_typed")
    lines = [f"    {name!r}: {_made(name, train_on_manual, pieces)},\n" for name in tokenizers]
    imports = "".join(f"from {_IMPORTS[name]} import {name}\n" for name in sorted(names, key=_IMPORTS.__getitem__))
    if not text:
        return imports + "".join(parts)
    head = _TOKENS.format(
        imports=imports,
        text=repr(text),
        tokenizers="".join(lines),
        tokenize="tokenize_typed(tokenizer, text, special_tokens(name))" if specials else "tokenizer.tokenize(text)",
        compared="" if compared is None else list(compared),
    )
    return "".join((head, *parts))


def _check(tokenizers: Sequence[str], closely: str, compared: Sequence[str] | None, piece: int | None) -> None:
    unknown = [name for name in tokenizers if name not in TOKENIZERS and name not in TRAINED]
    if unknown or not tokenizers:
        raise ValueError(f"tokenizers={list(tokenizers)}: give at least one of {', '.join((*TOKENIZERS, *TRAINED))}")
    for name in (closely, *(compared or ())):
        if name not in tokenizers:
            raise ValueError(f"{name!r} is not side by side with the others: choose among {', '.join(tokenizers)}")
    if piece is not None and closely not in ENCODINGS and closely != "bpe":
        raise ValueError(f"piece={piece}: {closely!r} merges no byte pairs; give None")


def _made(name: str, train_on_manual: bool, pieces: int) -> str:
    """Write the call that makes a tokenizer."""
    if name in TRAINED:
        learned = f"reference_manual()[:{MAX_CHARACTERS}]" if train_on_manual else "text"
        return f"train_tokenizer({name!r}, {learned}, vocab_size={pieces})"
    return f"get_tokenizer({name!r}{', text=text' if name in ('characters', 'words') else ''})"
