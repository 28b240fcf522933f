"""What the extrapolation page shows of its runs: chart, reading, table, published figures, program, questions."""

import csv
import io
import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from embedlib.extrapolation import (
    EXPERIMENTS,
    FIRST_SCHEMES,
    FinishedUnit,
    LengthScore,
    Provenance,
    Reading,
    Unit,
    Verdict,
    classify_line,
    experiment_units,
)
from embedlib.positional import SCHEMES
from tests.messages import message, wording
from tests.ui.marked import speak_marked
from tests.ui.pages import components, figure, open_page, read_setting, says
from tests.ui.test_language import elements, figure_strings, is_translated, strings
from ui.extrapolation.chart import score_lines
from ui.extrapolation.claims import CLAIMS, TESTED, _claim_verdict
from ui.extrapolation.lines import line_style
from ui.extrapolation.request import Request, default_request
from ui.extrapolation.results import collect_results, format_spread, none_learned
from ui.extrapolation.verdicts import verdict_titles
from ui.shared import scores as shared_scores
from ui.shared.schemes import scheme_label
from ui.shared.scores import format_score

# How much of a share is lost, and a loss grows, with each doubling of the trained length.
LOST = {"none": 0.02, "t5": 0.06, "alibi": 0.2, "rope": 0.7, "sinusoidal": 2.0, "learned": 2.5}
LOST |= {"linear": 1.5, "ntk": 0.3, "dynamic_ntk": 0.2, "yarn": 0.25, "llama3": 0.5}


def share(line: str, seed: int, length: int, trained: int) -> float:
    return max(0.0, min(1.0, 1 - LOST[line] * math.log2(max(1, length / trained)) - 0.01 * seed))


def made(unit: Unit, *, right: float | None = None) -> FinishedUnit:
    """What a run might have come to; learned rows were never trained past the trained length."""
    given = right
    trained = unit.shape.trained_length
    scores = {}
    for line in unit.lines:
        row = []
        for length in unit.shape.lengths:
            state: Any = "trained" if length <= trained else "untrained_rows" if line == "learned" else "longer"
            right = share(line, unit.seed, length, trained) if given is None else given
            row.append(LengthScore(length, length, state, 3 - right, right, right, unit.shape.n_sequences))
        scores[line] = tuple(row)
    return FinishedUnit(unit, scores, 1.0, Provenance("views", "cpu", 1, "2026-11-20", "abc", "2", "3", 4.0))


