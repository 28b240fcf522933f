"""Sizes of the embedding matrices of known models, with the reader's own among them."""

from collections.abc import Iterable

import streamlit as st

from embedlib.embedding import BYTES_PER_NUMBER, MODEL_SIZES, ModelSize
from embedlib.figures import SERIES, model_shares_figure
from embedlib.i18n import N_
from ui.components import measure_table as table_component
from ui.components.measure_table import Column, Row
from ui.embedding_layer.request import Request
from ui.export import Drawing, Lines, figure_drawing, show
from ui.i18n import _, number, separator, translate_labels
from ui.settings import controls, state
from ui.shared.formats import format_bytes, format_count
from ui.shared.page import current_theme, section
from ui.shared.saved_table import saved_table

OWN, KNOWN = 1, 0  # colours of the rows
MINILM_PARAMETERS = 22_713_216  # of the whole model, its pooler included


@section(
    "layer-models",
    N_("Matrices of known models"),
    lead=N_(
        "How large is E in real models? Its size grows with the number of dimensions d, that of the "
        "other layers with d², so its share falls in larger models."
    ),
)
def known_models(request: Request) -> None:
    """Show the table of models, and the matrix's share of each one's parameters."""
    # The reader's matrix: MiniLM's, or that of a model whose other parameters are not known.
    total = MINILM_PARAMETERS if request.matrix == "minilm" else None
    own = ModelSize("E", "E", 0, request.vocab_size, request.d_model, bool(state.get("layer_tied")), total, source="")
    models = [own, *MODEL_SIZES.values()]
    controls.control("layer_number", titles=_number_titles())
    number = str(state.get("layer_number"))
    inks = SERIES[current_theme()]
    columns = _columns(number)
    rows = [
        Row(
            title=_("your matrix E") if model is own else model.name,
            colour=inks[OWN if model is own else KNOWN],
            front=model is own,
            values=_values(model, number),
            texts=_texts(model, number),
        )
        for model in models
    ]
    title = _("Matrices of known models")
    labels = translate_labels(table_component.LABELS) | {
        "table": title,
        "scheme": _("Model"),
        "undefined": _("not known"),
    }
    saved_table(
        columns,
        rows,
        labels=labels,
        key="model-sizes",
        name="embedding-matrices",
        numbers=model_lines(models),
        title=title,
        source=_("published figures"),
    )
    untied = separator(", ").join(model.name for model in MODEL_SIZES.values() if not model.tied)
    st.caption(
        _("These models store a second matrix of this size for the output, where others use E again: {models}.").format(
            models=untied
        )
    )
    # Closed, neither is made: the chart alone has sixty bars.
    shares = controls.control("layer_shares", st.expander)
    with shares:
        if shares.open:
            show(model_shares)
    with st.expander(_("Sources")):
        st.markdown("\n".join(_citation(model) for model in MODEL_SIZES.values()))


def _citation(model: ModelSize) -> str:
    links = {_("sizes"): model.source, _("parameters"): model.parameters_source}
    listed = separator(", ").join(f"[{name}]({source})" for name, source in links.items() if source)
    return f"- **{model.name}** {model.year}{separator(': ')}{listed}"


def _number_titles() -> dict[str, str]:
    return {"fp32": _("float32"), "fp16": _("float16"), "int8": _("int8")}


def _columns(number: str) -> list[Column]:
    return [
        Column(_("rows V"), _("Rows of E, with those that only fill it up.")),
        Column(_("dimensions d"), _("Numbers in each row.")),
        Column(_("parameters in E"), _("V · d: the numbers of E.")),
        Column(
            _("size in {format}").format(format=_number_titles()[number]),
            _("{bytes} bytes for each number.").format(bytes=BYTES_PER_NUMBER[number]),
        ),
        Column(_("share of the model"), _("Share of all parameters that E has.")),
        Column(_("whole model"), _("All parameters of the model.")),
    ]


def _values(model: ModelSize, number: str) -> list[float | None]:
    total = None if model.parameters is None else float(model.parameters)
    table = (model.vocab_size, model.d_model, model.table_parameters, model.table_bytes(number))
    return [*map(float, table), model.share, total]


def _texts(model: ModelSize, number_format: str) -> list[str]:
    return [
        number(model.vocab_size, ","),
        number(model.d_model, ","),
        format_count(model.table_parameters),
        format_bytes(model.table_bytes(number_format)),
        _("{share:.1%}").format(share=model.share) if model.share is not None else "",
        format_count(model.parameters) if model.parameters is not None else "",
    ]


def model_shares() -> Drawing:
    """Draw the matrix's share of each model's parameters, where these are known."""
    models = [model for model in MODEL_SIZES.values() if model.parameters is not None]
    parts = {model.name: _parameter_shares(model) for model in models}
    alt = separator(". ").join(
        _("{name}: {share:.1%}").format(name=name, share=part[0] / sum(part)) for name, part in parts.items()
    )
    return figure_drawing(
        "model-shares",
        _("Share of the embedding matrix"),
        model_lines(models),
        model_shares_figure,
        list(parts.values()),
        alt=alt,
        source=_("published figures"),
        names=list(parts),
        value_texts=[
            _("{table} of {total}").format(table=format_count(part[0]), total=format_count(sum(part)))
            for part in parts.values()
        ],
        part_names=(_("embedding matrix"), _("second matrix, for the output"), _("everything else")),
        x_title=_("share of the model’s parameters"),
        hover_text=_("{name}\n{part}: {value}"),
    )


def _parameter_shares(model: ModelSize) -> tuple[float, float, float]:
    assert model.parameters is not None
    matrices = model.table_parameters + model.output_parameters
    return model.table_parameters, model.output_parameters, model.parameters - matrices


def _other_shares(model: ModelSize) -> tuple[float | None, float | None]:
    """Return the shares of the parameters in a second matrix and in the other layers."""
    if model.parameters is None:
        return None, None
    _table, output, others = _parameter_shares(model)
    return output / model.parameters, others / model.parameters


def model_lines(models: Iterable[ModelSize]) -> Lines:
    """Return one line per model: its table's size in numbers and bytes, and the shares of the whole."""
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
            *_other_shares(model),
        ]
        for model in models
    )
    kinds = [f"bytes_{kind}" for kind in BYTES_PER_NUMBER]
    heading = ["model", "vocab_size", "d_model", "tied", "table_parameters", *kinds, "parameters"]
    heading += ["share", "output_share", "other_share"]
    return Lines(heading, list(lines))
