"""The training that a page is about: the one that is there, or a new one at step 0."""

from embedlib.word2vec.corpus import WordCorpus
from ui import cache
from ui.training.corpora import Source
from ui.training.loaded import loaded_for
from ui.training.request import Request
from ui.training.run import Run
from ui.training.runs import runs


def run_of(request: Request, source: Source, corpus: WordCorpus) -> Run:
    """Return the training of a request, which everybody with the same request shares."""

    def begin() -> Run:
        loaded = loaded_for(source) if request.loaded else None
        return Run(request, corpus, begun=None if loaded is None else loaded.state, device=cache.device().device)

    return runs.get(request, begin)
