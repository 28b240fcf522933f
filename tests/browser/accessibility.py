"""Ask axe-core, injected and offline, what a screen reader or a colour-blind reader would stumble over."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser.idle import idle

# Streamlit's own place to drop files on, which has a role that takes it out of the page and a name; the button in it
# can be reached and is named.
_UPLOADER = ("presentation-role-conflict", 'data-testid="stFileUploaderDropzone"')


def violations(page: Page) -> list[str]:
    """List what axe finds on the page as it stands, one line for each element.

    Args:
        page: as it stands; of what its window does not hold, contrast is not judged.

    Returns:
        "rule: why: element", sorted; empty where nothing is wrong.
    """
    page.evaluate(AXE_SCRIPT)  # through the debugger, which the page's policy on scripts does not bind
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    lines = [f"{rule['id']}: {_why(node)}: {node['html'][:200]}" for rule in found for node in rule["nodes"]]
    return sorted(line for line in lines if not (line.startswith(_UPLOADER[0]) and _UPLOADER[1] in line))


def violations_when_wide(page: Page) -> list[str]:
    """List them in a wide window, in place of a phone's: there Streamlit's own list of pages has faults."""
    page.set_viewport_size({"width": 1440, "height": 900})
    idle(page)
    return violations(page)


def _why(node: dict[str, list[dict[str, str]]]) -> str:
    return "; ".join(check["message"] for kind in ("any", "all", "none") for check in node[kind])
