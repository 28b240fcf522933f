"""Tokenizers of models: the ids that transformers gives without special tokens, and every token at its bytes."""

import json
from collections.abc import Callable
from unittest.mock import Mock, PropertyMock

import pytest
from hypothesis import given
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import CLIPTokenizer, PreTrainedTokenizerFast

from embedlib.checkpoints import CheckpointError, FileTokenizer
from embedlib.tokenizers import vocabulary_spellings
from tests.embedlib.tokenizers.strategies import TEXTS

TEXT = "The king's embedding, the queen's embeddings: wörld 👋 日本 don't [UNK] the cat sat  on the mat\n" * 3


def byte_pairs() -> Tokenizer:
    """As GPT-2's, whose post-processor trims spaces off what a token covers."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.post_processor = processors.ByteLevel(trim_offsets=True)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    special = ["<|endoftext|>"]
    trainer = trainers.BpeTrainer(
        vocab_size=320, initial_alphabet=alphabet, special_tokens=special, show_progress=False
    )
    made.train_from_iterator([TEXT], trainer)
    return made


def sentence_pieces() -> Tokenizer:
    """As Llama 2's: a space is spelled ▁, one is put before the text, and unknown characters fall back to bytes."""
    pieces = ["<unk>", "<s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁"]
    pieces += [*"abcdefghijklmnopqrstuvwxyzT'", "▁t", "▁th", "▁the", "▁c", "▁ca", "▁cat"]
    merges = [("▁", "t"), ("▁t", "h"), ("▁th", "e"), ("▁", "c"), ("▁c", "a"), ("▁ca", "t")]
    vocabulary = {piece: token_id for token_id, piece in enumerate(pieces)}
    made = Tokenizer(models.BPE(vocabulary, merges, unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    made.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    made.decoder = decoders.Sequence(steps)
    made.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    return made


def word_pieces() -> Tokenizer:
    """As BERT's, with a text cut and filled up to eight tokens."""
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    made.train_from_iterator(
        [TEXT], trainers.WordPieceTrainer(vocab_size=150, special_tokens=special, show_progress=False)
    )
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    made.enable_truncation(8)
    made.enable_padding(length=8)
    return made


def clip_pieces() -> Tokenizer:
    """As CLIP's, which marks the end of a word."""
    made = Tokenizer(models.BPE(end_of_word_suffix="</w>"))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=600, initial_alphabet=alphabet, end_of_word_suffix="</w>", show_progress=False
    )
    made.train_from_iterator([TEXT], trainer)
    return made


KINDS: dict[str, Callable[[], Tokenizer]] = {
    "byte pairs": byte_pairs,
    "sentence pieces": sentence_pieces,
    "word pieces": word_pieces,
}
MADE = {kind: make().to_str() for kind, make in KINDS.items()}
OURS = {kind: FileTokenizer(kind, content.encode()) for kind, content in MADE.items()}
THEIRS = {kind: PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(MADE[kind])) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
@given(text=TEXTS)
def test_ids_are_transformers_without_special_tokens(kind: str, text: str) -> None:
    theirs = Tokenizer.from_str(MADE[kind])
    theirs.no_truncation()
    theirs.no_padding()
    assert OURS[kind].encode(text) == theirs.encode(text, add_special_tokens=False).ids
    assert OURS[kind].encode(text) == THEIRS[kind].encode(text, add_special_tokens=False, truncation=False)
    before, after = OURS[kind].special_around
    assert [*before, *OURS[kind].encode(text), *after] == theirs.encode(text).ids


@pytest.mark.parametrize("kind", KINDS)
@given(text=TEXTS)
def test_every_token_lies_at_its_bytes_one_after_the_other(kind: str, text: str) -> None:
    tokens = OURS[kind].tokenize(text)
    data = text.encode()
    assert [token.id for token in tokens] == OURS[kind].encode(text)
    assert all(data[token.start : token.stop] == token.bytes for token in tokens)
    edges = [edge for token in tokens for edge in (token.start, token.stop)]
    assert edges == sorted(edges)


@given(text=TEXTS)
def test_byte_pairs_cover_the_text_and_each_is_its_own_bytes(text: str) -> None:
    ours = OURS["byte pairs"]
    tokens = ours.tokenize(text)
    assert b"".join(token.bytes for token in tokens) == text.encode()
    assert [token.bytes for token in tokens] == [ours.token_bytes(token.id) for token in tokens]
    assert ours.decode(token.id for token in tokens) == text


def test_a_list_that_the_encoding_makes_at_each_question_is_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for each token took 220 seconds for 465,000 characters."""
    ours = FileTokenizer("word pieces", MADE["word pieces"].encode())
    wanted, encoding = ours.tokenize(TEXT), ours._tokenizer.encode(TEXT, add_special_tokens=False)
    ids, offsets = (PropertyMock(return_value=getattr(encoding, name)) for name in ("ids", "offsets"))
    again = type("Encoding", (), {"ids": ids, "offsets": offsets})()
    monkeypatch.setattr(ours, "_tokenizer", Mock(wraps=ours._tokenizer, encode=Mock(return_value=again)))
    assert ours.tokenize(TEXT) == wanted
    assert (ids.call_count, offsets.call_count) == (1, 1)


def test_a_vocabulary_of_bytes_is_not_spelled_otherwise_and_others_are() -> None:
    assert vocabulary_spellings(OURS["byte pairs"], OURS["byte pairs"].encode("the cat")) == {}
    ours = OURS["word pieces"]
    ids = ours.encode("the cats")
    assert vocabulary_spellings(ours, ids) == {token_id: ours.piece(token_id) for token_id in ids}


def test_bytes_of_a_character_are_told_apart() -> None:
    def spans(kind: str, text: str) -> list[tuple[int, int]]:
        return [(token.start, token.stop) for token in OURS[kind].tokenize(text)]

    assert spans("byte pairs", "aé") == [(0, 1), (1, 2), (2, 3)]
    assert spans("sentence pieces", "the é") == [(0, 3), (3, 4), (4, 5), (5, 6)]
    assert spans("sentence pieces", "é") == [(0, 0), (0, 1), (1, 2)]
    assert OURS["word pieces"].tokenize("The")[0].bytes == b"The"


def test_an_ids_bytes_are_what_it_stands_for() -> None:
    ids = {kind: Tokenizer.from_str(content).token_to_id for kind, content in MADE.items()}
    words, pairs, pieces = OURS["word pieces"], OURS["byte pairs"], OURS["sentence pieces"]
    assert words.token_bytes(ids["word pieces"]("##e")) == b"e"
    assert words.token_bytes(2) == b"[CLS]"
    assert pairs.token_bytes(ids["byte pairs"]("Ġthe")) == b" the"
    assert pairs.token_bytes(ids["byte pairs"]("<|endoftext|>")) == b"<|endoftext|>"
    assert pieces.token_bytes(ids["sentence pieces"]("<0xE9>")) == b"\xe9"
    assert pieces.token_bytes(ids["sentence pieces"]("▁the")) == b" the"
    clip = FileTokenizer("clip", clip_pieces().to_str().encode())
    assert {clip.token_bytes(token_id) for token_id in clip.encode("mat")} <= {b"mat", b"ma", b"m", b"at", b"a", b"t"}


@pytest.mark.parametrize("kind", KINDS)
def test_ids_outside_the_vocabulary_and_half_characters_are_refused(kind: str) -> None:
    ours = OURS[kind]
    assert ours.vocab_size == max(Tokenizer.from_str(MADE[kind]).get_vocab().values()) + 1
    for token_id in (-1, ours.vocab_size):
        with pytest.raises(ValueError, match=f"token_id={token_id}"):
            ours.token_bytes(token_id)
        with pytest.raises(ValueError, match=f"token_id={token_id}"):
            ours.decode([token_id])
    for method in (ours.encode, ours.tokenize):
        with pytest.raises(ValueError, match="lone surrogate"):
            method("a\ud800")


def test_pieces_decode_as_the_models_own_decoder_joins_them() -> None:
    assert OURS["sentence pieces"].decode(OURS["sentence pieces"].encode("the cat é")) == "the cat é"
    assert OURS["word pieces"].decode(OURS["word pieces"].encode("The kings")) == "the kings"
    with pytest.raises(ValueError, match="no character"):
        OURS["byte pairs"].decode(OURS["byte pairs"].encode("🏽")[:1])


@pytest.mark.parametrize("text", ["the cat sat on the mat", "don't wörld 👋 日本", " The King's\n embedding ", ""])
def test_where_the_ends_of_words_are_marked_their_spaces_come_back_as_in_transformers(text: str) -> None:
    trained = json.loads(clip_pieces().to_str())["model"]
    vocabulary = {piece.removeprefix("Ġ"): 0 for piece in trained["vocab"]} | {"<|startoftext|>": 0, "<|endoftext|>": 0}
    vocabulary = {piece: row for row, piece in enumerate(vocabulary)}
    merges = [(one, other) for one, other in trained["merges"] if one + other in vocabulary and "Ġ" not in one + other]
    theirs = CLIPTokenizer(vocab=vocabulary, merges=merges)
    ours = FileTokenizer("clip", theirs.backend_tokenizer.to_str().encode())
    ids = theirs.encode(text, add_special_tokens=False)
    assert ours.encode(text) == ids
    assert ours.decode(ids) == theirs.decode(ids)
    if text.isascii() and "'" not in text:
        assert ours.decode(ids) == " ".join(text.lower().split())


def test_a_git_lfs_pointer_is_said() -> None:
    with pytest.raises(CheckpointError) as caught:
        FileTokenizer("x", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n")
    assert caught.value.code == "lfs"


def test_a_decoder_that_cannot_be_printed_is_taken_all_the_same() -> None:
    made = sentence_pieces()
    made.decoder = decoders.Sequence([decoders.Replace("▁" * 50, " "), decoders.ByteFallback(), decoders.Fuse()])
    with pytest.raises(BaseException, match="not a char boundary"):
        str(made.decoder)  # otherwise this shows nothing
    ours = FileTokenizer("long", made.to_str().encode())
    assert ours.encode("the cat") == made.encode("the cat", add_special_tokens=False).ids
    assert ours.token_bytes(made.token_to_id("<0x41>")) == b"A"


def test_a_vocabulary_with_gaps_says_which_id_has_no_token() -> None:
    content = {"version": "1.0", "model": {"type": "WordLevel", "vocab": {"a": 0, "b": 5}, "unk_token": "a"}}
    ours = FileTokenizer("gaps", json.dumps(content).encode())
    assert (ours.vocab_size, ours.token_bytes(5)) == (6, b"b")
    with pytest.raises(ValueError, match="token_id=3"):
        ours.token_bytes(3)


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[]", b"\xff", b'{"version":"1.0","model":{"type":"BPE","vocab":{"a":0},"merges":["x y"]}}'],
)
def test_a_broken_file_is_refused(content: bytes) -> None:
    with pytest.raises(CheckpointError) as caught:
        FileTokenizer("x", content)
    assert caught.value.code == "damaged"


@pytest.mark.parametrize("place", ["normalizer", "decoder"])
@pytest.mark.parametrize(
    "steps",
    [
        [{"type": "Replace", "pattern": {"String": " "}, "content": "x" * 70_000}],
        [{"type": "Replace", "pattern": {"String": "x"}, "content": "xxxx"}] * 30,
        [{"type": "Replace", "pattern": {"Regex": "(?=a)"}, "content": "a"}] * 30,
    ],
)
def test_a_file_that_makes_a_text_many_times_as_long_is_refused(place: str, steps: list[dict[str, object]]) -> None:
    """A text of 60 characters had hung for minutes."""
    content = json.loads(MADE["sentence pieces"])
    content[place] = {"type": "Sequence", f"{place}s": steps}
    with pytest.raises(CheckpointError) as caught:
        FileTokenizer("x", json.dumps(content).encode())
    assert caught.value.code == "damaged"


def test_a_file_that_spells_out_what_is_short_is_taken() -> None:
    made = sentence_pieces()
    spelled = [normalizers.Replace("…", "..."), normalizers.Replace("don't", "do not"), normalizers.Replace(" ", "▁")]
    made.normalizer = normalizers.Sequence(spelled)
    ours = FileTokenizer("x", made.to_str().encode())
    assert ours.encode("cat… don't") == made.encode("cat… don't", add_special_tokens=False).ids


def test_a_file_that_contradicts_itself_is_said_where_it_shows() -> None:
    """The package behind it raises a bare Exception of the one and panics over the other."""
    words, pieces = json.loads(MADE["word pieces"]), json.loads(MADE["sentence pieces"])
    words["model"]["vocab"] = {"a": 0}
    words["added_tokens"] = []
    pieces["decoder"]["decoders"][3]["stop"] = -1 % 2**64

    def use(content: object) -> None:
        ours = FileTokenizer("x", json.dumps(content).encode())
        ours.decode(ours.encode("the cat"))
        ours.decode([])

    for content in (words, pieces):
        with pytest.raises(CheckpointError) as caught:
            use(content)
        assert caught.value.code == "damaged"
