"""Schemes of models on Positions and Compare: MiniLM's rows and those of a Hub of our own, and what configs say."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import load_file
from streamlit.testing.v1 import AppTest
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from embedlib.checkpoints import CHECKPOINT_ERRORS
from tests.embedlib.checkpoints.hub import Hub, in_place_of_the_hub
from tests.embedlib.checkpoints.models import save
from tests.embedlib.checkpoints.test_bert import folder
from tests.embedlib.programs.running import run as run_program
from tests.messages import wording
from tests.ui.pages import find_control, link_of, open_page, payload, read_setting, says, sentences, wait_for
from tests.waiting import PATIENCE
from ui import cache
from ui.cache import minilm as kept
from ui.jobs import downloads
from ui.settings import state

pytestmark = pytest.mark.usefixtures("real_rows")
ENTRY = "learned:weights=minilm"
LLAMA_31 = {"rope_type": "llama3", "rope_theta": 5e5, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
ROTATIONS: dict[str, dict[str, Any]] = {
    "llama3": LLAMA_31 | {"original_max_position_embeddings": 8192},
    "yarn": {"rope_type": "yarn", "rope_theta": 1e6, "factor": 4.0, "original_max_position_embeddings": 64},
    "linear": {"rope_type": "linear", "rope_theta": 1e4, "factor": 2.5},
    "proportional": {"rope_type": "proportional", "rope_theta": 1e6, "factor": 1.0, "partial_rotary_factor": 0.25},
    "longrope": {"rope_type": "longrope", "rope_theta": 1e4, "original_max_position_embeddings": 4096}
    | {"short_factor": [1 + 0.1 * i for i in range(16)], "long_factor": [1.3**i for i in range(16)]},
}


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    yield
    for job in list(downloads._jobs.values()):
        job.over.wait(PATIENCE)
    downloads._jobs.clear()
    kept._positions.clear()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    with in_place_of_the_hub(monkeypatch, tmp_path) as server:
        for kind in ("gpt2", "bert", "t5", "llama"):
            save(kind, "float16" if kind == "gpt2" else "float32", tmp_path / kind)
            server.models[f"owner/{kind}"] = tmp_path / kind
        yield server


def configured(tmp_path: Path, name: str, config: transformers.PretrainedConfig | dict[str, Any]) -> str:
    """Give the small Llama another config.json, in the server's folder of models."""
    save("llama", "float32", tmp_path / name)
    written = config if isinstance(config, dict) else config.to_dict()
    (tmp_path / name / "config.json").write_text(json.dumps(written))
    return f"./{name}"


def take(app: AppTest, source: str) -> AppTest:
    """Choose the model whose scheme the page takes over, and wait until it has or says why not."""
    box = app.selectbox(key="choose_scheme_model")
    box.options.append(source)  # as a browser does with what is typed
    box.set_value(source).run()
    wait_for(app, lambda: read_setting(app, "scheme_model") is None or bool(sentences(app)), lambda: sentences(app))
    assert not app.exception
    return app


def scheme_in_view(app: AppTest) -> Any:
    """Return the scheme that Positions shows."""
    name, d_model, heads = (read_setting(app, setting) for setting in ("scheme", "d_model", "heads"))
    own = [setting for setting in state.SETTINGS if setting.startswith(f"{name}.")]
    parameters = tuple((setting.partition(".")[2], read_setting(app, setting)) for setting in own)
    return cache.cached_scheme(name, d_model, heads, parameters)


def matrices(app: AppTest) -> dict[str, torch.Tensor]:
    """Read the pictures of what each scheme does."""
    header, numbers = payload(app, "matrix-grid")
    found, at = {}, 0
    for panel in header["panels"]:
        rows, columns = panel["shape"]
        found[panel["title"]] = torch.from_numpy(numbers[at : at + rows * columns].copy()).view(rows, columns)
        at += rows * columns
    return found


