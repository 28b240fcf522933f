"""Byte-pair encoding one merge at a time, for explanation rather than speed."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from embedlib.tokenizers.base import Tokenizer, utf8_bytes
from embedlib.tokenizers.bpe import ENCODINGS, definition, parse_vocabulary
from embedlib.tokenizers.trained.bpe import TrainedBytePairs
from embedlib.tokenizers.unicode import byte_offsets
from embedlib.tokenizers.vocabularies import read_vocabulary

MAX_PIECE_BYTES = 512  # the steps of a piece take memory quadratic in its length


@dataclass(frozen=True, slots=True, eq=False)
class MergeRules:
    """Pattern and merge ranks of a byte-pair encoding.

    Attributes:
        pattern: regular expression whose matches are the pieces that a text is cut into before anything is merged.
        token_ids: token -> id, which is also its rank. The rank of a pair of neighbours is that of the two joined.
    """

    name: str
    pattern: str
    token_ids: Mapping[bytes, int]


@dataclass(frozen=True, slots=True)
class MergeStep:
    """A piece on its way from single bytes to tokens.

    Attributes:
        parts: the bytes of each part; together they are the piece.
        ids: the id of each part; None for one that is no token, as a byte that the vocabulary lacks.
        ranks: of each pair of neighbours, or None; one fewer than parts.
        merge_index: index of the left part of the next merge; None in the last step.
        rank: of that pair, the lowest of ranks, the leftmost of equals; None in the last step.
        is_whole_token: whether this step, then the last, came from the vocabulary and not from a merge: the piece is a
            token that these merges do not produce.
    """

    parts: tuple[bytes, ...]
    ids: tuple[int | None, ...]
    ranks: tuple[int | None, ...]
    merge_index: int | None
    rank: int | None
    is_whole_token: bool = False


def merge_rules(source: str | Tokenizer) -> MergeRules:
    """Return the rules of a key of ENCODINGS, or of a tokenizer trained as "bpe".

    Keep them: those of gpt2 take 0.1 s to read, of larger vocabularies more. VocabularyUnavailable if the encoding's
    file is missing or damaged.
    """
    if isinstance(source, TrainedBytePairs):
        return MergeRules(source.name, source.pattern, source.ranks)
    if not isinstance(source, str) or source not in ENCODINGS:
        name = source if isinstance(source, str) else source.name
        raise ValueError(
            f"source={name!r} does not merge byte pairs: choose among {', '.join(ENCODINGS)}, or train a tokenizer "
            'as "bpe"'
        )
    ranks = parse_vocabulary(read_vocabulary(ENCODINGS[source]))
    return MergeRules(source, definition(ENCODINGS[source], ranks)["pat_str"], ranks)


def pre_tokens(rules: MergeRules, text: str) -> list[tuple[int, int]]:
    """Split a text into the pieces within which pairs are merged: (start, stop) in the text's UTF-8 bytes."""
    import regex  # knows \p{L} and possessive quantifiers

    utf8_bytes(text)
    offsets = byte_offsets(text)
    pieces = regex.finditer(rules.pattern, _mask_newer_unicode(text))
    return [(int(offsets[piece.start()]), int(offsets[piece.end()])) for piece in pieces]


def _mask_newer_unicode(text: str) -> str:
    """Replace code points that are newer than tiktoken's Unicode by an unassigned one."""
    if text.isascii():
        return text
    from tiktoken import Encoding

    single_bytes = {bytes([byte]): byte for byte in range(256)}
    known = Encoding("known", pat_str=r"\P{Cn}", mergeable_ranks=single_bytes, special_tokens={})
    kept = bytes(known.encode_ordinary("".join(set(text)))).decode()  # unmatched characters are left out
    return text.translate(dict.fromkeys(map(ord, set(text).difference(kept)), "\ufdd0"))


def merge_steps(rules: MergeRules, piece: bytes) -> list[MergeStep]:
    """Merge a piece step by step: each time the pair of neighbours of lowest rank, the leftmost of equals.

    A piece has 1 … MAX_PIECE_BYTES bytes. The single bytes first, then the parts after each merge; the ids of the last
    step are the piece's tokens.

    Source: Sennrich, Haddow and Birch 2016, algorithm 1, https://arxiv.org/abs/1508.07909; over bytes as in Radford et
    al. 2019, §2.2,
    https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf
    """
    if not 1 <= len(piece) <= MAX_PIECE_BYTES:
        raise ValueError(f"piece has {len(piece)} bytes, it must have 1 … {MAX_PIECE_BYTES}: choose a shorter one")
    steps = [_merge_step(rules, tuple(bytes([byte]) for byte in piece))]
    while (left := steps[-1].merge_index) is not None:
        parts = steps[-1].parts
        steps.append(_merge_step(rules, (*parts[:left], parts[left] + parts[left + 1], *parts[left + 2 :])))
    if len(steps[-1].parts) > 1 and piece in rules.token_ids:  # tiktoken looks whole pieces up before it merges
        steps.append(MergeStep((piece,), (rules.token_ids[piece],), (), None, None, is_whole_token=True))
    return steps


def _merge_step(rules: MergeRules, parts: tuple[bytes, ...]) -> MergeStep:
    ranks = tuple(rules.token_ids.get(left + right) for left, right in pairwise(parts))
    rank, merges = min(((rank, i) for i, rank in enumerate(ranks) if rank is not None), default=(None, None))
    return MergeStep(parts, tuple(map(rules.token_ids.get, parts)), ranks, merges, rank)
