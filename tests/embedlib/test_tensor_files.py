import json
import pickle
from pathlib import Path

import pytest
import torch
from safetensors.torch import save

from embedlib import tensor_files
from embedlib.errors import CodedError
from embedlib.tensor_files import read_tensors, write_tensors

ABOUT = {"words": ["naïve", "中"], "step": 3, "config": {"rate": 0.1}}
TENSORS = {
    "rows": torch.arange(6.0).reshape(2, 3),
    "counts": torch.arange(2),
    "bytes": torch.arange(5, dtype=torch.uint8),
}


def test_what_is_read_is_what_was_written(tmp_path: Path) -> None:
    write_tensors(tmp_path / "a.safetensors", ABOUT, TENSORS)
    about, tensors = read_tensors(tmp_path / "a.safetensors")
    assert about == ABOUT
    assert tensors.keys() == TENSORS.keys()
    for name, tensor in TENSORS.items():
        assert torch.equal(tensors[name], tensor)
        assert tensors[name].dtype == tensor.dtype


def test_the_same_is_written_to_the_same_bytes_and_parts_of_a_tensor_too(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in "ab"]
    for path in paths:
        write_tensors(path, ABOUT, {"column": TENSORS["rows"][:, 0], "again": TENSORS["rows"][:, 0]})
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert torch.equal(read_tensors(paths[0])[1]["again"], TENSORS["rows"][:, 0])


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"",
        pickle.dumps({"rows": [1.0]}),
        save(TENSORS),
        save(TENSORS, {"run": "{}"}),
        save(TENSORS, {"about": "{"}),
        save(TENSORS, {"about": "[1]"}),
        save(TENSORS, {"about": "[" * 3_000}),
        save(TENSORS, {"about": json.dumps(ABOUT)})[:-1],
        save(TENSORS | {"more": torch.zeros(1_000)}, {"about": json.dumps(ABOUT)}),  # over the limit
    ],
)
def test_what_is_no_file_of_ours_is_refused(
    tmp_path: Path, content: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tensor_files, "MAX_BYTES", 4_000)
    path = tmp_path / "a.safetensors"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CodedError, match=r"a\.safetensors' is no saved run"):
        read_tensors(path)
