"""The tokenizers side by side in numbers: where they differ, how large each vocabulary is, where it comes from."""

from functools import partial

import streamlit as st

from embedlib.figures.bars import bars_figure
from ui.export.take_along import take_along
from ui.i18n import _, ngettext
from ui.shared import theme
from ui.tokens.cache import counts_of, tokenizer_of, tokens_of, unknown_in
from ui.tokens.request import Request
from ui.tokens.rows import compared
from ui.tokens.tables import tokens_csv
from ui.tokens.titles import title_of
from ui.tokens.training import origin


def about_rows(request: Request) -> None:
    """Say where the rows differ, offer their tokens, and list each tokenizer's vocabulary."""
    _left_out(request)
    _marks(request)
    _take_rows(request)
    rows: dict[str, list[str]] = {_("Tokenizer"): [], _("Vocabulary"): [], _("Where it comes from"): []}
    titles, sizes, origins = rows.values()
    for cutter in request.cutters:
        titles.append(title_of(cutter.name))
        sizes.append(f"{tokenizer_of(cutter).vocab_size:,}")
        origins.append(origin(cutter))
    st.table(rows, border="horizontal", hide_index=True, alt=_("How many pieces each tokenizer has to choose among."))
    st.caption(
        _(
            "The vocabulary is the number of rows that the embedding matrix needs. A larger one makes shorter lists of "
            "tokens and a larger matrix: that is the bargain."
        )
    )


def _left_out(request: Request) -> None:
    """Say which rows the marks of disagreement pass over."""
    names = [title_of(cutter.name) for cutter in request.cutters if cutter.name not in compared(request)]
    if names:
        st.caption(_("Left out of the marks: {names}, which cut everywhere.").format(names=", ".join(names)))
    elif len(request.cutters) < 2:
        st.caption(_("Choose a second tokenizer to see where the two disagree."))


def _marks(request: Request) -> None:
    """Explain the signs that vocabularies put before their pieces, and what is counted as a character."""
    said, names = [], {cutter.name for cutter in request.cutters}
    if "wordpiece" in names:
        said.append(_("WordPiece writes `##` before a piece that goes on inside a word."))
    if "unigram" in names:
        said.append(_("Unigram writes ▁ for the space before a word, also where the text begins with one."))
    if any(unknown_in(cutter, request.text, request.specials) for cutter in request.cutters):
        said.append(
            _(
                "A token that is unknown, `[UNK]` or `<unk>`, has lost what it stands for: where there are some, few "
                "tokens are no success."
            )
        )
    if "characters" in names:
        said.append(
            _(
                "A character here is what you read as one; the row of code points cuts it in several where it is made "
                "of several, as many emoji are."
            )
        )
    if said:
        st.caption(" ".join(said))


def _take_rows(request: Request) -> None:
    counted = [counts_of(cutter, request.text, request.specials) for cutter in request.cutters]
    unknown = [unknown_in(cutter, request.text, request.specials) for cutter in request.cutters]
    draw = partial(
        bars_figure,
        [float(found.tokens) for found in counted],
        names=[title_of(cutter.name) for cutter in request.cutters],
        said=[
            ngettext("{count:,} token", "{count:,} tokens", found.tokens).format(count=found.tokens)
            + (_(", {count:,} unknown").format(count=lost) if lost else "")
            for found, lost in zip(counted, unknown, strict=True)
        ],
        hatched=[index for index, lost in enumerate(unknown) if lost],
        x_title=_("tokens"),
        theme=theme.current(),
        hover_text=_("{name}\n{value}"),
        tickformat=",d",
        title=_("How many tokens the text becomes"),
    )
    take_along(
        "tokens",
        table=lambda: tokens_csv(
            {cutter.name: tokens_of(cutter, request.text, request.specials) for cutter in request.cutters}
        ),
        figure=draw,
    )
