"""Chat templates: messages as one text, in formats that models were trained on.

A format's `write` takes the messages, whose order chat_pieces has checked, and whether to end with the header of the
assistant's next message.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from embedlib.i18n import N_

ChatRole = Literal["system", "user", "assistant"]
Kind = Literal["special", "frame", "content"]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a chat; only the first may be the system's, then user and assistant alternate."""

    role: ChatRole
    text: str


@dataclass(frozen=True, slots=True)
class ChatPiece:
    """A piece of a chat's text.

    Attributes:
        kind: "special" for a token of the format's own vocabulary, "frame" for plain text that the format adds,
            "content" for message text.
        message: index of its message; None outside messages, as for the header of the next answer.
    """

    text: str
    kind: Kind
    message: int | None = None


_SPECIAL = re.compile(r"<\|\w+\|>|</?s>|<bos>|<(?:start|end)_of_turn>")


def _frame(index: int | None, *texts: str) -> Iterator[ChatPiece]:
    """Yield texts that a format puts around a message, special tokens and others."""
    for text in texts:
        yield ChatPiece(text, "special" if _SPECIAL.fullmatch(text) else "frame", index)


def chatml(messages: Sequence[ChatMessage], opening: bool) -> Iterator[ChatPiece]:
    """Write ChatML: two special tokens enclose each message, whose first line is its role."""
    for index, message in enumerate(messages):
        yield from _frame(index, "<|im_start|>", f"{message.role}\n")
        yield ChatPiece(message.text, "content", index)
        yield from _frame(index, "<|im_end|>", "\n")
    if opening:
        yield from _frame(None, "<|im_start|>", "assistant\n")


def llama_3(messages: Sequence[ChatMessage], opening: bool) -> Iterator[ChatPiece]:
    """Write Llama 3's format: a header with the role before each message, and a special token after it."""
    yield from _frame(None, "<|begin_of_text|>")
    for index, message in enumerate(messages):
        yield from _frame(index, "<|start_header_id|>", message.role, "<|end_header_id|>", "\n\n")
        yield ChatPiece(message.text.strip(), "content", index)
        yield from _frame(index, "<|eot_id|>")
    if opening:
        yield from _frame(None, "<|start_header_id|>", "assistant", "<|end_header_id|>", "\n\n")


def llama_2(messages: Sequence[ChatMessage], opening: bool) -> Iterator[ChatPiece]:
    """Write Llama 2's format: the user's messages between [INST] and [/INST], each answer before </s>."""
    for index, message in enumerate(messages):
        if message.role == "system":
            continue  # it is written inside the first user's message
        if message.role == "assistant":
            yield from _frame(index, " ")
            yield ChatPiece(message.text.strip(), "content", index)
            yield from _frame(index, " ", "</s>")
            continue
        yield from _frame(index, "<s>", "[INST] ")
        if index == 1 and messages[0].role == "system":
            yield from _frame(0, "<<SYS>>\n")
            yield ChatPiece(messages[0].text, "content", 0)
            yield from _frame(0, "\n<</SYS>>\n\n")
            yield ChatPiece(message.text.rstrip(), "content", index)
        else:
            yield ChatPiece(message.text.strip(), "content", index)
        yield from _frame(index, " [/INST]")


def gemma(messages: Sequence[ChatMessage], opening: bool) -> Iterator[ChatPiece]:
    """Write Gemma's format: two special tokens enclose each turn; the assistant's role is "model".

    Source: the chat template released with the models, which begins with <bos> and strips white space from a turn's
    ends, https://huggingface.co/google/gemma-2b-it/blob/main/tokenizer_config.json
    """
    yield from _frame(None, "<bos>")
    for index, message in enumerate(messages):
        if message.role == "system":
            continue  # as above
        yield from _frame(index, "<start_of_turn>", "user\n" if message.role == "user" else "model\n")
        if index == 1 and messages[0].role == "system":
            yield ChatPiece(messages[0].text, "content", 0)
            yield from _frame(0, "\n\n")
        yield ChatPiece(message.text.strip(), "content", index)
        yield from _frame(index, "<end_of_turn>", "\n")
    if opening:
        yield from _frame(None, "<start_of_turn>", "model\n")


