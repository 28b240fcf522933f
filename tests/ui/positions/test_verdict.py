"""The verdict on the page is the library's, for every scheme, and can be saved."""

import csv
import io

import pytest

from embedlib.measures import verdict
from embedlib.positional import N_TRAINED, SCHEMES
from tests.messages import message, value_in
from tests.ui.pages import files_of, open_page, text_tables
from ui import cache

# Nothing, trained rows, a rotation and drawn rows; the test of the library has every scheme.
OF_EACH_KIND = ("none", "learned", "rope", "shaw")
ONE_HEAD = ("none", "learned", "sinusoidal", "sinusoidal_2d")


@pytest.mark.parametrize(
    "scheme", [pytest.param(name, marks=[] if name in OF_EACH_KIND else pytest.mark.thorough) for name in SCHEMES]
)
def test_every_scheme_has_a_verdict_whose_file_has_the_library_s_numbers(scheme: str) -> None:
    app = open_page("positions", scheme=scheme, positions="16", seed="5")
    assert not app.exception
    results = next(table for table in text_tables(app) if len(table) >= 6).iloc[:, 1].tolist()
    written = files_of(app, "csv")[f"{scheme.replace('_', '-')}-verdict.csv"]().decode()
    saved = dict(csv.reader(io.StringIO(written)))
    parameters = {parameter.name: parameter.default for parameter in SCHEMES[scheme].PARAMETERS}
    parameters |= {"weights": "trained"} if SCHEMES[scheme].WEIGHTS else {}
    sizes = (64, 1) if scheme in ONE_HEAD else (64, 4)
    found = verdict(cache.cached_scheme(scheme, *sizes, tuple(parameters.items())), trained=16, seed=5)
    assert saved["shift_sensitive"] == str(found.shift_sensitive)
    assert saved["unique"] == str(found.unique)
    assert [saved[f"distinct_distances_head_{head}"] for head in range(sizes[1])] == list(
        map(str, found.distinct_distances)
    )
    assert {saved[f"added_bytes_at_{cost.seq_len}"] for cost in found.costs} == {str(one.bytes) for one in found.costs}
    assert results[0] == message("yes" if found.shift_sensitive else "no")
    if found.collision is not None and found.unique_tenfold is False:
        second = value_in(results[4], "no: {first:,} and {second:,}…", "second")
        assert second == str(found.collision[1])
    counts = [str(count - 1) for count in found.distinct_distances]  # the last of the distances that differ, from 0
    named = [f"head {head}: {count}" for head, count in enumerate(counts)]
    assert results[5] == ", ".join(named if len(named) > 1 else counts)
    assert len(results) == 6 + (2 if scheme != "learned" else 0)  # at these lengths its table has no rows
    rounded = [
        table for table in text_tables(app) if table.iloc[:, 0].isin([one.dtype for one in found.rounding]).all()
    ]
    assert sum(map(len, rounded)) == len(found.rounding)


def test_a_table_of_trained_rows_ends_where_training_did() -> None:
    table = next(table for table in text_tables(open_page("positions", scheme="learned")) if len(table) >= 6)
    said = table.iloc[:, 1].tolist()[4]
    assert value_in(said, "the table ends at position {last:,}: no later one has a row", "last") == str(N_TRAINED - 1)


def test_what_could_not_be_looked_at_is_not_said_to_be_unique() -> None:
    results = (
        next(table for table in text_tables(open_page("positions", scheme="fire", positions="200")) if len(table) >= 8)
        .iloc[:, 1]
        .tolist()
    )
    assert value_in(results[4], "unknown: {count:,} were compared", "count") == "300"
