import pytest

from ui.markdown import as_code


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "`plain`"),
        ("*a* <b> $c$", "`*a* <b> $c$`"),
        ("`", "`` ` ``"),
        ("a`b", "``a`b``"),
        ("`` and `", "``` `` and ` ```"),
        ("two\nlines  here", "`two lines here`"),
        ("", "` `"),
    ],
)
def test_foreign_text_is_a_code_span_that_it_cannot_end(text: str, shown: str) -> None:
    assert as_code(text) == shown
