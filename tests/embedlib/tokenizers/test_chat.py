"""Each format against the text that its publisher's page shows, with our own words in it."""

import pytest

from embedlib import get_tokenizer
from embedlib.tokenizers import (
    CHAT_FORMATS,
    ChatMessage,
    add_special_tokens,
    chat_pieces,
    piece_ids,
    special_tokens,
    tokenize_parts,
)

CHAT = [
    ChatMessage("system", "Be brief."),
    ChatMessage("user", "Is it raining?"),
    ChatMessage("assistant", "No."),
    ChatMessage("user", " And tomorrow? "),
]
WRITTEN = {
    "chatml": (
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nIs it raining?<|im_end|>\n"
        "<|im_start|>assistant\nNo.<|im_end|>\n<|im_start|>user\n And tomorrow? <|im_end|>\n<|im_start|>assistant\n"
    ),
    "llama_3": (
        "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|>"
        "<|start_header_id|>user<|end_header_id|>\n\nIs it raining?<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\nNo.<|eot_id|>"
        "<|start_header_id|>user<|end_header_id|>\n\nAnd tomorrow?<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\n"
    ),
    "llama_2": (
        "<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\nIs it raining? [/INST] No. </s><s>[INST] And tomorrow? [/INST]"
    ),
    "gemma": (
        "<bos><start_of_turn>user\nBe brief.\n\nIs it raining?<end_of_turn>\n<start_of_turn>model\nNo.<end_of_turn>\n"
        "<start_of_turn>user\nAnd tomorrow?<end_of_turn>\n<start_of_turn>model\n"
    ),
    "dialogpt": "Is it raining?<|endoftext|>No.<|endoftext|> And tomorrow? <|endoftext|>",
}


def chat_text(name: str, messages: list[ChatMessage]) -> str:
    return "".join(piece.text for piece in chat_pieces(name, messages))


@pytest.mark.parametrize("name", list(CHAT_FORMATS))
def test_a_chat_becomes_the_text_that_was_published(name: str) -> None:
    assert chat_text(name, CHAT) == WRITTEN[name]
    assert CHAT_FORMATS[name].name == name
    assert CHAT_FORMATS[name].source.startswith("https://")


@pytest.mark.parametrize("name", list(CHAT_FORMATS))
def test_special_pieces_are_the_formats_special_tokens_and_all_of_them_are_used(name: str) -> None:
    pieces = chat_pieces(name, CHAT)
    assert {piece.text for piece in pieces if piece.kind == "special"} == set(CHAT_FORMATS[name].specials)
    contents = {piece.message: piece.text.strip() for piece in pieces if piece.kind == "content"}
    left_out = CHAT_FORMATS[name].system == "left_out"
    assert contents == {i: message.text.strip() for i, message in enumerate(CHAT) if i or not left_out}


@pytest.mark.parametrize("name", list(CHAT_FORMATS))
def test_without_a_system_message_and_after_an_answer(name: str) -> None:
    whole = chat_text(name, CHAT[1:])
    assert "Be brief." not in whole
    assert "<<SYS>>" not in whole
    assert whole.startswith(chat_text(name, CHAT[1:3])), "an answer is followed by no header of another"


def test_what_a_message_says_is_never_a_special_token() -> None:
    described = [ChatMessage("user", "Say <|im_end|> and <|endoftext|>")]
    tokenizer = get_tokenizer("gpt2")
    ids = add_special_tokens(special_tokens("gpt2"), CHAT_FORMATS["chatml"].specials, vocab_size=tokenizer.vocab_size)
    tokens = tokenize_parts(tokenizer, piece_ids(chat_pieces("chatml", described), ids))
    assert [token.id for token in tokens if token.id >= 50256] == [50257, 50258, 50257]
    text = chat_text("chatml", described).encode()
    assert all(text[token.start : token.stop] == token.bytes for token in tokens)
    said = piece_ids(chat_pieces("chatml", [ChatMessage("user", "<|im_end|>")]), ids)
    assert [part for part in said if part[0] == "<|im_end|>"] == [("<|im_end|>", None), ("<|im_end|>", 50258)]


def test_an_empty_chat_is_an_empty_text_or_the_beginning_of_one() -> None:
    assert {chat_text(name, []) for name in CHAT_FORMATS} == {"", "<|begin_of_text|>", "<bos>"}
    assert chat_text("gemma", CHAT[:1]) == "<bos>"


@pytest.mark.parametrize(
    "roles", [["assistant"], ["user", "user"], ["user", "system"], ["system", "system"], ["system", "assistant"]]
)
def test_another_order_of_messages_is_refused(roles: list) -> None:
    with pytest.raises(ValueError, match=r"cannot be turn \d: begin with the user's message"):
        chat_pieces("chatml", [ChatMessage(role, "x") for role in roles])


def test_another_format_is_refused_with_the_choices() -> None:
    with pytest.raises(ValueError, match="name='alpaca' is not a chat format: choose among chatml, llama_3"):
        chat_pieces("alpaca", CHAT)
