"""Attention in one picture: query, key, score, weight and output of one token of a small example."""

from html import escape

import streamlit as st
import torch
from torch import Tensor

from embedlib.i18n import N_
from ui.export import Lines, save_table
from ui.i18n import _, number
from ui.settings import controls, state
from ui.shared.page import section

# Chosen by hand, so that each number has a meaning: the first dimension is "somebody", the second "an action".
TOKENS = {"dog": N_("dog"), "saw": N_("saw"), "man": N_("man")}
QUERIES = torch.tensor([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
KEYS = torch.tensor([[2.0, 0.0], [0.0, 2.0], [1.5, 0.0]])
VALUES = torch.tensor([[3.0, 0.0], [0.0, 2.0], [2.0, 0.0]])

_STYLE = """
.text-table.attention-example {
  td:not(:first-child) { font-variant-numeric: tabular-nums; white-space: nowrap; }
  tbody tr:last-child td { border-top: 2px solid; font-weight: 600; }
  .term { white-space: nowrap; }
  .token { background: light-dark(#dbe9f7, #1d3a57); border-radius: 0.35rem; padding: 0.1rem 0.5rem; }
  .weight { align-items: center; display: flex; gap: 0.5rem; min-width: 11rem; }
  .bar { background: light-dark(#0b5cad, #6cb6ff); border-radius: 0.2rem; flex: none; height: 0.8rem; }
  .bar { width: calc(var(--weight) * 7rem); }
}
@media (max-width: 640px) {
  .text-table.attention-example {
    font-size: 0.8rem;
    :is(th, td) { padding-inline: 0.3rem; }
    td:not(:first-child) { white-space: normal; } /* before an equals sign, so that no column is out of sight */
    .weight { align-items: start; flex-direction: column; gap: 0.1rem; min-width: 3rem; }
    .bar { height: 0.4rem; width: calc(var(--weight) * 3rem); }
  }
}
"""


@section(
    "order-attention",
    N_("Attention in one picture"),
    lead=N_(
        "Attention lets each token gather from all tokens of the text. Three vectors are made from its row: a "
        "**query** says what the token looks for, a **key** what it offers to others, a **value** what it passes on. "
        "Query times key, place by place and added up, is the **score** of two tokens. The softmax takes e, about "
        "2.718, to the power of each score (7.39 for a score of 2) and divides it by the sum of these powers: the "
        "**attention weights**, which add up to 1. Even a score of 0 gets a little. The output is the sum of all "
        "values, each times its weight."
    ),
)
def show_attention() -> None:
    """Show how one token of the example gathers from all three, step by step."""
    titles = {token: _(title) for token, title in TOKENS.items()}
    controls.control("asking_token", st.pills, list(titles), titles=titles, required=True)
    asking = list(TOKENS).index(state.get("asking_token"))
    scores, weights = _attention(asking)
    names, output = list(titles.values()), weights @ VALUES
    looks_for = _("somebody") if QUERIES[asking, 0] else _("an action")
    st.write(
        _("The query of **{token}** is {query}: it looks for {what}.").format(
            token=names[asking], query=_vector(QUERIES[asking]), what=looks_for
        )
    )
    head = [_("Token"), _("Query · key = score"), _("Softmax = attention weight"), _("Weight × value")]
    products = [
        f"{_vector(QUERIES[asking])} · {_vector(key)} = {number(score, '.4g')}"
        for key, score in zip(KEYS, scores.tolist(), strict=True)
    ]
    shares = [number(weight, ".2f") for weight in weights.tolist()]
    passed = [f"{share} × {_vector(value)}" for share, value in zip(shares, VALUES, strict=True)]
    powers = scores.exp()
    shares = [
        f"{number(power, '.2f')} / {number(float(powers.sum()), '.2f')} = {share}"
        for power, share in zip(powers.tolist(), shares, strict=True)
    ]
    rows = {
        head[0]: [*names, _("Sum")],
        head[1]: [*products, ""],
        head[2]: [*shares, number(1.0, ".2f")],
        head[3]: [*passed, _vector(output, ".2f")],
    }
    title = _("Attention in one picture")
    save_table("attention-example", title, rows, numbers=_numbers(names, scores, weights))
    st.html(f"<style>{_STYLE}</style>{_table(rows, weights)}")
    most = int(weights.argmax())
    st.write(
        _(
            "**{token}** gives most of its weight to **{other}**: {share:.0%}. Its output {output} is a sum, and a sum "
            "has no order: whichever of the three tokens stands first, the last line stays the same."
        ).format(token=names[asking], other=names[most], share=float(weights[most]), output=_vector(output, ".2f"))
    )
    st.write(
        _(
            "A **head** is one set of three learned matrices, which make query, key and value from each row; with it "
            "each token looks once at all tokens. A layer has several heads, each of which has learned to look for "
            "something else. Their outputs are put side by side in one long vector, which is multiplied by one more "
            "learned matrix: it mixes what the heads have found."
        )
    )
    st.caption(
        _(
            "The numbers of this example are chosen by hand; the first dimension means “somebody”, the second “an "
            "action”. In a model the scores are also divided by the square root of the number of dimensions."
        )
    )


def _attention(asking: int) -> tuple[Tensor, Tensor]:
    """Return the scores of a token's query with all keys, and the attention weights, (3,) each."""
    scores = KEYS @ QUERIES[asking]
    return scores, scores.softmax(0)


def _vector(values: Tensor, digits: str = ".4g") -> str:
    first, second = (number(value, digits) for value in values.tolist())
    return _("({first}, {second})").format(first=first, second=second)


def _table(rows: dict[str, list[str]], weights: Tensor) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in rows)
    bars = [f'<span class="bar" style="--weight: {weight:.3f}"></span>' for weight in weights.tolist()]
    lines = ""
    for (token, product, share, passed), bar in zip(zip(*rows.values(), strict=True), [*bars, ""], strict=True):
        name = f'<span class="token">{escape(token)}</span>' if bar else escape(token)
        weight = f'<span class="weight">{bar}<span>{_terms(share)}</span></span>'
        lines += f"<tr><td>{name}</td><td>{_terms(product)}</td><td>{weight}</td><td>{_terms(passed)}</td></tr>"
    title = escape(_("Attention in one picture"))
    return (
        f'<div class="text-table attention-example"><table aria-label="{title}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{lines}</tbody></table></div>"
    )


def _terms(text: str) -> str:
    """Return a cell's HTML that may break before an equals sign only."""
    return " ".join(f'<span class="term">{term}</span>' for term in escape(text).replace(" = ", "\n= ").split("\n"))


def _numbers(names: list[str], scores: Tensor, weights: Tensor) -> Lines:
    passed = weights[:, None] * VALUES
    lines = [[*line] for line in zip(names, scores.tolist(), weights.tolist(), *passed.T.tolist(), strict=True)]
    return Lines(["token", "score", "weight", "passed_0", "passed_1"], lines)
