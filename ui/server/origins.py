"""Rejection of websockets from other sites' pages, without a request to the internet."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

_POLICY_VIOLATION = 1008  # RFC 6455, section 7.4.1


def same_site_websockets() -> Middleware:
    """Return the middleware that closes websockets opened by pages of another origin.

    Streamlit closes them too, but first asks an outside service for this machine's address, which blocks all visitors
    for up to two seconds each time, even without a network.
    """
    return Middleware(_RefuseForeignWebsockets)


def is_own_origin(origin: str | None, host: str | None) -> bool:
    """Return whether a page of this origin may open a session here.

    Args:
        origin: the request's Origin header; None, as programs send none, is allowed.
        host: the request's Host header.

    Returns:
        True for the server's own origin, for this machine by its local names, for `browser.serverAddress`, for what
        `server.corsAllowedOrigins` lists, and for all where `server.enableCORS` is off.
    """
    if origin is None or not config.get_option("server.enableCORS"):
        return True
    try:
        page = urlsplit(origin)
        hostname = page.hostname
    except ValueError:  # an address that is none, such as http://[
        return False
    if page.netloc == host:
        return True
    addresses = [config.get_option("browser.serverAddress"), *config.get_option("server.corsAllowedOrigins")]
    named = {urlsplit(address if "//" in address else f"//{address}").hostname for address in addresses}
    return hostname is not None and hostname in {"localhost", "127.0.0.1", "::1", *named}


class _RefuseForeignWebsockets:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            headers = Headers(scope=scope)
            if not is_own_origin(headers.get("origin"), headers.get("host")):
                await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
                return
        await self.app(scope, receive, send)
