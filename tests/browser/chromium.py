"""Where the machine's own Chromium is, and how it is started: quiet, and asking the internet for nothing."""

import shutil
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MACOS = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
# The first draw parts of the browser's own window, invisible here, as pages in a process that each window starts anew:
# a third of what it costs to open a page. The others are those that Playwright turns off; only the last list counts.
FEATURES = (
    *("InitialWebUI", "PreloadTopChromeWebUI", "TabSearch", "WebUIOmniboxAimPopup", "WebUIOmniboxPopup"),
    *("WebUIReloadButton", "WebUIToolbar"),
    *("AimEnabled", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying"),
    *("OptimizationHints", "PaintHolding", "PreconnectToSearch", "ThirdPartyStoragePartitioning"),
    "ScriptStreaming",  # which parses anew, for each tab, what the process has compiled already
)
ARGUMENTS = [
    f"--disable-features={','.join(FEATURES)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",  # tabs of one context are drawn by one process, which has compiled Streamlit's code already
]


def find_browser() -> str | None:
    """Return the path of a Chromium or Chrome, or None where there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    return found or (MACOS if Path(MACOS).exists() else None)
