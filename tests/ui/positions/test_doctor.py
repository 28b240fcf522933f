"""The RoPE doctor reads a config.json and two arrays, and stays calm whatever it is given."""

import io
import json
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from embedlib.checkpoints import ROPE_FINDINGS, read_rope_config
from embedlib.positional import make_scheme
from tests.messages import message, wording
from tests.ui.pages import link_of, open_page, says, sentences, text_tables
from ui.positions.doctor import EXAMPLE, FINDINGS, NO_ROTATION

LLAMA = json.loads(EXAMPLE)
META = {"dim": 4096, "n_heads": 32, "rope_theta": 500_000.0, "use_scaled_rope": True}


def npy(array: Any) -> bytes:
    target = io.BytesIO()
    np.save(target, array, allow_pickle=array.dtype.hasobject)
    return target.getvalue()


def safetensors(array: np.ndarray, dtype: str = "F32") -> bytes:
    header = json.dumps({"q": {"dtype": dtype, "shape": array.shape, "data_offsets": [0, array.nbytes]}}).encode()
    return struct.pack("<Q", len(header)) + header + array.tobytes()


def rotated(x: torch.Tensor, *, base: float, pairing: str, first: int = 0) -> torch.Tensor:
    """Rotate by multiplying complex numbers, which is no code of ours."""
    seq_len, head_dim = x.shape
    frequency = base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
    factors = torch.polar(torch.ones(1, dtype=torch.float64), torch.outer(torch.arange(seq_len) + first, frequency))
    halves = x.double().unflatten(-1, (2, -1)).mT if pairing == "halves" else x.double().unflatten(-1, (-1, 2))
    pairs = torch.view_as_real(torch.view_as_complex(halves.contiguous()) * factors)
    return (pairs.mT if pairing == "halves" else pairs).flatten(1).float()


def opened(**link: str) -> AppTest:
    """Open the page with few positions: the doctor does not look at its pictures."""
    return open_page("positions", scheme="rope", positions="16", **link)


def pasted(config: str) -> AppTest:
    app = opened()
    app.text_area(key="rope_config_0").set_value(config).run()
    assert not app.exception
    return app


def loaded(before: tuple[str, bytes], after: tuple[str, bytes]) -> AppTest:
    app = opened()
    for key, (name, content) in (("before", before), ("after", after)):
        app.file_uploader(key=f"rope-array-{key}").upload(name, content, "application/octet-stream")
    app.run()
    assert not app.exception
    return app


def test_every_finding_of_the_library_has_a_sentence() -> None:
    assert tuple(FINDINGS) == ROPE_FINDINGS


def test_the_field_begins_with_its_text_in_every_run_for_the_browser_may_draw_any_of_them_first() -> None:
    app = opened().run()
    assert app.text_area(key="rope_config_0").proto.default == EXAMPLE


def test_a_pasted_config_sets_the_page_and_its_link() -> None:
    app = pasted(EXAMPLE)
    assert any("500,000" in str(cell) for cell in text_tables(app)[-2].iloc[:, 1])
    app.button(key="rope-config-set").click().run()
    assert not app.exception
    link = link_of(app)
    assert link["rope.base"] == "500000"
    assert (link["rope.pairing"], link["rope.scaling"], link["rope.factor"]) == ("halves", "llama3", "8")
    assert int(link["d_model"]) // int(link.get("heads", "4")) == 128


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ({"model_type": "of nobody"}, "pairing_guessed"),
        ({"rope_theta": None}, "base_unsaid"),
        ({}, "base_raised"),
        ({"head_dim": 64}, "head_dim_own"),
        ({"partial_rotary_factor": 0.5}, "fraction"),
        ({"rope_scaling": {"type": "linear", "factor": 2.0}}, "old_key"),
        ({"rope_scaling": {"rope_type": "yarn", "factor": 2.0}}, "original_unsaid"),
        ({"rope_scaling": {"rope_type": "yarn", "factor": 2.0}}, "attention_factor"),
        ({"rope_scaling": {"rope_type": "dynamic", "factor": 2.0}}, "by_length"),
        ({"model_type": "gemma3_text"}, "layers_differ"),
        ({"rope_scaling": {"rope_type": "proportional", "partial_rotary_factor": 0.5}}, "proportional"),
    ],
)
def test_what_people_get_wrong_is_said(change: dict[str, Any], finding: str) -> None:
    app = pasted(json.dumps(LLAMA | change))
    pattern = wording(FINDINGS[finding])
    assert any(pattern.search(element.value) for element in app.markdown)


