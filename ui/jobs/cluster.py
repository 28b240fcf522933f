"""The Dask cluster that long work is sent to, where the administrator names one."""

import os
import threading
from dataclasses import dataclass, field

from embedlib.cluster import Cluster, ClusterError

ADDRESS = "EMBEDDING_EXPLORER_CLUSTER"
_MOST_AT_ONCE = 64  # each waits on a thread here


def cluster_address() -> str:
    """Return the address of the scheduler; "" where work stays on this server."""
    return os.environ.get(ADDRESS, "").strip()


@dataclass
class _Connection:
    """The one connection of this server."""

    cluster: Cluster | None = None
    n_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


_kept = _Connection()


def connect_cluster() -> Cluster:
    """Connect to the cluster, once for all; a job's thread calls it, for it may take seconds.

    Raises:
        ClusterError: there is none to work on now.
    """
    with _kept.lock:
        try:
            if _kept.cluster is None or _kept.cluster.is_lost or _kept.cluster.address != cluster_address():
                disconnect()
                _kept.cluster = Cluster(cluster_address())
            count = _kept.cluster.n_at_once
        except ClusterError:
            disconnect()
            raise
        if not count:
            raise ClusterError("no_workers", address=cluster_address())
        _kept.n_at_once = min(count, _MOST_AT_ONCE)
        return _kept.cluster


def n_at_once() -> int:
    """Return how many jobs the cluster ran at once when it was last asked; 0 where there is none."""
    return _kept.n_at_once if cluster_address() else 0


def disconnect() -> None:
    """Let go of the connection."""
    cluster, _kept.cluster, _kept.n_at_once = _kept.cluster, None, 0
    if cluster is not None:
        cluster.close()
