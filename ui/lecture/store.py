"""The store of rooms: this process's memory, or Redis shared by several replicas of the server."""

import asyncio
import importlib.util
import logging
import os
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

REDIS = "EMBEDDING_EXPLORER_REDIS"  # address of the Redis that replicas share
_PREFIX = "embedding-explorer:"
_PATIENCE = 2.0  # s that Redis has to answer
_AGAIN = 1.0  # s between attempts to reconnect
_SWEEP = 60.0  # s between removals of expired hashes

T = TypeVar("T")
Listener = Callable[[str], None]
_log = logging.getLogger(__name__)


class StoreUnavailable(Exception):
    """The store does not answer now."""


class RoomStore(Protocol):
    """Hashes of text that expire, and publish/subscribe by name.

    Attributes:
        is_shared: whether other processes see the same.
    """

    is_shared: bool

    async def read(self, key: str) -> dict[str, str]:
        """Return a hash; empty if there is none."""

    async def read_field(self, key: str, field: str) -> str | None:
        """Return one field, or None."""

    async def count_fields(self, key: str) -> int:
        """Count the fields."""

    async def write(self, key: str, fields: Mapping[str, str], *, keep: float) -> None:
        """Set fields, and let the hash expire `keep` seconds from now."""

    async def increment(self, key: str, field: str, *, keep: float) -> int:
        """Increment a field; a new hash expires after `keep` seconds. Return the count."""

    async def remove(self, key: str, *fields: str) -> None:
        """Remove fields; the whole hash if none is named."""

    async def publish(self, name: str, what: str) -> None:
        """Call all listeners of a name."""

    def subscribe(self, name: str, listener: Listener) -> None:
        """Call `listener` for every published message, and with "lost"/"back" when the connection drops or returns."""

    def unsubscribe(self, name: str, listener: Listener) -> None:
        """Remove a listener."""

    async def close(self) -> None:
        """Close all connections."""


def open_store() -> RoomStore:
    """Return the store that the environment names; nothing connects yet.

    Raises:
        SystemExit: the address is not one of Redis, or its package is missing.
    """
    address = os.environ.get(REDIS, "").strip()
    if not address:
        return MemoryStore()
    try:
        parts = urlsplit(address)
        is_sound = bool(parts.path.strip("/") if parts.scheme == "unix" else parts.hostname) and parts.port != 0
    except ValueError:  # a port that is none
        is_sound = False
    # The message does not repeat the address: it may contain a password.
    if not is_sound or parts.scheme not in ("redis", "rediss", "unix"):
        sys.exit(f"{REDIS} must be an address such as redis://localhost:6379/0 (or rediss://, unix://).")
    if importlib.util.find_spec("redis") is None:
        sys.exit(f"{REDIS} is set and redis is not installed: run bin/environment, or pip install redis.")
    return RedisStore(address)


class _Subscriptions:
    """The listeners of this process, by name."""

    def __init__(self) -> None:
        self.by_name: dict[str, list[Listener]] = {}

    def subscribe(self, name: str, listener: Listener) -> None:
        """Add a listener; see `RoomStore.subscribe`."""
        self.by_name.setdefault(name, []).append(listener)

    def unsubscribe(self, name: str, listener: Listener) -> None:
        """Remove a listener; see `RoomStore.unsubscribe`."""
        left = [one for one in self.by_name.pop(name, []) if one != listener]
        if left:
            self.by_name[name] = left

    def call(self, name: str, what: str) -> None:
        """Call all listeners of a name."""
        for listener in list(self.by_name.get(name, [])):
            listener(what)


class MemoryStore(_Subscriptions):
    """A store in this process's memory. Expired hashes are dropped on later writes."""

    is_shared = False

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """Start empty."""
        super().__init__()
        self._now = now
        self._kept: dict[str, tuple[float, dict[str, str]]] = {}  # expiry and fields
        self._swept = now()

    def _hash(self, key: str) -> dict[str, str]:
        until, fields = self._kept.get(key, (0.0, {}))
        return fields if until > self._now() else {}

    def _keep(self, key: str, fields: dict[str, str], keep: float) -> None:
        now = self._now()
        if now - self._swept > _SWEEP:
            self._swept = now
            self._kept = {key: kept for key, kept in self._kept.items() if kept[0] > now}
        self._kept[key] = (now + keep, fields)

    async def read(self, key: str) -> dict[str, str]:
        """Return a copy."""
        return dict(self._hash(key))

    async def read_field(self, key: str, field: str) -> str | None:
        """Return one field."""
        return self._hash(key).get(field)

    async def count_fields(self, key: str) -> int:
        """Count the fields."""
        return len(self._hash(key))

    async def write(self, key: str, fields: Mapping[str, str], *, keep: float) -> None:
        """Set fields."""
        own = self._hash(key)
        own.update(fields)
        self._keep(key, own, keep)

    async def increment(self, key: str, field: str, *, keep: float) -> int:
        """Count up."""
        own = self._hash(key)
        own[field] = str(int(own.get(field, "0")) + 1)
        if len(own) == 1 and own[field] == "1":
            self._keep(key, own, keep)
        return int(own[field])

    async def remove(self, key: str, *fields: str) -> None:
        """Remove fields, or all."""
        if not fields:
            self._kept.pop(key, None)
        for field in fields:
            self._hash(key).pop(field, None)

    async def publish(self, name: str, what: str) -> None:
        """Call all listeners at once."""
        self.call(name, what)

    async def close(self) -> None:
        """Do nothing: there is no connection."""


