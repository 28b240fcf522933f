"""The program behind the embedding layer's page."""

import streamlit as st

from embedlib.programs.embedding_layer import embedding_layer_program
from ui.embedding_layer.layers import context_of
from ui.embedding_layer.request import MAX_TOKENS, Request
from ui.embedding_layer.second import second_ids, second_size
from ui.embedding_layer.training import can_train, trained_width, training
from ui.i18n import _


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
