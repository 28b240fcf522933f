"""Every setting of the app by name: what it may be, what a link without it means, and which pages control it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from embedlib.examples import EXAMPLES, in_language
from embedlib.i18n import N_
from embedlib.positional import SCHEMES, Parameter
from embedlib.tokenizers import TOKENIZERS
from ui.batches.settings import SETTINGS as BATCHES
from ui.cache.minilm import opens_with_minilm
from ui.context.settings import SETTINGS as CONTEXT
from ui.embedding_layer.settings import SETTINGS as EMBEDDING_LAYER
from ui.extrapolation.settings import SETTINGS as EXTRAPOLATION
from ui.i18n import NAMES
from ui.lecture.settings import SETTINGS as LECTURE
from ui.lessons.settings import SETTINGS as LESSONS
from ui.projection.settings import SETTINGS as PROJECTION
from ui.settings.formulas import OWN_ENTRIES, Formulas
from ui.settings.kinds import (
    GREATEST,
    MINILM,
    Choice,
    Flag,
    LongText,
    Look,
    Model,
    Names,
    Numbers,
    OptionalChoice,
    OptionalWhole,
    Real,
    Setting,
    Text,
    Weights,
    Whole,
    Wholes,
    joined,
)
from ui.tokens.settings import SETTINGS as TOKENS
from ui.training.settings import SETTINGS as TRAINING

DEFAULT_TEXT = EXAMPLES["meaning"].text

# Addresses of the pages, in the order in which one goes through them; "" is the first.
PAGES = (
    *("", "tokens", "embedding_layer", "batches"),
    *("positions", "word_order", "compare", "extrapolation"),
    *("projection", "training", "models", "context"),
    "lessons",
)


def scheme_setting(parameter: Parameter) -> Setting:
    """Give a scheme's parameter the kind of setting that its declaration calls for."""
    if isinstance(parameter.default, bool):
        return Flag(parameter.default)
    if parameter.choices is not None:
        return Choice(parameter.default, parameter.choices)
    least = 0 if parameter.minimum is None else parameter.minimum
    most = GREATEST if parameter.maximum is None else min(parameter.maximum, GREATEST)
    if isinstance(parameter.default, tuple):
        return Numbers(parameter.default, float(least), float(most))
    if isinstance(parameter.default, int):
        return Whole(parameter.default, int(least), int(most))
    return Real(parameter.default, float(least), float(most))


SCHEME_SETTINGS: dict[str, Setting] = {
    f"{name}.{parameter.name}": scheme_setting(parameter)
    for name, scheme in SCHEMES.items()
    for parameter in scheme.PARAMETERS
}
# Where there are trained weights they stand before random ones, which tell nothing of a scheme.
SCHEME_SETTINGS |= {
    f"{name}.weights": Choice("trained", ("trained", "random")) for name, scheme in SCHEMES.items() if scheme.WEIGHTS
}
SCHEME_SETTINGS["learned.weights"] = Weights("trained", ("minilm", "trained", "random"))


def entry_parameters(entry: str) -> dict[str, Any]:
    """Read the settings of its own that an entry of a comparison has: "rope:base=500000;pairing=halves".

    Raises:
        ValueError, KeyError: there is no such scheme or parameter, or it cannot have this value.
    """
    if entry in OWN_ENTRIES:
        return {}
    name, _colon, listed = entry.partition(":")
    if name not in SCHEMES or entry.endswith(":"):
        raise KeyError(name)
    pairs = [pair.partition("=") for pair in listed.split(";")] if listed else []
    return {parameter: SCHEME_SETTINGS[f"{name}.{parameter}"].parse(raw) for parameter, _equals, raw in pairs}


def is_entry(entry: str) -> bool:
    """Tell whether this is a scheme, or one with settings of its own."""
    try:
        entry_parameters(entry)
    except (ValueError, KeyError):
        return False
    return True


@dataclass(frozen=True)
class Entries(Names):
    """Two or more schemes, some with settings of their own."""

    def _known(self, raw: str) -> list[str]:
        return [entry for entry in dict.fromkeys(raw[:10_000].split(",")) if is_entry(entry)]


@dataclass(frozen=True)
class Entry(OptionalChoice):
    """A scheme, perhaps with settings of its own, or nothing."""

    def parse(self, raw: str) -> str:
        """Read "rope" or "rope:base=500000"."""
        if not is_entry(raw):
            raise ValueError(raw[:20])
        return raw


