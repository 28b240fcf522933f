"""A Dask cluster: tasks, their progress messages and their results.

Dask is imported by the first connection. Names of functions and small arguments are sent by pickle, as all of Dask's
messages: whoever reaches a scheduler can run programs on its workers.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any
from uuid import uuid4

from embedlib.cluster.errors import ClusterError
from embedlib.progress import Cancelled, ignore_progress
from embedlib.tables import TableError

# Called by a task with a message that msgpack can encode, or with none: raises Cancelled once the task is cancelled.
Send = Callable[..., None]
# Called with the tasks' messages, and several times a second with None; raise in it to cancel the tasks.
OnMessage = Callable[[Any], None]

_TICK = 0.1  # seconds
_SECONDS_WITHOUT_WORKERS = 20.0  # time for a killed worker to restart
# Number of results that are merged on a worker, where they stay until then. The merged result is fetched at once: a
# worker that ends loses nothing but its own part of it.
_MERGED_AT_ONCE = 8


class Cluster:
    """A connection to a Dask scheduler, which any number of threads may use.

    Args:
        address: of the scheduler, such as ``"tcp://scheduler:8786"``.
        timeout: of the connection, in seconds.

    Raises:
        ClusterError: "missing" without the package distributed; "unreachable"; "no_workers".
    """

    def __init__(self, address: str, *, timeout: float = 5.0) -> None:
        try:
            distributed = import_module("distributed")
        except ImportError as error:
            raise ClusterError("missing", extra="cluster") from error
        self.address = address
        try:
            self._client = distributed.Client(address, timeout=timeout, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise ClusterError("unreachable", address=address) from error
        if not self.n_threads:
            self.close()
            raise ClusterError("no_workers", address=address)

    @property
    def is_lost(self) -> bool:
        """Whether the connection is closed, or the scheduler has gone."""
        return bool(self._client.status != "running")

    @property
    def n_threads(self) -> int:
        """Number of threads of all workers together, each of which runs a task; ClusterError "lost"."""
        try:
            return sum(self._client.nthreads().values())
        except Exception as error:  # any exception, once the scheduler has gone
            raise ClusterError("lost", address=self.address) from error

    def close(self) -> None:
        """Disconnect, and cancel the running tasks."""
        with suppress(Exception):  # the scheduler may have gone
            self._client.close(timeout=2)

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def results(
        self,
        work: Callable[..., Any],
        tasks: Sequence[Any],
        *shared: Any,
        merge: Callable[[list[Any]], Any] | None = None,
        on_message: OnMessage = ignore_progress,
    ) -> Iterator[Any]:
        """Run ``work(task, *shared, send)`` for each task, and yield the results in the order of completion.

        A task whose worker ends runs again on another, and so do those whose results only that worker had.

        Args:
            work: a function of a module that the workers have too.
            *shared: arguments of all tasks; each is sent once.
            merge: combines a list of results, on a worker, so that fewer are yielded; None yields one for each task.
            on_message: called on this thread; an exception from it, or closing the iterator, stops the work within a
                block.

        Raises:
            ClusterError: the scheduler is lost, there are no workers, or they have other versions.
            Exception: of `work` or `on_message`.
        """
        topic = f"embedlib-{uuid4().hex}"
        messages: SimpleQueue[tuple[Any, Any]] = SimpleQueue()  # a completed (future, None), or (None, message)
        submit = self._client.submit
        pending: set[Any] = set()
        try:
            self._client.subscribe_topic(topic, lambda event: messages.put((None, event[1])))
            # A single task gets the values themselves: a future would tie it to their worker, though others are idle.
            values = [value if len(tasks) == 1 else submit(_identity, value, pure=False) for value in shared]
            size = len(tasks) if merge is None else _MERGED_AT_ONCE
            for start in range(0, len(tasks), size):
                some = [
                    submit(_run, topic, work, task, *values, key=f"{work.__name__}-{topic}-{number}", pure=False)
                    for number, task in enumerate(tasks[start : start + size], start)
                ]
                pending.update(
                    some if merge is None else [submit(merge, some, key=f"merge-{topic}-{start}", pure=False)]
                )
                del some  # or the last of them would stay referenced, and run again if their worker ends
            for future in pending:
                future.add_done_callback(lambda future: messages.put((future, None)))
            yield from self._results_as_completed(pending, messages, on_message)
        except TableError:
            raise
        except Exception as error:
            if self.is_lost and not isinstance(error, Cancelled):
                raise ClusterError("lost", address=self.address) from error
            raise
        finally:
            with suppress(Exception):  # of a scheduler that has gone
                for future in pending:
                    future.release()
                self._client.unsubscribe_topic(topic)

    def _results_as_completed(
        self, pending: set[Any], messages: SimpleQueue[tuple[Any, Any]], on_message: OnMessage
    ) -> Iterator[Any]:
        quiet_since = time.monotonic()
        lost: list[Any] = []  # with their worker, before they were fetched: Dask runs them again
        while pending:
            try:
                future, message = messages.get(timeout=_TICK)
            except Empty:
                while lost:
                    messages.put((lost.pop(), None))
                if self.is_lost:
                    raise ClusterError("lost", address=self.address) from None
                if time.monotonic() - quiet_since > _SECONDS_WITHOUT_WORKERS:
                    if not self.n_threads:
                        raise ClusterError("no_workers", address=self.address) from None
                    quiet_since = time.monotonic()
                on_message(None)
                continue
            if future is not None and future.status == "lost":
                lost.append(future)
                continue
            quiet_since = time.monotonic()
            if future is None:
                on_message(message)
            else:
                result = self._future_result(future)
                pending.discard(future)
                future.release()
                yield result

    def _future_result(self, future: Any) -> Any:
        if future.status == "cancelled":
            raise ClusterError("lost", address=self.address)
        if future.status != "error":
            return future.result()
        error = future.exception()
        if type(error).__name__ == "KilledWorker":
            raise ClusterError("killed") from error
        # A failed unpickling is a RuntimeError, with the original exception as its cause.
        cause = error.__cause__ if isinstance(error, RuntimeError) and error.__cause__ is not None else error
        if isinstance(cause, ImportError | AttributeError):
            raise ClusterError("versions", address=self.address, reason=str(cause)) from error
        raise error


def _identity(value: Any) -> Any:
    return value


def _run(topic: str, work: Callable[..., Any], task: Any, *shared: Any) -> Any:
    """Call the work on a worker, with a `send` that reports to the client."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def send(*messages: Any) -> None:
        # Cancelled, or its client or scheduler has gone: Dask then forgets the task, but cannot stop a thread.
        state = worker.state.tasks.get(key)
        if worker.status.name != "running" or state is None or state.state not in ("executing", "long-running"):
            raise Cancelled
        for message in messages:
            worker.log_event(topic, message)

    try:
        return work(task, *shared, send)
    except TableError as error:
        if error.code == "file" and isinstance(error.__cause__, OSError):
            raise ClusterError("not_shared", worker=worker.address, file=error.values["file"]) from error
        raise
