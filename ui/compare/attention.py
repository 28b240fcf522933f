"""Attention heads of small trained decoders, one for each scheme, on the reader's text."""

from functools import partial

import streamlit as st
from torch import Tensor

from embedlib.extrapolation import (
    decoder_schemes,
    mean_distances,
    trained_attention,
    trained_decoder,
)
from embedlib.figures import colour_limit
from embedlib.i18n import N_
from ui.cache import Request
from ui.cache.bounded import memo
from ui.cache.schemes import SchemeKey, hide_later_keys
from ui.compare.pictures import PANELS_LIMIT, SchemePanels, language_key, panel, panel_bytes, scheme_panels, show_grid
from ui.compare.request import Comparison, characters_read
from ui.i18n import _, number, separator
from ui.markdown import as_code
from ui.settings import controls, state
from ui.shared.page import section
from ui.shared.schemes import scheme_label, scheme_title

NAMED = 12  # characters at most along an axis; more of them than that cannot be read


@section(
    "compare-attention",
    N_("Attention heads after training"),
    lead=N_(
        "For each scheme a small model has learned to guess the next character of a text: the same text, the same "
        "steps, the same random start. Each row of a picture is one character, the query; the stronger the colour of a "
        "cell, the more attention it pays to that earlier character, the key. A sharp diagonal is a head that looks "
        "back by a fixed distance: that takes positions. Without them a head can only look for certain characters, "
        "wherever they stand."
    ),
)
def attention(compared: Comparison, request: Request) -> None:
    """Show where a head of each scheme's decoder looks, and how far back."""
    text = characters_read(request.text)
    keys = tuple(key for key in compared.keys if key.name in decoder_schemes() and not key.own)
    if left := [scheme_title(key.entry) for key in compared.keys if key not in keys]:
        st.caption(_("No model was trained for {schemes}.").format(schemes=separator(", ").join(left)))
    if not keys:
        return
    decoder = trained_decoder(keys[0].name)
    controls.control(
        "trained_head",
        titles={
            "nearest": _("the head that looks nearest"),
            "farthest": _("the head that looks farthest"),
            "mean": _("mean of all {count} heads").format(count=len(decoder.layers) * decoder.scheme.n_heads),
        },
    )
    show_grid(
        partial(attention_panels, keys, text, state.get("trained_head")),
        compared,
        key="attention",
        title=_("Attention heads after training"),
        characters=text,
    )
    st.markdown(_distances_sentence(keys, text))
    st.caption(_text_sentence(request.text, text))


def _distances_sentence(keys: tuple[SchemeKey, ...], text: str) -> str:
    """Return a sentence on which models look nearest and farthest, all heads together."""
    means = {scheme_label(key.entry): float(_distances(key.name, text).mean()) for key in keys}
    near, far = min(means, key=lambda name: means[name]), max(means, key=lambda name: means[name])
    if len(means) < 2:
        return _("All heads together look {near:.1f} characters back on average.").format(near=means[near])
    return _(
        "All heads together, **{first}** looks nearest, {near:.1f} characters back on average, and **{last}** "
        "farthest, {far:.1f}."
    ).format(first=near, near=means[near], last=far, far=means[far])


def _text_sentence(given: str, text: str) -> str:
    """Return a sentence on which characters the decoders read."""
    if text != given[: len(text)]:
        return _(
            "The models were trained on English and hardly know the characters of your text, so they read {text}."
        ).format(text=as_code(text))
    if len(given) > len(text):
        return _("The models read characters, not tokens: the first {count} of your text.").format(count=len(text))
    return _("The models read characters, not tokens: the {count} of your text.").format(count=len(text))


@memo()
def _distances(scheme: str, text: str) -> Tensor:
    """Return how far back each head looks on average, (n_layers, n_heads) characters."""
    return mean_distances(trained_attention(scheme, text))


@memo(PANELS_LIMIT, size=panel_bytes, key=language_key)
def attention_panels(keys: tuple[SchemeKey, ...], text: str, which: str) -> SchemePanels:
    """Describe a head of each decoder: the "nearest", the "farthest" or the "mean" of all."""
    patterns: dict[SchemeKey, Tensor] = {}
    notes: dict[SchemeKey, str] = {}
    for key in keys:
        weights, distances = trained_attention(key.name, text).flatten(0, 1), _distances(key.name, text)
        flat = distances.flatten()
        if which == "mean":
            patterns[key] = weights.mean(0)
            sentence = _("The heads look {near} to {far} characters back on average.")
            notes[key] = sentence.format(near=number(float(flat.min()), ".1f"), far=number(float(flat.max()), ".1f"))
            continue
        index = int(flat.argmin() if which == "nearest" else flat.argmax())
        patterns[key] = weights[index]
        layer, head = divmod(index, distances.shape[1])
        sentence = _("Layer {layer}, head {head}: it looks {distance:.1f} characters back on average.")
        notes[key] = sentence.format(layer=layer + 1, head=head, distance=float(flat[index]))
    # The first characters have few to look at: their weights would leave nothing of the scale to the others.
    limit = 1.0 if which == "nearest" else colour_limit(max(one[len(text) // 4 :].max() for one in patterns.values()))
    return scheme_panels(
        {
            key.entry: panel(
                key,
                note=notes[key],
                meaning=_("Colour: attention weight, from {lowest} to {highest}."),
                values=hide_later_keys(pattern),
                limit=limit,
                axes=(_("query: looks"), _("key: is looked at")),
                named=len(text) <= NAMED,
            )
            for key, pattern in patterns.items()
        }
    )
