import asyncio
import socket

import pytest

from tests.waiting import PATIENCE, run
from ui.server.nodelay import send_at_once


async def accepted_without_delay(*, prepared: bool) -> bool:
    """Serve on a socket bound as Streamlit binds it; tell whether a connection to it has Nagle's algorithm off."""
    loop = asyncio.get_running_loop()
    if prepared:
        send_at_once(loop)
    found: asyncio.Future[bool] = loop.create_future()

    class Look(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            accepted = transport.get_extra_info("socket")
            found.set_result(bool(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)))
            transport.close()

    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as bound:
        bound.bind(("127.0.0.1", 0))
        bound.setblocking(False)
        async with await loop.create_server(Look, sock=bound):
            _, writer = await asyncio.open_connection(*bound.getsockname())
            result = await asyncio.wait_for(found, PATIENCE)
            writer.close()
            return result


def test_connections_of_a_prepared_loop_send_at_once() -> None:
    assert run(accepted_without_delay(prepared=True))


@pytest.mark.skipif(not hasattr(socket, "TCP_QUICKACK"), reason="other systems set the option by themselves")
def test_without_it_they_would_wait() -> None:
    assert not run(accepted_without_delay(prepared=False))
