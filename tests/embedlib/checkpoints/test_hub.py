"""Models on a Hub of our own: rows to the bit, few bytes, every fault in a sentence, and a retry works."""

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from huggingface_hub import constants
from safetensors.torch import load_file

from embedlib.checkpoints import Checkpoint, CheckpointError, open_checkpoint
from embedlib.checkpoints import hub as ours
from tests.embedlib.checkpoints.hub import COMMIT, TOKEN, Hub, in_place_of_the_hub
from tests.embedlib.checkpoints.models import D_MODEL, DTYPES, STORED, VOCAB_SIZE, save


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    with in_place_of_the_hub(monkeypatch, tmp_path) as server:
        yield server


@pytest.fixture
def model(hub: Hub, tmp_path: Path) -> Path:
    """Put a small GPT-2 there, as owner/gpt2."""
    save("gpt2", "float32", tmp_path / "gpt2")
    hub.models["owner/gpt2"] = tmp_path / "gpt2"
    return tmp_path / "gpt2"


def refused(code: str, call: Callable[[], object]) -> CheckpointError:
    with pytest.raises(CheckpointError) as caught:
        call()
    assert caught.value.code == code
    return caught.value


def opened() -> Checkpoint:
    return open_checkpoint("owner/gpt2")


def stored(folder: Path) -> torch.Tensor:
    return load_file(folder / "model.safetensors")["transformer.wte.weight"]


@pytest.mark.parametrize(("kind", "dtype", "shard_bytes"), STORED)
def test_rows_are_the_folders_to_the_bit(
    kind: str, dtype: str, shard_bytes: int | None, hub: Hub, tmp_path: Path
) -> None:
    save(kind, dtype, tmp_path / "made", shard_bytes=shard_bytes)
    hub.models[kind] = tmp_path / "made"
    here, there = open_checkpoint(tmp_path / "made"), open_checkpoint(kind)
    ids = torch.tensor([5, 96, 0, 5, 6, 7, 40])
    assert torch.equal(there.rows(ids), here.rows(ids))
    assert there.rows(ids).dtype == DTYPES[dtype]
    assert torch.equal(there.rows(range(VOCAB_SIZE)), here.rows(range(VOCAB_SIZE)))
    assert there.config == here.config
    if here.position_name:
        assert torch.equal(there.position_table(), here.position_table())


def test_only_the_header_and_the_rows_are_sent(hub: Hub, model: Path) -> None:
    content = (model / "model.safetensors").read_bytes()
    header = 8 + int.from_bytes(content[:8], "little")
    first = opened()
    assert hub.sent == header + (model / "config.json").stat().st_size
    before = hub.sent
    ids = [3, 4, 5, 50, 51, 90, 12, 3]
    assert torch.equal(first.rows(ids), stored(model)[ids])
    assert hub.sent - before == len(set(ids)) * D_MODEL * 4
    ranges = [span for server, _, _, span, _ in hub.asked if server == "storage" and span]
    assert len(ranges) == 2 + 4  # eight bytes, the header, and four runs of neighbours


