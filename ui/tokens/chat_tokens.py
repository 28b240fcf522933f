"""A chat as the tokens that it becomes, each with what it is for and whose message it is in."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from embedlib.tokenizers import Token
from embedlib.tokenizers.chat import ChatPiece, Message, piece_ids
from embedlib.tokenizers.chat import Role as ChatRole
from embedlib.tokenizers.labels import token_label
from embedlib.tokenizers.special import tokenize_parts
from ui.components.token_line import Line, LineToken
from ui.i18n import _
from ui.tokens.cache import Cutter, tokenizer_of

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


def role_titles() -> dict[ChatRole, str]:
    """Name who speaks."""
    return {"system": _("System"), "user": _("User"), "assistant": _("Assistant")}


def lines_of(found: Chat, tokens: Sequence[Token]) -> list[Line]:
    """Sort the tokens by the message that their first sign beside white space is in: " <<" belongs to "<<SYS>>"."""
    lines: list[Line] = []
    belongs = -1
    collected: list[LineToken] = []
    for token in tokens:
        piece, visible = found.piece_at(token.start), found.piece_at(token.start + _blank(token.bytes))
        message = _NOBODY if visible.message is None else visible.message
        if message != belongs:
            belongs, collected = message, []
            if message == _NOBODY:
                title = _("Next") if lines else _("Start")
            else:
                title = role_titles()[found.messages[message].role]
            lines.append(Line(title, collected))
        whole = piece.kind == "special" and token.bytes == piece.text.encode()
        says_something = piece.kind == "frame" and found.piece_at(token.stop - 1).kind == "content"
        kind = "content" if says_something else piece.kind
        collected.append(LineToken(token_label(token.bytes), token.id, kind, whole))
    return lines


def goes_across(found: Chat, token: Token) -> bool:
    """Tell whether a token begins in what a message says and ends in the name of a special token."""
    return found.piece_at(token.start).kind == "content" and found.piece_at(token.stop - 1).kind == "special"


def _blank(data: bytes) -> int:
    """Count the white space that a token begins with; none where it is nothing else."""
    blank = len(data) - len(data.lstrip())
    return blank if blank < len(data) else 0
