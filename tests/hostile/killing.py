"""Kill what writes files at any moment, and look at what is left: `python -m tests.hostile.killing WHAT,… COUNT PATH`

Each writer is a copy of this process, which has imported all that it needs.
"""

import hashlib
import http.server
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
import torch

from embedlib.extrapolation import finished_runs, write_finished
from embedlib.grammar import grammar_text
from embedlib.tokenizers import vocabularies
from embedlib.tokenizers.vocabularies import download_vocabulary, has_vocabulary, read_vocabulary
from embedlib.word2vec import SkipGramConfig, load_skip_gram, save_skip_gram, skip_gram, word_corpus

# What writes once, again and again; and what looks at the files: whether one was whole, which it then must be.
Work = tuple[Callable[[int], object], Callable[[], bool]]


@contextmanager
def training_file(folder: Path) -> Iterator[Work]:
    """A training of rows."""
    path, corpus = folder / "training.safetensors", word_corpus(grammar_text(300), min_count=8)
    state = next(skip_gram(corpus, SkipGramConfig(d_model=256, steps=5))).state()

    def look() -> bool:
        if not path.exists():
            return False
        assert torch.equal(load_skip_gram(path)[0].tensors["rows"], state.tensors["rows"])
        return True

    yield (lambda number: save_skip_gram(path, state, corpus.words)), look


@contextmanager
def finished(folder: Path) -> Iterator[Work]:
    """Finished runs, of which every other file has the first ones only."""
    path, whole = folder / "finished.json", list(finished_runs().values())

    def look() -> bool:
        if not path.exists():
            return False
        assert list(finished_runs(path).values()) in (whole, whole[:5])
        return True

    yield (lambda number: write_finished(whole[: 5 if number % 2 else None], path)), look


@contextmanager
def vocabulary(folder: Path) -> Iterator[Work]:
    """A vocabulary that a server on loopback sends, slowly enough to be killed on the way."""
    content = random.Random(0).randbytes(2**20)

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    known = replace(vocabularies.VOCABULARIES["o200k_base"], sha256=hashlib.sha256(content).hexdigest())
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(vocabularies.VOCABULARIES, "o200k_base", known)
        patch.setenv("EMBEDLIB_CACHE", str(folder))
        patch.setenv("NO_PROXY", "*")

        def look() -> bool:
            path = folder / known.file
            assert not path.exists() or path.read_bytes() == content
            if has := has_vocabulary("o200k_base"):
                assert read_vocabulary("o200k_base") == content
            return has

        yield (
            (lambda number: download_vocabulary("o200k_base", base_url=f"http://127.0.0.1:{server.server_port}/")),
            look,
        )
    server.shutdown()


WORK = {
    "saved training": training_file,
    "finished runs": finished,
    "vocabulary": vocabulary,
}


def main(what: str, times: int, folder: Path) -> None:
    """Kill so many writers; what each has left must be whole or not there, and the next must succeed all the same."""
    chance, seen = random.Random(times), {True: 0, False: 0}
    with WORK[what](folder) as (write, look):
        started = time.perf_counter()
        write(0)
        took = time.perf_counter() - started
        for _ in range(times):
            child = os.fork()
            if not child:
                try:
                    for number in count():
                        write(number)
                finally:
                    os._exit(1)
            time.sleep(chance.uniform(0, min(0.2, 3 * took)))
            assert os.waitpid(child, os.WNOHANG) == (0, 0), "the writer failed by itself"
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            seen[look()] += 1
            if chance.random() < 0.2:
                write(0)  # the retry
    sys.stdout.write(f"{what}: {seen}\n")


if __name__ == "__main__":
    torch.set_num_threads(1)
    for what in sys.argv[1].split(","):
        main(what, int(sys.argv[2]), Path(sys.argv[3]))
