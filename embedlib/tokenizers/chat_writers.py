"""The pieces of a chat's text in each format: what is a special token, what frames a message, what it says.

A writer takes the messages, in the order that chat_formats has checked, and whether to end with what makes a
model begin the assistant's next message.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Role = Literal["system", "user", "assistant"]
Kind = Literal["special", "frame", "content"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat.

    Attributes:
        role: who speaks; the first message may be the system's, then user and assistant take turns.
        text: what is said.
    """

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class ChatPiece:
    """A piece of the text that a chat becomes.

    Attributes:
        text: the piece.
        kind: "special" for what the format's own vocabulary has as one token, "frame" for plain text that the format
            adds, "content" for what a message says.
        message: index of the message it belongs to; None for what belongs to none, as the beginning of the next answer.
    """

    text: str
    kind: Kind
    message: int | None = None


def chatml(messages: Sequence[Message], opening: bool) -> Iterator[ChatPiece]:
    """Frame each message by two special tokens, its first line saying who speaks."""
    for index, message in enumerate(messages):
        yield ChatPiece("<|im_start|>", "special", index)
        yield ChatPiece(f"{message.role}\n", "frame", index)
        yield ChatPiece(message.text, "content", index)
        yield ChatPiece("<|im_end|>", "special", index)
        yield ChatPiece("\n", "frame", index)
    if opening:
        yield ChatPiece("<|im_start|>", "special")
        yield ChatPiece("assistant\n", "frame")


def llama_3(messages: Sequence[Message], opening: bool) -> Iterator[ChatPiece]:
    """Begin the text, then give each message a header and an end."""

    def header(role: Role, index: int | None) -> Iterator[ChatPiece]:
        yield ChatPiece("<|start_header_id|>", "special", index)
        yield ChatPiece(role, "frame", index)
        yield ChatPiece("<|end_header_id|>", "special", index)
        yield ChatPiece("\n\n", "frame", index)

    yield ChatPiece("<|begin_of_text|>", "special")
    for index, message in enumerate(messages):
        yield from header(message.role, index)
        yield ChatPiece(message.text.strip(), "content", index)
        yield ChatPiece("<|eot_id|>", "special", index)
    if opening:
        yield from header("assistant", None)


def llama_2(messages: Sequence[Message], opening: bool) -> Iterator[ChatPiece]:
    """Put each user's message between [INST] and [/INST], and the answer before </s>."""
    for index, message in enumerate(messages):
        if message.role == "system":
            continue  # it is written inside the first user's message
        if message.role == "assistant":
            yield ChatPiece(" ", "frame", index)
            yield ChatPiece(message.text.strip(), "content", index)
            yield ChatPiece(" ", "frame", index)
            yield ChatPiece("</s>", "special", index)
            continue
        yield ChatPiece("<s>", "special", index)
        yield ChatPiece("[INST] ", "frame", index)
        if index == 1 and messages[0].role == "system":
            yield ChatPiece("<<SYS>>\n", "frame", 0)
            yield ChatPiece(messages[0].text, "content", 0)
            yield ChatPiece("\n<</SYS>>\n\n", "frame", 0)
            yield ChatPiece(message.text.rstrip(), "content", index)
        else:
            yield ChatPiece(message.text.strip(), "content", index)
        yield ChatPiece(" [/INST]", "frame", index)


def gemma(messages: Sequence[Message], opening: bool) -> Iterator[ChatPiece]:
    """Begin the text, then frame each turn by two special tokens; an assistant is called the model.

    Source: the chat template released with the models, which begins with <bos> and takes white space off a turn's ends,
    https://huggingface.co/google/gemma-2b-it/blob/main/tokenizer_config.json
    """
    yield ChatPiece("<bos>", "special")
    for index, message in enumerate(messages):
        if message.role == "system":
            continue  # as above
        yield ChatPiece("<start_of_turn>", "special", index)
        yield ChatPiece("user\n" if message.role == "user" else "model\n", "frame", index)
        if index == 1 and messages[0].role == "system":
            yield ChatPiece(messages[0].text, "content", 0)
            yield ChatPiece("\n\n", "frame", 0)
        yield ChatPiece(message.text.strip(), "content", index)
        yield ChatPiece("<end_of_turn>", "special", index)
        yield ChatPiece("\n", "frame", index)
    if opening:
        yield ChatPiece("<start_of_turn>", "special")
        yield ChatPiece("model\n", "frame")


def dialogpt(messages: Sequence[Message], opening: bool) -> Iterator[ChatPiece]:
    """End each turn by GPT-2's special token, and say nothing else."""
    for index, message in enumerate(messages):
        if message.role != "system":
            yield ChatPiece(message.text, "content", index)
            yield ChatPiece("<|endoftext|>", "special", index)
