import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from embedlib.tokenizers.trained import MAX_WORD_CHARACTERS, WordPieceTokenizer
from embedlib.tokenizers.trained.wordpiece import train_wordpiece

ENGLISH = "The unsinkable sink was sinking; the thinking thinker's unthinkable thinking sank. 日本語 日本\n"
TEXTS = st.lists(st.sampled_from([*ENGLISH, "think", "ing", "un", "é", "한국", "$", " ", "\u3000", "sink" * 26])).map(
    "".join
)


@pytest.fixture(scope="module")
def learned() -> WordPieceTokenizer:
    return train_wordpiece(ENGLISH, 90)


def greedy(word: str, known: set[str]) -> list[str]:
    """The longest piece that a word begins with, then the longest of the rest; nothing where none fits."""
    actual: list[str] = []
    while word:
        mark = "##" if actual else ""
        fitting = [stop for stop in range(len(word), 0, -1) if mark + word[:stop] in known]
        if not fitting:
            return ["[UNK]"]
        actual.append(mark + word[: fitting[0]])
        word = word[fitting[0] :]
    return actual


@settings(deadline=None)
@given(text=TEXTS)
@example(text=ENGLISH)
def test_each_word_is_cut_greedily_as_by_hugging_faces_pipeline_and_by_hand(
    text: str, learned: WordPieceTokenizer
) -> None:
    vocabulary = {piece: token_id for token_id, piece in enumerate(learned.pieces)}
    reference = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    reference.normalizer = normalizers.BertNormalizer(
        clean_text=False, handle_chinese_chars=True, strip_accents=False, lowercase=False
    )
    reference.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    expected = reference.encode(text)
    tokens = learned.tokenize(text)
    assert [token.id for token in tokens] == expected.ids
    assert [token.bytes.decode() for token in tokens] == [text[start:stop] for start, stop in expected.offsets]

    spaced = reference.normalizer.normalize_str(text)
    words = [word for word, _ in reference.pre_tokenizer.pre_tokenize_str(spaced)]
    by_hand = [greedy(word, set(vocabulary)) if len(word) <= MAX_WORD_CHARACTERS else ["[UNK]"] for word in words]
    assert [learned.piece(token.id) for token in tokens] == [piece for cut in by_hand for piece in cut]


def test_the_vocabulary_begins_with_the_unknown_all_characters_and_those_inside_words() -> None:
    tokenizer = train_wordpiece("bab cab.", 30)
    assert tokenizer.pieces[:9] == ("[UNK]", ".", "a", "b", "c", "##a", "##b", "##ab", "bab")
    assert tokenizer.pieces[9:] == ("cab",)
    assert tokenizer.unknown_id == 0


def test_a_piece_knows_its_spelling_and_its_bytes(learned: WordPieceTokenizer) -> None:
    first, second = learned.tokenize("thinkings")
    assert (learned.piece(first.id), learned.piece(second.id)) == ("thinking", "##s")
    assert (first.bytes, second.bytes) == (b"thinking", b"s")
    assert learned.token_bytes(second.id) == b"s"
    assert learned.token_bytes(0) == b"[UNK]"


def test_what_is_unknown_is_the_whole_word_with_the_texts_own_bytes(learned: WordPieceTokenizer) -> None:
    tokens = learned.tokenize("the é [UNK]")
    assert [(token.bytes.decode(), token.start, token.stop) for token in tokens[:2]] == [("the", 0, 3), ("é", 4, 6)]
    assert tokens[1].id == learned.unknown_id
    assert [token.bytes.decode() for token in tokens[2:]] == ["[", "UNK", "]"]  # typed, it is plain text


def test_decode_puts_one_space_before_what_begins_a_word(learned: WordPieceTokenizer) -> None:
    assert learned.decode(learned.encode("The  thinker's\nsink.")) == "The thinker ' s sink ."
    assert learned.decode(learned.encode("thinkings")[1:]) == "s"
    # "#" is a word of its own and never the mark
    hashes = train_wordpiece("## #a", 20)
    assert hashes.decode(hashes.encode("##a")) == "# # a"


def test_words_that_are_never_cut_are_not_learned_from() -> None:
    tokenizer = train_wordpiece(f"{'q' * (MAX_WORD_CHARACTERS + 1)} {'b' * MAX_WORD_CHARACTERS}", 400)
    assert tokenizer.encode("q") == [0]
    assert tokenizer.encode("b" * MAX_WORD_CHARACTERS) == [len(tokenizer.pieces) - 1]
    assert tokenizer.encode("b" * (MAX_WORD_CHARACTERS + 1)) == [0]
