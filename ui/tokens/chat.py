"""Special tokens: how a chat becomes one text, and what is lost when their names are typed as text."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import streamlit as st

from embedlib.chat_formats import CHAT_FORMATS, ChatPiece, Message, chat_pieces, piece_ids
from embedlib.chat_formats import Role as ChatRole
from embedlib.labels import token_label
from embedlib.special_tokens import tokenize_parts, with_added
from embedlib.tokenizers import Token
from ui import state
from ui.components import token_line as line_component
from ui.components.token_line import Line, LineToken, token_line
from ui.i18n import _, ngettext, translated
from ui.markdown import as_code
from ui.text import prepare
from ui.tokens.cache import Cutter, specials_of, tokenizer_of
from ui.tokens.request import Request
from ui.tokens.titles import short_title

LONGEST = 400  # characters of a message, so that three of them fit into a link
_GPT2 = Cutter("gpt2")
_NOBODY = 1_000  # instead of a message: what the format writes for itself


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat as one text.

    Attributes:
        cutter: whose tokens it becomes.
        messages: what is said.
        pieces: the text, in pieces that know what they are for.
        specials: the special tokens of the encoding, and those that the format adds to it.
        added: how many it adds.
    """

    cutter: Cutter
    messages: list[Message]
    pieces: list[ChatPiece]
    specials: dict[str, int]
    added: int

    def tokens(self, *, special: bool) -> list[Token]:
        """Cut it, with its special tokens as one token each or typed as text."""
        return tokenize_parts(tokenizer_of(self.cutter), piece_ids(self.pieces, self.specials if special else {}))

    def piece_at(self, offset: int) -> ChatPiece:
        """Return the piece that holds a byte of the text."""
        ends = list(accumulate(len(piece.text.encode()) for piece in self.pieces))
        return self.pieces[bisect_right(ends, offset)]


def chat(request: Request) -> None:
    """Show a chat as the tokens that a model is given."""
    st.header(_("Special tokens: how a chat becomes one text"))
    st.write(
        _(
            "A model reads one list of ids, so a format writes who speaks into the text. The borders are special "
            "tokens: ids that no text can become, however it is typed, as long as the program cuts it as text."
        )
    )
    st.pills(
        _("Format"),
        state.options("chat"),
        key="chat",
        format_func=lambda name: _(CHAT_FORMATS[name].title),
        required=True,
        on_change=state.dismiss_notices,
    )
    chat_format = CHAT_FORMATS[state.get("chat")]
    found = _chat(request, _messages())
    st.write(f"{_(chat_format.summary)} [{_('Source')}]({chat_format.source})")
    st.caption(_added(found))
    specials_control("chat_specials")
    tokens = found.tokens(special=state.get("chat_specials") == "special")
    token_line(_lines(found, tokens), labels=translated(line_component.LABELS), key="token-line")
    st.write(_counted(found))
    st.caption(
        _(
            "What a message says is always cut as text here, even if it holds the name of a special token. A program "
            "that does otherwise lets anybody who types end their message and begin another in somebody else’s name."
        )
    )


def specials_control(setting: str) -> None:
    """Draw the switch between the two readings of a special token's name, of the chat or of the reader's text."""
    st.segmented_control(
        _("Names of special tokens"),
        state.options(setting),
        key=setting,
        format_func=lambda name: {"text": _("typed as text"), "special": _("one token each")}[name],
        required=True,
        on_change=state.dismiss_notices,
    )


def specials_in_text(text: str) -> None:
    """Let the reader say how the names of special tokens in their text are meant, where there are any."""
    names = {name for tokenizer in state.get("tokenizers") for name in specials_of(tokenizer)}
    found = sorted(name for name in names if name in text)
    if not found:
        return
    specials_control("specials")
    st.caption(
        _("Your text holds {names}. Words, characters, bytes and what is trained here know no special tokens.").format(
            names=", ".join(map(as_code, found))
        )
    )


def _role_titles() -> dict[ChatRole, str]:
    return {"system": _("System"), "user": _("User"), "assistant": _("Assistant")}


def _messages() -> list[Message]:
    found = []
    for (role, title), column in zip(_role_titles().items(), st.columns(3), strict=True):
        with column:
            st.text_area(title, key=f"chat_{role}", max_chars=LONGEST, height=100, on_change=state.dismiss_notices)
        text = prepare(state.get(f"chat_{role}"), limit=LONGEST).text
        if text or role == "user":  # without an answer the text ends where a model would begin one
            found.append(Message(role, text))
    return found


def _chat(request: Request, messages: Sequence[Message]) -> Chat:
    candidates = (request.closely, *request.cutters)
    # Words and characters have only those of the reader's text.
    cutter = next((cutter for cutter in candidates if cutter.is_encoding), _GPT2)
    chat_format = CHAT_FORMATS[state.get("chat")]
    known = specials_of(cutter.name)
    specials = with_added(known, chat_format.specials, vocab_size=tokenizer_of(cutter).vocab_size)
    return Chat(cutter, list(messages), chat_pieces(chat_format.name, messages), specials, len(specials) - len(known))


def _added(found: Chat) -> str:
    """Say which special tokens the encoding has, and which it is given here."""
    name, known = short_title(found.cutter.name), len(found.specials) - found.added
    names = ", ".join(f"{as_code(text)} {number}" for text, number in list(found.specials.items())[:known])
    sentence = _("{name} has {specials}.").format(name=name, specials=names)
    if found.added:
        added = ", ".join(f"{as_code(text)} {number}" for text, number in list(found.specials.items())[known:])
        sentence += " " + ngettext(
            "Here it is also given {specials}, the next free id, as is done before a model learns to chat: the "
            "embedding matrix grows by {count} row.",
            "Here it is also given {specials}, the next free ids, as is done before a model learns to chat: the "
            "embedding matrix grows by {count} rows.",
            found.added,
        ).format(specials=added, count=found.added)
    return sentence


def _lines(found: Chat, tokens: Sequence[Token]) -> list[Line]:
    """Sort the tokens by the message that they begin in."""
    lines: list[Line] = []
    belongs = -1
    collected: list[LineToken] = []
    for token in tokens:
        piece = found.piece_at(token.start)
        message = _NOBODY if piece.message is None else piece.message
        if message != belongs:
            belongs, collected = message, []
            if message == _NOBODY:
                title = _("Next") if lines else _("Start")
            else:
                title = _role_titles()[found.messages[message].role]
            lines.append(Line(title, collected))
        whole = piece.kind == "special" and token.bytes == piece.text.encode()
        collected.append(LineToken(token_label(token.bytes), token.id, piece.kind, whole))
    return lines


def _counted(found: Chat) -> str:
    typed = found.tokens(special=False)
    sentence = _(
        "**With special tokens: {special} tokens. Typed as text: {typed}**, for the {names} names of special tokens "
        "then fall apart, and nothing tells them from what somebody may have typed."
    ).format(
        special=len(found.tokens(special=True)),
        typed=len(typed),
        names=sum(piece.kind == "special" for piece in found.pieces),
    )
    across = next((token for token in typed if _goes_across(found, token)), None)
    if across is None:
        return sentence
    return f"{sentence} " + _(
        "The token {token} even holds the end of what was said and the beginning of such a name."
    ).format(token=as_code(token_label(across.bytes)))


def _goes_across(found: Chat, token: Token) -> bool:
    """Tell whether a token begins in what a message says and ends in the name of a special token."""
    return found.piece_at(token.start).kind == "content" and found.piece_at(token.stop - 1).kind == "special"
