"""An experiment's task, its fixed settings, the source of its runs, and the program behind them."""

import streamlit as st

from embedlib.extrapolation import BETAS, Provenance
from embedlib.i18n import N_
from embedlib.programs import extrapolation_program
from embedlib.transformer import ROW_SPREAD
from ui.export import show_program
from ui.extrapolation.lines import line_name
from ui.extrapolation.progress import no_results_sentence, train_again
from ui.extrapolation.request import Request
from ui.extrapolation.results import Results, largest_difference
from ui.i18n import _, ngettext, number, separator
from ui.jobs import cluster_address, format_duration
from ui.markdown import as_code
from ui.settings import controls
from ui.shared.page import section
from ui.shared.schemes import file_name
from ui.shared.scores import format_machine, shipped_runs

# How far the runs of "sort", first six schemes and three seeds, come out elsewhere: with AVX2 in place of AVX-512
# (ATEN_CPU_CAPABILITY=avx2), the most that a score of one run and a mean of three differ from the shipped ones.
RUN_SPREAD, MEAN_SPREAD = 0.148, 0.076


def describe_task(request: Request) -> None:
    """Describe what is trained and tested, and what that can show."""
    sentence = {
        "sort": _(
            "Sort up to {greatest} values, trained up to {length}. Input order does not matter: {none} loses nothing."
        ),
        "back": _(
            "Repeat the value three positions back, trained up to {length}, tested to {greatest}. Only order counts."
        ),
        "text": _(
            "Predict the next character, trained on {length} at a time, tested up to {greatest}. "
            "Short windows have little context."
        ),
        "scaling": _(
            "One RoPE decoder, trained on {length} characters, reads up to {greatest}. Rotations are scaled by length "
            "/ {length} without fine-tuning, which linear scaling needs."
        ),
    }[request.experiment]
    shape = request.shape
    values = {"length": number(shape.trained_length, ","), "greatest": number(shape.lengths[-1], ",")}
    st.markdown(sentence.format(none=line_name("none", "sort"), **values))


def fixed_settings(request: Request) -> None:
    """List the fixed settings that matter to the comparison."""
    shape = request.shape
    layers = ngettext("{count} layer", "{count} layers", shape.n_layers).format(count=shape.n_layers)
    lines = (
        _("Decoder: {layers}, d_model {d_model}, {heads} heads, pre-norm, no biases, tied embeddings.").format(
            layers=layers, d_model=shape.d_model, heads=shape.n_heads
        ),
        _(
            "{steps:,} AdamW steps (β {first:g}, {second:g}), 64 equally long sequences, learning rate "
            "{rate:g} (warm-up, cosine decay)."
        ).format(steps=request.n_steps, first=BETAS[0], second=BETAS[1], rate=request.learning_rate),
        _("Token rows: root mean square {rms:g}; sinusoids: 0.71.").format(rms=ROW_SPREAD),
        _("Each prediction reads the correct tokens before it."),
        _("Test: the same {count} unseen sequences per length.").format(count=shape.n_sequences),
    )
    with st.expander(_("Fixed settings")):
        st.markdown("\n".join(f"- {line}" for line in lines))


def show_origin(request: Request, results: Results) -> None:
    """Show where and when the runs were trained, and how shipped runs and those of this server differ."""
    st.header(_("Origin of the runs"))
    ship = [unit for unit in request.units if unit in shipped_runs()]
    if ship and request.size == "small":
        titles = {
            "shipped": _("Shipped with the project"),
            "here": _("Trained on the cluster") if cluster_address() else _("Trained on this server"),
        }
        controls.control("ext_runs", titles=titles)
    if not results.provenances:
        st.write(no_results_sentence(results))
    for one, n_runs, seeds in zip(results.provenances, results.n_runs, results.seeds_of, strict=True):
        st.markdown(f"- {_origin_sentence(one, n_runs, seeds)}")
    if (difference := largest_difference(request)) is not None:
        count, largest = difference
        sentence = _("Also trained here: {count}, differing by ≤ {difference:.2g}.")
        st.write(sentence.format(count=count, difference=largest))
    train_again(request, results)


def _origin_sentence(one: Provenance, n_runs: int, seeds: tuple[int, ...]) -> str:
    sentence = _(
        "{count} runs ({seeds}), {time}, {date}: {machine}; {device}, {threads}; version {version}, "
        "PyTorch {torch}, Python {python}."
    )
    threads = _("threads: {count}").format(count=one.threads)
    named = _("seeds {seeds}").format(seeds=separator(", ").join(map(str, seeds)))
    return sentence.format(
        count=n_runs,
        seeds=named,
        time=format_duration(one.seconds),
        date=one.date,
        machine=format_machine(one.machine),
        device=one.device,
        threads=threads,
        version=one.version,
        torch=one.torch,
        python=one.python,
    )


@section("lengths-code", N_("Code"))
def show_code(results: Results) -> None:
    """Show the program that trains these runs and prints the page's numbers."""
    source = program(results)
    if results.experiment == "sort":
        sentence = _("On AVX2 processors, runs differ by up to {run:.0f} points, means by {mean:.0f}.")
        st.caption(sentence.format(run=100 * RUN_SPREAD, mean=100 * MEAN_SPREAD))
    if "text.txt" in source:
        st.caption(_("Put your text in the program’s folder, as {file}.").format(file=as_code("text.txt")))
    show_program(source, "extrapolation")


def program(results: Results) -> str:
    """Write the program that prints the scores of the request."""
    request = results.request
    return extrapolation_program(
        request.whole,
        size=request.size,
        schemes=[file_name(entry, request.own) for entry in request.schemes],
        seeds=request.seeds,
        measure=request.measure,
        n_steps=request.n_steps,
        learning_rate=request.learning_rate,
        text=request.text if request.whole.needs_text else None,
        cuda=any(one.device != "cpu" for one in results.provenances),
        formulas={file_name(entry, request.own): lines for entry, lines in request.formulas.items()},
    )
