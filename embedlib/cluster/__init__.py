"""Tables larger than one machine's memory, and long work on many: in chunks on this machine, or on a Dask cluster."""

from embedlib.cluster.connection import Cluster
from embedlib.cluster.disk import TableOnDisk, TablePart, table_on_disk
from embedlib.cluster.errors import CLUSTER_ERRORS, ClusterError
from embedlib.cluster.runs import run_unit
from embedlib.cluster.tables import fit_pca, nearest_neighbours