NO_ROTATIONS = [
    "", "{", "[]", "3", "null", "{" * 90_000, '{"a":' * 20_000, "x" * 100_001, '{"rope_theta": NaN}', "\x00",
    json.dumps(LLAMA | {"rope_theta": "10000"}), json.dumps(LLAMA | {"rope_theta": 0}),
    json.dumps(LLAMA | {"rope_scaling": [1]}), json.dumps(LLAMA | {"num_attention_heads": 10**9}),
    json.dumps(LLAMA | {"rope_theta": 1}).replace("1,", "Infinity,"), json.dumps(LLAMA | {"head_dim": -4}),
    json.dumps(LLAMA | {"hidden_size": 10**6}), json.dumps(LLAMA | {"rope_scaling": {"rope_type": {"a": []}}}),
    '{"n": ' + "9" * 5_000 + "}", json.dumps({"model_type": "bert", "hidden_size": 8, "num_attention_heads": 2}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "scheme"), [("bert", "learned"), ("bloom", "alibi"), ("t5", "t5")])
def test_of_a_model_without_a_rotation_it_is_said_what_it_has_instead(kind: str, scheme: str) -> None:
    app = pasted(json.dumps({"model_type": kind}))
    assert sentences(app) == [NO_ROTATION[scheme]]


def test_metas_own_file_is_read() -> None:
    app = pasted(json.dumps(META))
    assert any(wording(FINDINGS["meta_scaling"]).search(element.value) for element in app.markdown)
    assert "interleaved" in text_tables(app)[-2].iloc[:, 1].tolist()


def test_each_of_two_rotations_can_be_set() -> None:
    app = pasted(json.dumps({"model_type": "gemma3_text", "num_attention_heads": 8}))
    app.button(key="rope-config-set-sliding_attention").click().run()
    assert "rope.base" not in link_of(app)  # 10,000
    app.button(key="rope-config-set").click().run()
    assert not app.exception
    assert float(link_of(app)["rope.base"]) == 1e6


def test_what_is_no_rotation_gets_one_sentence() -> None:
    app = opened()
    for config in NO_ROTATIONS:
        app.text_area(key="rope_config_0").set_value(config).run()
        assert not app.exception, config
        assert len(sentences(app)) == 1, (config, sentences(app))
        assert not any(button.key == "rope-config-set" for button in app.button), config


@pytest.mark.parametrize("pairing", ["interleaved", "halves"])
@pytest.mark.parametrize("kind", ["npy", "safetensors"])
def test_two_arrays_tell_the_rotation(pairing: str, kind: str) -> None:
    before = torch.randn(300, 32, generator=torch.Generator().manual_seed(1))
    after = rotated(before, base=500_000.0, pairing=pairing, first=7)
    write = npy if kind == "npy" else safetensors
    app = loaded((f"q.{kind}", write(before.numpy())), (f"r.{kind}", write(after.numpy())))
    assert says(app, "A rotation of…", rotary_dim="32", head_dim="32", base="500,000", offset="7")
    best = text_tables(app)[-1].iloc[0].tolist()
    direct = text_tables(opened())[-1].iloc[0].tolist()[1]  # as the page turns itself
    assert best[:2] == [f"✓ {pairing}", direct]
    assert best[2:6] == ["500,000", "32", "–", "7"]
    assert float(best[6]) < 1e-5
    assert float(text_tables(app)[-1].iloc[-1, 6]) > 0.1
    space: dict[str, Any] = {}
    exec(next(block.value for block in app.code if "weights_to_halves" in block.value), space)  # ours, on the page
    assert torch.equal(space["to_interleaved"](space["to_halves"](before)), before)
    convert = space["to_halves"] if pairing == "interleaved" else space["to_interleaved"]
    other = "halves" if pairing == "interleaved" else "interleaved"
    converted = rotated(convert(before), base=500_000.0, pairing=other, first=7)
    assert torch.allclose(converted, convert(after), atol=1e-5)


READ_AS = "Read as {order}."
ORDERS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "3 heads × 200 positions × 32 dimensions": lambda x: x[0],
    "200 positions × 3 heads × 32 dimensions": lambda x: x[0].transpose(0, 1),
    "200 positions × 1 head × 32 dimensions": lambda x: x[0, :1].transpose(0, 1),
    "200 positions × 32 dimensions": lambda x: x[0, 0],
    "2 sequences × 3 heads × 200 positions × 32 dimensions": lambda x: x,
    "2 sequences × 200 positions × 3 heads × 32 dimensions": lambda x: x.transpose(1, 2),
}


@pytest.mark.parametrize("order", ORDERS)
def test_the_order_of_the_axes_is_found_and_said(order: str) -> None:
    arrange = ORDERS[order]
    before = torch.randn(2, 3, 200, 32, generator=torch.Generator().manual_seed(1))
    after = torch.stack([rotated(x, base=10_000.0, pairing="halves") for x in before.flatten(0, 1)]).view(before.shape)
    app = loaded(*((name, npy(arrange(x).numpy())) for name, x in (("q.npy", before), ("r.npy", after))))
    assert says(app, READ_AS, order=order)
    assert text_tables(app)[-1].iloc[0, 0] == "✓ halves"
    assert not any(str(box.key).startswith("rope-axis") for box in app.selectbox)