class RedisStore(_Subscriptions):
    """A store in Redis, shared by replicas; reconnects, and never blocks for long."""

    is_shared = True

    def __init__(self, address: str) -> None:
        """Keep the address; the first call connects."""
        super().__init__()
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
        from redis.exceptions import RedisError

        def client(retries: int) -> Any:  # calls retry once after a restart of Redis; listeners must notice it
            patience: dict[str, Any] = {"socket_timeout": _PATIENCE, "socket_connect_timeout": _PATIENCE}
            return Redis.from_url(address, decode_responses=True, retry=Retry(NoBackoff(), retries), **patience)

        self._errors = (RedisError, OSError, asyncio.TimeoutError)
        self._client, self._listener = client(1), client(0)
        self._task: asyncio.Task[None] | None = None
        self._calls: Any = None

    async def _request(self, answer: Awaitable[T]) -> T:
        try:
            return await answer
        except self._errors as error:
            raise StoreUnavailable from error

    async def read(self, key: str) -> dict[str, str]:
        """HGETALL."""
        return dict(await self._request(self._client.hgetall(_PREFIX + key)))

    async def read_field(self, key: str, field: str) -> str | None:
        """HGET."""
        found: str | None = await self._request(self._client.hget(_PREFIX + key, field))
        return found

    async def count_fields(self, key: str) -> int:
        """HLEN."""
        return int(await self._request(self._client.hlen(_PREFIX + key)))

    async def write(self, key: str, fields: Mapping[str, str], *, keep: float) -> None:
        """HSET and PEXPIRE."""
        together = self._client.pipeline(transaction=True)
        together.hset(_PREFIX + key, mapping=dict(fields)).pexpire(_PREFIX + key, round(keep * 1000))
        await self._request(together.execute())

    async def increment(self, key: str, field: str, *, keep: float) -> int:
        """HINCRBY, and PEXPIRE where the hash is new."""
        together = self._client.pipeline(transaction=True)
        together.hincrby(_PREFIX + key, field, 1).pttl(_PREFIX + key)
        count, left = await self._request(together.execute())
        if left < 0:
            await self._request(self._client.pexpire(_PREFIX + key, round(keep * 1000)))
        return int(count)

    async def remove(self, key: str, *fields: str) -> None:
        """HDEL or DEL."""
        name = _PREFIX + key
        await self._request(self._client.hdel(name, *fields) if fields else self._client.delete(name))

    async def publish(self, name: str, what: str) -> None:
        """PUBLISH."""
        await self._request(self._client.publish(_PREFIX + name, what))

    def subscribe(self, name: str, listener: Listener) -> None:
        """SUBSCRIBE, with all others of this process by one connection."""
        super().subscribe(name, listener)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._receive())
        elif self._calls is not None:
            self._send_later(self._calls.subscribe(_PREFIX + name))

    def unsubscribe(self, name: str, listener: Listener) -> None:
        """UNSUBSCRIBE the last one."""
        super().unsubscribe(name, listener)
        if name not in self.by_name and self._calls is not None:
            self._send_later(self._calls.unsubscribe(_PREFIX + name))

    def _send_later(self, call: Awaitable[None]) -> None:
        async def go() -> None:
            with suppress(*self._errors):  # lost connection: `_receive` subscribes again
                await call

        task = asyncio.ensure_future(go())
        task.add_done_callback(lambda done: done.exception())

    async def _receive(self) -> None:
        """Pass on published messages; reconnect forever."""
        while True:
            try:
                async with self._listener.pubsub() as calls:
                    self._calls = calls
                    await calls.subscribe(_PREFIX, *[_PREFIX + name for name in self.by_name])
                    self._call_all("back")
                    while True:
                        message = await calls.get_message(ignore_subscribe_messages=True, timeout=_PATIENCE)
                        if message is not None:
                            self.call(message["channel"].removeprefix(_PREFIX), message["data"])
            except self._errors:
                _log.warning("Redis does not answer; it is tried again every %.0f s.", _AGAIN)
                self._call_all("lost")
                await asyncio.sleep(_AGAIN)
            finally:
                self._calls = None

    def _call_all(self, what: str) -> None:
        for name in list(self.by_name):
            self.call(name, what)

    async def close(self) -> None:
        """Close all connections."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        for client in (self._client, self._listener):
            with suppress(*self._errors):
                await client.aclose()
