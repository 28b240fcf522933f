"""Principal components of any table: exact, deterministic, also of tables larger than memory."""

from embedlib.projection.basis import METHODS, Pca
from embedlib.projection.chance import greatest_share_by_chance
from embedlib.projection.fit import fit_pca
from embedlib.projection.tables import Blocks, Source

__all__ = ["METHODS", "Blocks", "Pca", "Source", "fit_pca", "greatest_share_by_chance"]
