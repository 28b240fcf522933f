from collections.abc import Callable

import pytest
import torch

from embedlib.device import NAMES, pick_device


@pytest.fixture(autouse=True)
def _no_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EMBEDLIB_DEVICE", raising=False)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let torch believe in other hardware."""

    def pretend(*, cuda: int = 0, mps: bool = False) -> None:
        monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda > 0)
        monkeypatch.setattr(torch.cuda, "device_count", lambda: cuda)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)

    return pretend


@pytest.mark.parametrize(
    ("cuda", "mps", "device", "reason"),
    [
        (1, False, "cuda", "a CUDA GPU was found"),
        (1, True, "cuda", "a CUDA GPU was found"),
        (0, True, "mps", "an Apple GPU was found"),
        (0, False, "cpu", "no GPU was found"),
    ],
)
def test_the_fastest_there_is_is_chosen(
    machine: Callable[..., None], cuda: int, mps: bool, device: str, reason: str
) -> None:
    machine(cuda=cuda, mps=mps)
    picked = pick_device()
    assert picked.device == torch.device(device)
    assert picked.reason == reason


def test_what_is_preferred_is_chosen_over_the_fastest(machine: Callable[..., None]) -> None:
    machine(cuda=1)
    picked = pick_device("cpu")
    assert picked.device == torch.device("cpu")
    assert picked.reason == "requested"


def test_the_environment_wins_over_everything(machine: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    machine(cuda=1)
    monkeypatch.setenv("EMBEDLIB_DEVICE", " cpu ")
    for prefer in (None, "cuda"):
        picked = pick_device(prefer)
        assert picked.device == torch.device("cpu")
        assert picked.reason == "set by EMBEDLIB_DEVICE"


def test_an_empty_environment_variable_is_no_order(
    machine: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine()
    monkeypatch.setenv("EMBEDLIB_DEVICE", "")
    assert pick_device().reason == "no GPU was found"


def test_one_of_several_gpus_can_be_named(machine: Callable[..., None]) -> None:
    machine(cuda=2)
    assert pick_device("cuda:1").device == torch.device("cuda", 1)
    with pytest.raises(ValueError, match=r"prefer='cuda:2' is not available on this machine: choose among cuda, cpu"):
        pick_device("cuda:2")


@pytest.mark.parametrize(
    "name", ["gpu", "", "CUDA", "cpu:", "cuda:x", "cuda:-1", "cuda:²", "cuda:1:1", "meta", "cuda "]
)
def test_an_unknown_name_is_refused_with_the_choices(machine: Callable[..., None], name: str) -> None:
    machine(cuda=2, mps=True)
    with pytest.raises(ValueError, match=r"is not a device: choose among cuda, mps, cpu") as caught:
        pick_device(name)
    assert f"prefer={name!r}" in str(caught.value)


@pytest.mark.parametrize("name", ["cuda", "mps", "cuda:0", "mps:0"])
def test_hardware_that_is_not_there_is_refused_with_what_is(machine: Callable[..., None], name: str) -> None:
    machine()
    with pytest.raises(ValueError, match=rf"prefer='{name}' is not available on this machine: choose among cpu$"):
        pick_device(name)


def test_a_wrong_environment_variable_is_named_in_the_error(
    machine: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine()
    monkeypatch.setenv("EMBEDLIB_DEVICE", "tpu")
    with pytest.raises(ValueError, match="EMBEDLIB_DEVICE='tpu' is not a device"):
        pick_device("cpu")


def test_the_device_picked_here_holds_a_tensor() -> None:
    assert torch.ones(2, device=pick_device().device).sum().item() == 2
    assert pick_device().device.type in NAMES
