"""Components' large data: fetched by the hash of their content, kept by browsers for good, evicted by the server."""

import gzip
import os
from hashlib import sha256

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from ui.cache.bounded import BoundedCache
from ui.components._shared import data
from ui.components._shared.data import SharedData, data_address, serve
from ui.server import component_data


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=[component_data.route()]))


@pytest.mark.parametrize("base", ["/", "/some/where/"])
@pytest.mark.parametrize(
    ("content", "is_compressed"), [(b"names " * 2_000, True), (os.urandom(9_000), False), (b"", False)]
)
def test_data_are_answered_whole_under_their_hash(
    client: TestClient, base: str, content: bytes, is_compressed: bool
) -> None:
    address = data_address(content)
    assert address == sha256(content).hexdigest()
    for encoding in ("gzip, br", "identity"):
        answer = client.get(f"{base}component-data/{address}", headers={"accept-encoding": encoding})
        assert (answer.status_code, answer.content) == (200, content)
        assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["vary"] == "Accept-Encoding"
        assert ("content-encoding" in answer.headers) == (is_compressed and encoding != "identity")
    if is_compressed:
        with client.stream("GET", f"{base}component-data/{address}") as stream:
            raw = b"".join(stream.iter_raw())
        assert len(raw) < len(content)
        assert gzip.decompress(raw) == content


@pytest.mark.parametrize("address", ["", "x", "0" * 64, "../app.py", "%2e%2e/app.py", "a" * 5_000])
def test_what_this_server_did_not_make_is_not_there(client: TestClient, address: str) -> None:
    answer = client.get(f"/component-data/{address}")
    assert answer.status_code == 404
    assert "immutable" not in answer.headers.get("cache-control", "")


def test_what_was_evicted_is_served_again_after_the_next_run(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = BoundedCache[str, SharedData](20_000, lambda one: one.nbytes)
    monkeypatch.setattr(data, "served_data", lambda: kept)
    first = SharedData(b"1" * 15_000)
    path = f"/component-data/{serve(first).address}"
    assert client.get(path).status_code == 200
    data_address(b"2" * 15_000)
    gone = client.get(path)
    assert (gone.status_code, gone.headers["cache-control"]) == (404, "no-store")
    assert path.endswith(serve(first).address)  # as a run does
    assert client.get(path).content == first.content
