"""One pair of words in training: the word, its window, the random words, and their terms of the loss."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

import streamlit as st
import torch
from torch import Tensor
from torch.nn.functional import softplus

from embedlib.i18n import N_
from embedlib.word2vec import WordCorpus
from embedlib.word2vec.sampling import PairDrawer
from ui.cache.bounded import memo
from ui.export import Lines, save_table
from ui.i18n import _, join_sentences, number
from ui.markdown import as_code
from ui.shared.page import section, text_table
from ui.training import step_results
from ui.training.run import Run
from ui.training.view import TrainingView, default_word

Role = Literal["centre", "near", "far"]
BEYOND = 3  # words shown on either side of the window
LISTED = 8  # random words with a line each
LEAST_WORDS = 4  # of a sentence that is preferred


@dataclass(frozen=True)
class ExamplePair:
    """A word in a sentence of the training text, with one neighbour and random words.

    Attributes:
        sentence: rows of the words around it, each with its role.
        centre: row of the word.
        neighbour: row of the rarest word in its window.
        noise: rows of the random words.
    """

    sentence: tuple[tuple[int, Role], ...]
    centre: int
    neighbour: int
    noise: tuple[int, ...]


@memo(key=lambda run, corpus, centre: (run.request, centre))
def example_pair(run: Run, corpus: WordCorpus, centre: int) -> ExamplePair | None:
    """Find a word in its text; None where it has no neighbour."""
    config, length = run.request.config, corpus.sentence.bincount()
    places = (corpus.ids == centre).nonzero()[:, 0]
    places = places[length[corpus.sentence[places]] > 1]
    if not len(places):
        return None
    long = places[length[corpus.sentence[places]] >= LEAST_WORDS]
    place = int((long if len(long) else places)[0])
    reach = config.window + BEYOND
    around = [
        at
        for at in range(max(0, place - reach), min(len(corpus.ids), place + reach + 1))
        if corpus.sentence[at] == corpus.sentence[place]
    ]
    ids = corpus.ids.tolist()
    near = [at for at in around if 0 < abs(at - place) <= config.window]
    drawer = PairDrawer(corpus, window=config.window, subsample=config.subsample)
    noise = drawer.noise(config.negatives, torch.Generator().manual_seed(config.seed)).tolist()
    return ExamplePair(
        tuple((ids[at], "centre" if at == place else "near" if at in near else "far") for at in around),
        centre,
        max(ids[at] for at in near),  # rows are sorted by frequency
        tuple(noise),
    )


def loss_terms(rows: Tensor, context_rows: Tensor, pair: ExamplePair) -> tuple[Tensor, Tensor]:
    """Return the products of the word's row and its terms of the loss, (1 + n_negatives,) each, the neighbour first."""
    products = context_rows[[pair.neighbour, *pair.noise]].double() @ rows[pair.centre].double()
    signs = torch.ones_like(products)
    signs[0] = -1
    return products, softplus(signs * products)


@section(
    "training-pair",
    N_("What one step does"),
    lead=N_(
        "This training is called skip-gram: predict which words stand around a word. Each word has its row and a "
        "second one for its part as a neighbour, which begins at 0 and is dropped in the end. Each word marked “pull” "
        "makes a pair with the word; the table below has one of them. Pull: the row moves so that its product with the "
        "neighbour’s second row grows. Push: its products with those of random words shrink. So a word does not go to "
        "its neighbours: words with the same neighbours go to the same place."
    ),
)
def one_pair(view: TrainingView, corpus: WordCorpus) -> None:
    """Show a sentence with the word in view, its window and random words, and the loss of the pair term by term."""
    run = view.recording.run
    pair = example_pair(run, corpus, default_word(view))
    if pair is None:
        return
    st.html(_strip(view.words, pair))
    _show_terms(view, pair)
    st.subheader(_("What training moves"))
    _show_what_moves(view)


