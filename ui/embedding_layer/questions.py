"""The end of the embedding layer's page: its program, and questions about the numbers that it shows now."""

import streamlit as st

from embedlib.programs import embedding_layer_program
from ui.embedding_layer import cache
from ui.embedding_layer.gradients import can_train, trained_width, training
from ui.embedding_layer.layers import context_of, place_of, second_ids, second_size
from ui.embedding_layer.request import MAX_TOKENS, Request
from ui.i18n import _
from ui.shared.markdown import as_code
from ui.shared.questions import Question


def page_questions(request: Request) -> list[Question]:
    """Make the questions of this page from what it shows."""
    return [_zeros(request), _place(request), _read_again(request)]


def _zeros(request: Request) -> Question:
    rows, columns = request.vocab_size, request.d_model
    chip = cache.chips_of(request)[-1]
    answer = (rows - 1) * columns
    return Question(
        name="layer-zeros",
        prompt=_(
            "The one-hot row of {token} is multiplied by E, {rows:,} × {columns:,}. "
            "How many numbers of E are multiplied by 0?"
        ).format(token=as_code(chip.label), rows=rows, columns=columns),
        answer=answer,
        hint=_("One row of E meets the 1. How many rows meet a 0, and how many numbers has each?"),
        explanation=_(
            "{others:,} of the {rows:,} rows meet a 0, and each has {columns:,} numbers: "
            "{others:,} · {columns:,} = {answer:,}. The lookup touches the other {columns:,} alone."
        ).format(others=rows - 1, rows=rows, columns=columns, answer=answer),
    )


def _place(request: Request) -> Question:
    """Ask for the place of the token that says most: the first of a second sample, else the last."""
    context, count = context_of(request), len(request.token_ids)
    position = min(context, count - 1)
    place = int(place_of(count, context)[position])
    chip = cache.chips_of(request)[position]
    return Question(
        name="layer-place",
        prompt=(
            _(
                "Samples have {context} tokens here. Which row of the position table is added to {token}, which is "
                "number {position} of the ids, counted from 0?"
            )
            if request.typed
            else _(
                "Samples have {context} tokens here. Which row of the position table is added to {token}, which is "
                "token {position} of the text, counted from 0?"
            )
        ).format(context=context, token=as_code(chip.label), position=position),
        answer=place,
        hint=_("In each sample the places are counted from 0 again."),
        explanation=_(
            "Token {position} is in sample {sample}, whose first token is number {first} of them all: "
            "{position} − {first} = {place}. The tokens at place {place} of all other samples get this row too."
        ).format(position=position, sample=position // context, first=position - place, place=place),
    )


def _read_again(request: Request) -> Question:
    """Ask what a longer text reads: repeats name no new rows, but what was last before is looked up now."""
    ids = request.token_ids
    different, before = len(set(ids)), len(set(ids[:-1]))
    last = cache.chips_of(request)[-1]
    explanation = _(
        "{count} tokens are looked up, all but the very last, and they name {different:,} different rows of the "
        "{rows:,}. Repeats add nothing. "
    ) + (
        _("Once alone, the tokens named {before:,}, for {token} was only asked for; now it is looked up in the middle.")
        if before < different
        else _("That is as many as once alone, for {token}, which was only asked for, stands further in front too.")
    )
    return Question(
        name="layer-read",
        prompt=_(
            "One training step takes these {count} tokens twice, one time after the other. How many different rows of "
            "E does it look up?"
        ).format(count=len(ids)),
        answer=different,
        hint=_("The last token of a text is asked for, and not looked up. Which token is that here?"),
        explanation=explanation.format(
            count=2 * len(ids) - 1,
            different=different,
            rows=request.vocab_size,
            before=before,
            token=as_code(last.label),
        ),
    )


def show_code(request: Request) -> None:
    """Show the program that prints the page's numbers."""
    st.header(_("The code"))
    st.caption(_("It prints the numbers of this page. Run it in the folder of this project."))
    st.code(program(request), language="python")


def program(request: Request) -> str:
    """Write the program that prints the tables, the rows that are looked up, and what the training steps do."""
    wanted = training()
    size = second_size(request)
    second = None if size is None else (*size, second_ids())
    width = trained_width(request)
    return embedding_layer_program(
        request.text,
        tokenizer=request.tokenizer,
        d_model=request.d_model,
        seed=request.seed,
        table=request.matrix,
        token_ids=request.token_ids if request.typed else None,
        max_tokens=MAX_TOKENS,
        initialisation=request.start,
        second=second,
        context=context_of(request),
        optimizer=wanted.optimizer,
        learning_rate=wanted.rate,
        tied=wanted.tied,
        n_steps=wanted.steps if can_train(request) else 0,
        trained_width=width if width < request.d_model else None,
    )