def test_the_token_goes_to_the_hub_alone_and_into_no_link_or_log(
    hub: Hub, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged: list[str] = []
    monkeypatch.setattr(logging.Logger, "isEnabledFor", lambda _self, _level: True)
    monkeypatch.setattr(logging.Logger, "handle", lambda _self, record: logged.append(record.getMessage()))
    opened().rows([1, 50])
    assert logged
    assert {token for server, _, _, _, token in hub.asked if server == "hub"} == {True}
    assert {token for server, _, _, _, token in hub.asked if server == "storage"} == {False}
    assert not any(TOKEN in line for line in logged)
    assert not any(TOKEN in path for _, _, path, _, _ in hub.asked)


def test_nothing_of_this_machine_is_sent(hub: Hub, model: Path) -> None:
    opened().rows([1, 50])
    assert all("/resolve/" in path for server, _, path, _, _ in hub.asked if server == "hub")  # and nothing else
    assert {headers["user-agent"] for headers in hub.headers} == {"embedlib"}
    usual = {"host", "accept", "accept-encoding", "connection", "user-agent", "range", "authorization"}
    random_id = "x-amzn-trace-id"  # of one request, by huggingface_hub
    assert {name for headers in hub.headers for name in headers} <= usual | {random_id}


def test_all_parts_come_from_one_commit(hub: Hub, model: Path) -> None:
    opened().rows([1])
    paths = [path for server, _, path, _, _ in hub.asked if server == "hub"]
    assert "/resolve/main/" in paths[0]
    assert all(f"/resolve/{COMMIT}/" in path for path in paths[1:])


def test_a_renamed_model_is_found_where_the_hub_redirects_to(hub: Hub, model: Path) -> None:
    hub.renamed["owner/old"] = "owner/gpt2"
    found = open_checkpoint("owner/old")
    assert torch.equal(found.rows([1, 50]), stored(model)[[1, 50]])
    assert refused("missing", found.tokenizer).values["file"] == "tokenizer.json"
    assert not ours.HubFiles("owner/old").has("tokenizer.json")
    assert {token for server, _, _, _, token in hub.asked if server == "hub"} == {True}


FAULTS = {
    "cut": "network",
    "short": "network",
    "other range": "network",
    "slow": "network",
    "silent": "network",
    "endless": "network",
    "status 500": "network",
    "status 503": "network",
    "status 408": "network",
    "status 429 0": "network",
    "status 429 77": "network",
    "status 429": "network",
    "status 403": "access",
    "no ranges": "network",
}
SLOW = ("slow", "silent", "endless")


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_said_in_a_sentence_and_a_retry_works(
    fault: str, hub: Hub, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = opened()
    hub.faults = [fault] * 3
    with monkeypatch.context() as impatient:
        if fault in SLOW:
            impatient.setattr(ours, "TIMEOUT", 0.2)
            impatient.setattr(ours, "MIN_RATE", 10**9)
        error = refused(FAULTS[fault], lambda: found.rows([2, 3]))
    assert str(error).endswith(".")
    if fault == "status 429 77":
        assert error.values["seconds"] == 77
    hub.faults = []
    assert torch.equal(found.rows([2, 3]), stored(model)[[2, 3]])


def test_where_one_part_fails_the_others_are_not_tried_for_long(hub: Hub, model: Path) -> None:
    found = opened()
    before = len(hub.asked)
    hub.faults = ["", *["status 500"] * 1_000]
    refused("network", lambda: found.rows(range(0, VOCAB_SIZE, 2)))
    assert len(hub.asked) - before <= 2 + 3 * 2 * ours.CONNECTIONS


@pytest.mark.parametrize("fault", ["cut", "short", "other range", "status 500", "status 429 0"])
def test_what_may_pass_is_tried_again_by_itself(fault: str, hub: Hub, model: Path) -> None:
    found = opened()
    hub.faults = [fault] * 2
    assert torch.equal(found.rows([2, 3]), stored(model)[[2, 3]])


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_while_opening_is_said_too(fault: str, hub: Hub, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.faults = [fault] * 6
    with monkeypatch.context() as impatient:
        if fault in SLOW:
            impatient.setattr(ours, "TIMEOUT", 0.2)
            impatient.setattr(ours, "MIN_RATE", 10**9)
        with pytest.raises(CheckpointError):
            opened()
    hub.faults = []
    assert opened().vocab_size == VOCAB_SIZE


def test_a_hub_that_is_not_there_is_said(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = opened()
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", "http://127.0.0.1:9/{repo_id}/{revision}/{filename}")
    refused("network", lambda: found.rows([2]))


REFUSALS = [
    (401, "RepoNotFound", "source"),
    (404, "RepoNotFound", "source"),
    (401, "", "source"),
    (401, "GatedRepo", "access"),
    (403, "GatedRepo", "access"),
    (403, "", "access"),
]


@pytest.mark.parametrize(("status", "error", "code"), REFUSALS)
def test_models_that_may_not_be_read_are_refused(status: int, error: str, code: str, hub: Hub, model: Path) -> None:
    hub.refusals["owner/gpt2"] = (status, error)
    refused(code, opened)
    hub.refusals.clear()
    assert opened().vocab_size == VOCAB_SIZE


def test_a_model_revision_or_file_that_is_not_there_is_refused(hub: Hub, model: Path) -> None:
    refused("source", lambda: open_checkpoint("owner/none"))
    assert refused("missing", lambda: opened().tokenizer()).values["file"] == "tokenizer.json"
    for revision in ("none", "../main", "", "a b", "main/../.."):
        refused("source", lambda revision=revision: open_checkpoint("owner/gpt2", revision=revision))
    (model / "model.safetensors").unlink()
    refused("missing", opened)
    (model / "pytorch_model.bin").write_bytes(b"\x80\x02")
    refused("file", opened)


LOCATIONS = [
    "https://127.0.0.1:99999/x",
    "https://a b/x",
    "https:///x",
    "http://example.org/x",
    "ftp://127.0.0.1/x",
    "file:///etc/passwd",
    "//example.org/x",
    "http://[::1",
    "x:y",
]


@pytest.mark.parametrize("location", LOCATIONS)
def test_a_redirect_that_leaves_https_is_not_followed(location: str, hub: Hub, model: Path) -> None:
    found = opened()
    hub.locations = [location] * 3
    error = refused("network", lambda: found.rows([2]))
    assert "example" not in str(error)
    hub.locations = []
    assert torch.equal(found.rows([2]), stored(model)[[2]])


def test_a_hub_elsewhere_may_not_redirect_to_this_machine() -> None:
    assert ours.is_allowed_redirect("https://hub.example.org/a", "https://storage.example.org/b")
    assert ours.is_allowed_redirect("http://127.0.0.1:1/a", "http://localhost:2/b")
    assert not ours.is_allowed_redirect("https://hub.example.org/a", "http://127.0.0.1:2/b")
    for target in ("http://hub.example.org/b", "http://127.0.0.1:1@example.org/b", "http://127.0.0.1.example.org/b"):
        assert not ours.is_allowed_redirect("http://127.0.0.1:1/a", target)


def test_redirects_in_a_circle_end(hub: Hub, model: Path) -> None:
    found = opened()
    hub.locations = [f"{hub.endpoint}/owner/gpt2/resolve/main/config.json"] * 50
    refused("network", lambda: found.rows([2]))


def test_a_whole_file_is_capped_whether_its_length_is_announced_or_not(
    hub: Hub, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused("too_large", lambda: ours.HubFiles("owner/gpt2").read_whole("config.json", 10))
    hub.faults = ["huge"]
    assert (
        refused("too_large", lambda: ours.HubFiles("owner/gpt2").read_whole("config.json", 10**6)).values["found_mb"]
        == 1e6
    )
    hub.faults = ["endless"]
    refused("too_large", lambda: ours.HubFiles("owner/gpt2").read_whole("config.json", 10**6))


def put_into_cache(folder: Path, files: list[str]) -> None:
    """Put files where huggingface_hub has them after it has downloaded owner/gpt2."""
    cached = Path(constants.HF_HUB_CACHE) / "models--owner--gpt2"
    (cached / "refs").mkdir(parents=True)
    (cached / "refs" / "main").write_text(COMMIT)
    (cached / "blobs").mkdir()
    (cached / "snapshots" / COMMIT).mkdir(parents=True)
    for number, file in enumerate(files):
        (cached / "blobs" / str(number)).write_bytes((folder / file).read_bytes())
        (cached / "snapshots" / COMMIT / file).symlink_to(f"../../blobs/{number}")


def test_a_cached_model_of_several_files_opens_offline(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save("gpt2", "float32", tmp_path / "made", shard_bytes=9_000)
    put_into_cache(tmp_path / "made", [file.name for file in (tmp_path / "made").iterdir()])
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert torch.equal(opened().rows([7]), open_checkpoint(tmp_path / "made").rows([7]))
    refused("offline", opened().tokenizer)


def test_what_the_cache_holds_is_read_from_there_without_a_request(hub: Hub, model: Path) -> None:
    put_into_cache(model, ["model.safetensors", "config.json"])
    found = opened()
    assert torch.equal(found.rows([7]), stored(model)[[7]])
    assert (found.name, hub.asked) == ("owner/gpt2", [])
    refused("missing", found.tokenizer)
    assert all(f"/resolve/{COMMIT}/" in path for _, _, path, _, _ in hub.asked)


PROGRAM = """
import sys, torch
from embedlib.checkpoints import CheckpointError, open_checkpoint
try:
    print(open_checkpoint("owner/gpt2").rows([1]).sum().item())
except CheckpointError as error:
    print(error.code)
"""


@pytest.mark.parametrize("offline", ["1", pytest.param("", marks=pytest.mark.thorough)])
def test_the_environment_is_huggingface_hubs_own(offline: str, hub: Hub, model: Path, tmp_path: Path) -> None:
    environment = os.environ | {
        "HF_ENDPOINT": hub.endpoint, "HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": offline, "NO_PROXY": "*",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True,
        cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert done.stdout.strip() == ("offline" if offline else str(stored(model)[1].sum().item()))
    assert bool(hub.asked) != bool(offline)
