"""The nginx before `bin/serve`'s processes: its configuration, where it listens, where it is."""

import os
import resource
import shutil
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path

COOKIE = "embedding_explorer_process"
METRICS_SOCKET = "metrics.sock"  # in nginx's folder
_FILES = 65_536  # that a process may have open, where the machine lets it: a visitor takes four


class CannotServe(Exception):
    """Why nothing can be served, as one sentence with the remedy."""


def nginx_configuration(
    ready: Mapping[int, int],
    *,
    folder: Path,
    listen: Sequence[str],
    certificate: tuple[str, str] | None = None,
    metrics: bool = False,
) -> str:
    """Write nginx's configuration.

    Args:
        ready: number of each process that takes visitors -> its port on 127.0.0.1; where there is none, nginx says so.
        folder: where nginx may write.
        listen: the addresses on which it answers, such as "0.0.0.0:8501" or "[::]:8501".
        certificate: files of a certificate and its key, for https; None for http.
        metrics: whether /metrics is answered, for all processes, by a socket in the folder.
    """
    servers = {number: f"server 127.0.0.1:{port} max_fails=0" for number, port in ready.items()}
    groups = [_group("any", ["zone any 64k", "least_conn", *(servers.values() or ["server 127.0.0.1:9 down"])])]
    for number, own in servers.items():
        others = [f"{server} backup" for other, server in servers.items() if other != number]
        groups.append(_group(f"process_{number}", [own, *others]))
    # A lecture's phones and its presenter meet in one process; where it is lost, all of them go to the next.
    groups.append(_group("rooms", _in_turn(list(servers.values()))))
    chosen = "".join(f"    {number} process_{number};\n" for number in ready)
    # The last address is that of the process which answered, where one before it did not.
    answered = "".join(f'    "~:{port}$" {number};\n' for number, port in ready.items())
    temporary = "".join(
        f"  {kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    listening = "".join(f"    listen {address}{' ssl' if certificate else ''};\n" for address in listen)
    if certificate:
        listening += f'    ssl_certificate "{certificate[0]}";\n    ssl_certificate_key "{certificate[1]}";\n'
    of_all = f"location = /metrics {{ proxy_pass http://unix:{folder}/{METRICS_SOCKET}:; }}" if metrics else ""
    return f"""daemon off;
pid {folder}/nginx.pid;
error_log stderr crit;  # less than that would write addresses, which hold texts
worker_processes auto;
worker_rlimit_nofile {open_files()};
{"user root;" if os.geteuid() == 0 else ""}
events {{ worker_connections {max(open_files() // 2, 512)}; }}
http {{
  access_log off;
  server_tokens off;
{temporary}
{"".join(groups)}
  map $cookie_{COOKIE} $chosen_process {{
    default any;
{chosen}  }}
  map $upstream_addr $answering {{
    default "";
{answered}  }}
  map $http_x_forwarded_proto $outer_scheme {{ default $http_x_forwarded_proto; "" $scheme; }}
  # In a frame of another site a browser sends a cookie only where it came by https and says so.
  map $outer_scheme $its_rules {{ default "SameSite=Lax"; https "SameSite=None; Secure; Partitioned"; }}
  map $answering $its_cookie {{ default "{COOKIE}=$answering; Path=/; HttpOnly; $its_rules"; "" ""; }}
  proxy_cache_path {folder}/files keys_zone=files:1m max_size=200m;
  map $http_upgrade $upgrading {{ default upgrade; "" ""; }}
  server {{
{listening}    client_max_body_size 0;  # Streamlit knows its limit, and refuses by the length that is announced
    proxy_request_buffering off;
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $upgrading;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $outer_scheme;
    proxy_connect_timeout 2s;
    proxy_read_timeout 1h;
    proxy_send_timeout 1h;
    proxy_next_upstream error timeout;
    error_page 502 504 = @none;
    location / {{ proxy_pass http://$chosen_process; }}
    {of_all}
    location ~ /(static|components)/ {{  # they say that they never change; a process that is killed cuts none of them
      proxy_cache files;
      proxy_cache_lock on;
      proxy_pass http://any;
    }}
    location ~ /follow/ {{
      proxy_buffering off;
      proxy_pass http://rooms;
    }}
    location ~ /_stcore/stream$ {{
      add_header Set-Cookie $its_cookie always;  # the visit that begins here belongs to the process that took it
      proxy_pass http://$chosen_process;
    }}
    location = /readyz {{
      error_page 502 504 = @warming;
      proxy_pass http://any;
    }}
    location @warming {{
      default_type application/json;
      add_header Cache-Control no-store always;
      add_header Retry-After 1 always;
      return 503 '{{"state":"warming up"}}';
    }}
    location @none {{
      default_type text/plain;
      add_header Cache-Control no-store always;
      add_header Refresh 2 always;
      return 503 "Embedding Explorer is starting; this page tries again by itself.\\n";
    }}
  }}
}}
"""


def _group(name: str, lines: Sequence[str]) -> str:
    return "\n".join([f"  upstream {name} {{", *(f"    {line};" for line in lines), "  }", ""])


def _in_turn(servers: Sequence[str]) -> list[str]:
    """Have the first of some servers answer, and each other where those before it do not."""
    return [servers[0], *(f"{server} backup" for server in servers[1:])] if servers else ["server 127.0.0.1:9 down"]


def open_files() -> int:
    """Return how many files a process may have open."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)


def addresses(address: str, port: int) -> list[str]:
    """Return on what nginx listens: one address, or all of the machine, where each can be taken."""
    wanted = [(socket.AF_INET6 if ":" in address else socket.AF_INET, address)] if address else []
    wanted = wanted or [(socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")]
    taken: list[str] = []
    for family, name in wanted:
        try:
            with socket.socket(family) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                probe.bind((name, port))
        except OSError as error:
            if not taken:
                reason = f"Port {port} cannot be used ({error.strerror}): choose another by --server.port."
                raise CannotServe(reason) from None
        else:
            taken.append(f"[{name}]:{port}" if family == socket.AF_INET6 else f"{name}:{port}")
    return taken


def find_nginx() -> str:
    """Return where nginx is; CannotServe where it is not installed."""
    nginx = shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"]))
    if nginx is None:
        raise CannotServe(
            "bin/serve needs nginx, which is not on this machine: install it, on Debian and Ubuntu by "
            "`apt install nginx-light`, or serve with one process by bin/start."
        )
    return nginx
