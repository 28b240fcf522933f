"""What each experiment can show, how its runs were trained, where they come from, and the program behind them."""

import streamlit as st

from embedlib.extrapolation import BETAS, DECODER_PARAMETERS, Provenance
from embedlib.programs import extrapolation_program
from embedlib.transformer import ROW_SPREAD
from ui.extrapolation.lines import name_of, time_written
from ui.extrapolation.progress import nothing_yet
from ui.extrapolation.request import Request
from ui.extrapolation.results import Results, largest_difference
from ui.i18n import _, ngettext
from ui.settings import controls
from ui.shared.scores import shipped_runs


def task_in_words(request: Request) -> None:
    """Say what is trained, and what it is tested on."""
    shape = request.shape
    sentence = {
        "sort": _(
            "Read distinct values from {values}, then write them in rising order. Training has up to {length} values; "
            "the test goes up to {greatest}."
        ),
        "back": _(
            "Repeat the value that stood three positions before. There are {values} values; training has up to "
            "{length} positions, the test up to {greatest}."
        ),
        "text": _(
            "Guess every next character of a text. Training reads windows of {length} characters; the test reads up to "
            "{greatest}, in the last tenth, which training never sees."
        ),
        "scaling": _(
            "One decoder with RoPE, trained on windows of {length} characters, is tested up to {greatest} under six "
            "ways to stretch its rotations. Nothing is trained in between."
        ),
    }[request.experiment]
    st.markdown(
        sentence.format(values=shape.n_values, length=f"{shape.trained_length:,}", greatest=f"{shape.lengths[-1]:,}")
    )


def caveat(request: Request) -> None:
    """Say what the experiment cannot show."""
    shape = request.shape
    sentence = {
        "sort": _(
            "**Read it with this in mind:** "
            "the sorted answer does not depend on where the values stood. A decoder without positions can "
            "lose nothing here, so that “{none}” wins partly by construction. Where positions are all that counts, the "
            "order turns round: see “Look back”."
        ),
        "back": _(
            "**Read it with this in mind:** "
            "this is the reverse of “Sort”: only positions tell the answer, exactly three back, so that a "
            "scheme must reach one exact distance and no scheme gains by being blurred. There are {values} values: "
            "guessing gets 1 in {values}."
        ),
        "text": _(
            "**Read it with this in mind:** "
            "this is a small decoder and one text. The perplexity is that of characters, not of words. All positions "
            "of a window count, and the early ones see little before them: that alone makes short windows look worse "
            "than long ones."
        ),
        "scaling": _(
            "**Read it with this in mind:** "
            "nothing is fine-tuned. Linear interpolation was made to be fine-tuned afterwards; without that "
            "it can be worse than leaving RoPE as it is. The factor grows with the length: it is the length divided by "
            "{length}, the trained one, and 1 up to there. Dynamic NTK takes it on top of the length that it finds by "
            "itself, and so stretches more than NTK."
        ),
    }[request.experiment]
    numbers = {"none": name_of("none", "sort"), "values": shape.n_values, "length": f"{shape.trained_length:,}"}
    st.info(sentence.format(**numbers), icon=":material/balance:")