def _show_what_moves(view: TrainingView) -> None:
    """Show which rows one training step moves, here and in a transformer."""
    recording, n_rows = view.recording, len(view.words)
    sentences = [
        _("One step reads {pairs:,} pairs of neighbours, and only the words in them are pulled and pushed.").format(
            pairs=view.request.config.batch_size
        )
    ]
    if {1, 2} <= set(recording.kept_steps):  # later the optimizer lets rows move on that were read before
        moved = int((step_results.row_moves_between(recording, 1, 2).moves > 0).sum())
        if 0 < moved < n_rows:
            sentences.append(
                _(
                    "In step 2, for example, {moved:,} of the {rows:,} rows moved; the words of the other rows were "
                    "not read, and these rows stayed exactly where they were."
                ).format(moved=moved, rows=n_rows)
            )
    sentences.append(_("A word that never occurs in the training text would keep its random row for ever."))
    st.write(join_sentences(*sentences))
    st.write(
        _(
            "Large language models are transformers: a table of rows, with layers on top that compute the prediction. "
            "They are trained in steps too: a step reads some texts, predicts tokens, and its errors move the model’s "
            "numbers a little. For their rows the same rule holds, and much else moves too:"
        )
    )
    moves = {
        N_("the row of a token that was read"): N_("moves"),
        N_("the rows of all other tokens"): N_(
            "stay where they are, unless the model also predicts with these rows (tied weights): then it compares its "
            "prediction with all of them, and all move"
        ),
        N_("learned position rows"): N_("those of the positions that were read move"),
        N_("positions that a formula gives (sinusoids, RoPE, ALiBi)"): N_("never move"),
        N_("the weights of all layers, those of attention among them"): N_("all move, in every step"),
    }
    title = _("What one step moves in a transformer")
    shown = {
        _("Numbers of a transformer"): list(map(_, moves)),
        _("In one step of training"): list(map(_, moves.values())),
    }
    save_table("training-moves", title, shown)
    text_table(shown, alt=title)
    st.write(
        _(
            "What differs from skip-gram: a transformer sees the order of the words, and it predicts a token in its "
            "place instead of a neighbour anywhere in the window. The rows of MiniLM, the trained model of other "
            "pages, come from such a training."
        )
    )


def _strip(words: Sequence[str], pair: ExamplePair) -> str:
    """Return the sentence and the random words as two lines of chips."""
    names = {"centre": _("the word"), "near": _("pull"), "far": ""}
    text = "".join(_chip(words[row], role, names[role]) for row, role in pair.sentence)
    noise = "".join(_chip(words[row], "push", _("push")) for row in pair.noise)
    lines = ((_("a sentence of the text"), text), (_("random words"), noise))
    return "".join(f'<div class="pair-line"><b>{escape(name)}</b><div>{chips}</div></div>' for name, chips in lines)


def _chip(word: str, role: str, name: str) -> str:
    return f'<span class="pair-{role}">{escape(word)}<small>{escape(name) or "&nbsp;"}</small></span>'


def _show_terms(view: TrainingView, pair: ExamplePair) -> None:
    """Show each term of the pair's loss, before training and as it is now."""
    run, config = view.recording.run, view.request.config
    state, half = run.state, float(softplus(torch.zeros(())))
    words = {"word": as_code(view.words[pair.centre]), "neighbour": as_code(view.words[pair.neighbour])}
    st.write(
        _(
            "The product of the row of {word} with a second row (number times number, all added up) answers a "
            "question: does that word stand near {word}? A large product means yes, one far below 0 means no, and 0 is "
            "a coin toss. A product x becomes a probability of yes, 1 / (1 + e⁻ˣ); that of no is the rest up to 1. How "
            "wrong the answer is becomes a number, its cost: if the answer gives the truth the probability p, it costs "
            "−ln p. With p = 1 that is 0; the smaller p, the more it costs. Before training the second rows are 0 and "
            "so every product is 0, p is ½ and every answer costs −ln ½ = ln 2 = {half:.2f}. One true pair and "
            "{negatives} random ones make {terms} questions: {terms} · ln 2 = **{loss:.2f}**. This sum is the loss of "
            "one pair; the chart shows its mean over the pairs of a step. "
            "For each number in these rows one can compute how fast the loss would grow if that number grew a little; "
            "the list of all these slopes is the gradient. Training moves each number a little against its slope, and "
            "so the loss shrinks."
        ).format(half=half, negatives=config.negatives, terms=1 + config.negatives, loss=config.chance_loss, **words)
    )
    named = [pair.neighbour, *pair.noise]
    columns = {
        _("Word"): [view.words[row] for row in named],
        _("Does it stand near?"): [_("yes"), *[_("no")] * len(pair.noise)],
        _("Cost before training"): [number(half, ".2f")] * len(named),
    }
    total = [_("sum"), "", number(config.chance_loss, ".2f")]
    if state.step and view.recording.state != "training":
        products, terms = loss_terms(state.tensors["rows"], state.tensors["context_rows"], pair)
        columns[_("Product at step {step:,}").format(step=state.step)] = [
            number(one, ".2f").replace("-", "−") for one in products.tolist()
        ]
        columns[_("Cost at step {step:,}").format(step=state.step)] = [number(one, ".2f") for one in terms.tolist()]
        total += ["", number(float(terms.sum()), ".2f")]
    rest = len(named) - 1 - LISTED
    shown = {name: cells[: 1 + LISTED] for name, cells in columns.items()}
    for cells, last in zip(shown.values(), total, strict=True):
        cells += [_("{count} more").format(count=rest) if cells is shown[_("Word")] else "…"] * (rest > 0)
        cells.append(f"**{last}**" if last else "")
    title = _("Loss of one pair")
    save_table("training-pair", title, shown, numbers=Lines(list(columns), list(zip(*columns.values(), strict=True))))
    text_table(shown, alt=title)
