"""Every page's uploader: a file is taken or refused in one sentence, again and again, also under the same name."""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from tokenizers import Tokenizer, models

from embedlib.word2vec import SkipGramConfig
from tests.ui.pages import open_page, read_setting, says
from tests.waiting import PATIENCE
from ui.lessons.lesson import shipped_source
from ui.positions.doctor import EXAMPLE
from ui.training.corpora import shipped_corpus
from ui.training.files import saved_training
from ui.training.request import Request
from ui.training.run import Run


@dataclass(frozen=True)
class Uploader:
    """Where a file is loaded, a good one and a bad one, and how the page shows that it was taken."""

    page: str
    key: str
    name: str
    good: Callable[[], bytes]
    is_taken: Callable[[AppTest], bool]
    bad: bytes = b"\x00\x01"
    link: dict[str, str] = field(default_factory=dict)


def _training() -> bytes:
    config = SkipGramConfig(d_model=4, batch_size=16, window=2, steps=12)
    run = Run(Request("grammar", "grammar", config), shipped_corpus("grammar"))
    run.train(7, seconds=PATIENCE)
    return saved_training(run)


def _table() -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.eye(4, dtype=np.float32))
    return stream.getvalue()


def _tokenizer() -> bytes:
    return Tokenizer(models.WordLevel({"[UNK]": 0, "the": 1}, unk_token="[UNK]")).to_str().encode()


UPLOADERS = [
    Uploader(
        "batches",
        "own-text",
        "mine.txt",
        lambda: b"One two three four five six seven.\n" * 4,
        lambda app: says(app, "Showing {file} (this session only).", file="`mine.txt`"),
        link={"batches_source": "own"},
    ),
    Uploader(
        "tokens", "own-tokenizer", "mine.json", _tokenizer, lambda app: "yours" in read_setting(app, "tokenizers")
    ),
    Uploader(
        "training",
        "train-upload",
        "mine.safetensors",
        _training,
        lambda app: says(app, "Resumed {file} at step…", step="7"),
    ),
    Uploader(
        "projection", "upload", "mine.npy", _table, lambda app: says(app, "{file}: {rows:,} rows ×…", file="`mine.npy`")
    ),
    Uploader(
        "lessons",
        "lesson-file",
        "mine.yaml",
        lambda: shipped_source("tour").encode(),
        lambda app: app.text_area(key="lesson_source").value == shipped_source("tour"),
        bad="é".encode("latin-1"),
    ),
    Uploader(
        "positions",
        "rope-config-file",
        "mine.json",
        lambda: EXAMPLE.replace("500000", "12345").encode(),
        lambda app: "12345" in app.text_area[0].value,
        bad=json.dumps([1]).encode(),
        link={"scheme": "rope", "positions": "16"},
    ),
]


@pytest.mark.parametrize("uploader", UPLOADERS, ids=lambda one: one.page)
def test_a_file_is_taken_or_refused_in_one_sentence_again_and_again(uploader: Uploader) -> None:
    app = open_page(uploader.page, **uploader.link)

    def load(content: bytes) -> None:
        (box,) = [box for box in app.file_uploader if str(box.key).startswith(f"{uploader.key}-")]
        assert box.value in (None, [])  # emptied after each file
        file = (uploader.name, content, "application/octet-stream")
        box.set_value([file] if uploader.page == "projection" else file)
        app.run()
        assert not app.exception

    load(uploader.bad)
    (problem,) = app.error
    assert f"`{uploader.name}`" in problem.value
    assert not uploader.is_taken(app)
    load(uploader.good())
    assert not app.error
    assert uploader.is_taken(app)
    load(uploader.bad)
    assert len(app.error) == 1
    load(uploader.good())
    assert not app.error
    assert uploader.is_taken(app)
