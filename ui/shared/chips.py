"""From tokens to the chips that show them."""

from collections.abc import Mapping, Sequence

from embedlib.tokenizers import Token, split_characters, token_label
from ui.components.token_chips import Chip


def chips(tokens: Sequence[Token], names: Sequence[str] | Mapping[int, str] = ()) -> list[Chip]:
    """Describe each token as a chip; tokens that share a character know which part of it they are.

    Args:
        tokens: all the tokens of a text.
        names: how the vocabulary spells each of all its tokens, by id; none where that is what the text has there.

    Returns:
        One Chip per token.
    """
    shared = {
        position: (group, position - split.start_token + 1, split.stop_token - split.start_token, split.label)
        for group, split in enumerate(split_characters(tokens))
        for position in range(split.start_token, split.stop_token)
    }
    written = []
    stop = 0  # where the token before ended
    for position, token in enumerate(tokens):
        group, part, parts, character = shared.get(position, (None, 1, 1, ""))
        written.append(
            Chip(
                position=position,
                id=token.id,
                label=token_label(names[token.id].encode("utf-8", "surrogateescape") if names else token.bytes),
                bytes_hex=token.bytes.hex(" ").upper(),
                space_before=token.bytes[:1].isspace() or token.start > stop,
                part=part,
                parts=parts,
                group=group,
                character=character,
            )
        )
        stop = token.stop
    return written
