"""The Dask cluster for background jobs, if the administrator names one."""

import os
import threading
from dataclasses import dataclass, field

from embedlib.cluster import Cluster, ClusterError

ADDRESS = "EMBEDDING_EXPLORER_CLUSTER"
_MOST_AT_ONCE = 64  # each occupies a thread here


def cluster_address() -> str:
    """Return the address of the scheduler; "" where work stays on this server."""
    return os.environ.get(ADDRESS, "").strip()


@dataclass
class _Connection:
    """The one connection of this server."""

    cluster: Cluster | None = None
    n_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


_shared = _Connection()


def connect_cluster() -> Cluster:
    """Return the connection to the cluster; may take seconds, so that only a job's thread calls it.

    Raises:
        ClusterError: the cluster is unreachable or has no workers.
    """
    with _shared.lock:
        try:
            if _shared.cluster is None or _shared.cluster.is_lost or _shared.cluster.address != cluster_address():
                disconnect()
                _shared.cluster = Cluster(cluster_address())
            count = _shared.cluster.n_threads
        except ClusterError:
            disconnect()
            raise
        if not count:
            raise ClusterError("no_workers", address=cluster_address())
        _shared.n_at_once = min(count, _MOST_AT_ONCE)
        return _shared.cluster


def n_at_once() -> int:
    """Return how many jobs the cluster could run at once when last asked; 0 without a cluster."""
    return _shared.n_at_once if cluster_address() else 0


def disconnect() -> None:
    """Close the connection."""
    cluster, _shared.cluster, _shared.n_at_once = _shared.cluster, None, 0
    if cluster is not None:
        cluster.close()
