"""A scheme and a measure that are added are shown wherever schemes and measures are, with nothing else to change."""

import subprocess
import sys
import textwrap
from pathlib import Path

# Registered before the interface is loaded, as a line in SCHEMES or in MEASURES would be.
PROGRAM = """
    import torch
    from embedlib.measures import MEASURES, Measure
    from embedlib.positional import SCHEMES, Parameter, PositionalScheme

    class Toy(PositionalScheme):
        name = "toy"
        title = "Toy bias"
        acts_on = frozenset({"score"})
        summary = "Lowers each attention score by the distance."
        formula = r"q_m \\cdot k_n - s |m-n|"
        source = "https://example.org"
        past_training = "continues"
        used_by = "nobody"
        PARAMETERS = (Parameter(name="steepness", default=0.5, minimum=0.0, summary="How steep."),)
        steepness: float

        def bias(self, seq_len, *, causal=True, offset=0):
            position = torch.arange(seq_len, dtype=self.dtype, device=self.device)
            distance = position[:, None] - position
            distance = distance.clamp(min=0) if causal else distance.abs()
            return (-self.steepness * distance).expand(self.n_heads, -1, -1)

    SCHEMES["toy"] = Toy
    measures = list(MEASURES.values())
    texts = ("toy", "Heads, counted", "Counts.", "Nothing.")
    toy = Measure(*texts, reads_text=False, compute=lambda scheme, _: float(scheme.n_heads))
    MEASURES.clear()
    MEASURES.update({measure.name: measure for measure in (*measures[:2], toy, *measures[2:])})

    from functools import cache
    from streamlit.components.v2 import manifest_scanner
    from tests.ui.pages import open_page
    from ui.shared import page as shared_page

    # As tests/ui/conftest.py has it: no browser needs time to draw, and one scan of the installed packages is enough.
    shared_page.PAUSE = 0.0
    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)

    for page, link in (
        ("positions", {"scheme": "toy", "toy.steepness": "0.25"}),
        ("compare", {"schemes": "toy,rope"}),
        ("word_order", {}),
        ("extrapolation", {"ext_schemes": "toy,rope"}),
        ("pipeline", {"scheme": "toy"}),
    ):
        app = open_page(page, **link)
        assert not app.exception, (page, app.exception)
        kinds = ("selectbox", "multiselect", "table", "html", "arrow_data_frame", "bidi_component")
        shown = " ".join(str(element.proto) for kind in kinds for element in app.get(kind))
        assert "Toy bias" in shown, page
        assert page != "compare" or "Heads, counted" in shown
"""


def test_a_scheme_and_a_measure_that_are_added_are_shown_on_every_page_that_lists_them() -> None:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM)], capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )
    assert done.returncode == 0, done.stderr[-3000:]
