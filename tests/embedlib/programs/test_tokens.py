"""The program of the tokens page prints what independent code finds."""

import ast
import runpy
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from embedlib import Tokenizer, get_tokenizer
from embedlib.programs import tokens_program
from embedlib.texts import reference_manual
from embedlib.tokenizers import LANGUAGES, SENTENCES, all_sentences
from embedlib.tokenizers.bpe import byte_pair_tokenizer
from embedlib.tokenizers.trained import train_tokenizer

LEARNED = reference_manual()[:40_000]
TEXT = "naïve 日本 \"quoted\" ''' {x} <|endoftext|>\n\\"


@pytest.fixture
def printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str], list[str]]:
    """Runs a program as a file of its own, and gives what it prints."""

    def run(program: str) -> list[str]:
        script = tmp_path / "program.py"
        script.write_text(program, encoding="utf-8")
        runpy.run_path(str(script))
        return capsys.readouterr().out.splitlines()

    return run


def ids(lines: list[str], name: str) -> Any:
    return ast.literal_eval(next(line for line in lines if line.startswith(f"{name} [")).removeprefix(f"{name} "))


def check_languages(lines: list[str], tokenizer: Tokenizer, names: list[str]) -> None:
    counted = {code: sum(len(tokenizer.encode(SENTENCES[name][code])) for name in names) for code in LANGUAGES}
    actual = {line.split()[0]: line.split()[1:] for line in lines[-len(LANGUAGES) :]}
    assert {code: int(values[0]) for code, values in actual.items()} == counted
    assert {code: float(values[1]) for code, values in actual.items()} == {
        code: counted[code] / counted["en"] for code in LANGUAGES
    }


def test_every_part_with_gpt2(printed: Callable[[str], list[str]]) -> None:
    program = tokens_program(
        TEXT,
        tokenizers=["gpt2", "words", "wordpiece"],
        closely="gpt2",
        pieces=400,
        compared=["gpt2", "words"],
        piece=1,
        character=2,
        sentences=["story", "train"],
    )
    lines = printed(program)
    theirs = byte_pair_tokenizer("gpt2")._encoding
    assert ids(lines, "gpt2") == theirs.encode_ordinary(TEXT)
    assert ids(lines, "words") == get_tokenizer("words", text=TEXT).encode(TEXT)
    assert ids(lines, "wordpiece") == train_tokenizer("wordpiece", LEARNED, vocab_size=400).encode(TEXT)
    count = len(theirs.encode_ordinary(TEXT))
    assert f"gpt2 {count} tokens: {len(TEXT) / count} characters each, {len(TEXT.encode()) / count} bytes" in lines
    assert f"ids {tuple(theirs.encode_ordinary(' 日本'))}" in lines
    assert any(line.startswith("U+00EF " + unicodedata.name("ï")) and "'C3', '11000011'" in line for line in lines)
    (differing,) = (line for line in lines if line.startswith("cut differently before characters "))
    # GPT-2 leaves "na" and "ïve" apart, and cuts the special token's name otherwise than word by word.
    assert ast.literal_eval(differing.removeprefix("cut differently before characters "))[0] == 2
    check_languages(lines, get_tokenizer("gpt2"), ["story", "train"])


def test_specials_count_as_themselves_and_byte_pairs_are_trained_on_the_text(
    printed: Callable[[str], list[str]],
) -> None:
    program = tokens_program(
        TEXT,
        tokenizers=["bpe", "gpt2", "unigram"],
        closely="bpe",
        specials=True,
        train_on="text",
        pieces=270,
        piece=0,
        sentences=list(SENTENCES),
    )
    lines = printed(program)
    trained = train_tokenizer("bpe", TEXT, vocab_size=270)
    assert ids(lines, "gpt2") == byte_pair_tokenizer("gpt2")._encoding.encode(TEXT, allowed_special="all")
    assert ids(lines, "bpe") == trained.encode(TEXT)
    assert f"ids {tuple(trained.encode('naïve'))}" in lines
    check_languages(lines, trained, list(SENTENCES))


def test_words_take_the_sentences_vocabulary_for_the_sentences(printed: Callable[[str], list[str]]) -> None:
    lines = printed(tokens_program(TEXT, tokenizers=["words"], closely="words", sentences=["garden"]))
    check_languages(lines, get_tokenizer("words", text=all_sentences()), ["garden"])


def test_only_what_is_asked_is_imported_and_printed(printed: Callable[[str], list[str]]) -> None:
    program = tokens_program("a cat", tokenizers=["bytes"], closely="bytes")
    assert [line for line in program.splitlines() if line.startswith("from")] == [
        "from embedlib import get_tokenizer",
        "from embedlib.tokenizers import align, token_counts, token_labels",
    ]
    assert len(printed(program)) == 4


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tokenizers": []}, r"tokenizers=\[\]: give at least one of gpt2, r50k_base"),
        ({"tokenizers": ["gpt2", "sentencepiece"]}, r"'sentencepiece'\]: give at least one of"),
        ({"closely": "words"}, "'words' is not side by side with the others: choose among gpt2, bytes"),
        ({"compared": ["gpt2", "bpe"]}, "'bpe' is not side by side"),
        ({"closely": "bytes", "piece": 0}, "piece=0: 'bytes' merges no byte pairs; give None"),
    ],
)
def test_what_does_not_go_together_is_refused(changes: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"tokenizers": ["gpt2", "bytes"], "closely": "gpt2"}
    with pytest.raises(ValueError, match=message):
        tokens_program("a", **(given | changes))


@pytest.mark.parametrize("closely", ["gpt2", "unigram", "characters"])
def test_without_a_text_only_the_sentences_are_counted(closely: str, printed: Callable[[str], list[str]]) -> None:
    program = tokens_program("", tokenizers=["gpt2", closely], closely=closely, pieces=300, sentences=["story"])
    lines = printed(program)
    known = {
        "gpt2": lambda: get_tokenizer("gpt2"),
        "unigram": lambda: train_tokenizer("unigram", LEARNED, vocab_size=300),
        "characters": lambda: get_tokenizer("characters", text=all_sentences()),
    }[closely]()
    assert len(lines) == len(LANGUAGES)
    check_languages(lines, known, ["story"])
