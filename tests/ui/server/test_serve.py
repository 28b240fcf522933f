"""nginx before several processes, by the configuration that is shipped, and `bin/serve`, which runs them.

Small servers stand in for the app, which a browser visits elsewhere.
"""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.browser.serving import ROOT, free_port
from tests.waiting import PATIENCE, wait_until
from ui.cache import bounded
from ui.cache.bounded import memory_of_machine, total_cache_limit
from ui.server.serve import listen_directives, main, write_nginx_configuration
from ui.server.start import CACHE, share_of_cores

COOKIE = "embedding_explorer_process"
# What one process says of itself; bin/serve starts it in place of the app.
STAND_IN = """
import json, os, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Answers(BaseHTTPRequestHandler):
    def do_GET(self):
        told = {"pid": os.getpid(), "arguments": sys.argv[1:], "environment": dict(os.environ)}
        body = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_): pass

print("a stand-in begins", flush=True)
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[-1])), Answers).serve_forever()
"""


class StandIn(ThreadingHTTPServer):
    """A process that says which port it has, and can end and begin again."""

    daemon_threads = True

    def __init__(self, port: int, ready: bool = True) -> None:
        super().__init__(("127.0.0.1", port), _Answers)
        self.ready = ready
        self.thread = Thread(target=self.serve_forever, args=[0.01])
        self.thread.start()

    def end(self) -> None:
        self.shutdown()
        self.server_close()
        self.thread.join()


class _Answers(BaseHTTPRequestHandler):
    server: StandIn

    def do_GET(self) -> None:
        body = json.dumps({"port": self.server.server_port, "path": self.path, "host": self.headers["Host"]}).encode()
        self.send_response(503 if self.path == "/readyz" and not self.server.ready else 200)
        if "/static/" in self.path:
            self.send_header("Cache-Control", "public, max-age=31536000, immutable")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(nginx: str, folder: Path, *, begin: bool = True) -> Iterator[tuple[int, dict[int, StandIn]]]:
    """Run the real nginx with the shipped configuration before two processes; give its port and theirs."""
    port = free_port()
    ports = (port + 1, port + 2)
    configuration = write_nginx_configuration(folder, listen_directives("127.0.0.1", port), ports)
    processes = {own: StandIn(own) for own in ports if begin}
    with ExitStack() as ending:
        front = subprocess.Popen([nginx, "-e", "stderr", "-p", str(folder), "-c", str(configuration)])
        ending.callback(front.wait)
        ending.callback(front.terminate)
        ending.callback(lambda: [process.end() for process in processes.values()])
        wait_until(lambda: listens(port) or front.poll() is not None)
        yield port, processes