def test_where_nothing_tells_the_order_the_reader_chooses_it() -> None:
    same = npy(np.random.default_rng(0).standard_normal((16, 5, 8)))
    app = loaded(("q.npy", same), ("r.npy", same))
    assert says(app, READ_AS, order="16 positions × 5 heads × 8 dimensions")
    assert says(app, "Nothing rotates from one position…")
    assert len(text_tables(app)) == len(text_tables(opened())) - 1  # and no candidates
    (box,) = (box for box in app.selectbox if str(box.key).startswith("rope-axis"))
    box.select(-2).run()
    assert not app.exception
    assert says(app, READ_AS, order="16 heads × 5 positions × 8 dimensions")


def test_arrays_that_no_rotation_explains_are_said_to_be_so() -> None:
    app = loaded(GOOD, ("other.npy", npy(np.random.default_rng(1).standard_normal((16, 8)))))
    assert says(app, "No rotation explains these arrays:…")
    assert text_tables(app)[-1].iloc[0, 0].startswith("✕")


def test_the_scaling_of_the_pasted_config_is_tried_and_one_that_is_none_is_not() -> None:
    scaling = {"rope_type": "yarn", "factor": 3.0, "original_max_position_embeddings": 128}
    config = json.dumps(LLAMA | {"rope_theta": 5_000.0, "rope_scaling": scaling})
    arguments = read_rope_config(json.loads(config)).arguments | {"d_model": 64, "n_heads": 1}
    before = torch.randn(1, 200, 64, generator=torch.Generator().manual_seed(1))
    after = make_scheme("rope", **arguments).rotate(before, before)[0]
    app = loaded(("q.npy", npy(before.numpy())), ("r.npy", npy(after.numpy())))
    unknown = wording("A rotation explains these arrays, but its frequencies…")
    times = wording("Rotated dimensions are also multiplied by…")
    assert text_tables(app)[-1].iloc[0, 4] == "–"
    assert any(unknown.search(element.value) for element in app.markdown)
    app.text_area(key="rope_config_0").set_value(config).run()
    assert not any(unknown.search(element.value) for element in app.markdown)
    assert any(times.search(element.value) for element in app.markdown)
    best = text_tables(app)[-1].iloc[0].tolist()
    assert best[:6] == ["✓ halves", best[1], "5,000", "64", f"{best[4].split()[0]} (3 × 128)", "0"]
    assert float(best[6]) < 1e-4
    assert says(app, "Frequencies are scaled: {scaling}.", scaling=best[4])
    impossible = scaling | {"beta_fast": 1.0, "beta_slow": 2.0}
    app.text_area(key="rope_config_0").set_value(json.dumps(LLAMA | {"rope_scaling": impossible})).run()
    assert not app.exception
    assert text_tables(app)[-1].iloc[0, 4] == "–"


GOOD = ("good.npy", npy(np.random.default_rng(0).standard_normal((16, 8)).astype(np.float32)))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pickle.npy", npy(np.array([[{}, []], [1, 2]], dtype=object))),
        ("short.npy", GOOD[1][:-8]),
        ("no.npy", b"\x93NUMPY\x01\x00"),
        ("nothing.npy", b""),
        ("flat.npy", npy(np.ones(5))),
        ("nan.npy", npy(np.full((16, 8), np.nan))),
        ("zero.npy", npy(np.zeros((16, 8)))),
        ("other.npy", npy(np.ones((15, 8)))),
        ("complex.npy", npy(np.ones((16, 8), complex))),
        ("large.npy", npy(np.ones((16, 300, 300), np.int8))),
        ("lying.safetensors", struct.pack("<Q", 2**60) + b"{}"),
        ("kind.safetensors", safetensors(np.ones((16, 8), np.int64), "I64")),
    ],
)
def test_files_that_are_no_queries_get_one_sentence(name: str, content: bytes) -> None:
    app = loaded(GOOD, (name, content))
    assert len(sentences(app)) == 1, sentences(app)
    assert not any("weights_to_halves" in block.value for block in app.code)


def test_one_array_asks_for_the_other_and_none_shows_the_page_s_own_rotation() -> None:
    app = opened(**{"rope.base": "20000", "rope.pairing": "halves"})
    best = text_tables(app)[-1].iloc[0].tolist()
    assert (best[0], best[2]) == ("✓ halves", "20,000")
    app.file_uploader(key="rope-array-before").upload(*GOOD, "application/octet-stream").run()
    assert sentences(app) == [message("Load the other array too: the same queries, before or after RoPE.")]
