"""What the session knows and the link carries: read once, checked, kept across pages, written out again."""

import secrets
from contextlib import suppress
from copy import copy
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from embedlib.positional import SCHEMES
from embedlib.tokenizers import TOKENIZERS
from ui.batches.settings import SETTINGS as BATCHES
from ui.embedding_layer.settings import SETTINGS as EMBEDDING_LAYER
from ui.i18n import _, languages
from ui.markdown import as_code
from ui.settings import (
    GREATEST,
    Choice,
    Flag,
    Names,
    OptionalChoice,
    OptionalWhole,
    Real,
    Rows,
    Setting,
    Text,
    Whole,
    Wholes,
    scheme_settings,
)
from ui.tokens.settings import SETTINGS as TOKENS

DEFAULT_TEXT = "The cat sat on the mat"
# Past this, browsers, proxies and chat programs begin to cut a link; the text then stays out of it.
LINK_CHARACTERS = 8_000

# What the points of a table can be coloured by; which of them a table opens with depends on what is known of it.
COLOURS = ("kind", "script", "length", "norm", "count", "frequency", "similarity", "distance")

SETTINGS: dict[str, Setting] = {
    "text": Text(DEFAULT_TEXT),
    "tokenizer": Choice("gpt2", tuple(TOKENIZERS)),
    "table": Choice("random", ("random", "by_hand")),
    "d_model": Whole(64, 2, 1024),
    "seed": Whole(123, 0, 2**32 - 1),
    "scale": Flag(False),
    "scheme": Choice("sinusoidal", tuple(SCHEMES)),
    "token": OptionalWhole(None, 0, 1_999),
    "window": Whole(0, 0, 1_999),
    "view": Choice("2d", ("2d", "3d")),
    "positions": Whole(64, 2, 512),
    "heads": Whole(4, 1, 64),
    "position": Whole(8, 0, 511),
    "pairs": Wholes([0, 4, 8, 12], 511, 4),
    "schemes": Names(["none", "sinusoidal", "rope", "alibi"], tuple(SCHEMES)),
    "front": OptionalChoice(None, tuple(SCHEMES)),
    "head": Whole(0, -1, 63),
    "unit": Choice("relative", ("relative", "standard")),
    "scales": Choice("shared", ("shared", "own")),
    "length": Whole(256, 3, 512),
    "first": Text(DEFAULT_TEXT),
    "second": Text("The mat sat on the cat"),
    "cut": Choice("words", ("words", "gpt2", "characters", "bytes")),
    "layers": Choice(1, (1, 2)),
    "causal": Flag(False),
    "term_head": Whole(0, 0, 63),
    "vectors": Text("learned"),
    "map": Choice("pca", ("pca", "tsne", "umap", "meaning")),
    "colour": OptionalChoice(None, COLOURS),
    "metric": Choice("cosine", ("cosine", "dot", "euclidean")),
    "find": Text(""),
    "expression": Flag(False),
    "row": OptionalWhole(None, 0, GREATEST),
    "line": Flag(True),
    "moved": Flag(False),
    "isolated": Rows([], GREATEST, 300),
    "sample": Whole(2_000, 50, 10_000),
    "perplexity": Real(30.0, 2.0, 100.0),
    "n_neighbors": Whole(15, 2, 200),
    "min_dist": Real(0.1, 0.0, 0.99),
    "map_seed": Whole(0, 0, 2**32 - 1),
    "from_x": Text("integer, float"),
    "to_x": Text("string, bytes"),
    "from_y": Text("class, method"),
    "to_y": Text("loop, while"),
    "analogy": Text("right, left, start, end"),
    "lang": Choice("en", tuple(languages())),
    **TOKENS,
    **EMBEDDING_LAYER,
    **BATCHES,
    **scheme_settings(),
}