def dialogpt(messages: Sequence[ChatMessage], opening: bool) -> Iterator[ChatPiece]:
    """Write DialoGPT's format: each turn ends with GPT-2's special token; there are no roles."""
    for index, message in enumerate(messages):
        if message.role != "system":
            yield ChatPiece(message.text, "content", index)
            yield from _frame(index, "<|endoftext|>")


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """A published way to write a chat as one text.

    Attributes:
        name: its key in CHAT_FORMATS.
        title: marked for translation, as is `summary`.
        summary: one sentence on how it works.
        source: of its publication.
        specials: its special tokens, as its own models' vocabularies spell them.
        system: place of a system message: a "message" of its own, "first_user" inside the first user's message, or
            "left_out" if the format has none.
    """

    name: str
    title: str
    summary: str
    source: str
    specials: tuple[str, ...]
    system: Literal["message", "first_user", "left_out"]
    write: Callable[[Sequence[ChatMessage], bool], Iterator[ChatPiece]]


def chat_pieces(name: str, messages: Sequence[ChatMessage]) -> list[ChatPiece]:
    """Write a chat in a format of CHAT_FORMATS; the pieces joined are the whole text.

    `messages` has at most one of the system, first; then user and assistant alternate, the user first. A user's last
    message is followed by the header of the assistant's answer.
    """
    if name not in CHAT_FORMATS:
        raise ValueError(f"name={name!r} is not a chat format: choose among {', '.join(CHAT_FORMATS)}")
    turns = messages[1:] if messages and messages[0].role == "system" else messages
    for index, message in enumerate(turns):
        if message.role != ("user", "assistant")[index % 2]:
            raise ValueError(
                f"messages: {message.role!r} cannot be turn {index + 1}: begin with the user's message, after the "
                "system's if there is one, and let user and assistant take turns"
            )
    opening = bool(turns) and turns[-1].role == "user"
    return [piece for piece in CHAT_FORMATS[name].write(messages, opening) if piece.text]


def piece_ids(pieces: Sequence[ChatPiece], specials: Mapping[str, int]) -> list[tuple[str, int | None]]:
    """Return (text, id or None) of each piece: an id for template markers, never for message text that spells one."""
    return [(piece.text, specials.get(piece.text) if piece.kind == "special" else None) for piece in pieces]


CHAT_FORMATS: dict[str, ChatFormat] = {
    chat_format.name: chat_format
    for chat_format in (
        ChatFormat(
            "chatml",
            N_("ChatML, OpenAI 2023"),
            N_("Two special tokens enclose each message; its first line names the role."),
            "https://github.com/openai/openai-python/blob/release-v0.28.0/chatml.md",
            ("<|im_start|>", "<|im_end|>"),
            "message",
            chatml,
        ),
        ChatFormat(
            "llama_3",
            N_("Llama 3, Meta 2024"),
            N_("Special tokens enclose the role and end each message."),
            "https://www.llama.com/docs/model-cards-and-prompt-formats/meta-llama-3/",
            ("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
            "message",
            llama_3,
        ),
        ChatFormat(
            "llama_2",
            N_("Llama 2, Meta 2023"),
            N_("Only <s> and </s> are special, not [INST] and <<SYS>>."),
            "https://github.com/meta-llama/llama/blob/main/llama/generation.py",
            ("<s>", "</s>"),
            "first_user",
            llama_2,
        ),
        ChatFormat(
            "gemma",
            N_("Gemma, Google 2024"),
            N_("Special tokens enclose turns."),
            "https://ai.google.dev/gemma/docs/formatting",
            ("<bos>", "<start_of_turn>", "<end_of_turn>"),
            "first_user",
            gemma,
        ),
        ChatFormat(
            "dialogpt",
            N_("DialoGPT, Microsoft 2019"),
            N_("GPT-2’s special token ends each turn; no roles."),
            "https://arxiv.org/abs/1911.00536",
            ("<|endoftext|>",),
            "left_out",
            dialogpt,
        ),
    )
}
