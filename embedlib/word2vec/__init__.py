"""Word vectors: skip-gram and PPMI, their training, scores and files."""

from embedlib.word2vec.checkpoint import load_skip_gram, save_skip_gram
from embedlib.word2vec.corpus import MIN_ROWS, MIN_WORDS, WordCorpus, word_corpus
from embedlib.word2vec.history import MAX_STORED, RowChanges, RowHistory, axes_step, row_changes, steps_to_store
from embedlib.word2vec.ppmi import CountedTable, cooccurrence_table
from embedlib.word2vec.pretrained import (
    N_SENTENCES,
    SHIPPED,
    TABLE_CONFIG,
    TrainedTable,
    table_corpus,
    trained_rows,
    trained_table,
)
from embedlib.word2vec.scores import AnalogyScore, KindScore, analogy_scores, kind_score
from embedlib.word2vec.skip_gram import (
    SkipGramConfig,
    SkipGramState,
    SkipGramStep,
    SkipGramTraining,
    resume_skip_gram,
    skip_gram,
)