# What an example leaves as it is: how the reader likes to look, and what is being compared.
KEPT = (
    *("lang", "view", "schemes", "front", "head", "unit", "length", "first", "second", "cut", "layers", "causal"),
    *("vectors", "map", "colour", "metric", "find", "expression", "row", "line", "moved", "isolated", "analogy"),
    *("from_x", "to_x", "from_y", "to_y", "sample", "perplexity", "n_neighbors", "min_dist", "map_seed", "scales"),
    *(*TOKENS, *EMBEDDING_LAYER, *BATCHES),
)


def restore() -> None:
    """Put every setting into the session: from the link on the first run, kept as it is afterwards.

    Streamlit drops the state of a widget that a page does not draw; assigning it anew on every run keeps it.
    """
    for name, setting in SETTINGS.items():
        if name not in st.session_state:
            st.session_state[name] = _from_link(name, setting)
        else:
            st.session_state[name] = st.session_state[name]


def get(name: str) -> Any:
    """Return the value of a setting."""
    return st.session_state[name]


def put(**values: Any) -> None:
    """Set several settings, as an example does; call it from a callback, before their widgets are drawn."""
    for name, value in values.items():
        assert name in SETTINGS, name
        st.session_state[name] = value


def reset() -> None:
    """Give every setting its default again, except those in KEPT."""
    put(**{name: copy(setting.default) for name, setting in SETTINGS.items() if name not in KEPT})


def options(name: str) -> list[Any]:
    """Return what a choice may be."""
    setting = SETTINGS[name]
    assert isinstance(setting, Choice)
    return list(setting.options)


def greatest(name: str) -> int:
    """Return the greatest value of a whole number."""
    setting = SETTINGS[name]
    assert isinstance(setting, Whole)
    return setting.maximum


def scheme_parameters(scheme: str) -> dict[str, Any]:
    """Return the parameters of a scheme that it reads as it is set: what has no control must not have a say."""
    declared = SCHEMES[scheme].PARAMETERS
    values = {parameter.name: get(f"{scheme}.{parameter.name}") for parameter in declared}
    return {parameter.name: values[parameter.name] for parameter in declared if parameter.is_read(values)}


def link_query() -> tuple[str, bool]:
    """Return what differs from its default as the query of a link, and whether the text is in it.

    A text of more than LINK_CHARACTERS, as it is written in a link, is left out.
    """
    wanted = {
        name: setting.format(st.session_state[name])
        for name, setting in SETTINGS.items()
        if st.session_state[name] != setting.default
    }
    # Half a surrogate pair has no form in a link; "?" stands in, as it does in every browser.
    text = urlencode({"text": wanted.get("text", "")}, errors="replace")
    fits = len(text) <= LINK_CHARACTERS
    if not fits:
        del wanted["text"]
    return urlencode(wanted, errors="replace"), fits


def session_name() -> str:
    """Name this visit, at random."""
    return str(st.session_state.setdefault("_session_name", secrets.token_hex(8)))


def recall(query: str) -> None:
    """Set what a link's query says; what it does not name gets its default, and wrong values are passed over."""
    values = {name: copy(setting.default) for name, setting in SETTINGS.items()}
    for name, raw in parse_qsl(query, keep_blank_values=True):
        if name in SETTINGS:
            with suppress(ValueError, KeyError):
                values[name] = SETTINGS[name].parse(raw)
    put(**values)


def take_notices() -> list[str]:
    """Return the sentences about a link's wrong values; they stay until a setting is changed."""
    return list(st.session_state.get("_notices", []))


def dismiss_notices() -> None:
    """Forget the sentences about the link."""
    st.session_state["_notices"] = []


def _from_link(name: str, setting: Setting) -> Any:
    raw = st.query_params.get(name)
    if raw is None:
        return copy(setting.default)
    try:
        return setting.parse(raw)
    except (ValueError, KeyError):
        value = setting.repair(raw)
        shown = _("nothing") if value is None else setting.format(value) or _("nothing")
        sentence = _("The link asks for {name} = {raw}, but it must be {rule}; {default} is used instead.").format(
            name=name, raw=as_code(raw[:40]), rule=setting.rule(), default=shown
        )
        st.session_state.setdefault("_notices", []).append(sentence)
        return value