def choices_of_training(request: Request) -> None:
    """Tell what was decided for all runs, and why, where it sways the comparison."""
    shape = request.shape
    with st.expander(_("What was decided for all runs")):
        layers = ngettext("{count} layer", "{count} layers", shape.n_layers).format(count=shape.n_layers)
        st.markdown(
            "\n".join(
                "- " + line
                for line in (
                    _(
                        "A decoder of {layers}, d_model {d_model}, {heads} heads, normalised before each part, without "
                        "biases; one table for its input and its output."
                    ).format(layers=layers, d_model=shape.d_model, heads=shape.n_heads),
                    _(
                        "{steps:,} steps of AdamW (β {first:g} and {second:g}) on 64 sequences of one length; the "
                        "learning rate rises to {rate:g} and falls along a cosine. With one seed, every scheme begins "
                        "with the same weights and sees the same sequences."
                    ).format(steps=request.n_steps, first=BETAS[0], second=BETAS[1], rate=request.learning_rate),
                    _(
                        "Token rows enter at a root mean square of {rms:g}. At 1 the sinusoidal rows, which have 0.71, "
                        "are hardly read; at an eighth they drown the tokens."
                    ).format(rms=ROW_SPREAD),
                    _(
                        "Learned rows of positions are drawn with a standard deviation of {std:g}. The smaller they "
                        "begin, the more a row that was never trained is like no position at all, and the better it "
                        "looks past the trained length."
                    ).format(std=DECODER_PARAMETERS["learned"]["std"]),
                    _(
                        "T5 has the buckets of its decoder, for keys before the query only (`bidirectional=False`). "
                        "All other parameters of the schemes are as the page of positions opens with."
                    ),
                    _(
                        "Every position is given the right tokens before it. A whole answer counts as right if the "
                        "likeliest token is right at every position: up to the first mistake that is what the decoder "
                        "would have written on its own, so that it is the same as letting it write."
                    ),
                    ngettext(
                        "At each length the same {count} sequence for every run, which training does not draw.",
                        "At each length the same {count} sequences for every run, which training does not draw.",
                        shape.n_sequences,
                    ).format(count=shape.n_sequences),
                )
            )
        )


def origin(request: Request, results: Results) -> None:
    """Say where and when the runs were trained, and how those that ship and those of this server differ."""
    st.header(_("Where these runs come from"))
    ship = [unit for unit in request.units if unit in shipped_runs()]
    if ship and request.size == "small":
        titles = {"shipped": _("Shipped with the project"), "here": _("Trained on this server")}
        controls.choice_control("ext_runs", _("Runs that are shown"), titles)
    if not results.provenances:
        st.write(nothing_yet(results))
    for one, n_runs, seeds in zip(results.provenances, results.n_runs, results.seeds_of, strict=True):
        st.markdown(f"- {_in_words(one, n_runs, seeds)}")
    if (found := largest_difference(request)) is not None:
        count, difference = found
        sentence = ngettext(
            "{count} run is there twice, shipped and trained here: their numbers {differ}.",
            "{count} runs are there twice, shipped and trained here: their numbers {differ}.",
            count,
        )
        differ = (
            _("differ by at most {difference:.2g}").format(difference=difference) if difference else _("are identical")
        )
        st.write(sentence.format(count=count, differ=differ))


def _in_words(one: Provenance, n_runs: int, seeds: tuple[int, ...]) -> str:
    sentence = ngettext(
        "{count} run, {seeds}, trained in {time} on {date}: {machine}, computed on {device} with {threads}; version "
        "{version}, PyTorch {torch}, Python {python}.",
        "{count} runs, {seeds}, trained in {time} on {date}: {machine}, computed on {device} with {threads}; version "
        "{version}, PyTorch {torch}, Python {python}.",
        n_runs,
    )
    threads = ngettext("{count} thread", "{count} threads", one.threads).format(count=one.threads)
    named = ngettext("seed {seeds}", "seeds {seeds}", len(seeds)).format(seeds=", ".join(map(str, seeds)))
    return sentence.format(
        count=n_runs,
        seeds=named,
        time=time_written(one.seconds),
        date=one.date,
        machine=one.machine,
        device=one.device,
        threads=threads,
        version=one.version,
        torch=one.torch,
        python=one.python,
    )


def show_code(results: Results) -> None:
    """Show the program that trains these runs and prints the page's numbers."""
    st.header(_("The code"))
    st.caption(
        _(
            "It trains the runs on this page and prints their scores: the same numbers on the same machine, and nearly "
            "the same on another one. Run it in the folder of this project."
        )
    )
    source = program(results)
    if "text.txt" in source:
        st.caption(_("Save your text beside it, as text.txt."))
    st.code(source, language="python")


def program(results: Results) -> str:
    """Write the program that prints the scores of what was asked for."""
    request = results.request
    return extrapolation_program(
        request.whole,
        size=request.size,
        schemes=request.schemes,
        seeds=request.seeds,
        measure=request.measure,
        n_steps=request.n_steps,
        learning_rate=request.learning_rate,
        text=request.text if request.whole.needs_text else None,
        cuda=any(one.device != "cpu" for one in results.provenances),
    )
