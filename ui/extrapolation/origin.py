"""Where the runs on the page come from, and which of two of a kind are shown."""

import streamlit as st

from embedlib.extrapolation.provenance import Provenance
from ui.extrapolation.naming import time_written
from ui.extrapolation.progress import nothing_yet
from ui.extrapolation.request import Request
from ui.extrapolation.runs import Results, largest_difference
from ui.i18n import _, ngettext
from ui.settings import state
from ui.shared.scores import shipped_runs


def origin(request: Request, results: Results) -> None:
    """Say where and when the runs were trained, and how those that ship and those of this server differ."""
    st.header(_("Where these runs come from"))
    ship = [unit for unit in request.units if unit in shipped_runs()]
    if ship and request.size == "small":
        titles = {"shipped": _("Shipped with the project"), "here": _("Trained on this server")}
        st.segmented_control(
            _("Runs that are shown"),
            list(titles),
            key="ext_runs",
            format_func=lambda name: titles[name],
            required=True,
            on_change=state.dismiss_notices,
        )
    if not results.provenances:
        st.write(nothing_yet(results))
    for one, n_runs, seeds in zip(results.provenances, results.n_runs, results.seeds_of, strict=True):
        st.markdown(f"- {_told(one, n_runs, seeds)}")
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


def _told(one: Provenance, n_runs: int, seeds: tuple[int, ...]) -> str:
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