def listens(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def ask(port: int, path: str = "/", **headers: str) -> tuple[int, http.client.HTTPMessage, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()


def begin(port: int, cookie: str = "", **headers: str) -> tuple[int, str]:
    """Begin a visit; return the port of the process that has it, and the cookie that it gets."""
    status, fields, body = ask(port, "/base/_stcore/stream", Cookie=cookie, **headers)
    assert status == 200
    answer = json.loads(body)
    assert answer["host"] == f"127.0.0.1:{port}"  # by which the app knows its own pages
    return answer["port"], fields["Set-Cookie"] or ""


def of(process: int) -> str:
    return f"{COOKIE}={process}"


def test_a_visit_stays_with_its_cookies_process_and_new_ones_are_shared_out(nginx: str, tmp_path: Path) -> None:
    with served(nginx, tmp_path) as (port, processes):
        assert {begin(port)[0] for _ in range(8)} == set(processes)
        for process in processes:
            cookie = f"{of(process)}; Path=/; HttpOnly; SameSite=Lax"
            assert {begin(port, of(process)) for _ in range(8)} == {(process, cookie)}
            assert json.loads(ask(port, "/_stcore/upload_file/a", Cookie=of(process))[2])["port"] == process
        assert ask(port)[1]["Set-Cookie"] is None  # only where a visit begins
        _, cookie = begin(port, **{"X-Forwarded-Proto": "https"})
        assert cookie.endswith("; SameSite=None; Secure; Partitioned")


def test_a_cookie_leads_to_no_port_but_the_processes(nginx: str, tmp_path: Path) -> None:
    with served(nginx, tmp_path) as (port, processes):
        own, other = set(processes), StandIn(port + 3)
        processes[port + 3] = other  # which ends with them
        for forged in (port + 3, "any", "example.org", "1"):
            assert begin(port, f"{COOKIE}={forged}")[0] in own


def test_the_visits_of_a_process_that_is_lost_go_on_with_another_and_stay_there_when_it_is_back(
    nginx: str, tmp_path: Path
) -> None:
    with served(nginx, tmp_path) as (port, processes):
        lost, other = processes
        processes.pop(lost).end()
        process, cookie = begin(port, of(lost))
        assert (process, cookie.partition(";")[0]) == (other, of(other))
        assert ask(port, "/tokens?text=a", Cookie=of(lost))[0] == 200
        assert {begin(port)[0] for _ in range(8)} == {other}
        assert ask(port, "/readyz")[0] == 200
        processes[lost] = StandIn(lost)
        assert {begin(port, cookie.partition(";")[0])[0] for _ in range(8)} == {other}
        assert {begin(port)[0] for _ in range(8)} == {lost, other}


def test_all_who_follow_a_lecture_meet_in_one_process_whatever_their_cookies(nginx: str, tmp_path: Path) -> None:
    with served(nginx, tmp_path) as (port, processes):

        def meet() -> set[int]:
            asked = [ask(port, "/base/follow/ABC234/events", Cookie=of(process)) for process in [*processes, 0] * 3]
            return {json.loads(body)["port"] if status == 200 else status for status, _, body in asked}

        (process,) = meet()
        processes.pop(process).end()
        assert meet() == {503}  # phones and the presenter's page ask again: nobody opens the room elsewhere
        processes[process] = StandIn(process)
        assert meet() == {process}


def test_a_file_that_never_changes_is_asked_of_a_process_once_and_comes_though_all_have_gone(
    nginx: str, tmp_path: Path
) -> None:
    with served(nginx, tmp_path) as (port, processes):
        answers = {ask(port, "/base/static/js/a.js")[::2] for _ in range(4)}
        assert len(answers) == 1
        for process in list(processes):
            processes.pop(process).end()
        assert {ask(port, "/base/static/js/a.js")[::2]} == answers


def test_while_nothing_is_ready_readyz_says_so_and_a_page_tries_again(nginx: str, tmp_path: Path) -> None:
    with served(nginx, tmp_path, begin=False) as (port, processes):
        assert ask(port, "/readyz")[::2] == (503, b'{"state":"warming up"}')
        status, fields, _ = ask(port, "/positions?text=a")
        assert (status, fields["Refresh"]) == (503, "2")
        processes[port + 1] = StandIn(port + 1, ready=False)
        assert ask(port, "/readyz")[0] == 503
        processes[port + 2] = StandIn(port + 2)
        assert {ask(port, "/readyz")[0] for _ in range(8)} == {200}


def test_metrics_are_those_of_one_process_each(nginx: str, tmp_path: Path) -> None:
    with served(nginx, tmp_path) as (port, processes):
        for process in processes:
            answer = json.loads(ask(port, f"/metrics/{process}")[2])
            assert (answer["port"], answer["path"]) == (process, "/metrics")
        assert [ask(port, path)[0] for path in ("/metrics", f"/metrics/{port}", "/metrics/x")] == [404] * 3


@pytest.fixture
def started(nginx: str, tmp_path: Path) -> Iterator[tuple[int, "subprocess.Popen[bytes]", Path]]:
    """Start two stand-ins by bin/serve's own command line; give its port, its process and its log."""
    script, log, port = tmp_path / "stand in.py", tmp_path / "serve.log", free_port()
    script.write_text(STAND_IN)
    program = f"from ui.server.serve import main; main({given(port)}, command={[sys.executable, str(script)]})"
    environment = {name: value for name, value in os.environ.items() if name != CACHE} | {"TMPDIR": str(tmp_path)}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-c", program], cwd=ROOT, env=environment, stdout=output, stderr=output
        )
    try:
        wait_until(lambda: process.poll() is not None or (told(port + 1) and told(port + 2)), log.read_text)
        yield port, process, log
    finally:
        process.terminate()
        process.wait(PATIENCE)


def given(port: int) -> list[str]:
    """Give arguments of a command line, one of which is Streamlit's."""
    own = ["--processes", "2", "--server.address", "127.0.0.1", f"--server.port={port}"]
    return [*own, "--theme.font", "50% 'serif'"]


def nginx_pid(folder: Path) -> int:
    with suppress(OSError):
        return int((folder / "nginx.pid").read_text() or 0)
    return 0


def told(port: int) -> dict[str, object]:
    with suppress(OSError, http.client.HTTPException):
        told = json.loads(ask(port)[2])
        return told if isinstance(told, dict) else {}
    return {}


def test_processes_get_streamlits_arguments_one_secret_and_a_share_of_the_room_for_results(
    started: tuple[int, "subprocess.Popen[bytes]", Path],
) -> None:
    port, _, _ = started
    both = [told(own) for own in (port + 1, port + 2)]
    environments = [answer["environment"] for answer in both]
    for own, answer, environment in zip((port + 1, port + 2), both, environments, strict=True):
        assert answer["arguments"] == [
            *("--theme.font", "50% 'serif'"),
            *("--server.address", "127.0.0.1", "--browser.serverPort", str(port), "--server.port", str(own)),
        ]
        assert isinstance(environment, dict)
        assert environment["EMBEDDING_EXPLORER_PROCESS"] == f"{own} of {port + 1} {port + 2}"
        assert len(environment["STREAMLIT_SERVER_COOKIE_SECRET"]) == 64
        assert int(environment[CACHE]) == total_cache_limit(None, memory_of_machine()) // 2 // 10**6
    assert CACHE == bounded.LIMIT_VARIABLE
    assert len({environment["STREAMLIT_SERVER_COOKIE_SECRET"] for environment in environments}) == 1


def test_a_process_that_is_killed_is_started_again_and_nothing_is_left_at_the_end(
    started: tuple[int, "subprocess.Popen[bytes]", Path], tmp_path: Path
) -> None:
    port, process, log = started
    wait_until(lambda: listens(port))
    (folder,) = tmp_path.glob("embedding-explorer-*")
    killed = int(str(told(port + 1)["pid"]))
    os.kill(killed, signal.SIGKILL)
    os.kill(front := nginx_pid(folder), signal.SIGTERM)
    wait_until(lambda: told(port + 1).get("pid", killed) != killed, log.read_text)
    wait_until(lambda: nginx_pid(folder) not in (0, front) and listens(port), log.read_text)
    running = [nginx_pid(folder), *(int(str(told(own)["pid"])) for own in (port + 1, port + 2))]
    process.terminate()
    assert process.wait(PATIENCE) == 0
    for pid in running:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert not folder.exists()
    wait_until(lambda: "stopped: nginx" in log.read_text(), log.read_text)
    assert log.read_text().count("a stand-in begins") == 3  # what processes write is there, all of it


def test_what_is_missing_taken_or_unknown_is_said_in_one_sentence(
    nginx: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for wrong, sentence in (
        (["--processes", "0"], "it must be at least 1"),
        (["--server.sslKeyFile", "key.pem"], "go together"),
        (["--server.nonsense", "1"], "No such option"),
    ):
        with pytest.raises(SystemExit) as refused:
            main(wrong)
        assert refused.value.code
        assert sentence in capfd.readouterr().err
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        for own, processes in ((port, 1), (port - 1, 1)):
            with pytest.raises(SystemExit, match=f"Port {port} cannot be used"):
                main(["--server.address", "127.0.0.1", "--server.port", str(own), "--processes", str(processes)])
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(SystemExit, match="needs nginx"):
        main([])


def test_nginx_listens_on_all_addresses_or_one_and_with_a_certificate_by_https() -> None:
    port = free_port()
    assert f"listen 0.0.0.0:{port};" in listen_directives("", port)
    assert listen_directives("127.0.0.1", port) == f"listen 127.0.0.1:{port};"
    tls = listen_directives("127.0.0.1", port, "a.pem", "/b.pem")
    assert (
        tls
        == f'listen 127.0.0.1:{port} ssl; ssl_certificate "{Path("a.pem").resolve()}"; ssl_certificate_key "/b.pem";'
    )


@pytest.mark.parametrize(
    ("cores", "count", "shares"),
    [
        ([0, 1], 2, [[0], [1]]),
        ([2, 3, 5, 7, 9], 2, [[2, 5, 9], [3, 7]]),
        ([0, 1], 3, [[0], [1], [0]]),
        ([4], 2, [[4], [4]]),
    ],
)
def test_the_cores_are_shared_out_and_each_process_has_one_at_least(
    cores: list[int], count: int, shares: list[list[int]]
) -> None:
    assert [share_of_cores(number, count, cores) for number in range(count)] == shares
