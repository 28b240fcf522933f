"""Many uses of one word as a cloud of points, layer by layer."""

from collections.abc import Hashable
from dataclasses import dataclass

import streamlit as st
import torch
from torch import Tensor
from torch.nn.functional import normalize

from embedlib.contextual import find_uses
from ui.cache.bounded import memo
from ui.context.cloud import cloud
from ui.context.request import word_in_view
from ui.i18n import _, join_sentences
from ui.markdown import as_code
from ui.settings import controls, state
from ui.shared.opened_model import OpenedModel, running
from ui.shared.text.text_area import setting_area

MAX_CHARACTERS, MAX_LINES = 4_000, 100
FEWEST = 3  # uses that make a picture
APART = 0.75  # share of the uses whose nearest has the same meaning, from which on meanings lie apart
ROUNDING = 1e-6  # between the cosine of equal vectors and 1


@dataclass(frozen=True)
class WordUses:
    """The uses of a word in a list of sentences.

    Attributes:
        sentences: one for each use.
        meanings: of each, as an index into `names`.
        names: of the meanings.
        vectors: (n_uses, n_layers + 1, d_model).
    """

    sentences: list[str]
    meanings: list[int]
    names: list[str]
    vectors: Tensor


def read_lines(text: str) -> tuple[list[str], list[int], list[str]]:
    """Parse sentences, the meaning of each, and the meanings' names: a line that ends in a colon begins one."""
    sentences: list[str] = []
    meanings: list[int] = []
    names: list[str] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.endswith((":", "：")):  # the second as in Chinese
            names.append(line[:-1].strip())
        elif len(sentences) < MAX_LINES:
            names = names or [""]
            sentences.append(line)
            meanings.append(len(names) - 1)
    return sentences, meanings, names


@memo(64_000_000, key=lambda opened, word, text: (opened.key, word, text))
def uses_in_lines(opened: OpenedModel, word: str, text: str) -> WordUses:
    """Find the uses of a word in the lines of a text, and its vectors there."""
    sentences, meanings, names = read_lines(text)
    with running:
        found = find_uses(opened.model, word, sentences) if sentences else []
    model = opened.model
    return WordUses(
        [sentences[use.sentence] for use in found],
        [meanings[use.sentence] for use in found],
        names,
        torch.stack([use.vectors for use in found]) if found else torch.empty(0, model.n_layers + 1, model.d_model),
    )


def word_uses(opened: OpenedModel) -> None:
    """Draw the sentences, the choice of the layer, and the cloud."""
    left, right = st.columns([5, 8], gap="large")
    word = word_in_view()
    with left:
        label = _("One sentence per line; a line such as “river:” names the meaning of those below it")
        text = setting_area("context_uses", label, limit=MAX_CHARACTERS, lines=True)
        for notice in text.notices:
            st.warning(notice)
        last = opened.model.n_layers
        layer = min(state.get("context_layer"), last)
        controls.control("context_layer", st.slider, 0, last, value=layer)
        uses = uses_in_lines(opened, word, text.text)
        if len(uses.sentences) < FEWEST:
            sentence = _("Write {word} into at least three of these sentences.")
            st.warning(sentence.format(word=as_code(word[:40])))
            return
        vectors, shows = uses.vectors[:, layer], (opened.key, word, text.text, layer)
        separation = _cached_separation(shows, vectors, uses.meanings)
        if separation is not None:
            st.write(_separation_sentences(separation, len(uses.sentences), layer, opened))
    with right:
        names = [name or _("use of the word") for name in uses.names]
        labels = [label_around_word(word, sentence) for sentence in uses.sentences]
        cloud(vectors, labels, uses.meanings, names, key="context-cloud", title=_("Uses of the word"), shows=shows)


def label_around_word(word: str, sentence: str) -> str:
    """Return a sentence from two words before a word on, so that a label cut at its end still shows the word.

    >>> label_around_word("bank", "The boat was tied up at the bank.")
    '…at the bank.'
    """
    before = sentence[: max(sentence.casefold().find(word), 0)].split(" ")
    return sentence if len(before) < 5 else "…" + sentence[len(" ".join(before[:-3])) + 1 :]


@dataclass(frozen=True)
class Separation:
    """How well the uses of a word separate by meaning.

    Attributes:
        same: mean cosine of two uses of one meaning.
        other: of two uses of two meanings.
        nearest: number of uses whose nearest other use has the same meaning.
        chance: that number on average, if meanings were dealt out at random.
        spots: number of different vectors.
    """

    same: float
    other: float
    nearest: int
    chance: float
    spots: int


def _separation_sentences(separation: Separation, count: int, layer: int, opened: OpenedModel) -> str:
    """Return the sentences on how well the uses separate by meaning; layer 0 is the input, before any attention."""
    sentence = _(
        "Two uses with the same meaning have a cosine of **{same:.2f}** on average, two with different meanings "
        "**{other:.2f}**."
    ).format(same=separation.same, other=separation.other)
    if layer == 0:
        sentences = [
            sentence,
            _("But no token has looked at another yet: nothing of the meaning can be in the input."),
            _("Only the position rows differ, those of the places at which the word stands.")
            if opened.model.scheme == "learned"
            else "",
            _(
                "Equal vectors lie at one spot, where one point hides the others, and the sentence beside it may be "
                "another’s: the {count} uses lie at {spots} spots."
            ).format(count=count, spots=separation.spots),
        ]
        return join_sentences(*sentences)
    nearest = _(
        "Of the {count} uses **{nearest}** have one with the same meaning nearest to them, by the cosine; by chance it "
        "would be about {chance:.0f}."
    ).format(count=count, nearest=separation.nearest, chance=separation.chance)
    if separation.nearest >= APART * count:
        verdict = _("The meanings lie apart.")
    else:
        verdict = _("The meanings do not lie clearly apart: that would take {share:.0%} or more.").format(share=APART)
    return join_sentences(sentence, nearest, verdict)


@memo(key=lambda shows, vectors, meanings: shows)
def _cached_separation(shows: Hashable, vectors: Tensor, meanings: list[int]) -> Separation | None:
    return measure_separation(vectors, meanings)


def measure_separation(vectors: Tensor, meanings: list[int]) -> Separation | None:
    """Compare cosines within a meaning and across; None where no two uses share one, or all do."""
    directions = normalize(vectors.double(), dim=1)
    cosines = directions @ directions.T  # (n_uses, n_uses)
    kinds = torch.tensor(meanings)
    same, itself = kinds[:, None] == kinds, torch.eye(len(kinds), dtype=torch.bool)
    alike = same & ~itself
    if not alike.any() or same.all():
        return None
    nearest = cosines.masked_fill(itself, -torch.inf).argmax(1)
    return Separation(
        same=float(cosines[alike].mean()),
        other=float(cosines[~same].mean()),
        nearest=int((kinds[nearest] == kinds).sum()),
        chance=float(alike.sum()) / (len(kinds) - 1),
        spots=_number_of_spots(cosines),
    )


def _number_of_spots(cosines: Tensor) -> int:
    """Count the different directions: those that no earlier one equals."""
    return int((~(cosines > 1 - ROUNDING).tril(-1).any(1)).sum())
