"""How large the embedding matrices of known models are, with the reader's own among them."""

from collections.abc import Iterable

import streamlit as st
from plotly.graph_objects import Figure

from embedlib.embedding import BYTES_PER_NUMBER, MODEL_SIZES, ModelSize
from embedlib.figures import SERIES, model_shares_figure
from ui.components import measure_table as table_component
from ui.components.measure_table import Column, Row, measure_table
from ui.embedding_layer.request import Request
from ui.embedding_layer.written import bytes_written, count_written
from ui.export import chart, download, lines_csv
from ui.i18n import _, translated
from ui.settings import controls, state
from ui.shared.page import current_theme

OWN, KNOWN = 1, 0  # colours of the rows


def known_models(request: Request) -> None:
    """Show the table of models, and what part of each its matrix is."""
    st.header(_("The matrices of known models"))
    own = own_size(request)
    models = [own, *MODEL_SIZES.values()]
    st.write(
        _(
            "Yours, {vocab_size:,} × {d_model:,}, stands first. Within a family, the larger a model the smaller "
            "the share of its matrix: that grows with d, and the other layers with d²."
        ).format(vocab_size=own.vocab_size, d_model=own.d_model)
    )
    controls.choice_control("layer_number", _("Bytes of the matrix, when each number is"), _number_titles())
    number = str(state.get("layer_number"))
    inks = SERIES[current_theme()]
    measure_table(
        _columns(number),
        [
            Row(
                title=_("your matrix E") if model is own else model.name,
                colour=inks[OWN if model is own else KNOWN],
                front=model is own,
                values=_values(model, number),
                texts=_texts(model, number),
            )
            for model in models
        ],
        labels=translated(table_component.LABELS)
        | {"table": _("Embedding matrices, one row for each model"), "scheme": _("Model"), "undefined": _("not known")},
        key="model-sizes",
    )
    download(_("Models (CSV)"), lambda: models_csv(models), "embedding-matrices.csv", key="models-csv")
    untied = ", ".join(model.name for model in MODEL_SIZES.values() if not model.tied)
    st.caption(
        _(
            "In most of these models the output weights are the matrix itself. These have a second matrix of the same "
            "size for the output: {models}."
        ).format(models=untied)
    )
    # Closed, neither is made: the chart alone has sixty bars.
    shares = st.expander(
        _("What part of each model its matrix is"), key="layer_shares", on_change=state.dismiss_notices
    )
    with shares:
        if shares.open:
            _shares()
    with st.expander(_("Where these sizes stand")):
        st.markdown("\n".join(_cited(model) for model in MODEL_SIZES.values()))


def _cited(model: ModelSize) -> str:
    links = [f"[{_('sizes')}]({model.source})"]
    if model.parameters_source:
        links.append(f"[{_('parameters')}]({model.parameters_source})")
    return f"- **{model.name}**, {model.year}: {', '.join(links)}"


def own_size(request: Request) -> ModelSize:
    """Describe the reader's matrix as that of a model whose other parameters nobody knows."""
    return ModelSize("E", "E", 0, request.vocab_size, request.d_model, bool(state.get("layer_tied")), None, source="")


def _number_titles() -> dict[str, str]:
    return {"fp32": _("float32, 4 bytes"), "fp16": _("float16, 2 bytes"), "int8": _("int8, 1 byte")}


def _columns(number: str) -> list[Column]:
    return [
        Column(_("V"), _("How many rows the matrix has, padding included.")),
        Column(_("d"), _("How many numbers a row has.")),
        Column(_("V · d"), _("How many parameters the matrix has.")),
        Column(
            _("{kind}, takes").format(kind=number),
            _("What the matrix takes with {bytes} bytes for each number.").format(bytes=BYTES_PER_NUMBER[number]),
        ),
        Column(_("Share"), _("What share of all the model’s parameters the matrix has.")),
        Column(_("Whole model"), _("How many parameters the whole model has.")),
    ]


def _values(model: ModelSize, number: str) -> list[float | None]:
    total = None if model.parameters is None else float(model.parameters)
    table = (model.vocab_size, model.d_model, model.table_parameters, model.table_bytes(number))
    return [*map(float, table), model.share, total]


def _texts(model: ModelSize, number: str) -> list[str]:
    return [
        f"{model.vocab_size:,}",
        f"{model.d_model:,}",
        count_written(model.table_parameters),
        bytes_written(model.table_bytes(number)),
        _("{share:.1%}").format(share=model.share) if model.share is not None else "",
        count_written(model.parameters) if model.parameters is not None else "",
    ]


def _shares() -> None:
    models = [model for model in MODEL_SIZES.values() if model.parameters is not None]
    parts = [_parts(model) for model in models]
    look, heading = current_theme(), _("What part of each model its embedding matrix is")
    part_names = (_("embedding matrix"), _("output weights of their own"), _("everything else"))
    said = [
        _("{table} of {total}").format(table=count_written(model.table_parameters), total=count_written(sum(part)))
        for model, part in zip(models, parts, strict=True)
    ]
    x_title, hover_text = _("share of the model’s parameters"), _("{name}\n{part}: {value}")

    def draw(title: str = "") -> Figure:
        return model_shares_figure(
            parts,
            names=[model.name for model in models],
            said=said,
            part_names=part_names,
            x_title=x_title,
            theme=look,
            hover_text=hover_text,
            title=title,
        )

    alt = ". ".join(
        _("{name}: {share:.1%}").format(name=model.name, share=part[0] / sum(part))
        for model, part in zip(models, parts, strict=True)
    )
    chart("model-shares", draw, alt=alt, table=lambda: models_csv(models), title=heading, shows="all")


def _parts(model: ModelSize) -> tuple[float, float, float]:
    assert model.parameters is not None
    known = model.table_parameters + model.output_parameters
    return model.table_parameters, model.output_parameters, model.parameters - known


def models_csv(models: Iterable[ModelSize]) -> str:
    """Write one line per model: its table's size in numbers and bytes, and its share of the whole."""
    lines = (
        [
            model.name,
            model.vocab_size,
            model.d_model,
            int(model.tied),
            model.table_parameters,
            *(model.table_bytes(kind) for kind in BYTES_PER_NUMBER),
            model.parameters,
            model.share,
        ]
        for model in models
    )
    kinds = [f"bytes_{kind}" for kind in BYTES_PER_NUMBER]
    heading = ["model", "vocab_size", "d_model", "tied", "table_parameters", *kinds, "parameters", "share"]
    return lines_csv(heading, lines)