_SHARED: dict[str, Setting] = {
    "text": LongText(DEFAULT_TEXT),
    "tokenizer": Choice("gpt2", ("minilm", *TOKENIZERS)),
    "table": Choice("trained", ("minilm", "trained", "random", "by_hand")),
    "d_model": Whole(64, 2, 1024),
    "seed": Whole(123, 0, 2**32 - 1),
    "scale": Flag(False),
    "scheme": Choice("sinusoidal", (*SCHEMES, *OWN_ENTRIES)),
    "token": OptionalWhole(None, 0, 1_999),
    "window": Whole(0, 0, 1_999),
    "view": Choice("2d", ("2d", "3d")),
    "positions": Whole(64, 2, 512),
    "heads": Whole(4, 1, 64),
    "position": Whole(8, 0, 511),
    "pairs": Wholes([0, 4, 8, 12], 511, 4),
    "columns": Choice("first", ("first", "all")),
    "probe": Choice("own", ("own", "random")),
    "schemes": Entries(["none", "sinusoidal", "rope", "alibi"], (*SCHEMES, *OWN_ENTRIES)),
    "front": Entry(None, tuple(SCHEMES)),
    "parameters_of": OptionalChoice(None, tuple(SCHEMES)),
    "head": Whole(0, -1, 63),
    "unit": Choice("relative", ("relative", "standard")),
    "scales": Choice("shared", ("shared", "own")),
    "length": Whole(256, 3, 512),
    "first": Text("the dog saw the man"),
    "second": Text("the man saw the dog"),
    "cut": Choice("words", ("minilm", "words", "gpt2", "characters", "bytes")),
    "layers": Choice(1, (1, 2)),
    "causal": Flag(False),
    "term_head": Whole(0, 0, 63),
    "lang": Choice("en", tuple(NAMES)),
    "model": Model(MINILM),
    "other_model": Model(None),
    "scheme_model": Model(None),
    "look": Look(""),
    "formulas": Formulas(()),
}
SETTINGS = joined(
    _SHARED,
    PROJECTION,
    TOKENS,
    EMBEDDING_LAYER,
    BATCHES,
    CONTEXT,
    TRAINING,
    EXTRAPOLATION,
    LECTURE,
    LESSONS,
    SCHEME_SETTINGS,
)


# What an example leaves as it is: how the reader likes to look, and what is being compared.
KEPT = (
    *("lang", "view", "schemes", "front", "head", "unit", "scales", "length"),
    *("first", "second", "cut", "layers", "causal"),
    *("model", "other_model", "scheme_model", "look", "formulas"),
    *(*PROJECTION, *TOKENS, *EMBEDDING_LAYER, *BATCHES, *CONTEXT, *TRAINING, *EXTRAPOLATION, *LECTURE, *LESSONS),
)

# Settings with controls on some pages only, by those pages' addresses; elsewhere they wait in one dict of the session.
# Each key of the session costs every number input, slider and list of a page 10 µs.
HOMES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(SCHEME_SETTINGS, ("", "positions", "compare", "projection")),
    **dict.fromkeys(("columns", "probe", "pairs"), ("positions",)),
    "model": ("models", "context", "projection"),
    "other_model": ("models",),
    "parameters_of": ("compare",),
    "scheme_model": ("positions", "compare"),
    **dict.fromkeys(PROJECTION, ("projection",)),
    **dict.fromkeys(TOKENS, ("tokens",)),
    **dict.fromkeys(EMBEDDING_LAYER, ("embedding_layer",)),
    **dict.fromkeys(BATCHES, ("batches",)),
    **dict.fromkeys(CONTEXT, ("context",)),
    **dict.fromkeys(TRAINING, ("training",)),
    **dict.fromkeys(EXTRAPOLATION, ("extrapolation",)),
    **dict.fromkeys((*LECTURE, *LESSONS, "look", "formulas"), ()),
}
# What the browser writes into the address by itself: what only it knows of the page.
BROWSERS = frozenset({"look"})
# What stays in the address of whoever has it: no link that is copied and no exported figure has it.
PRIVATE = frozenset({"follow"})

