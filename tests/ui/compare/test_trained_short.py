"""On the page of schemes side by side: what finished runs say of them past the trained length."""

import re

import pytest

from embedlib.extrapolation import EXPERIMENTS, finished_runs
from tests.messages import wording
from tests.ui.pages import open_page, says, text_tables


def test_the_table_has_the_mean_of_the_shipped_runs_and_leads_to_all_of_them() -> None:
    app = open_page("compare", schemes="none,rope,alibi")
    cells = text_tables(app)[0]
    for column, name, lengths in ((4, "sort", [20]), (5, "back", [64]), (6, "text", [64, 512])):
        experiment = EXPERIMENTS[name]
        for row, scheme in enumerate(("none", "rope", "alibi")):
            written = re.findall(r"[\d.]+", cells.iloc[row, column])
            for number, length in zip(written, lengths, strict=True):
                mine = [
                    getattr(one.scores[scheme][experiment.shapes["small"].lengths.index(length)], experiment.measure)
                    for unit, one in finished_runs().items()
                    if (unit.experiment, unit.scheme, unit.size) == (name, scheme, "small")
                ]
                mean = sum(mine) / len(mine)
                expected = mean if name == "text" else 100 * mean
                assert float(number) == pytest.approx(expected, **({"rel": 6e-3} if name == "text" else {"abs": 0.501}))
    assert says(app, "Each result is the mean of {count}…", count="3")
    assert any(wording("Every length").search(link.proto.label) for link in app.get("page_link"))
