"""The questions at the end of the embedding layer's page, about the numbers that it shows now."""

from embedlib.gradient_rows import RowStep
from ui.embedding_layer import cache
from ui.embedding_layer.layers import context_of, place_of
from ui.embedding_layer.request import Request
from ui.i18n import _
from ui.markdown import as_code
from ui.questions import Question


def page_questions(request: Request, step: RowStep | None) -> list[Question]:
    """Make the questions of this page.

    Args:
        request: what is shown.
        step: the last training step; None where none could be taken.
    """
    asked = [_zeros(request), _place(request)]
    return asked if step is None else [*asked, _moved(request, step)]


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
        prompt=_(
            "Samples have {context} tokens here. Which row of the position table is added to {token}, which is token "
            "{position} of the text, counted from 0?"
        ).format(context=context, token=as_code(chip.label), position=position),
        answer=place,
        hint=_("In each sample the places are counted from 0 again."),
        explanation=_(
            "Token {position} is in sample {sample}, whose first token is number {first} of the text: "
            "{position} − {first} = {place}. The tokens at place {place} of all other samples get this row too."
        ).format(position=position, sample=position // context, first=position - place, place=place),
    )


def _moved(request: Request, step: RowStep) -> Question:
    moved, looked_up = int((step.moves > 0).sum()), int((step.counts > 0).sum())
    read = int(step.counts.sum())
    return Question(
        name="layer-moved",
        prompt=_(
            "With the optimizer and the output weights chosen above, how many of the {rows:,} rows of E have moved in "
            "the last step?"
        ).format(rows=request.vocab_size),
        answer=moved,
        hint=_("Which rows were read, and is there anything else that reaches a row?"),
        explanation=(
            _(
                "{read} tokens were looked up, and they name {looked_up} different rows. "
                "Nothing else was read of E, so no other row has a gradient: {moved} have moved."
            )
            if moved == looked_up
            else _(
                "{read} tokens were looked up, and they name {looked_up} different rows. But {moved} have moved: what "
                "reaches the others is written above the picture."
            )
        ).format(read=read, looked_up=looked_up, moved=moved),
    )
