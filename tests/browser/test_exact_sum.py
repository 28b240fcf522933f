"""The script and its Python twin must agree, and both with torch."""

import numpy as np
import torch
from playwright.sync_api import Browser, Route

from tests.oracles.exact_sum import sum_text
from ui.components.browser_code import bundles


def pairs(count: int) -> torch.Tensor:
    """(count, 2) float32: the usual sizes, tiny and huge ones, and halves that must be rounded alike."""
    generator = torch.Generator().manual_seed(0)
    spread = 10 ** torch.randint(-6, 4, (count, 2), generator=generator)
    values = torch.randn(count, 2, generator=generator) * spread
    values[::3] = torch.randn(len(values[::3]), 2, generator=generator)
    values[::7] = torch.randint(-4000, 4000, (len(values[::7]), 2), generator=generator) / 2048
    return values  # (count, 2)


def serve(route: Route) -> None:
    path = route.request.url.removeprefix("http://modules.test/")
    if path:
        route.fulfill(body=bundles()[path], content_type="text/javascript")
    else:
        route.fulfill(body="", content_type="text/html")


def run(browser: Browser, expression: str, values: torch.Tensor) -> list[object]:
    page = browser.new_page()
    page.route("http://modules.test/**", serve)
    page.goto("http://modules.test/")
    found = page.evaluate(expression, values.tolist())
    page.close()
    return found


def test_the_script_writes_sums_as_its_twin_does(browser: Browser) -> None:
    values = pairs(4000)
    texts = run(
        browser,
        "async (pairs) => {"
        " const { sumText } = await import('/first.js'); return pairs.map(([a, b]) => sumText(a, b)); }",
        values,
    )
    assert texts == [sum_text(*pair) for pair in values.tolist()]


def test_the_browsers_sum_is_torchs_to_the_bit(browser: Browser) -> None:
    values = pairs(20_000)
    sums = run(browser, "pairs => Array.from(new Float32Array(pairs.map(([a, b]) => a + b)))", values)
    expected = values[:, 0] + values[:, 1]
    assert np.array_equal(np.array(sums, np.float32), expected.numpy())
