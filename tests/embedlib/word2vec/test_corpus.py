from embedlib.grammar import grammar_text
from embedlib.texts import reference_manual, words
from embedlib.word2vec.corpus import word_corpus

LETTERS = [f"{a}{b}" for a in "dcba" for b in "zyxw"]  # 16 words, the last of the alphabet first


def text_of(n_words: int) -> str:
    return " ".join(LETTERS[i % len(LETTERS)] for i in range(n_words))


def test_words_stand_by_frequency_and_then_in_order_with_their_counts() -> None:
    actual = word_corpus(f"{text_of(240)} zz zz dw dw dw zz", min_count=3)
    assert actual.words == ("dw", *sorted(set(LETTERS) - {"dw"}), "zz")
    assert actual.counts.tolist() == [18, *[15] * 15, 3]


def test_ids_spell_the_text_without_the_rare_words_and_sentences_end_where_they_do() -> None:
    text = f"{text_of(230)}. Aw rare bx! Cy? Dz… \n\n aw bw"
    actual = word_corpus(text, min_count=2)
    kept = [word for word in words(text) if word != "rare"]
    assert [actual.words[row] for row in actual.ids.tolist()] == kept
    lengths = [actual.sentence.tolist().count(number) for number in sorted(set(actual.sentence.tolist()))]
    assert lengths == [230, 2, 1, 1, 2]
    assert actual.sentence.tolist() == sorted(actual.sentence.tolist())


def test_only_the_most_frequent_words_are_kept() -> None:
    actual = word_corpus(f"{text_of(320)} {' '.join(LETTERS[:12] * 3)}", most_words=12)
    assert set(actual.words) == set(LETTERS[:12])
    assert len(actual.ids) == 12 * 23


def test_the_manual_and_the_grammar_are_texts_like_any_other() -> None:
    manual, grammar = word_corpus(reference_manual()), word_corpus(grammar_text(3_000))
    assert {"true", "false", "exception"} <= set(manual.words)
    assert {"king", "queen", "paris"} <= set(grammar.words)
    assert int(grammar.sentence[-1]) == 2_999


def test_the_digest_tells_one_text_from_another() -> None:
    once, again = word_corpus(text_of(300)), word_corpus(text_of(300))
    assert once.digest == again.digest
    assert len({once.digest, word_corpus(text_of(301)).digest, word_corpus(f"{text_of(299)}. dz").digest}) == 3
