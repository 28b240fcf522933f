"""The choice of a model without a browser, on a Hub of our own: what is in view, what fails, what a retry mends."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from streamlit.testing.v1 import AppTest

from embedlib.checkpoints import CHECKPOINT_ERRORS
from embedlib.checkpoints import hub as ours
from tests.embedlib.checkpoints.hub import TOKEN, Hub, in_place_of_the_hub
from tests.embedlib.checkpoints.models import save
from tests.messages import wording
from tests.ui.pages import says, says_only, sentences, wait_for
from tests.waiting import PATIENCE
from ui.cache.models import FOLDER_VARIABLE
from ui.jobs import downloads
from ui.shared import model_rows


def page() -> None:
    import streamlit as st

    from ui.settings import state
    from ui.shared.model_choice import model_control, model_in_view
    from ui.shared.model_rows import model_token_rows

    state.restore()
    state.begin_page_run("models")
    model_control()
    model = model_in_view()
    if model is not None:
        st.session_state["shown"] = model
        st.session_state["rows"] = model_token_rows(model, [7, 3, 7], key="rows")
    for notice in state.notices_to_show():
        st.warning(notice)
    st.session_state["link"] = state.link_query()[0]


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    with in_place_of_the_hub(monkeypatch, tmp_path) as server:
        for kind in ("gpt2", "llama"):
            save(kind, "float16", tmp_path / kind)
            server.models[f"owner/{kind}"] = tmp_path / kind
        yield server
    for kept in list(downloads._jobs.values()):
        kept.over.wait(PATIENCE)
    downloads._jobs.clear()
    model_rows._row_cache = model_rows._RowCache(model_rows._ROWS_KEPT)


def opened(**link: str) -> AppTest:
    app = AppTest.from_function(page, default_timeout=PATIENCE)
    for name, value in link.items():
        app.query_params[name] = value
    return app.run()


def choose(app: AppTest, source: str) -> AppTest:
    box = app.selectbox(key="choose_model")
    box.options.append(source)  # as a browser does with what is typed
    return box.set_value(source).run()


def shown(app: AppTest) -> str:
    return str(app.session_state["shown"].source) if "shown" in app.session_state else ""


def stored(folder: Path) -> torch.Tensor:
    return load_file(folder / "model.safetensors")["transformer.wte.weight"].float()


def with_rows(app: AppTest, source: str) -> torch.Tensor:
    """Wait until a model is in view with its rows."""
    wait_for(app, lambda: shown(app) == source and app.session_state["rows"] is not None, lambda: sentences(app))
    return app.session_state["rows"]


def test_the_hub_is_asked_only_where_a_model_of_it_is_chosen(hub: Hub, tmp_path: Path) -> None:
    app = opened()
    assert shown(app) == "minilm"
    assert app.session_state["rows"].shape == (3, 384)
    assert hub.asked == []
    choose(app, " https://huggingface.co/owner/gpt2/ ")
    rows = with_rows(app, "owner/gpt2")
    assert torch.equal(rows, stored(tmp_path / "gpt2")[[7, 3, 7]])
    assert app.session_state["link"] == "model=owner%2Fgpt2"
    assert TOKEN not in str(app.session_state["link"])
    before = len(hub.asked)
    app.run()
    assert len(hub.asked) == before  # what is there is not asked for again


def test_a_link_opens_its_model_and_one_that_cannot_be_is_a_notice(hub: Hub) -> None:
    assert with_rows(opened(model="owner/llama"), "owner/llama").shape == (3, 24)
    app = opened(model="../../etc")
    assert shown(app) == "minilm"
    assert says(app, "{title}: link has {name} =…", name="model", default="minilm")


@pytest.mark.parametrize("typed", ["../up", "a b", "./none/../x", "", "x" * 300])
def test_what_is_typed_and_cannot_be_a_model_is_said_and_the_model_stays(typed: str, hub: Hub) -> None:
    app = choose(opened(), typed)
    assert len(app.error) == 1
    assert shown(app) == "minilm"
    assert hub.asked == []
    choose(app, "owner/gpt2")
    with_rows(app, "owner/gpt2")
    assert len(app.error) == 0


FAULTS = {
    "gated": "access",
    "status 429 77": "network",
    "cut": "network",
    "slow": "network",
    "status 500": "network",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_a_sentence_what_was_in_view_stays_and_the_retry_works(
    fault: str, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened()
    if fault == "gated":
        hub.refusals["owner/gpt2"] = (401, "GatedRepo")
    else:
        hub.faults = [fault] * 3
    with monkeypatch.context() as impatient:
        if fault == "slow":
            impatient.setattr(ours, "TIMEOUT", 0.2)
            impatient.setattr(ours, "MIN_RATE", 10**9)
        choose(app, "owner/gpt2")
        wait_for(app, lambda: len(app.error) == 1)
    assert wording(CHECKPOINT_ERRORS[FAULTS[fault]]).search(app.error[0].value)
    assert shown(app) == "minilm"
    assert app.session_state["rows"].shape == (3, 384)
    hub.refusals.clear()
    hub.faults = []
    app.button(key="model_job_again").click().run()
    with_rows(app, "owner/gpt2")
    assert len(app.error) == 0


def test_rows_that_do_not_come_are_said_and_come_after_a_retry(hub: Hub, tmp_path: Path) -> None:
    hub.faults = ["", "", "", *["status 500"] * 3]  # what opens the model comes, its rows do not
    app = opened(model="owner/gpt2")
    wait_for(app, lambda: len(app.error) == 1)
    assert shown(app) == "owner/gpt2"
    app.button(key="rows_again").click().run()
    assert torch.equal(with_rows(app, "owner/gpt2"), stored(tmp_path / "gpt2")[[7, 3, 7]])


def test_an_edit_fetches_new_rows_alone(hub: Hub, tmp_path: Path) -> None:
    kept = model_rows._RowCache(3 * 24 * 4)
    rows = stored(tmp_path / "gpt2")
    kept.put("model", [1, 2], rows[[1, 2]])
    assert sorted(kept.get("model", [1, 2, 3])) == [1, 2]
    assert kept.get("other", [1]) == {}
    kept.put("model", [3, 4], rows[[3, 4]])  # the limit is three rows: the oldest goes
    assert sorted(kept.get("model", [1, 2, 3, 4])) == [2, 3, 4]
    assert torch.equal(kept.get("model", [3])[3], rows[3])


def test_without_a_network_one_sentence_says_so(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    app = opened(model="owner/gpt2")
    wait_for(app, lambda: len(app.error) == 1)
    assert wording(CHECKPOINT_ERRORS["offline"]).search(app.error[0].value)
    assert hub.asked == []


def test_folders_of_the_server_are_offered_and_a_change_is_seen(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "models"
    save("bert", "float32", root / "mine")
    save("gpt2", "float32", root / "owner" / "small *")
    (root / "empty").mkdir()
    monkeypatch.setenv(FOLDER_VARIABLE, str(root))
    app = opened()
    assert {"./mine", "./owner/small *"} <= set(app.selectbox(key="choose_model").options)
    assert "./empty" not in app.selectbox(key="choose_model").options
    choose(app, "mine")  # as somebody types it who knows the folder
    before = app.session_state["rows"]
    assert before.shape == (3, 24)
    assert app.session_state["link"] == "model=.%2Fmine"
    weights = load_file(root / "mine" / "model.safetensors")
    save_file({name: numbers + 1 for name, numbers in weights.items()}, root / "mine" / "model.safetensors")
    app.run()
    assert torch.allclose(app.session_state["rows"], before + 1)
    (root / "mine" / "model.safetensors").write_bytes(b"x")
    app.run()
    assert len(app.error) == 1
    assert hub.asked == []


def test_a_path_is_never_asked_of_the_hub(hub: Hub) -> None:
    app = opened()
    choose(app, "/etc/passwd")
    assert says(app, CHECKPOINT_ERRORS["source"], source="`/etc/passwd`")
    assert hub.asked == []


def test_a_table_of_an_unusual_name_is_chosen_by_the_reader(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "models"
    (root / "odd").mkdir(parents=True)
    tables = {"first.emb": torch.rand(9, 24), "second.emb": torch.rand(11, 24)}
    save_file(tables, root / "odd" / "model.safetensors")
    monkeypatch.setenv(FOLDER_VARIABLE, str(root))
    hub.models["owner/odd"] = root / "odd"
    for source in ("./odd", "owner/odd"):
        app = choose(opened(), source)
        wait_for(app, lambda app=app: [one for one in app.selectbox if one.key == "model_table"])
        app.selectbox(key="model_table").select("second.emb").run()
        rows = with_rows(app, source)
        assert torch.equal(rows, tables["second.emb"][[7, 3, 7]])
        assert app.session_state["link"].endswith("second.emb")


def test_a_slow_hub_leaves_the_page_alive_and_can_be_cancelled(hub: Hub) -> None:
    hub.faults = ["slow"]
    app = choose(opened(), "owner/gpt2")
    wait_for(app, lambda: len(app.get("progress")) == 1)
    assert shown(app) == "minilm"
    app.button(key="model_job_cancel").click().run()
    wait_for(app, lambda: says_only(app, "{title}: stopped."))
    assert shown(app) == "minilm"


def test_a_link_that_names_no_tensor_of_its_model_is_one_sentence(hub: Hub) -> None:
    app = opened(model="owner/gpt2::no.such.weight")
    wait_for(app, lambda: len(app.error) == 1)
    assert says(app, CHECKPOINT_ERRORS["missing"], source=..., file="`no.such.weight`")
    choose(app, "owner/llama")
    with_rows(app, "owner/llama")
    assert len(app.error) == 0


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_rows_that_are_not_finite_are_said_from_here_and_from_the_hub(
    number: float, hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "transformer.wte.weight"
    tensors = load_file(tmp_path / "gpt2" / "model.safetensors")
    tensors[name][3, 5] = number
    save_file(tensors, tmp_path / "gpt2" / "model.safetensors")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    for source in ("./gpt2", "owner/gpt2"):
        app = opened(model=source)
        wait_for(app, lambda app=app: len(app.error) == 1)
        assert not app.exception
        found = f"`{name} with {number:g}`"
        assert says(app, CHECKPOINT_ERRORS["unsupported"], source=..., found=found)