@pytest.fixture(autouse=True)
def _shipped(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    kept = {unit: made(unit) for name in EXPERIMENTS for unit in experiment_units(name)}
    monkeypatch.setattr(shared_scores, "finished_runs", lambda: kept)
    shared_scores.shipped_runs.clear()
    yield
    shared_scores.shipped_runs.clear()


def request(experiment: str, **changes: Any) -> Request:
    return replace(default_request(experiment, FIRST_SCHEMES), **changes)


def opened(**link: str) -> AppTest:
    app = open_page("extrapolation", **({"experiment": "sort"} | link))
    assert not app.exception
    return app


look_at = cache(opened)  # a page that no test changes is opened once


def order_at(length: int, app: AppTest) -> str:
    lead = wording("**At {length}, {ratio:.2g} ×…", length=length)
    (found,) = [element.value for element in app.markdown if lead.match(element.value)]
    return str(found)


def place(name: str, length: int) -> str:
    """Write a line with the length at which it fails, as the page does."""
    return f"{name} {message('(at {length})', length=length)}"


def lines_with(verdict: str, app: AppTest) -> set[str]:
    """Read which lines the page gives a verdict, each with its length."""
    title = verdict_titles()[verdict]
    texts = (
        re.search(rf"\*\*{title}\*\*: (.*?)(?: &nbsp;|$)", element.value, re.IGNORECASE) for element in app.markdown
    )
    return {line for text in texts if text for line in text[1].split(", ")}


def test_the_page_opens_where_only_the_order_counts_and_puts_the_claims_beside_the_runs_that_ship() -> None:
    app = open_page("extrapolation")
    assert read_setting(app, "experiment") == "back"
    assert "BackTask(" in app.code[0].value
    table = app.table[0].value
    verdicts = dict(zip((scheme for scheme, _claim, _holds in CLAIMS), table.iloc[:, 1], strict=True))
    refuted, confirmed = (wording("refuted"), wording("confirmed"))
    assert refuted.search(verdicts["sinusoidal"])
    assert confirmed.search(verdicts["learned"])
    assert refuted.search(verdicts["rope"])
    assert list(table.columns[2:-1]) == [EXPERIMENTS[name].title for name in TESTED]


@pytest.mark.parametrize(
    ("outcomes", "holds", "verdict"),
    [
        (("holds", "holds"), True, "confirmed"),
        (("breaks", "ends"), False, "confirmed"),
        (("holds", "fades"), True, "depends on the task"),
        (("holds", "breaks"), False, "depends on the task"),
        (("fades", "in part"), True, "refuted"),
        (("holds", "holds"), False, "refuted"),
    ],
)
def test_a_claim_is_judged_by_how_many_experiments_agree(
    outcomes: tuple[Verdict, ...], holds: bool, verdict: str
) -> None:
    found = _claim_verdict([Reading("rope", one) for one in outcomes], holds=holds)
    assert wording(verdict).fullmatch(found)


def test_the_page_of_sorting_says_in_numbers_what_the_runs_have() -> None:
    app = look_at()
    drawn = figure(app, "by-length")["data"]
    lines = {trace["name"]: trace for trace in drawn if trace.get("mode") == "lines+markers"}
    assert len(lines) == 6
    lengths = EXPERIMENTS["sort"].shapes["small"].lengths
    for scheme, trace in zip(request("sort").schemes, lines.values(), strict=True):
        expected = [np.mean([share(scheme, seed, length, 10) for seed in (0, 1, 2)]) for length in lengths]
        np.testing.assert_allclose(trace["y"], expected, rtol=1e-6)
    assert "circle-open" in lines[SCHEMES["learned"].title]["marker"]["symbol"]
    none, t5, alibi, rope, learned, waves = map(scheme_label, ("none", "t5", "alibi", "rope", "learned", "sinusoidal"))
    order = f"{none}~97% > {t5}~93% > {alibi}~79% > {rope}~29% > [{learned}~0%, {waves}~0%]."
    assert order_at(20, app).endswith(order.replace("~", "\u00a0"))
    assert lines_with("holds", app) == {none, t5}
    assert lines_with("fades", app) == {place(alibi, 16)}
    assert place(rope, 18) in lines_with("breaks", app)
    assert says(app, "**Our order agrees with theirs**…")
    assert says(app, "Pairs of schemes in the same order…", same="10", count="10")
    assert says(app, "A small model reads numbers and writes…", none=scheme_label("none"))
    assert "SortTask(n_values=64, longest=10)" in app.code[0].value
    sent = json.loads(components(app, "measure-table")[0].bytes)
    assert [column["title"] for column in sent["columns"]] == [
        message("{length}, trained", length=10),
        *map(str, lengths[5:]),
    ]
    by_name = {row["title"]: row["texts"] for row in sent["rows"]}
    assert by_name[SCHEMES["none"].title][lengths.index(20) - 4] == "97% ± 1"
    assert by_name[SCHEMES["learned"].title][1].endswith(" ○")


@pytest.mark.parametrize("measure", ["accuracy", "loss"])
def test_a_language_model_is_never_said_not_to_have_learned(measure: str) -> None:
    app = look_at(experiment="text", ext_measure=measure)
    assert lines_with("breaks", app)
    assert not lines_with("not learned", app)


def test_the_loss_of_a_task_is_judged_by_its_tokens_right_and_that_is_said() -> None:
    app = look_at(ext_measure="loss")
    assert lines_with("holds", app) == {scheme_label("none"), scheme_label("t5")}
    assert says(app, "For the loss these verdicts are taken…")
    assert not [radio for radio in app.number_input if "breaks" in str(radio.key)]


def test_where_nothing_is_learned_no_order_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = {unit: made(unit, right=0.01) for unit in experiment_units("sort")}
    monkeypatch.setattr(shared_scores, "finished_runs", lambda: nothing)
    shared_scores.shipped_runs.clear()
    app = opened()
    assert says(app, "No scheme has learned the task, so…")
    assert not says(app, "**At {length}, {ratio:.2g} ×…", length=...)
    assert not [element for element in app.markdown if "**Our order" in element.value]


def test_the_questions_are_answered_by_the_numbers_on_the_page() -> None:
    app = opened()
    app.radio(key="question-extrapolation-best-answer").set_value("none")
    app.number_input(key="question-extrapolation-breaks-answer").set_value(18)
    app.number_input(key="question-extrapolation-positions-answer").set_value(40).run()
    assert len([element for element in app.success if wording("Right.").match(element.value)]) == 3


def test_one_line_comes_to_the_front_and_stays_there_in_the_link() -> None:
    app = opened(ext_front="rope", experiment="back")
    drawn = [trace for trace in figure(app, "by-length")["data"] if trace.get("mode") == "lines+markers"]
    assert sorted({trace["line"]["width"] for trace in drawn}) == [2.0, 4.5]
    assert message("guessing") in json.dumps(figure(app, "by-length")["layout"])


def test_scalings_stand_beside_those_of_the_paper() -> None:
    app = opened(experiment="scaling")
    assert wording("dynamic NTK").search(order_at(128, app))
    assert says(app, "**Our order agrees with theirs**…")
    assert says(app, "Pairs of schemes in the same order…", same="3", count="3")
    assert "8.07" in str(app.table[-1].value.to_dict())
    assert says(app, "RoPE rotates the model’s vectors…")


def test_perplexity_is_drawn_on_a_logarithm_beside_the_published_one() -> None:
    app = look_at(experiment="text")
    assert figure(app, "by-length")["layout"]["yaxis"]["type"] == "log"
    published = figure(app, "published-alibi")
    names = {SCHEMES[name].title for name in ("sinusoidal", "rope", "t5", "alibi")}
    assert {trace["name"] for trace in published["data"] if trace.get("mode") == "lines+markers"} == names
    assert len([element for element in app.markdown if "**Our order" in element.value]) == 2
    assert any("https://arxiv.org/abs/2108.12409" in caption.value for caption in app.caption)


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_nothing_on_the_page_escapes_translation(experiment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    speak_marked(monkeypatch)
    app = opened(experiment=experiment)
    seen = [text for element in elements(app) for text in strings(element)]
    figures = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    for kind, text in [*seen, *(text for drawn in figures for text in figure_strings(drawn))]:
        assert is_translated(kind, text), f"{kind}: {text!r}"


def test_with_no_run_yet_the_page_says_so_and_has_all_that_needs_none() -> None:
    app = opened(ext_schemes="kerple,fire")
    assert says(app, "Each run is drawn as soon as it has ended.")
    assert figure(app, "published-kazemnejad")
    assert not [chart for chart in app.get("plotly_chart") if chart.proto.id.endswith("-by-length")]


def test_each_line_is_read_once_for_all_that_says_something_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(line: str, *args: Any, **further: Any) -> Reading:
        read.append(line)
        return classify_line(line, *args, **further)

    monkeypatch.setattr("ui.extrapolation.results.classify_line", noted)
    found = collect_results(request("sort", schemes=("none", "learned")))
    assert [one.line for one in found.readings] == ["none", "learned"]
    assert not none_learned(found)
    assert read == ["none", "learned"]


def test_the_csv_has_every_score_of_every_run() -> None:
    results = collect_results(request("sort", schemes=("none", "learned")))
    rows = list(csv.DictReader(io.StringIO(score_lines(results).csv())))
    assert len(rows) == 2 * 3 * len(results.lengths)
    for row in rows:
        score = next(
            score for score in results.scores[row["line"]][int(row["seed"])] if score.length == int(row["length"])
        )
        assert (float(row["loss"]), float(row["exact"]), row["state"]) == (score.loss, score.exact, score.state)
        assert float(row["perplexity"]) == score.perplexity


def test_every_scheme_has_a_look_of_its_own() -> None:
    looks = {(line_style(name, "sort").group, line_style(name, "sort").nth) for name in SCHEMES}
    assert len(looks) == len(SCHEMES)
    brief = [line_style(name, "sort").brief or line_style(name, "sort").label for name in SCHEMES]
    assert len(set(brief)) == len(SCHEMES)
    assert max(map(len, brief)) <= 10  # a phone cuts what is longer
    assert len({line_style(name, "scaling").group for name in EXPERIMENTS["scaling"].lines}) == 6


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0%"),
        (0.0004, "<0.1%"),
        (0.004, "0.4%"),
        (0.12, "12%"),
        (0.9996, "99.9%"),
        (0.996, "99.6%"),
        (1.0, "100%"),
    ],
)
def test_nearly_nothing_is_not_written_as_nothing(value: float, text: str) -> None:
    assert format_score(value, "exact") == text


def test_perplexities_are_written_in_three_digits() -> None:
    assert [format_score(value, "perplexity") for value in (6.4321, 20.05, 12345.6, math.inf)] == [
        "6.43",
        "20.1",
        "12,346",
        "∞",
    ]
    assert format_spread(6.4, 0.123, "perplexity", seeds=3) == "6.40 ± 0.12"
    assert format_spread(0.5, 0.02, "exact", seeds=1) == "50%"
