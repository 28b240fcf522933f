"""Special tokens: how a chat becomes one text, and what is lost when their names are typed as text."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import streamlit as st

from embedlib.i18n import N_
from embedlib.tokenizers import (
    CHAT_FORMATS,
    ChatMessage,
    ChatPiece,
    ChatRole,
    Token,
    add_special_tokens,
    chat_pieces,
    piece_ids,
    token_label,
    tokenize_parts,
)
from ui.components import token_line as line_component
from ui.components.token_line import Line, LineToken, token_line
from ui.export import Lines, save_table
from ui.i18n import _, join_sentences, separator, translate_labels
from ui.markdown import as_code
from ui.settings import controls, state
from ui.shared.page import section
from ui.shared.text.text_area import setting_area
from ui.tokens.cache import TokenizerSpec, encoding_specials, load_tokenizer
from ui.tokens.controls import specials_control
from ui.tokens.names import tokenizer_title
from ui.tokens.request import Request

_NOBODY = 1_000  # instead of a message: what the format writes for itself
LONGEST = 400  # characters of a message, so that three of them fit into a link
_GPT2 = TokenizerSpec("gpt2")


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat as one text, in pieces with their roles."""

    spec: TokenizerSpec
    messages: list[ChatMessage]
    pieces: list[ChatPiece]
    specials: dict[str, int]  # of the encoding, then those that the format adds
    added: int  # how many it adds

    def tokens(self, *, special: bool) -> list[Token]:
        """Cut the chat into tokens, with its special tokens as one token each or typed as text."""
        return tokenize_parts(load_tokenizer(self.spec), piece_ids(self.pieces, self.specials if special else {}))

    def piece_at(self, offset: int) -> ChatPiece:
        """Return the piece that holds a byte of the text."""
        ends = list(accumulate(len(piece.text.encode()) for piece in self.pieces))
        return self.pieces[bisect_right(ends, offset)]


@section(
    "tokens-chat",
    N_("Special tokens in a chat"),
    lead=N_(
        "To a model a chat is one long text. Special tokens, each with an id of its own, mark where a speaker "
        "begins and ends. If a user types the name of a special token, a safe program cuts it like any other text, so "
        "that nobody can pretend to be another speaker. The switch shows both ways of reading."
    ),
)
def chat(request: Request) -> None:
    """Show a chat as the tokens that a model reads."""
    controls.control(
        "chat", st.pills, state.options("chat"), titles=lambda name: _(CHAT_FORMATS[name].title), required=True
    )
    chat_format = CHAT_FORMATS[state.get("chat")]
    conversation = _build_chat(request, _messages())
    source = _("Source")
    st.write(_(chat_format.summary) + separator(" ") + f"[{source}]({chat_format.source})")
    st.caption(_specials_sentence(conversation))
    specials_control("chat_specials")
    tokens = conversation.tokens(special=state.get("chat_specials") == "special")
    lines, labels = message_lines(conversation, tokens), translate_labels(line_component.LABELS)
    pairs = [(line.title, token) for line in lines for token in line.tokens]
    save_table(
        "chat",
        _("Special tokens in a chat"),
        {
            "": [line.title for line in lines],
            labels["figure"]: [[(token.label, str(token.id)) for token in line.tokens] for line in lines],
        },
        numbers=Lines(
            ["position", "message", "token", "token_id", "kind"],
            [[place, title, token.label, token.id, token.kind] for place, (title, token) in enumerate(pairs)],
        ),
        source=tokenizer_title(conversation.spec.name),
    )
    token_line(lines, labels=labels, key="token-line")
    if chat_format.system == "first_user" and any(message.role == "system" for message in conversation.messages):
        st.caption(
            _("This format has no place for the system message: it stands inside the first message of the user.")
        )
    st.write(_counts_sentence(conversation))