def test_minilms_positions_are_one_move_away_and_are_the_files_to_the_bit() -> None:
    theirs = load_file(folder() / "model.safetensors")["embeddings.position_embeddings.weight"]
    app = open_page("positions")
    assert (read_setting(app, "scheme"), read_setting(app, "d_model"), link_of(app)) == ("sinusoidal", 64, {})
    find_control(app, "scheme").set_value(ENTRY).run()
    assert not app.exception
    assert link_of(app) == {"scheme": "learned", "learned.weights": "minilm", "d_model": "384"}
    assert wording("{model}’s, learned", model="MiniLM").fullmatch(app.title[0].value)
    assert torch.equal(scheme_in_view(app).position_table(512).cpu(), theirs)
    assert sentences(app) == []
    _printed, names = run_program(app.code[0].value)
    assert torch.equal(names["table"], theirs[:64])


def test_minilms_positions_stand_beside_the_others() -> None:
    theirs = load_file(folder() / "model.safetensors")["embeddings.position_embeddings.weight"]
    app = open_page("compare")
    pills = find_control(app, "schemes")
    assert read_setting(app, "schemes") == ["none", "sinusoidal", "rope", "alibi"]
    pills.set_value([*read_setting(app, "schemes"), ENTRY]).run()
    assert not app.exception
    assert sentences(app) == []
    assert link_of(app)["schemes"].endswith(f"alibi,{ENTRY}")
    title = next(title for title in matrices(app) if wording("{model}’s, learned", model=...).fullmatch(title))
    assert torch.equal(matrices(app)[title], theirs[:64])


def test_rows_of_another_width_are_left_out_with_the_width_they_need() -> None:
    app = open_page("compare", schemes=f"none,sinusoidal,{ENTRY}", d_model="64")
    assert not app.exception
    assert says(app, "{scheme} needs d_model = {width}.", width="384")
    assert len(matrices(app)) == 1


