"""The rows of any model in Projection: of a folder at once, of a Hub of our own when somebody asks for all of them."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors
from streamlit.testing.v1 import AppTest
from tokenizers import Tokenizer, models, pre_tokenizers

from embedlib.checkpoints import CHECKPOINT_ERRORS
from embedlib.checkpoints import hub as ours
from tests.embedlib.checkpoints.hub import Hub, in_place_of_the_hub
from tests.embedlib.checkpoints.models import TOKEN_TABLES, save
from tests.embedlib.programs.running import run as run_program
from tests.messages import wording
from tests.ui.pages import change_settings, link_of, open_page, says, sentences, wait_for
from tests.ui.projection.test_page import header, neighbours, places
from tests.waiting import PATIENCE
from ui.cache import models as kept
from ui.jobs import downloads
from ui.shared import model_rows

WORDS = ["[UNK]", *(f"word{number}" for number in range(1, 97))]


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    monkeypatch.setattr(ours, "STEP", 2_000)
    with in_place_of_the_hub(monkeypatch, tmp_path) as server:
        for kind, dtype in (("gpt2", "float32"), ("llama", "bfloat16")):
            save(kind, dtype, tmp_path / kind)
            tokenizer = Tokenizer(models.WordLevel({word: row for row, word in enumerate(WORDS)}, unk_token="[UNK]"))
            tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
            tokenizer.save(str(tmp_path / kind / "tokenizer.json"))
            server.models[f"owner/{kind}"] = tmp_path / kind
        yield server
    for job in list(downloads._jobs.values()):
        job.over.wait(PATIENCE)
    downloads._jobs.clear()
    kept.model_tokenizer.clear()
    model_rows._mapped_table.clear()


def rows_of(folder: Path, kind: str) -> torch.Tensor:
    return load_file(folder / "model.safetensors")[TOKEN_TABLES[kind]].float()


def shows(app: AppTest, source: str) -> bool:
    return says(app, "{file}: {rows:,} rows ×…", file=f"`{source}`")


def check(app: AppTest, rows: torch.Tensor) -> None:
    """Hold the places, and the neighbours of a row, against independent code."""
    assert not app.exception
    mine, theirs = places(app)[:, :2], PCA(2, svd_solver="full").fit_transform(rows.double().numpy())
    signs = np.sign((mine * theirs).sum(axis=0))
    np.testing.assert_allclose(mine, theirs * signs, atol=1e-5)
    change_settings(app, row=7)
    app.run()
    distances, ids = NearestNeighbors(n_neighbors=11, metric="cosine").fit(rows.numpy()).kneighbors(rows[[7]].numpy())
    assert [index for index, _similarity in header(app)["neighbours"]] == ids[0, 1:].tolist()
    np.testing.assert_allclose([one for _index, one in header(app)["neighbours"]], 1 - distances[0, 1:], atol=1e-6)
    assert neighbours(app, "token") == [WORDS[row] for row in ids[0, 1:]]


@pytest.mark.parametrize(("kind", "dtype"), [("gpt2", "float32"), ("llama", "bfloat16")])
def test_a_folders_rows_are_there_at_once(
    kind: str, dtype: str, hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(kept.FOLDER_VARIABLE, str(tmp_path))
    app = open_page("projection", vectors="model", model=f"./{kind}", text="word3 word5 other", map="pca")
    assert shows(app, kind)
    check(app, rows_of(tmp_path / kind, kind))
    assert hub.asked == []


def test_all_rows_of_the_hub_come_when_they_are_asked_for(hub: Hub, tmp_path: Path) -> None:
    app = open_page("projection", vectors="model", model="owner/gpt2", text="word3 word5", map="pca")
    button = wait_for(app, lambda: [one for one in app.button if one.key == "model-table_load"])[0]
    label = wording("Load all {rows:,} rows of…", rows="97", name="`owner/gpt2`", size="0")
    assert label.fullmatch(button.label)  # another model's rows can be offered beside it
    assert not shows(app, "owner/gpt2")
    button.click().run()
    wait_for(app, lambda: shows(app, "owner/gpt2"), lambda: sentences(app))
    check(app, rows_of(tmp_path / "gpt2", "gpt2"))
    assert link_of(app)["model"] == "owner/gpt2"
    program = app.code[0].value
    assert "open_checkpoint" in program
    downloads._jobs.clear()
    model_rows._mapped_table.clear()
    again = open_page("projection", vectors="model", model="owner/gpt2", map="pca")
    wait_for(again, lambda: shows(again, "owner/gpt2"), lambda: sentences(again))  # from the cache, without a question


def test_a_cut_download_is_said_the_table_before_stays_and_the_retry_goes_on(hub: Hub, tmp_path: Path) -> None:
    app = open_page("projection", vectors="model", model="owner/gpt2", map="pca")
    wait_for(app, lambda: [one for one in app.button if one.key == "model-table_load"])[0].click().run()
    wait_for(app, lambda: shows(app, "owner/gpt2"), lambda: sentences(app))
    hub_before = hub.sent
    box = app.selectbox(key="choose_model")
    box.options.append("owner/llama")
    box.set_value("owner/llama").run()
    load = wait_for(app, lambda: [one for one in app.button if one.key == "model-table_load"])[0]
    assert shows(app, "owner/gpt2")
    hub.faults = ["", *["cut"] * 3]
    load.click().run()
    wait_for(app, lambda: len(app.error) == 1)
    assert shows(app, "owner/gpt2")
    hub.faults = []
    app.button(key="model-table_again").click().run()
    wait_for(app, lambda: shows(app, "owner/llama"), lambda: sentences(app))
    check(app, rows_of(tmp_path / "llama", "llama"))
    assert hub.sent > hub_before


def test_a_model_without_a_tokenizer_has_numbers_for_names(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "gpt2" / "tokenizer.json").unlink()
    app = open_page("projection", vectors="model", model="owner/gpt2", map="pca", row="7")
    wait_for(app, lambda: [one for one in app.button if one.key == "model-table_load"])[0].click().run()
    wait_for(app, lambda: shows(app, "owner/gpt2"), lambda: sentences(app))
    assert all(name.isdecimal() for name in neighbours(app, "token"))


def test_its_program_prints_the_pages_numbers(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    folder = tmp_path / "models" / "odd"
    folder.mkdir(parents=True)
    save_file({"first.emb": torch.rand(20, 8), "second.emb": torch.rand(30, 8)}, folder / "model.safetensors")
    (folder / "tokenizer.json").write_bytes((tmp_path / "gpt2" / "tokenizer.json").read_bytes())
    monkeypatch.setenv(kept.FOLDER_VARIABLE, str(tmp_path / "models"))
    app = open_page("projection", vectors="model", model="./odd:second.emb", map="pca", row="7")
    assert shows(app, "odd")
    _printed, names = run_program(app.code[0].value, tmp_path / "models")
    assert torch.equal(names["table"], load_file(folder / "model.safetensors")["second.emb"])
    assert names["names"][3] == b"word3"
    assert names["near"].ids[0].tolist() == [index for index, _similarity in header(app)["neighbours"]]


@pytest.mark.parametrize("fault", ["NaN", "one row"])
def test_rows_that_no_map_can_be_drawn_of_are_said(
    fault: str, hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDLIB_MODELS", str(tmp_path))
    name = TOKEN_TABLES["gpt2"]
    tensors = load_file(tmp_path / "gpt2" / "model.safetensors")
    tensors[name] = tensors[name][:1].clone() if fault == "one row" else tensors[name]
    tensors[name][0, 2] = tensors[name][0, 2] if fault == "one row" else float("nan")
    save_file(tensors, tmp_path / "gpt2" / "model.safetensors")
    app = open_page("projection", vectors="model", model="./gpt2")
    assert not app.exception
    code, values = ("value", {"row": 1}) if fault == "NaN" else ("shape", {})
    assert says(app, CHECKPOINT_ERRORS[code], file=f"`{name}`", **values)


def test_a_tokenizer_that_cannot_be_read_is_said_and_rows_have_numbers_for_names(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDLIB_MODELS", str(tmp_path))
    (tmp_path / "gpt2" / "tokenizer.json").write_text("{}")
    app = open_page("projection", vectors="model", model="./gpt2", map="pca", row="7")
    assert says(app, CHECKPOINT_ERRORS["damaged"], file="`tokenizer.json`")
    assert all(name.isdecimal() for name in neighbours(app, "token"))
