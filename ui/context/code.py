"""The program that prints the page's numbers."""

from embedlib.programs import context_program
from ui.context.layers import text_in_view
from ui.context.lines import FEWEST, lines_of
from ui.context.model import MAX_TOKENS
from ui.context.request import WordRequest
from ui.context.uses import read_lines
from ui.context.what_if import compared
from ui.export import show_program
from ui.settings import state
from ui.shared.opened_model import OpenedModel


def show_code(opened: OpenedModel, request: WordRequest) -> None:
    """Show the program."""
    show_program(program(opened, request), "context")


def program(opened: OpenedModel, request: WordRequest) -> str:
    """Write the program that prints what the page shows."""
    text, model = text_in_view(), opened.model
    sentences, meanings, _names = read_lines(state.get("context_uses"))
    lines = lines_of(state.get("context_lines"))
    has_text = bool(text.strip())
    positions = compared(opened, text)[0] if has_text else {}
    return context_program(
        opened.source,
        in_folder=opened.key.startswith("./"),
        word=request.word,
        sentences=request.sentences,
        uses=list(zip(meanings, sentences, strict=True)),
        layer=min(state.get("context_layer"), model.n_layers),
        text=text if has_text else "",
        attention_layer=min(state.get("context_attention"), model.n_layers),
        head=min(state.get("context_head"), model.n_heads - 1),
        positions={name: (kind, given, dict(named)) for name, (kind, given, named) in positions.items()},
        lines=lines if len(lines) >= FEWEST else [],
        max_tokens=MAX_TOKENS,
    )