@pytest.mark.parametrize("kind", ROTATIONS)
def test_a_rotation_turns_as_transformers_computes_it(
    kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("EMBEDLIB_MODELS", str(tmp_path))
    config = transformers.LlamaConfig(
        hidden_size=1024, num_attention_heads=32, max_position_embeddings=131072, rope_parameters=dict(ROTATIONS[kind])
    )
    app = take(open_page("positions"), configured(tmp_path, kind, config))
    assert (read_setting(app, "d_model"), read_setting(app, "heads")) == (128, 4)
    again = open_page("positions", **link_of(app))
    frequencies, amplitude = ROPE_INIT_FUNCTIONS[kind](config, torch.device("cpu"))
    for page in (app, again):
        scheme = scheme_in_view(page)
        assert torch.allclose(scheme.angles(2)[1].float().cpu(), frequencies, rtol=1e-6, atol=0)
        assert scheme.scaling.amplitude() == pytest.approx(amplitude, rel=1e-6)
    assert says(app, "As in {name}.", name=...)


def test_a_rotation_of_a_part_of_each_head_becomes_an_entry_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("EMBEDLIB_MODELS", str(tmp_path))
    neox = transformers.GPTNeoXConfig(hidden_size=512, num_attention_heads=8, rotary_pct=0.25).to_dict()
    app = take(open_page("compare"), configured(tmp_path, "pythia", neox))
    assert read_setting(app, "schemes")[-1] == "rope:pairing=halves;rotary_fraction=0.25"
    assert link_of(app)["schemes"].endswith("rope:pairing=halves;rotary_fraction=0.25")
    assert len(matrices(app)) == 4
    take(app, "./pythia")
    assert len(read_setting(app, "schemes")) == 5


def test_lists_of_longrope_stand_in_the_link_and_the_program_of_a_comparison(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("EMBEDLIB_MODELS", str(tmp_path))
    config = transformers.LlamaConfig(
        hidden_size=1024, num_attention_heads=32, max_position_embeddings=131072, rope_parameters=ROTATIONS["longrope"]
    )
    app = take(open_page("compare"), configured(tmp_path, "phi", config))
    assert says(app, "{scheme} needs d_model = {width}.", width="128")  # a number for each pair: heads 32 wide
    again = open_page("compare", **(link_of(app) | {"d_model": "128"}))
    assert len(matrices(again)) == 4
    printed, _names = run_program(again.code[0].value)
    assert "longrope" in printed


def test_position_rows_of_the_hub_are_shown_on_both_pages_and_their_link_reads_them_again(
    hub: Hub, tmp_path: Path
) -> None:
    theirs = load_file(tmp_path / "gpt2" / "model.safetensors")["transformer.wpe.weight"].float()
    link: dict[str, str] = {}
    for app in (take(open_page("positions"), "owner/gpt2"), None):
        page = app or open_page("positions", **link)
        wait_for(page, lambda page=page: kept.cached_positions("owner/gpt2") is not None, lambda: "")
        page.run()
        assert torch.equal(scheme_in_view(page).position_table(40).cpu(), theirs)
        link = link_of(page)
        assert link == {
            "scheme": "learned",
            "learned.weights": "owner/gpt2",
            "d_model": "24",
            "heads": "1",
            "positions": "40",
        }
        kept._positions.clear()
        downloads._jobs.clear()
    compared = take(open_page("compare"), "owner/gpt2")
    wait_for(compared, lambda: len(matrices(compared)) == 4 and kept.cached_positions("owner/gpt2") is not None)
    title = next(title for title in matrices(compared) if title.startswith("gpt2"))
    assert torch.equal(matrices(compared)[title], theirs)


def test_text_to_input_reads_the_rows_that_a_link_names(hub: Hub, tmp_path: Path) -> None:
    theirs = load_file(tmp_path / "bert" / "model.safetensors")["bert.embeddings.position_embeddings.weight"]
    app = open_page("pipeline", **{"scheme": "learned", "learned.weights": "owner/bert", "d_model": "24"})
    wait_for(app, lambda: kept.cached_positions("owner/bert") is not None, lambda: sentences(app))
    app.run()
    assert torch.equal(scheme_in_view(app).position_table(40).cpu(), theirs)


def test_a_bias_has_all_heads_of_its_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EMBEDLIB_MODELS", str(tmp_path))
    bloom = transformers.BloomConfig(hidden_size=4096, n_head=32).to_dict()
    app = take(open_page("positions"), configured(tmp_path, "bloom", bloom))
    assert [read_setting(app, name) for name in ("scheme", "d_model", "heads")] == ["alibi", 1024, 32]
    app = take(open_page("positions"), configured(tmp_path, "falcon", transformers.FalconConfig(alibi=True).to_dict()))
    assert says(app, CHECKPOINT_ERRORS["unsupported"], source=..., found=...)
    assert read_setting(app, "scheme") == "sinusoidal"


def test_t5s_buckets_are_taken_with_fresh_numbers(hub: Hub) -> None:
    app = take(open_page("positions"), "owner/t5")
    assert [read_setting(app, f"t5.{name}") for name in ("num_buckets", "max_distance", "weights")] == [
        32,
        128,
        "random",
    ]


@pytest.mark.parametrize(
    ("config", "place"),
    [
        ({"model_type": "deberta-v2", "hidden_size": 64, "num_attention_heads": 4}, "unsupported"),
        ({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 1e300}, "unsupported"),
        ({"model_type": "bert", "hidden_size": 64, "num_attention_heads": 4}, "missing"),
    ],
)
def test_a_model_without_a_scheme_of_ours_gets_one_sentence_and_the_page_stays(
    config: dict[str, Any], place: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("EMBEDLIB_MODELS", str(tmp_path))
    before = open_page("positions", scheme="alibi")
    app = take(before, configured(tmp_path, "other", config))
    others = {"missing": {"file": ...}, "unsupported": {"found": ...}}.get(place, {})
    assert says(app, CHECKPOINT_ERRORS[place], source=..., **others)
    assert read_setting(app, "scheme") == "alibi"


@pytest.mark.parametrize("raw", ["x/www.example.org", "a,b/c", "../secret", "./a/../b", "a;b", "x" * 300, "**b**"])
def test_names_that_cannot_stand_in_an_entry_are_refused(raw: str) -> None:
    with pytest.raises(ValueError, match=re.escape(raw[:20])):
        state.SETTINGS["learned.weights"].parse(raw)
