"""What of the context page the link carries."""

from embedlib.positional import SCHEMES
from ui.context.examples import HOMONYMS, SENTENCES
from ui.settings import OWN_ENTRIES, Choice, Setting, Text, Whole

_FIRST = next(iter(HOMONYMS.values()))

SETTINGS: dict[str, Setting] = {
    "context_first": Text(_FIRST.first),
    "context_second": Text(_FIRST.second),
    "context_third": Text(_FIRST.third),
    "context_word": Text(_FIRST.word),
    "context_uses": Text(_FIRST.uses),
    "context_layer": Whole(6, 0, 199),
    "context_attention": Whole(1, 1, 199),
    "context_head": Whole(2, 0, 255),
    "context_shift": Whole(100, 1, 511),
    "context_scheme": Choice("sinusoidal", (*SCHEMES, *OWN_ENTRIES)),
    "context_lines": Text(SENTENCES),
}