def _messages() -> list[ChatMessage]:
    messages = []
    for (role, title), column in zip(role_titles().items(), st.columns(3), strict=True):
        with column:
            prepared = setting_area(f"chat_{role}", title, limit=LONGEST, key=f"chat-{role}", lines=True)
            for notice in prepared.notices:
                st.warning(notice)
        if prepared.text or role == "user":  # without an answer the text ends where a model would begin one
            messages.append(ChatMessage(role, prepared.text))
    return messages


def _build_chat(request: Request, messages: Sequence[ChatMessage]) -> Chat:
    candidates = (request.closely, *request.specs)
    # Words and characters have only those of the reader's text.
    spec = next((spec for spec in candidates if spec.is_encoding), _GPT2)
    chat_format = CHAT_FORMATS[state.get("chat")]
    known = encoding_specials(spec.name)
    specials = add_special_tokens(known, chat_format.specials, vocab_size=load_tokenizer(spec).vocab_size)
    return Chat(spec, list(messages), chat_pieces(chat_format.name, messages), specials, len(specials) - len(known))


def _specials_sentence(conversation: Chat) -> str:
    """Return a sentence on the encoding's special tokens, and those added here for the chat."""
    name, known = tokenizer_title(conversation.spec.name), len(conversation.specials) - conversation.added
    names = separator(", ").join(
        f"{as_code(text)} {number}" for text, number in list(conversation.specials.items())[:known]
    )
    sentence = _("The special tokens of {name} and their ids: {specials}.").format(name=name, specials=names)
    if conversation.added:
        added = separator(", ").join(
            f"{as_code(text)} {number}" for text, number in list(conversation.specials.items())[known:]
        )
        sentence += separator(" ") + _(
            "This chat format adds {specials}; each needs a row of its own in the embedding matrix."
        ).format(specials=added)
    return sentence


def _counts_sentence(conversation: Chat) -> str:
    typed = conversation.tokens(special=False)
    sentence = _(
        "**With special tokens the chat has {special} tokens. If their {names} names were written out as "
        "plain text, it would have {typed}.**"
    ).format(
        special=len(conversation.tokens(special=True)),
        typed=len(typed),
        names=sum(piece.kind == "special" for piece in conversation.pieces),
    )
    across = next((token for token in typed if crosses_special(conversation, token)), None)
    if across is None:
        return sentence
    joins = _(
        "Then the end of a message and the beginning of the mark after it would become one token, {token}."
    ).format(token=as_code(token_label(across.bytes)))
    return join_sentences(sentence, joins)


def role_titles() -> dict[ChatRole, str]:
    """Return the titles of the roles."""
    return {"system": _("System"), "user": _("User"), "assistant": _("Assistant")}


def message_lines(conversation: Chat, tokens: Sequence[Token]) -> list[Line]:
    """Group tokens by the message of their first character that is not white space: " <<" belongs to "<<SYS>>"."""
    lines: list[Line] = []
    belongs = -1
    collected: list[LineToken] = []
    for token in tokens:
        piece, visible = (
            conversation.piece_at(token.start),
            conversation.piece_at(token.start + _leading_spaces(token.bytes)),
        )
        message = _NOBODY if visible.message is None else visible.message
        if message != belongs:
            belongs, collected = message, []
            if message == _NOBODY:
                title = _("Who speaks next") if lines else _("Beginning")
            else:
                title = role_titles()[conversation.messages[message].role]
            lines.append(Line(title, collected))
        whole = piece.kind == "special" and token.bytes == piece.text.encode()
        says_something = piece.kind == "frame" and conversation.piece_at(token.stop - 1).kind == "content"
        kind = "content" if says_something else piece.kind
        collected.append(LineToken(token_label(token.bytes), token.id, kind, whole))
    return lines


def crosses_special(conversation: Chat, token: Token) -> bool:
    """Return whether a token begins in a message's content and ends in the name of a special token."""
    return (
        conversation.piece_at(token.start).kind == "content" and conversation.piece_at(token.stop - 1).kind == "special"
    )


def _leading_spaces(data: bytes) -> int:
    """Count the white space that a token begins with; 0 where it is all white space."""
    blank = len(data) - len(data.lstrip())
    return blank if blank < len(data) else 0
