"""The program behind the batches page."""

import streamlit as st

from embedlib.programs.batches import batches_program
from ui.batches.request import Request
from ui.i18n import _
from ui.shared.markdown import as_code


def show_code(request: Request) -> None:
    """Show the program that prints the batch in view."""
    st.header(_("The code"))
    sentence = _("Plain PyTorch with a DataLoader; it prints the batch in view. Run it in the folder of this project.")
    if request.source.file is not None:
        sentence += " " + _("Put {file} there.").format(file=as_code(request.source.file))
    st.caption(sentence)
    st.code(program(request), language="python")


def program(request: Request) -> str:
    """Write the program that prints the page's numbers."""
    source = request.source
    return batches_program(
        request.plan,
        text=source.text if source.name in ("example", "text") else None,
        file=source.file,
        tokenizer=request.tokenizer,
        table=request.table,
        d_model=request.d_model,
        table_seed=request.seed,
        batch=request.batch,
    )
