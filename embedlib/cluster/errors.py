"""Errors of a cluster and of the tables that it reads, with one sentence for each."""

from embedlib.i18n import N_
from embedlib.tables import TableError

# code -> sentence; names in braces are the keys of an error's values.
CLUSTER_ERRORS: dict[str, str] = {
    "missing": N_("Install the extra {extra}."),
    "unreachable": N_("{address} does not answer: start Dask’s scheduler."),
    "lost": N_("{address} does not answer: start Dask’s scheduler."),
    "no_workers": N_("{address} has no Dask workers: start one."),
    "killed": N_("A task ended its workers: give them more memory."),
    "versions": N_("{address} has another version ({reason}): install the same."),
    "not_shared": N_("{file} is missing on {worker}: copy it there."),
    "changed": N_("{file} has changed: start again."),
    "other_kind": N_("{file} has rows of {found}, not {expected}: save all alike."),
}


class ClusterError(TableError):
    """An error of a cluster; `sentences` are CLUSTER_ERRORS, of which `code` is a key."""

    sentences = CLUSTER_ERRORS
