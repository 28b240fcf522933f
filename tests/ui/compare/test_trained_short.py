"""On the page of schemes side by side: what finished runs say of them at twice the trained length."""

import re

import pytest

from embedlib.extrapolation import EXPERIMENTS, finished_runs
from tests.messages import wording
from tests.ui.pages import open_page, says


def test_it_tells_the_mean_of_the_shipped_runs_and_leads_to_all_of_them() -> None:
    app = open_page("compare", schemes="none,rope,alibi")
    (told,) = [element.value for element in app.markdown if wording("ui.compare:markdown").search(element.value)]
    sort, back, text = told.splitlines()[1:]
    for name, line, length in (("sort", sort, 20), ("back", back, 64)):
        place = EXPERIMENTS[name].shapes["small"].lengths.index(length)
        for scheme, label in (("none", "NoPE"), ("rope", "RoPE"), ("alibi", "ALiBi")):
            mine = [
                getattr(one.scores[scheme][place], EXPERIMENTS[name].measure)
                for unit, one in finished_runs().items()
                if (unit.experiment, unit.scheme, unit.size) == (name, scheme, "small")
            ]
            found = re.search(rf"{label} <?([\d.]+)%", line)
            assert found
            assert abs(float(found[1]) - 100 * sum(mine) / len(mine)) <= 0.5001
    of_text = EXPERIMENTS["text"].shapes["small"].lengths
    for scheme, label in (("none", "NoPE"), ("rope", "RoPE"), ("alibi", "ALiBi")):
        runs = [one for unit, one in finished_runs().items() if (unit.experiment, unit.scheme) == ("text", scheme)]
        found = re.search(rf"{label} (\d+\.\d+) and (\d+\.\d+)", text)
        assert found
        for number, length in zip(found.groups(), (64, 512), strict=True):
            mine = [one.scores[scheme][of_text.index(length)].perplexity for one in runs]
            assert float(number) == pytest.approx(sum(mine) / len(mine), rel=6e-3)
    assert says(app, "ui.compare:trained_short", lengths="10, 32 and 64")
    assert says(app, "ui.compare:_origin", count="3")
    assert any(wording("ui.compare:page_link").search(link.proto.label) for link in app.get("page_link"))
