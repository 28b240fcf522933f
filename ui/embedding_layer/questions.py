"""The end of the embedding layer's page: its program, and questions about the numbers that it shows now."""

from embedlib.i18n import N_
from embedlib.programs import embedding_layer_program
from ui.embedding_layer import cache
from ui.embedding_layer.gradients import can_train, chosen_training, trained_width
from ui.embedding_layer.layers import context_length, second_ids, second_size, token_positions
from ui.embedding_layer.request import MAX_TOKENS, Request
from ui.export import show_program
from ui.i18n import _
from ui.markdown import as_code
from ui.shared.page import section
from ui.shared.questions import Question


def page_questions(request: Request) -> list[Question]:
    """Make the questions of this page from what it shows."""
    return [_zeros_question(request), _position_question(request), _repeat_question(request)]


def _zeros_question(request: Request) -> Question:
    rows, columns = request.vocab_size, request.d_model
    answer = (rows - 1) * columns
    values = {"rows": rows, "columns": columns, "others": rows - 1, "answer": answer}
    return Question(
        name="layer-zeros",
        prompt=_(
            "The one-hot vector of {token} is multiplied by E, {rows:,} × {columns:,}. How many numbers of E meet a 0?"
        ).format(token=as_code(cache.token_chips(request)[-1].label), **values),
        answer=answer,
        hint=_("Only one row of E meets the 1; all others meet a 0."),
        explanation=_("The other {others:,} rows have {columns:,} numbers each: {answer:,} in all.").format(**values),
    )


def _position_question(request: Request) -> Question:
    """Ask for a token's position: of the first of a second sample, else of the last."""
    context, count = context_length(request), len(request.token_ids)
    position = min(context, count - 1)
    place = int(token_positions(count, context)[position])
    return Question(
        name="layer-place",
        prompt=_(
            "With {context} tokens in a sequence, which position row is added to {token}, token {position} of "
            "the text counted from 0?"
        ).format(context=context, token=as_code(cache.token_chips(request)[position].label), position=position),
        answer=place,
        hint=_("Positions start again at 0 in each sequence."),
        explanation=_(
            "Sequence {sample}, counted from 0, starts at token {first}: {position} − {first} = {place}."
        ).format(position=position, sample=position // context, first=position - place, place=place),
    )


def _repeat_question(request: Request) -> Question:
    """Ask how many rows a repeated text reads: repeats add none but the last token's, which is an input now."""
    ids = request.token_ids
    different, before = len(set(ids)), len(set(ids[:-1]))
    return Question(
        name="layer-read",
        prompt=_(
            "One training step reads these {count} tokens twice in a row. How many different rows does it look up?"
        ).format(count=len(ids)),
        answer=different,
        hint=_("In one reading the last token is only predicted; in the second it is read too."),
        explanation=(
            _(
                "{different:,}, with that of {token}: read once, the text looks up only {before:,}, because "
                "its last token is only predicted."
            )
            if before < different
            else _("{different:,}, as many as in one reading, because {token} also stands earlier in the text.")
        ).format(different=different, before=before, token=as_code(cache.token_chips(request)[-1].label)),
    )


@section("layer-code", N_("Code"))
def show_code(request: Request) -> None:
    """Show the program that prints the page's numbers."""
    widget = """
from embedlib.tokenizers import token_labels
from embedlib.widgets import matrix
labels = token_labels(tokenizer.tokenize(text)[:64])
matrix(picked[:64], title="rows that the tokens pick", rows="token", columns="dimension", labels=labels)
"""
    show_program(program(request), "embedding_layer", widget)


def program(request: Request) -> str:
    """Write the program that prints the tables, the rows that are looked up, and what the training steps do."""
    steps, size, width = chosen_training(), second_size(request), trained_width(request)
    return embedding_layer_program(
        request.text,
        tokenizer=request.tokenizer,
        d_model=request.d_model,
        seed=request.seed,
        table=request.matrix,
        token_ids=request.token_ids if request.typed else None,
        max_tokens=MAX_TOKENS,
        initialisation=request.start,
        second=None if size is None else (*size, second_ids()),
        context=context_length(request),
        optimizer=steps.optimizer,
        learning_rate=steps.rate,
        tied=steps.tied,
        n_steps=steps.count if can_train(request) else 0,
        trained_width=width if width < request.d_model else None,
    )
