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
from ui.i18n import _, join_sentences, ngettext, number, separator
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
            "A small model reads numbers and writes them down again, sorted. In training it had up to {length} "
            "numbers; here it gets up to {greatest}. A sequence has more positions than that: the numbers, a separator "
            "and the answers. Where a number stands does not matter, so a model without positions ({none}) can do it "
            "too."
        ),
        "back": _(
            "A small model reads numbers, of which there are {values} different ones, and must always say the one that "
            "it read three places before. In training it had up to {length} numbers; here it gets up to {greatest}. "
            "Only a model that knows positions can always be right."
        ),
        "text": _(
            "A small language model guesses the next character. In training it read {length} characters at a time; "
            "here it reads up to {greatest}. In short texts most schemes are worse, because little has been read "
            "before each guess."
        ),
        "scaling": _(
            "RoPE rotates the model’s vectors like the hands of clocks, fast and slow ones: the later a token stands, "
            "the further. One language model with RoPE was trained on {length} characters at a time and reads up to "
            "{greatest} here. Each scaling slows the hands down, so that they stay at angles that training has shown: "
            "linear slows all of them by length / {length}, the others only the slow ones by so much. The model is not "
            "trained any further, which linear scaling would need."
        ),
    }[request.experiment]
    shape = request.shape
    values = {"length": number(shape.trained_length, ","), "greatest": number(shape.lengths[-1], ",")}
    values |= {"values": number(shape.n_values, ","), "none": line_name("none", "sort")}
    st.markdown(join_sentences(sentence.format(**values), _metric_explanation(request)))


def _metric_explanation(request: Request) -> str:
    """Return a sentence on what the measure in view counts."""
    if request.measure == "accuracy":
        return (
            _("The result is the share of characters that are right.")
            if request.whole.needs_text
            else _("The result is the share of numbers that are right.")
        )
    return {
        "exact": _("An answer counts only if all its numbers are right."),
        "perplexity": _(
            "A perplexity of 5 means: as unsure as if there were 5 equally likely characters to choose from. 1 would "
            "be certainty."
        ),
        "loss": _(
            "The loss is −ln p on average, where p is the probability that the model gave to the right answer: 0 would "
            "be certainty."
        ),
    }[request.measure]


def implementers(request: Request, results: Results) -> None:
    """Show, folded, where the runs come from and how they were trained."""
    with st.expander(_("For implementers"), key="ext-implementers"):
        show_origin(request, results)
        fixed_settings(request)


def fixed_settings(request: Request) -> None:
    """List the fixed settings that matter to the comparison."""
    shape = request.shape
    layers = ngettext("{count} layer", "{count} layers", shape.n_layers).format(count=shape.n_layers)
    lines = (
        _(
            "The model is a decoder with {layers}, d_model {d_model} and {heads} heads, pre-norm, without biases; its "
            "output uses the token rows again (tied weights)."
        ).format(layers=layers, d_model=shape.d_model, heads=shape.n_heads),
        _(
            "It is trained for {steps:,} steps of AdamW (β {first:g}, {second:g}), each with 64 sequences of one "
            "length, at a learning rate of {rate:g} that rises first and then falls along a cosine."
        ).format(steps=request.n_steps, first=BETAS[0], second=BETAS[1], rate=request.learning_rate),
        _(
            "The numbers of a fresh token row have a root mean square of {rms:g}, those of a sinusoidal row 0.71."
        ).format(rms=ROW_SPREAD),
        _("Each guess is made after the correct tokens before it, not after the model’s own."),
        _("At each length all models are tested on the same {count} sequences, which training never showed.").format(
            count=shape.n_sequences
        ),
    )
    st.subheader(_("Fixed settings"))
    st.markdown("\n".join(f"- {line}" for line in lines))


def show_origin(request: Request, results: Results) -> None:
    """Show where and when the runs were trained, and how shipped runs and those of this server differ."""
    st.subheader(_("Origin of the runs"))
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
        sentence = _("{count} of these runs were also trained here: their results differ by at most {difference:.2g}.")
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
        sentence = _(
            "On processors with AVX2 single runs come out up to {run:.0f} percentage points different, means up to "
            "{mean:.0f}."
        )
        st.caption(sentence.format(run=100 * RUN_SPREAD, mean=100 * MEAN_SPREAD))
    if "text.txt" in source:
        st.caption(
            _("The program reads your text from its own folder: save it there as {file}.").format(
                file=as_code("text.txt")
            )
        )
    show_program(source, "extrapolation", program(results, as_widget=True))


def program(results: Results, *, as_widget: bool = False) -> str:
    """Write the program that prints the scores of the request.

    With `as_widget` write the lines that show what longer texts bring that training lacks.
    """
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
        as_widget=as_widget,
    )
