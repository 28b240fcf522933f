"""Several processes of the app behind nginx, since Python's lock lets each use one core: `bin/serve`.

Supervisor starts them and nginx, and each again when it ends; `deploy/` has the configuration of both.
"""

import argparse
import os
import resource
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template

from ui.server.start import APP, CACHE

_DEPLOY = Path(__file__).parents[2] / "deploy"
_FILES = 65_536  # open files of a process, if the machine allows: a visitor takes four


def main(arguments: Sequence[str], *, command: Sequence[str] = (sys.executable, "-m", "ui.server.start")) -> None:
    """Serve until SIGINT or SIGTERM; see `bin/serve --help`.

    Args:
        arguments: of the command line.
        command: starts one process; options of Streamlit are added.
    """
    reader = argparse.ArgumentParser("bin/serve", description="Serve the app by several processes behind nginx.")
    reader.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N", help="one for each core")
    reader.add_argument("--server.port", dest="port", type=int, default=8501, metavar="PORT", help="8501")
    reader.add_argument("--server.address", dest="address", default="", metavar="ADDRESS", help="all of the machine")
    reader.add_argument("--server.sslCertFile", dest="certificate", metavar="FILE", help="for https")
    reader.add_argument("--server.sslKeyFile", dest="key", metavar="FILE", help="for https")
    reader.epilog = "The processes listen on the N ports after PORT, on 127.0.0.1. Further arguments go to Streamlit."
    chosen, further = reader.parse_known_args(arguments)
    if chosen.processes < 1:
        reader.error(f"--processes {chosen.processes}: it must be at least 1")
    if bool(chosen.certificate) != bool(chosen.key):
        reader.error("--server.sslCertFile and --server.sslKeyFile go together")

    nginx = find_nginx()
    listen = listen_directives(chosen.address, chosen.port, chosen.certificate, chosen.key)
    ports = range(chosen.port + 1, chosen.port + 1 + chosen.processes)
    for port in ports:
        require_free("127.0.0.1", port)
    # Streamlit reports unknown options here; Supervisor would restart it forever.
    options = [sys.executable, "-m", "streamlit", "run", str(APP), *further, "--help"]
    if code := subprocess.run(options, stdout=subprocess.DEVNULL, check=False).returncode:
        sys.exit(code)

    # Upload tokens signed by one process must be valid in another.
    os.environ.setdefault("STREAMLIT_SERVER_COOKIE_SECRET", secrets.token_hex(32))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    os.environ.setdefault(CACHE, str(max(memory // 3 // chosen.processes, 256_000_000) // 10**6))
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))

    app = [*command, *further, "--server.address", "127.0.0.1", "--browser.serverPort", str(chosen.port)]
    with tempfile.TemporaryDirectory(prefix="embedding-explorer-") as folder:
        front = [nginx, "-e", "stderr", "-p", folder, "-c", f"{folder}/nginx.conf"]
        values = {
            "APP": shlex.join(app).replace("%", "%%"),
            "COUNT": str(chosen.processes),
            "FIRST_PORT": str(ports[0]),
            "FOLDER": folder,
            "NGINX": shlex.join(front),
            "PORTS": " ".join(map(str, ports)),
            "USER": "user = root" if os.geteuid() == 0 else "",
        }
        write_nginx_configuration(Path(folder), listen, ports)
        _supervise(_render_template("supervisord.conf", values, Path(folder)))


def write_nginx_configuration(folder: Path, listen: str, ports: Sequence[int]) -> Path:
    """Write nginx.conf from `deploy/nginx.conf.template`; return its path.

    Args:
        folder: for it, and for what nginx writes.
        listen: nginx's listen directives.
        ports: of the processes, on 127.0.0.1.
    """
    values = {
        "FOLDER": str(folder),
        "USER": "user root;" if os.geteuid() == 0 else "",
        "LISTEN": listen,
        "SERVERS": " ".join(f"server 127.0.0.1:{port} max_fails=0;" for port in ports),
        "PROCESSES": " ".join(f"{port} 127.0.0.1:{port};" for port in ports),
        "FIRST": f"127.0.0.1:{ports[0]}",
    }
    return _render_template("nginx.conf.template", values, folder)


def listen_directives(address: str, port: int, certificate: str | None = None, key: str | None = None) -> str:
    """Return nginx's listen directives for one address, or for all of the machine, with IPv6 if available.

    Raises:
        SystemExit: the port is in use.
    """
    require_free(address or "0.0.0.0", port)
    names = [f"[{address}]" if ":" in address else address] if address else ["0.0.0.0"]
    if not address and _bind_error("::", port) is None:
        names.append("[::]")
    lines = [f"listen {name}:{port}{' ssl' if certificate else ''};" for name in names]
    if certificate and key:
        lines += [f'ssl_certificate "{Path(certificate).resolve()}";', f'ssl_certificate_key "{Path(key).resolve()}";']
    return " ".join(lines)


def require_free(address: str, port: int) -> None:
    """Exit with the reason if a port cannot be listened on."""
    if error := _bind_error(address, port):
        sys.exit(f"Port {port} cannot be used ({error.strerror}): choose others by --server.port.")


def _bind_error(address: str, port: int) -> OSError | None:
    """Return why a port cannot be listened on; None if it can."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        socket.create_server((address, port), family=family).close()
    except OSError as error:
        return error
    return None


def find_nginx() -> str:
    """Return the path of nginx.

    Raises:
        SystemExit: it is not installed.
    """
    nginx = shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"]))
    if nginx is None:
        sys.exit(
            "bin/serve needs nginx, which is not on this machine: install it, on Debian and Ubuntu by "
            "`apt install nginx-light`, or serve with one process by bin/start."
        )
    return nginx


def _render_template(name: str, values: Mapping[str, str], folder: Path) -> Path:
    text = Template((_DEPLOY / name).read_text(encoding="utf-8")).safe_substitute(values)  # nginx's own $names stay
    written = folder / name.removesuffix(".template")
    written.write_text(text, encoding="utf-8")
    return written


def _supervise(configuration: Path) -> None:
    """Run Supervisor until it is stopped.

    It reopens its standard output for each process, which fails for a socket such as systemd's journal, and in a file
    would overwrite the output of others: so it gets a pipe.
    """
    from supervisor.supervisord import main as supervise

    relay = subprocess.Popen(["cat"], stdin=subprocess.PIPE, start_new_session=True)  # Ctrl-C is not for it
    assert relay.stdin is not None
    with relay.stdin as pipe:
        os.dup2(pipe.fileno(), 1)
        os.dup2(pipe.fileno(), 2)
    supervise(["-c", str(configuration)])


if __name__ == "__main__":
    main(sys.argv[1:])
