"""A TCP relay that counts the bytes of all responses: pages, files, frames and workers alike."""

import asyncio
import threading
from types import TracebackType
from typing import Self


class Relay:
    """Forward everything between its own port and another one of this machine.

    Attributes:
        port: of its own.
        received: bytes that came back from the other port so far.
    """

    def __init__(self, port: int, behind: int) -> None:
        self.port, self.received = port, 0
        self._behind = behind
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        begun = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._forward, "127.0.0.1", self.port), self._loop
        )
        self._server = begun.result()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        tasks = asyncio.all_tasks(self._loop) - {asyncio.current_task(self._loop)}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        theirs, there = await asyncio.open_connection("127.0.0.1", self._behind)
        await asyncio.gather(self._copy(reader, there), self._copy(theirs, writer, counted=True))

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, counted: bool = False) -> None:
        try:
            while data := await reader.read(2**16):
                self.received += len(data) if counted else 0
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            pass  # the browser closed what it had not read
        finally:
            writer.close()
