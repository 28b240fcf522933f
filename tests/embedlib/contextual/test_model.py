"""Hidden vectors, attention and sentence vectors against transformers' own, as trained and under other positions."""

import importlib.metadata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers.models.bert import modeling_bert
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

from embedlib.checkpoints import CheckpointError, bert
from embedlib.contextual import (
    ContextModel,
    Layers,
    Positions,
    open_model,
    order_cosine,
    sentence_vectors,
)
from embedlib.positional import SCHEMES, FormulaError, make_scheme
from tests.embedlib.checkpoints.hub import in_place_of_the_hub
from tests.embedlib.checkpoints.models import D_MODEL, N_POSITIONS, VOCAB_SIZE, small_model

KINDS = ("bert", "gpt2", "llama")
IDS = (5, 17, 17, 3, 96, 0, 41)
N_LAYERS = 3
SENTENCES = ["the dog saw the man", "the man saw the dog", "Rain.", "It wasn't naïve: 日本 wörld 👋, far from it!"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One folder for each kind, whose LayerNorms are not 1 and 0 and whose weights are not all small."""
    folders = {}
    for kind in KINDS:
        model = small_model(kind, N_LAYERS)
        generator = torch.Generator().manual_seed(7)
        with torch.no_grad():
            for weight in model.parameters():
                weight.add_(torch.empty_like(weight).normal_(std=0.2, generator=generator))
        folders[kind] = tmp_path_factory.mktemp(kind)
        model.save_pretrained(folders[kind])
    return folders


def theirs(folder: Path) -> Any:
    return transformers.AutoModel.from_pretrained(folder, local_files_only=True, attn_implementation="eager").eval()


def run_theirs(model: Any, ids: tuple[int, ...], **inputs: Any) -> tuple[Tensor, Tensor]:
    with torch.no_grad():
        output = model(
            input_ids=torch.tensor([ids]), output_hidden_states=True, output_attentions=True, use_cache=False, **inputs
        )
    return torch.cat(output.hidden_states), torch.cat(output.attentions)


def same(ours: Layers, hidden: Tensor, attention: Tensor) -> None:
    assert ours.hidden.shape == hidden.shape
    assert ours.attention.shape == attention.shape
    assert (ours.hidden - hidden).abs().max() < 1e-5
    assert torch.allclose(ours.attention, attention, rtol=0, atol=1e-5)


def different(a: Layers, b: Layers) -> bool:
    return bool((a.hidden - b.hidden).abs().max() > 1e-4)


def installed() -> Path:
    try:
        return Path(str(importlib.metadata.distribution(bert.PACKAGE).locate_file(bert.FOLDER)))
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("MiniLM is not installed: requirements-minilm.txt")


@pytest.fixture(scope="module")
def minilm() -> ContextModel:
    installed()
    return open_model("minilm")


@pytest.mark.parametrize("kind", KINDS)
def test_layers_and_attention_are_transformers_own(kind: str, folders: dict[str, Path]) -> None:
    model = open_model(folders[kind])
    same(model.run(IDS), *run_theirs(theirs(folders[kind]), IDS))
    assert (model.d_model, model.n_layers, model.n_heads) == (D_MODEL, N_LAYERS, 2)
    assert (model.max_seq_len, model.max_tokens, model.kind) == (N_POSITIONS, N_POSITIONS, kind)
    assert model.causal == (kind != "bert")
    assert model.scheme == ("rope" if kind == "llama" else "learned")
    assert model.n_parameters == sum(weight.numel() for weight in theirs(folders[kind]).parameters()) - (
        (D_MODEL + 1) * D_MODEL if kind == "bert" else 0  # the pooler, which is not run
    )


def test_minilms_layers_and_attention_are_transformers_own_and_its_tokens_have_the_special_ones(
    minilm: ContextModel,
) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(installed(), local_files_only=True)
    model = theirs(installed())
    for sentence in SENTENCES:
        tokens = minilm.tokens(sentence)
        assert list(tokens.token_ids) == tokenizer(sentence)["input_ids"]
        assert [*tokens.special] == [True, *[False] * (len(tokens.tokens) - 2), True]
        same(minilm.run(tokens.token_ids), *run_theirs(model, tokens.token_ids))
    assert (minilm.n_layers, minilm.n_heads, minilm.d_model, minilm.max_seq_len) == (6, 12, 384, 512)


def test_sentences_are_the_mean_over_their_tokens_of_length_1(minilm: ContextModel) -> None:
    """The recipe that the model is published with, in one padded batch."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(installed(), local_files_only=True)
    batch = tokenizer(SENTENCES, padding=True, return_tensors="pt")
    with torch.no_grad():
        states = theirs(installed())(**batch).last_hidden_state
    mask = batch["attention_mask"][:, :, None].float()
    expected = torch.nn.functional.normalize((states * mask).sum(1) / mask.sum(1).clamp(min=1e-9), p=2, dim=1)
    vectors = sentence_vectors(minilm, SENTENCES)
    assert torch.allclose(vectors, expected, rtol=0, atol=1e-5)
    for sentence, vector in zip(SENTENCES, expected, strict=True):
        run = minilm.run(minilm.tokens(sentence).token_ids)
        assert torch.allclose(run.sentence, vector, rtol=0, atol=1e-5)
        assert order_cosine(minilm, SENTENCES[0], sentence) == pytest.approx(float(expected[0] @ vector), abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "positions",
    [Positions(), Positions("shuffled", seed=1), Positions("scheme", scheme="shaw"), Positions("scheme", scheme="t5")],
)
def test_texts_that_run_together_are_as_if_each_ran_alone(
    kind: str, positions: Positions, folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("embedlib.contextual.model.BATCH_TOKENS", 16)  # three batches
    model = open_model(folders[kind])
    texts = [IDS, (8,), IDS[:4], (1, 2, 3, 4, 5), IDS[::-1]]
    together = model.run_many(texts, positions)
    pooled_vectors = model.pooled_vectors(texts, positions)
    for text, layers, vector in zip(texts, together, pooled_vectors, strict=True):
        alone = model.run(text, positions)
        assert layers.token_ids == text
        same(layers, alone.hidden, alone.attention)
        assert torch.allclose(layers.sentence, alone.sentence, rtol=0, atol=1e-5)
        assert torch.allclose(vector, alone.sentence, rtol=0, atol=1e-5)
    assert model.run_many([], positions) == []


@pytest.mark.parametrize(("kind", "table"), [("bert", "embeddings.position_embeddings"), ("gpt2", "wpe")])
def test_no_positions_are_a_model_whose_position_rows_are_zero(kind: str, table: str, folders: dict[str, Path]) -> None:
    model, other = open_model(folders[kind]), theirs(folders[kind])
    with torch.no_grad():
        other.get_submodule(table).weight.zero_()
    same(model.run(IDS, Positions("none")), *run_theirs(other, IDS))
    same(model.run(IDS, Positions("scheme", scheme="none")), *run_theirs(other, IDS))
    assert different(model.run(IDS), model.run(IDS, Positions("none")))


def test_no_positions_in_llama_are_its_code_without_the_rotation(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = open_model(folders["llama"])
    ours, trained = model.run(IDS, Positions("none")), model.run(IDS)
    scheme = model.run(IDS, Positions("scheme", scheme="rope", parameters={"pairing": "halves"}))
    monkeypatch.setattr("transformers.models.llama.modeling_llama.apply_rotary_pos_emb", lambda q, k, *_angles: (q, k))
    same(ours, *run_theirs(theirs(folders["llama"]), IDS))
    assert different(ours, trained)
    same(scheme, trained.hidden, trained.attention)  # its own rotation, by ours


@pytest.mark.parametrize("kind", KINDS)
def test_shuffled_and_shifted_positions_are_other_position_ids(kind: str, folders: dict[str, Path]) -> None:
    model, other = open_model(folders[kind]), theirs(folders[kind])
    seq_len = len(IDS)
    # A mask that is given is taken as it is: ids out of order would else be read as several texts.
    seen = torch.zeros(1, 1, seq_len, seq_len)
    if model.causal:
        seen = seen.masked_fill(torch.ones(seq_len, seq_len, dtype=torch.bool).triu(1), float("-inf"))
    order = torch.randperm(seq_len, generator=torch.Generator().manual_seed(4))
    for positions, ids in [
        (Positions("shuffled", seed=4), order),
        (Positions("shifted", shift=9), torch.arange(seq_len) + 9),
    ]:
        same(model.run(IDS, positions), *run_theirs(other, IDS, position_ids=ids[None], attention_mask=seen))
    assert different(model.run(IDS, Positions("shuffled", seed=4)), model.run(IDS))
    assert different(model.run(IDS, Positions("shifted", shift=9)), model.run(IDS)) == (
        kind != "llama"
    )  # only distance counts


@pytest.mark.parametrize("kind", KINDS)
def test_without_positions_tokens_in_another_order_have_the_same_vectors_in_that_order(
    kind: str, folders: dict[str, Path]
) -> None:
    model = open_model(folders[kind])
    order = torch.tensor([3, 0, 6, 1, 5, 2, 4])
    moved_ids = tuple(torch.tensor(IDS)[order].tolist())
    for positions, blind in [(Positions("none"), not model.causal), (Positions(), False)]:
        still, moved = model.run(IDS, positions), model.run(moved_ids, positions)
        assert torch.allclose(moved.hidden, still.hidden[:, order], rtol=0, atol=1e-5) == blind
        assert torch.allclose(moved.attention, still.attention[..., order, :][..., order], rtol=0, atol=1e-5) == blind
        assert (abs(float(moved.sentence @ still.sentence) - 1) < 1e-6) == blind


def test_two_orders_of_the_same_words_are_one_sentence_without_positions(minilm: ContextModel) -> None:
    first, second = SENTENCES[:2]
    assert abs(order_cosine(minilm, first, second, Positions("none")) - 1) < 1e-6
    assert order_cosine(minilm, first, second) < 0.99


def patched_attention(turn: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]], added: Tensor) -> Callable[..., Any]:
    """Return transformers' own attention, given other queries and keys, and with a bias in its mask."""
    original = modeling_bert.eager_attention_forward

    def attend(module: Any, query: Tensor, key: Tensor, value: Tensor, mask: Any, **others: Any) -> Any:
        return original(module, *turn(query, key), value, added, **others)

    return attend


@pytest.mark.parametrize("name", ["rope", "alibi"])
def test_a_scheme_inside_berts_attention_is_transformers_code_for_it(
    name: str, folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, other = open_model(folders["bert"]), theirs(folders["bert"])
    with torch.no_grad():
        other.embeddings.position_embeddings.weight.zero_()
    seq_len, n_heads = len(IDS), model.n_heads
    if name == "rope":
        config = transformers.LlamaConfig(hidden_size=D_MODEL, num_attention_heads=n_heads, rope_theta=10_000.0)
        angles = LlamaRotaryEmbedding(config)(torch.zeros(1), torch.arange(seq_len)[None])
        turn, bias = lambda q, k: apply_rotary_pos_emb(q, k, *angles), torch.zeros(1, n_heads, seq_len, seq_len)
        positions = Positions("scheme", scheme="rope", parameters={"pairing": "halves", "base": 10_000.0})
    else:  # theirs holds slope · j for a key at j, which for earlier keys differs from -slope · distance by a constant
        alibi = build_alibi_tensor(torch.ones(1, seq_len, dtype=torch.int64), n_heads, torch.float32)[:, 0]
        slope = alibi[:, 1]
        place = torch.arange(seq_len)
        turn, bias = lambda q, k: (q, k), -(slope[:, None, None] * (place[:, None] - place).abs())[None]
        positions = Positions("scheme", scheme="alibi")
    ours = model.run(IDS, positions)
    monkeypatch.setattr(modeling_bert, "eager_attention_forward", patched_attention(turn, bias))
    same(ours, *run_theirs(other, IDS))
    assert different(ours, model.run(IDS, Positions("none")))


def test_alibi_in_a_causal_model_is_blooms(folders: dict[str, Path]) -> None:
    """Under the mask, a bias of slope times the key's place differs from ours by a constant for each query."""
    model, other = open_model(folders["gpt2"]), theirs(folders["gpt2"])
    with torch.no_grad():
        other.wpe.weight.zero_()
    seq_len = len(IDS)
    alibi = build_alibi_tensor(torch.ones(1, seq_len, dtype=torch.int64), model.n_heads, torch.float32)
    later = torch.ones(seq_len, seq_len, dtype=torch.bool).triu(1)
    mask = alibi[None].masked_fill(later, float("-inf"))  # (1, n_heads, seq_len, seq_len)
    same(model.run(IDS, Positions("scheme", scheme="alibi")), *run_theirs(other, IDS, attention_mask=mask))


@pytest.mark.parametrize("kind", KINDS)
def test_added_rows_are_scaled_to_the_length_of_the_models_own(kind: str, folders: dict[str, Path]) -> None:
    model, other = open_model(folders[kind]), theirs(folders[kind])
    table = {"bert": "embeddings.position_embeddings", "gpt2": "wpe", "llama": "embed_tokens"}[kind]
    own = other.get_submodule(table).weight.detach()
    place, pair = torch.arange(len(IDS), dtype=torch.float64)[:, None], torch.arange(0, D_MODEL, 2) / D_MODEL
    angle = place / 10_000.0**pair
    rows = torch.stack([angle.sin(), angle.cos()], -1).flatten(1).float()
    rows = rows / (D_MODEL / 2) ** 0.5 * own.norm(dim=1).mean()  # each row of waves has this length
    if kind == "llama":
        embedded = other.embed_tokens(torch.tensor([IDS])).detach() + rows
        with torch.no_grad():
            expected = other(
                inputs_embeds=embedded, position_ids=torch.zeros(1, len(IDS), dtype=torch.int64), use_cache=False,
                attention_mask=torch.zeros(1, 1, len(IDS), len(IDS)).masked_fill(
                    torch.ones(len(IDS), len(IDS), dtype=torch.bool).triu(1), float("-inf")
                ),
                output_hidden_states=True, output_attentions=True,
            )  # fmt: skip
        hidden, attention = torch.cat(expected.hidden_states), torch.cat(expected.attentions)
    else:
        with torch.no_grad():
            other.get_submodule(table).weight[: len(IDS)] = rows
        hidden, attention = run_theirs(other, IDS)
    same(model.run(IDS, Positions("scheme", scheme="sinusoidal")), hidden, attention)


@pytest.mark.parametrize("kind", KINDS)
def test_every_scheme_runs_or_is_refused(kind: str, folders: dict[str, Path]) -> None:
    model = open_model(folders[kind])
    possible = model.schemes()
    assert set(SCHEMES) - set(possible) == (set() if model.causal else {"xpos", "cope"})
    plain = model.run(IDS, Positions("none"))
    for name in SCHEMES:
        if name in possible:
            run = model.run(IDS, Positions("scheme", scheme=name))
            assert torch.allclose(run.attention.sum(-1), torch.ones(()), atol=1e-5)
            assert different(run, plain) == (name != "none")
        else:
            with pytest.raises(CheckpointError) as caught:
                model.run(IDS, Positions("scheme", scheme=name))
            assert caught.value.code == "unsupported"


def test_a_scheme_that_adds_to_the_values_does_so_in_a_model(folders: dict[str, Path]) -> None:
    """The first layer of BERT as plain loops, under vectors for each distance."""
    model, other = open_model(folders["bert"]), theirs(folders["bert"])
    ours = model.run(IDS, Positions("scheme", scheme="shaw", parameters={"seed": 3, "max_distance": 2}))
    scheme: Any = make_scheme("shaw", d_model=D_MODEL, n_heads=2, seed=3, max_distance=2)
    layer, width = other.encoder.layer[0].attention, D_MODEL // 2
    x = ours.hidden[0]
    heads = []
    with torch.no_grad():
        q, k, v = (part(x) for part in (layer.self.query, layer.self.key, layer.self.value))
        for head in range(2):
            columns = slice(head * width, (head + 1) * width)
            rows = []
            for i in range(len(IDS)):
                at = [max(-2, min(2, j - i)) + 2 for j in range(len(IDS))]
                logits = torch.stack(
                    [q[i, columns] @ (k[j, columns] + scheme.key_vectors[at[j]]) for j in range(len(IDS))]
                )
                weights = (logits / width**0.5).softmax(0)
                rows.append(sum(weights[j] * (v[j, columns] + scheme.value_vectors[at[j]]) for j in range(len(IDS))))
            heads.append(torch.stack(rows))
        output = other.encoder.layer[0].feed_forward_chunk(layer.output(torch.cat(heads, -1), x))
    assert torch.allclose(ours.hidden[1], output, rtol=0, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_what_cannot_be_run_is_refused_by_a_code(kind: str, folders: dict[str, Path]) -> None:
    model = open_model(folders[kind])
    whole = tuple([1] * N_POSITIONS)
    model.run(whole)
    model.run(whole[:-3], Positions("shifted", shift=3))
    cases = [
        (lambda: model.run((*whole, 1)), "too_long"),
        (lambda: model.run((1, VOCAB_SIZE)), "row"),
        (lambda: model.run((-1,)), "row"),
        (lambda: model.run(whole, Positions("shifted", shift=1)), "too_long"),
        (lambda: model.tokens("text"), "missing"),  # there is no tokenizer.json
    ]
    for work, code in cases:
        with pytest.raises(CheckpointError) as caught:
            work()
        assert caught.value.code == code
    with pytest.raises(ValueError, match="token_ids is empty"):
        model.run(())
    with pytest.raises(ValueError, match="shift=-1 must be at least 0"):
        Positions("shifted", shift=-1)
    with pytest.raises(ValueError, match="scheme='sinus' is unknown"):
        model.run(IDS, Positions("scheme", scheme="sinus"))


def test_a_model_of_another_kind_and_one_whose_files_disagree_are_refused(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    def refused(source: Path) -> str:
        with pytest.raises(CheckpointError) as caught:
            open_model(source)
        return caught.value.code

    small_model("t5").save_pretrained(tmp_path / "t5")
    assert refused(tmp_path / "t5") == "unsupported"
    text = (folders["bert"] / "config.json").read_text(encoding="utf-8")
    weights = load_file(folders["bert"] / "model.safetensors")
    wrong = {
        "kind": (text.replace('"bert"', '"mamba"'), weights, "unsupported"),
        "width": (text.replace('"intermediate_size": 32', '"intermediate_size": 33'), weights, "damaged"),
        "heads": (text.replace('"num_attention_heads": 2', '"num_attention_heads": 5'), weights, "damaged"),
        "sign": (text.replace('"num_attention_heads": 2', '"num_attention_heads": -1'), weights, "damaged"),
        "act": (text.replace('"hidden_act": "gelu"', '"hidden_act": "no such"'), weights, "damaged"),
        "layers": (text.replace('"num_hidden_layers": 3', '"num_hidden_layers": 4'), weights, "missing"),
        "many": (text.replace('"num_hidden_layers": 3', '"num_hidden_layers": 1000000000'), weights, "damaged"),
        "large": (text.replace(f'"hidden_size": {D_MODEL}', '"hidden_size": 32768'), weights, "too_large"),
    }
    # What turns a Llama's vectors is allocated for each head before its weights are counted: 40 GB here.
    other = (folders["llama"] / "config.json").read_text(encoding="utf-8")
    head = other.replace("{", f'{{"head_dim": {2**32},', 1).replace('"head_dim": 12,', "")
    wrong["head"] = head, load_file(folders["llama"] / "model.safetensors"), "damaged"
    name = next(name for name in weights if name.endswith("output.dense.weight"))
    wrong["NaN"] = text + " ", weights | {name: weights[name] * float("nan")}, "unsupported"
    for name, (config, tensors, code) in wrong.items():
        assert config not in (text, other)
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(config, encoding="utf-8")
        save_file(tensors, tmp_path / name / "model.safetensors")
        assert (name, refused(tmp_path / name)) == (name, code)


def test_nothing_but_numbers_of_config_json_reaches_the_model(folders: dict[str, Path], tmp_path: Path) -> None:
    """A folder that names code of its own, and weights of old names, is read as plain numbers."""
    text = (folders["bert"] / "config.json").read_text(encoding="utf-8")
    (tmp_path / "config.json").write_text(text.replace("{", '{"auto_map": {"AutoModel": "evil.Evil"},', 1))
    (tmp_path / "evil.py").write_text("raise SystemExit('run')")
    weights = load_file(folders["bert"] / "model.safetensors")
    old = {name.replace("LayerNorm.weight", "LayerNorm.gamma"): weight for name, weight in weights.items()}
    save_file(old, tmp_path / "model.safetensors")
    expected = open_model(folders["bert"]).run(IDS)
    same(open_model(tmp_path).run(IDS), expected.hidden, expected.attention)


def test_opening_and_running_leave_the_global_random_state_alone(folders: dict[str, Path]) -> None:
    torch.manual_seed(3)
    before = torch.random.get_rng_state()
    open_model(folders["gpt2"]).run(IDS, Positions("shuffled", seed=2))
    assert torch.equal(torch.random.get_rng_state(), before)


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_of_the_hub_in_several_files_is_that_of_the_folder_and_comes_once(
    kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    small_model(kind, N_LAYERS).to(torch.bfloat16).save_pretrained(tmp_path / "made", max_shard_size=9_000)
    size = sum(path.stat().st_size for path in (tmp_path / "made").iterdir())
    with in_place_of_the_hub(monkeypatch, tmp_path / "cache") as hub:
        hub.models["owner/small"] = tmp_path / "made"
        model = open_model("owner/small")
        assert hub.sent <= 1.1 * size
    expected = open_model(tmp_path / "made").run(IDS)
    same(model.run(IDS), expected.hidden, expected.attention)


def test_a_formula_says_its_own_scale_and_else_the_model_keeps_its_own(folders: dict[str, Path]) -> None:
    model = open_model(folders["gpt2"])
    ids = [3, 1, 4, 1, 5]

    def weights(**lines: str) -> torch.Tensor:
        return model.run(ids, Positions("scheme", scheme="formula", parameters=lines)).attention

    same = weights(bias="0 * q")
    torch.testing.assert_close(weights(scale="d**-0.5"), same)
    torch.testing.assert_close(weights(scale="d**-0.5 + 0 * q"), same)
    even = 1 / torch.arange(1.0, len(ids) + 1)[:, None].expand(-1, len(ids)).tril()
    for scale in ("0", "0 * q"):
        torch.testing.assert_close(weights(scale=scale), even.nan_to_num(posinf=0.0).expand_as(same))
    torch.testing.assert_close(weights(rows="0 * p"), same)  # rows of length 0 stay so
    with pytest.raises(FormulaError, match="scale: '1e38' exceeds float32 at q = 0, k = 0"):
        weights(scale="1e38")


def test_rows_beside_another_line_are_refused_where_heads_have_another_width_than_rows(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    config = transformers.LlamaConfig.from_pretrained(folders["llama"], head_dim=4)
    transformers.LlamaForCausalLM(config).save_pretrained(tmp_path)
    model = open_model(tmp_path)
    model.run(IDS, Positions("scheme", scheme="formula", parameters={"rows": "0 * p"}))
    with pytest.raises(FormulaError, match=r"^rows: 'rows \+ bias' is not supported: use rows\.$"):
        model.run(IDS, Positions("scheme", scheme="formula", parameters={"rows": "0 * p", "bias": "k - q"}))
