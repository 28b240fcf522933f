"""The program that prints the scores of the page that trains short and tests long."""

from collections.abc import Mapping, Sequence

from embedlib.extrapolation import Experiment, Measure, Shape, Size
from embedlib.measures import has_similarity
from embedlib.positional import SCHEMES, make_scheme
from embedlib.programs.render import Code, call, fill, lines, program

_LITERAL = 2_000  # characters of a text that still stand in the program


def extrapolation_program(
    experiment: Experiment,
    *,
    size: Size = "small",
    schemes: Sequence[str],
    seeds: Sequence[int],
    measure: Measure,
    n_steps: int,
    learning_rate: float,
    text: str | None = None,
    cuda: bool = False,
    formulas: Mapping[str, Mapping[str, str]] | None = None,
    as_widget: bool = False,
) -> str:
    """Write the program that trains and scores the runs of an experiment.

    Args:
        size: key of its shapes.
        text: to train on; None for the manual. One of more than 2,000 characters is read from a file, text.txt,
            instead.
        cuda: whether the runs were trained on a GPU.
        formulas: arguments of make_scheme("formula", …) for each name in ``schemes`` outside SCHEMES.
        as_widget: instead write the lines that show, as a widget, RoPE's hands at a distance that training lacks, or
            else the schemes' similarities of positions in training and after it; "" where no scheme has any.
    """
    shape = experiment.shapes[size]
    is_long = text is not None and len(text) > _LITERAL
    kind = "TextTask" if experiment.needs_text else "SortTask" if experiment.name == "sort" else "BackTask"
    if experiment.needs_text:
        task = call(kind, Code("text"), length=shape.trained_length)
    else:
        task = call(kind, n_values=shape.n_values, longest=shape.trained_length)
    typed = {
        name: {part: lines(given) for part, given in formula.items()}
        for name, formula in (formulas or {}).items()
        if name in schemes
    }
    settings = call(
        "dict",
        n_layers=shape.n_layers,
        n_heads=shape.n_heads,
        d_model=shape.d_model,
        max_seq_len=_max_seq_len(experiment, shape),
        n_steps=n_steps,
        learning_rate=learning_rate,
    )
    if as_widget:
        made = {
            name: make_scheme(name, d_model=shape.d_model, n_heads=shape.n_heads) for name in schemes if name in SCHEMES
        }
        comparable = [name for name, scheme in made.items() if has_similarity(scheme)]
        return program(fill("extrapolation_widget", schemes=schemes, comparable=comparable)) if comparable else ""
    return program(fill("extrapolation", file=None, **locals()))


def _max_seq_len(experiment: Experiment, shape: Shape) -> int:
    """Return the max_seq_len of the units' own runs; see Unit.config."""
    longest = 2 * shape.lengths[-1] if experiment.name == "sort" else shape.lengths[-1]
    return max(1_024, longest)
