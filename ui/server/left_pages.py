"""What a control of a page asks for once another page is on its way is no part of that page.

Streamlit runs such a part after the new page all the same, under the old page's name: the browser then takes the new
page away and has nothing to put in its place, or it never comes.
"""

from functools import wraps

from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests, ScriptRequestType


def leave_pages() -> None:
    """Let such requests go, before the server starts; a Streamlit of other names keeps its own way."""
    run = getattr(ScriptRunner, "_run_script", None)
    request = getattr(ScriptRequests, "_request_rerun_locked", None)
    if run is None or request is None:
        return

    @wraps(run)
    def run_what_is_here(runner: ScriptRunner, wanted: RerunData) -> None:
        in_view = runner._get_script_run_ctx().page_script_hash
        if not wanted.fragment_id_queue or _is_same(wanted.page_script_hash, in_view):
            run(runner, wanted)

    @wraps(request)
    def request_what_will_be_here(requests: ScriptRequests, wanted: RerunData) -> bool:
        waiting = requests._rerun_data
        is_part = wanted.fragment_id or wanted.fragment_id_queue
        is_page = requests._state == ScriptRequestType.RERUN and not waiting.fragment_id_queue
        if is_part and is_page and not _is_same(wanted.page_script_hash, waiting.page_script_hash):
            return True
        return bool(request(requests, wanted))

    for kind, name, own in (
        (ScriptRunner, "_run_script", run_what_is_here),
        (ScriptRequests, "_request_rerun_locked", request_what_will_be_here),
    ):
        setattr(kind, name, own)


def _is_same(page: str, other: str) -> bool:
    """Tell whether two pages are one; "" is any, before a link's page is known."""
    return not page or not other or page == other
