import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from embedlib.tokenizers.trained import MAX_UNIGRAM_CHARACTERS, UnigramTokenizer
from embedlib.tokenizers.trained.unigram import train_unigram

ENGLISH = "The unsinkable sink was sinking; the thinking thinker's unthinkable thinking sank. 日本語 日本\n"
TEXTS = st.lists(st.sampled_from([*ENGLISH, "think", "ing", "un", "é", "ñõ", "한국", "$", " ", "\u3000", "\n\n"])).map(
    "".join
)


@pytest.fixture(scope="module")
def learned() -> UnigramTokenizer:
    return train_unigram(ENGLISH, 60)


@settings(deadline=None)
@given(text=TEXTS)
@example(text=ENGLISH)
@example(text="q")
def test_ids_are_those_of_hugging_faces_pipeline_but_for_a_mark_alone_at_the_beginning(
    text: str, learned: UnigramTokenizer
) -> None:
    reference = Tokenizer(models.Unigram(list(zip(learned.pieces, learned.scores, strict=True)), 0, False))
    reference.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
    )
    expected = reference.encode(text)
    alone = text[:1].strip() != "" and expected.tokens[0] == "▁"
    assert learned.encode(text) == expected.ids[alone:]


def test_a_mark_stands_for_the_white_space_before_the_word_and_further_white_space_for_nothing() -> None:
    tokenizer = train_unigram("the the the ox", 20)
    tokens = tokenizer.tokenize("the the\n the\u3000the  q")
    actual = [(tokenizer.piece(token.id), token.bytes.decode(), token.start) for token in tokens]
    assert actual == [
        ("▁the", "the", 0),
        ("▁the", " the", 3),
        ("▁the", " the", 8),
        ("▁the", "\u3000the", 12),
        ("▁", " ", 19),
        ("<unk>", "q", 20),
    ]
    assert tokenizer.token_bytes(tokens[0].id) == b" the"
    assert tokenizer.token_bytes(0) == b"<unk>"
    assert tokenizer.decode(tokenizer.encode("the \n the")) == "the the"


def test_a_mark_alone_at_the_beginning_is_no_token() -> None:
    tokenizer = train_unigram("ox", 4)
    assert sorted(tokenizer.pieces) == ["<unk>", "o", "x", "▁"]
    assert [(token.bytes, token.start, token.stop) for token in tokenizer.tokenize("ox")] == [
        (b"o", 0, 1),
        (b"x", 1, 2),
    ]
    assert [token.bytes for token in tokenizer.tokenize(" ox")] == [b" ", b"o", b"x"]


def test_the_unknowns_name_and_a_nul_are_plain_text_when_typed() -> None:
    tokenizer = train_unigram("<unk> <unk> <unk> a\x00b \x00\x00", 60)
    assert tokenizer.pieces.count("<unk>") == 1
    assert tokenizer.unknown_id not in tokenizer.encode("<unk>")
    assert tokenizer.decode(tokenizer.encode("a <unk>")) == "a <unk>"
    assert [(token.id, token.bytes) for token in tokenizer.tokenize("\x00")] == [(0, b"\x00")]
    assert not any("\0" in piece for piece in tokenizer.pieces)


def test_what_always_ends_a_word_can_be_a_piece() -> None:
    tokenizer = train_unigram("low low low low low lower lower newest newest newest newest widest widest widest", 30)
    assert {"▁low", "▁lower", "▁newest", "▁widest"} < set(tokenizer.pieces)
    assert {"at", "he"} < set(train_unigram("The cat sat on the mat", 40).pieces)


def test_probabilities_fall_and_no_piece_crosses_a_word(learned: UnigramTokenizer) -> None:
    assert list(learned.scores[1:]) == sorted(learned.scores[1:], reverse=True)
    assert all(score < 0 for score in learned.scores[1:])
    assert all("▁" not in piece[1:] for piece in learned.pieces)
    assert all(piece.replace("▁", "") in ENGLISH for piece in learned.pieces[1:])


def test_a_long_text_lends_its_beginning_for_pieces_and_all_of_it_for_the_alphabet() -> None:
    text = ("the cat " * MAX_UNIGRAM_CHARACTERS)[: MAX_UNIGRAM_CHARACTERS + 400] + " zebra zebra \U000f0000é"
    tokenizer = train_unigram(text, 100)
    assert tokenizer.learned_from == MAX_UNIGRAM_CHARACTERS
    assert tokenizer.unknown_id not in tokenizer.encode(text)
    assert "▁cat" in tokenizer.pieces
    assert not any("zebra" in piece for piece in tokenizer.pieces)
