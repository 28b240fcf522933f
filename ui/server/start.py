"""The command `embedding-explorer`, which starts the app where only the wheel is installed."""

import sys
from pathlib import Path

APP = Path(__file__).parents[2] / "app.py"


def main() -> None:
    """Serve the app. Arguments go to Streamlit, as in ``embedding-explorer --server.port 9000``."""
    try:
        from streamlit.web import cli
    except ModuleNotFoundError:
        sys.exit('The app needs more than the library does: pip install "embedding-explorer[app]"')
    cli.main(["run", str(APP), *sys.argv[1:]], prog_name="streamlit")