MINILM_ROWS = {"table": "minilm", "tokenizer": "minilm", "d_model": 384}
# What pages open with where MiniLM is there, by their addresses; all else has its setting's own default.
OPENINGS: dict[str, dict[str, Any]] = {
    "": MINILM_ROWS | {"scheme": "learned", "learned.weights": "minilm"},
    "embedding_layer": {"layer_matrix": "minilm", "tokenizer": "minilm", "d_model": 384},
    "batches": MINILM_ROWS,
    "tokens": {"tokenizers": ["words", "gpt2", "minilm", "unigram", "characters"]},
    "positions": {"tokenizer": "minilm"},
    "compare": MINILM_ROWS,
    "word_order": {"table": "minilm", "cut": "minilm", "d_model": 384, "learned.weights": "minilm"},
    # Row 2332 is that of "king".
    "projection": {"vectors": "minilm", "row": 2_332, "scheme": "learned", "learned.weights": "minilm"},
}
# Texts that a page opens with in place of DEFAULT_TEXT, which would show less of what the page is about.
PAGE_TEXTS = {"tokens": "The queen rewrote a fairytale"}
# What their controls are called, where that is a name.
TITLES: Mapping[str, str] = MappingProxyType(
    {
        "text": N_("Your text"),
        "tokenizer": N_("Tokenizer"),
        "table": N_("Embedding matrix"),
        "d_model": N_("d_model"),
        "seed": N_("Seed"),
        "scale": N_("Scale rows by √d_model"),
        "scheme": N_("Positional scheme"),
        "view": N_("Axes"),
        "positions": N_("Positions"),
        "heads": N_("Heads"),
        "position": N_("Marked position"),
        "pairs": N_("Pairs of dimensions"),
        "columns": N_("Dimensions"),
        "probe": N_("Query and key"),
        "schemes": N_("Schemes"),
        "front": N_("Highlight"),
        "parameters_of": N_("Parameters of"),
        "head": N_("Head"),
        "unit": N_("Unit"),
        "scales": N_("Colour scale"),
        "first": N_("First sentence"),
        "second": N_("Second sentence"),
        "cut": N_("Tokenizer"),
        "layers": N_("Layers"),
        "causal": N_("Causal mask"),
        "term_head": N_("Head"),
        "lang": N_("Language"),
        "formulas": N_("Your schemes"),
        "follow": N_("Lecture"),
        "lesson": N_("Lesson"),
        "stop": N_("Stop"),
        "vectors": N_("Embedding matrix"),
        "map": N_("Map"),
        "colour": N_("Colour"),
        "metric": N_("Similarity"),
        "find": N_("Search"),
        "expression": N_("Regex"),
        "line": N_("Line through your text"),
        "moved": N_("Add positions"),
        "sample": N_("Rows"),
        "perplexity": N_("Perplexity"),
        "n_neighbors": N_("Neighbours"),
        "min_dist": N_("Minimum distance"),
        "map_seed": N_("Seed of the map"),
        "tokenizers": N_("Tokenizers"),
        "pieces": N_("Vocabulary size"),
        "train_on": N_("Train BPE, WordPiece and Unigram on"),
        "closely": N_("Tokenizer of the sections below"),
        "chat": N_("Format"),
        "same_sentence": N_("Sentence"),
        "own_sentence": N_("Your sentence"),
        "layer_matrix": N_("Embedding matrix"),
        "layer_start": N_("Initialization"),
        "layer_ids": N_("Ids to look up"),
        "layer_second": N_("Second embedding layer"),
        "layer_second_rows": N_("Rows"),
        "layer_second_width": N_("Dimensions"),
        "layer_second_ids": N_("Ids"),
        "layer_context": N_("Context length"),
        "layer_optimizer": N_("Optimizer"),
        "layer_tied": N_("Tie the output weights to E"),
        "layer_rate": N_("Learning rate"),
        "layer_steps": N_("Steps"),
        "layer_shares": N_("Share of the embedding matrix"),
        "layer_number": N_("Number format"),
        "shuffle": N_("shuffle"),
        "shuffle_seed": N_("Shuffle seed"),
        "drop_last": N_("drop_last"),
        "block": N_("Contents"),
        "context_layer": N_("Layer (0: the input)"),
        "context_attention": N_("Layer"),
        "context_head": N_("Head"),
        "context_shift": N_("Shift"),
        "context_scheme": N_("Replaced by"),
        "context_lines": N_("Sentences, a line each"),
        "train_word": N_("Word"),
        "train_axes": N_("Principal components of"),
        "train_fit": N_("Axes computed"),
        "train_view": N_("Axes"),
        "train_moved": N_("Moved"),
        "train_expected": N_("expected"),
        "experiment": N_("Experiment"),
        "ext_schemes": N_("Schemes"),
        "ext_seeds": N_("Seeds"),
        "ext_rate": N_("Learning rate"),
        "ext_runs": N_("Runs"),
        "ext_size": N_("Decoder"),
    }
)
# Texts that a reader of another language finds in theirs.
BY_LANGUAGE = frozenset(
    name
    for name, setting in SETTINGS.items()
    if isinstance(setting, Text) and any(in_language(setting.default, code) != setting.default for code in NAMES)
)
BY_PAGE = BY_LANGUAGE.union(*OPENINGS.values())
# Where one of these differs from what a page opens with, the others have their settings' own defaults.
ROWS_FROM = frozenset({*MINILM_ROWS, "cut", "layer_matrix", "vectors"})


def opening(page: str) -> dict[str, Any]:
    """Return what a page opens with in place of its settings' own defaults."""
    return OPENINGS.get(page, {}) if opens_with_minilm() else {}


def defaults(page: str, given: Mapping[str, Any], language: str = "en") -> dict[str, Any]:
    """Return what every setting is on a page where nobody has set it.

    Args:
        page: its address.
        given: settings that somebody has set: the others go with them.
        language: in which the page is read.
    """
    own = {name: setting.default for name, setting in SETTINGS.items()}
    own["text"] = PAGE_TEXTS.get(page, DEFAULT_TEXT)
    own |= {name: in_language(own[name], language) for name in BY_LANGUAGE}
    opens = opening(page)
    return own if differs(opens, given) else own | opens


def differs(opens: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    """Tell whether somebody has set other rows than those that a page opens with."""
    return any(name in given and given[name] != opens[name] for name in ROWS_FROM & opens.keys())
