"""How what was noted of trained decoders is written."""

from ui.i18n import _, set_run_language
from ui.shared.scores import format_machine


def test_a_machines_cores_are_counted_in_the_pages_language() -> None:
    set_run_language("fr")
    written, cores = format_machine("EPYC, AVX2, 12 cores, Linux x86_64"), _("{count} cores").format(count=12)
    set_run_language("en")
    assert written == f"EPYC, AVX2, {cores}, Linux x86_64"
    assert "cores" not in written
