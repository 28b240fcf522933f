"""The table of settings: one row each, with its kind, default, label and pages."""

from collections.abc import Mapping
from dataclasses import replace

from embedlib.embedding import BYTES_PER_NUMBER, INITIALISATIONS, MAX_MEASURED_TOKENS
from embedlib.examples import EXAMPLES
from embedlib.extrapolation import EXPERIMENTS, FIRST_SCHEMES, FIRST_SEEDS
from embedlib.i18n import N_
from embedlib.positional import SCALINGS, SCHEMES
from embedlib.tokenizers import CHAT_FORMATS, SENTENCES, TOKENIZERS
from ui.i18n import NAMES
from ui.page_list import PAGE_LIST
from ui.settings.formulas import OWN_ENTRIES, Formulas
from ui.settings.kinds import (
    GREATEST,
    MINILM,
    Choice,
    FileName,
    Flag,
    LongText,
    Look,
    Model,
    Names,
    OptionalChoice,
    OptionalWhole,
    Real,
    Rows,
    Setting,
    Stop,
    Text,
    Whole,
    Wholes,
    Window,
)
from ui.settings.page_kinds import (
    SCHEME_SETTINGS,
    Colouring,
    Entries,
    Entry,
    LessonReference,
    RoomCode,
    SomeNames,
    Steps,
    TokenizerName,
)

PAGES = tuple(page.address for page in PAGE_LIST)
TRAINED_HERE = ("bpe", "wordpiece", "unigram")
# From the longest pieces to the shortest; r50k_base is left out, for it splits every text as gpt2 does.
TOKENIZER_NAMES = ("words", "gpt2", "minilm", "cl100k_base", "o200k_base", *TRAINED_HERE, "characters", "bytes")
OWN_TOKENIZER = "yours"  # the tokenizer.json that a reader has loaded
ALL_SENTENCES = "all"  # of those that are there in five languages
# What a language model is trained on: the built-in manual, the app's text, or a file of the reader's own.
_TRAINING_TEXTS = ("manual", "text", "own")
_ENTRIES = (*SCHEMES, *OWN_ENTRIES)
_SEEDS = 2**32 - 1
MINILM_WIDTH = 384
_USES_OF_BANK = """river:
The boat was tied up at the bank.
We walked along the bank until the water was deep.
Ducks nest on the far bank of the lake.
A heron stood on the muddy bank.
The flood washed away a part of the bank.
They camped on the left bank of the river.
The swimmer climbed up the steep bank.
Willows lined the bank of the canal.
The otter has its den in the bank.
From the bank he threw a stone into the stream.
money:
The bank lent them money for a house.
He opened an account at the bank.
The bank closes at four on Fridays.
She works as a clerk in a bank.
The robbers fled from the bank with the cash.
My bank charges a fee for every card.
The central bank raised interest rates.
Ask your bank for credit.
The bank was saved with public money.
He keeps his savings in a bank abroad.
"""
_TEN_SENTENCES = """The cat sleeps on the sofa.
A kitten is lying on the couch.
The dog barked at the postman.
A puppy ran after the mail carrier.
She baked bread this morning.
He made two loaves before breakfast.
The train was an hour late.
Our flight left on time.
Stock prices fell again today.
Investors lost money this week.
"""


def _for_pages(value: object, *pages: str) -> dict[str, object]:
    return dict.fromkeys(pages, value)


def _page_rows(page: str, rows: Mapping[str, Setting]) -> dict[str, Setting]:
    """Return rows that only one page controls, and that its own examples set."""
    return {name: replace(row, pages=(page,), is_kept=True) for name, row in rows.items()}


_SHARED: dict[str, Setting] = {
    "text": LongText(
        EXAMPLES["meaning"].text,
        label=N_("Your text"),
        by_page={"tokens": "The queen rewrote a fairytale"},  # shows more of the page's subject than the default
        is_reset=False,
    ),
    "tokenizer": Choice(
        "gpt2",
        ("minilm", *TOKENIZERS),
        label=N_("Tokenizer"),
        with_minilm=_for_pages("minilm", "", "embedding_layer", "batches", "positions", "compare"),
    ),
    "table": Choice(
        "trained",
        ("minilm", "trained", "random", "by_hand"),
        label=N_("Embedding matrix"),
        with_minilm=_for_pages("minilm", "", "batches", "compare", "word_order"),
        pages=("", "batches", "compare", "word_order"),
    ),
    "d_model": Whole(
        64,
        2,
        1024,
        label=N_("d_model"),
        with_minilm=_for_pages(MINILM_WIDTH, "", "embedding_layer", "batches", "compare", "word_order"),
    ),
    "seed": Whole(123, 0, _SEEDS, label=N_("Seed")),
    "scale": Flag(False, label=N_("Multiply the token rows by √d_model")),
    "scheme": Choice(
        "sinusoidal", _ENTRIES, label=N_("Positional scheme"), with_minilm=_for_pages("learned", "", "projection")
    ),
    "token": OptionalWhole(None, 0, 1_999),
    "window": Whole(0, 0, 1_999),
    "view": Choice("2d", ("2d", "3d"), label=N_("Axes"), is_kept=True),
    "positions": Whole(64, 2, 512, label=N_("Positions")),
    "heads": Whole(4, 1, 64, label=N_("Heads")),
    "position": Whole(8, 0, 511, label=N_("Position to follow")),
    "pairs": Wholes([0, 4, 8, 12], 511, 4, label=N_("Pairs of dimensions"), pages=("positions",)),
    "columns": Choice("first", ("first", "all"), label=N_("Dimensions"), pages=("positions",)),
    "order_scheme": Choice(
        "none",
        ("none", "learned", "sinusoidal", "rope", "alibi"),
        label=N_("Positions"),
        pages=("word_order",),
    ),
    "asking_token": Choice("saw", ("dog", "saw", "man"), label=N_("Token that asks"), pages=("word_order",)),
    "probe": Choice("own", ("own", "random"), label=N_("Query and key"), pages=("positions",)),
    "schemes": Entries(["none", "sinusoidal", "rope", "alibi"], _ENTRIES, label=N_("Schemes"), is_kept=True),
    "front": Entry(None, tuple(SCHEMES), label=N_("Highlight"), is_kept=True),
    "parameters_of": OptionalChoice(None, tuple(SCHEMES), label=N_("Parameters of"), pages=("compare",)),
    "head": Whole(0, -1, 63, label=N_("Head"), is_kept=True),
    "unit": Choice("relative", ("relative", "standard"), label=N_("Unit"), is_kept=True),
    "scales": Choice("shared", ("shared", "own"), label=N_("Colour scale"), is_kept=True),
    "length": Whole(256, 3, 512, is_kept=True),
    "trained_head": Choice(
        "nearest", ("nearest", "farthest", "mean"), label=N_("Head"), pages=("compare",), is_kept=True
    ),
    "dial_scaling": Choice("linear", SCALINGS[1:], label=N_("Scaling"), pages=("compare",), is_kept=True),
    "first": Text("the dog saw the man", label=N_("First sentence"), is_kept=True, is_reset=False),
    "second": Text("the man saw the dog", label=N_("Second sentence"), is_kept=True, is_reset=False),
    "cut": Choice(
        "words",
        ("minilm", "words", "gpt2", "characters", "bytes"),
        label=N_("Tokenizer"),
        with_minilm=_for_pages("minilm", "word_order"),
        is_kept=True,
    ),
    "layers": Choice(1, (1, 2), label=N_("Layers"), is_kept=True),
    "causal": Flag(False, label=N_("Causal mask"), is_kept=True),
    "term_head": Whole(0, 0, 63, label=N_("Head")),
    "lang": Choice("en", tuple(NAMES), label=N_("Language"), is_kept=True, is_reset=False),
    "model": Model(MINILM, pages=("models", "context", "projection"), is_kept=True),
    "other_model": Model(None, pages=("models",), is_kept=True),
    "scheme_model": Model(None, pages=("positions", "compare"), is_kept=True),
    "look": Look("", pages=(), is_kept=True, is_browsers=True),
    "formulas": Formulas((), label=N_("Your schemes"), pages=(), is_kept=True),
}
_PROJECTION: dict[str, Setting] = {
    "vectors": Text("grammar", label=N_("Embedding matrix"), with_minilm=_for_pages("minilm", "projection")),
    "map": OptionalChoice(None, ("pca", "tsne", "umap", "meaning"), label=N_("Map")),
    # Quantities that colour the points of a table; the default depends on the table.
    "colour": Colouring(
        None,
        ("meaning", "kind", "script", "length", "norm", "count", "frequency", "similarity", "distance"),
        label=N_("Colour"),
    ),
    "metric": Choice("cosine", ("cosine", "dot", "euclidean"), label=N_("Similarity")),
    "find": Text("", label=N_("Search")),
    "expression": Flag(False, label=N_("Regex")),
    "row": OptionalWhole(None, 0, GREATEST, with_minilm=_for_pages(2_332, "projection")),  # that of "king"
    "seen": Window(None),
    "moved": Flag(False, label=N_("Add positions")),
    "isolated": Rows([], GREATEST, 300),
    "marked": Rows([], GREATEST, 300),
    # None: neighbours if a row is chosen, else analogies.
    "beside": OptionalChoice(None, ("analogies", "neighbours"), label=N_("Beside the picture")),
    "own_file": FileName(None),  # which file it was, since a link cannot carry a table
    "sample": Whole(2_000, 50, 10_000, label=N_("Rows")),
    "perplexity": Real(30.0, 2.0, 100.0, label=N_("Perplexity")),
    "n_neighbors": Whole(15, 2, 200, label=N_("Neighbours")),
    "min_dist": Real(0.1, 0.0, 0.99, label=N_("Minimum distance")),
    "map_seed": Whole(0, 0, _SEEDS, label=N_("Seed of the map")),
    "from_x": Text("man, woman"),  # the farther ends lie to the left and right: pictures are wide
    "to_x": Text("king, queen"),
    "from_y": Text("man, king"),
    "to_y": Text("woman, queen"),
    "analogy": Text("king, man, woman, queen"),
}
_TOKENS: dict[str, Setting] = {
    "tokenizers": SomeNames(
        ["words", "gpt2", "wordpiece", "unigram", "characters"],
        (*TOKENIZER_NAMES, OWN_TOKENIZER),
        label=N_("Tokenizers"),
        with_minilm=_for_pages(["words", "gpt2", "minilm", "unigram", "characters"], "tokens"),
    ),
    "pieces": Whole(1_000, 1, 8_000, label=N_("Vocabulary size")),
    "train_on": Choice("sentences", ("sentences", "manual", "text"), label=N_("Train BPE, WordPiece and Unigram on")),
    "closely": TokenizerName("gpt2", (*TOKENIZER_NAMES, OWN_TOKENIZER), label=N_("Tokenizer of the sections below")),
    "character": OptionalWhole(None, 0, 19_999),
    "specials": Choice("text", ("text", "special")),
    "chat_specials": Choice("special", ("special", "text")),
    "chat": Choice("chatml", tuple(CHAT_FORMATS), label=N_("Format")),
    "chat_system": Text("Answer in one short sentence."),
    "chat_user": Text("Do you like tea?"),
    "chat_assistant": Text("Yes, with a little milk."),
    "same_sentence": Choice("story", (*SENTENCES, ALL_SENTENCES), label=N_("Sentence")),
    "own_sentence": Text("", label=N_("Your sentence")),
}
_EMBEDDING_LAYER: dict[str, Setting] = {
    "layer_matrix": Choice(
        "trained",
        ("minilm", "trained", "random", "nlp", "sum"),
        label=N_("Embedding matrix"),
        with_minilm=_for_pages("minilm", "embedding_layer"),
    ),
    "layer_start": Choice("normal_1", tuple(INITIALISATIONS), label=N_("Initialization")),
    "layer_ids": Text("", label=N_("Ids to look up")),
    "layer_second": Flag(False, label=N_("Second embedding layer")),
    "layer_second_rows": Whole(4, 1, 64, label=N_("Rows")),
    "layer_second_width": Whole(5, 1, 64, label=N_("Dimensions")),
    "layer_second_ids": Text("0 2", label=N_("Ids")),
    "layer_context": Whole(4, 1, 64, label=N_("Context length")),
    "layer_cost_rows": Whole(50_257, 1, 1_000_000),
    "layer_cost_width": Whole(768, 1, 16_384),
    "layer_cost_tokens": Whole(1_024, 1, MAX_MEASURED_TOKENS),
    "layer_optimizer": Choice("sgd", ("sgd", "adam", "adamw", "sparse_adam"), label=N_("Optimizer")),
    "layer_tied": Flag(False, label=N_("Tie the output weights to E")),
    "layer_rate": Real(0.1, 1e-6, 10.0, label=N_("Learning rate")),
    "layer_steps": Whole(1, 1, 4, label=N_("Steps")),
    "layer_shares": Flag(False, label=N_("Share of the embedding matrix")),
    "layer_number": Choice("fp32", tuple(BYTES_PER_NUMBER), label=N_("Number format")),
}
_BATCHES: dict[str, Setting] = {
    # The text: one of three that ship with the app, typed, or from a file.
    "batches_source": Choice("story", ("story", "example", "manual", "text", "own")),
    "max_length": Whole(4, 1, 1_024),
    "stride": Whole(4, 1, 4_096),
    "batch_size": Whole(4, 1, 512),
    "shuffle": Flag(False, label=N_("shuffle")),
    "shuffle_seed": Whole(123, 0, _SEEDS, label=N_("Shuffle seed")),
    "drop_last": Flag(False, label=N_("drop_last")),
    "batch": Whole(1, 1, GREATEST),  # which one is in view, counted from 1
    "batch_place": OptionalWhole(None, 0, GREATEST),  # start of the visible text; None: the batch's start
    "batch_token": OptionalWhole(None, 0, GREATEST),  # the chosen token's position in the text
    # Which numbers the block holds: token rows, position rows, or their sum.
    "block": Choice("input", ("token", "position", "input"), label=N_("Contents")),
    # Rotation of the block in degrees, and how much of it is cut away along each axis.
    "block_yaw": Whole(30, -180, 180),
    "block_pitch": Whole(24, -90, 90),
    "block_samples_cut": Whole(0, 0, 511),
    "block_positions_cut": Whole(0, 0, 1_023),
    "block_dimensions_cut": Whole(0, 0, 1_023),
}
_CONTEXT: dict[str, Setting] = {
    "context_first": Text("She sat on the bank of a river.", is_reset=False),
    "context_second": Text("She got a loan from the bank.", is_reset=False),
    "context_third": Text("The bank was steep and muddy.", is_reset=False),
    "context_word": Text("bank", is_reset=False),
    "context_uses": Text(_USES_OF_BANK, is_reset=False),
    "context_layer": Whole(6, 0, 199, label=N_("After how many layers (0: the input)")),
    "context_attention": Whole(1, 1, 199, label=N_("Layer")),
    "context_head": Whole(2, 0, 255, label=N_("Head")),
    "context_shift": Whole(100, 1, 511, label=N_("Shift the text by so many positions")),
    "context_scheme": Choice("sinusoidal", _ENTRIES, label=N_("Scheme in place of the model’s own")),
    "context_lines": Text(_TEN_SENTENCES, label=N_("One sentence per line"), is_reset=False),
}
_TRAINING: dict[str, Setting] = {
    # The corpus: sentences of a grammar, Python's manual, typed, or from a file.
    "train_corpus": Choice("grammar", ("grammar", *_TRAINING_TEXTS)),
    "train_steps": Whole(1_000, 10, 5_000),
    "train_d_model": Whole(64, 2, 256),
    "train_window": Whole(5, 1, 20),
    "train_negatives": Whole(5, 1, 30),
    "train_learning_rate": Real(0.02, 0.00001, 100.0),
    "train_batch_size": Whole(2_048, 1, 16_384),
    "train_seed": Whole(0, 0, _SEEDS),
    "train_step": OptionalWhole(None, 0, GREATEST),  # which step is in view; None: the newest
    "train_word": Text("", label=N_("Word")),  # the chosen word; "" for none
    "train_axes": Choice("kinds", ("kinds", "principal"), label=N_("Axes show the differences between")),
    "train_fit": Choice("ahead", ("ahead", "last"), label=N_("Axes computed")),
    "train_view": Choice("2d", ("2d", "3d"), label=N_("Axes")),
    # The reader's analogy: train_a - train_b + train_c.
    "train_a": Text("king"),
    "train_b": Text("man"),
    "train_c": Text("woman"),
    # Rows that moved since step 0, or since the previous kept step.
    "train_moved": Choice("start", ("start", "kept"), label=N_("Moved")),
    # The expected answer to the analogy; "" for the grammar's.
    "train_expected": Text("", label=N_("expected answer")),
}
_EXTRAPOLATION: dict[str, Setting] = {
    "experiment": Choice("back", tuple(EXPERIMENTS), label=N_("Experiment")),
    "ext_schemes": Names(list(FIRST_SCHEMES), _ENTRIES, label=N_("Schemes")),
    "ext_seeds": Whole(len(FIRST_SEEDS), 1, 5, label=N_("Seeds")),  # how many, from 0
    "ext_steps": Steps(None, 50, 2_000, label=N_("Steps")),  # None: as many as the experiment has
    "ext_rate": Real(5e-3, 1e-5, 100.0, label=N_("Learning rate")),
    "ext_text": Choice("manual", _TRAINING_TEXTS),
    # None: the measure that distinguishes the schemes.
    "ext_measure": OptionalChoice(None, ("exact", "accuracy", "perplexity", "loss"), label=N_("Measure")),
    # The highlighted line of the chart: a scheme, or a scaling of RoPE.
    "ext_front": OptionalChoice(None, tuple(dict.fromkeys((*SCHEMES, *SCALINGS, *OWN_ENTRIES))), label=N_("Highlight")),
    # The runs to show if both exist: those that ship with the project, or those of this server.
    "ext_runs": Choice("shipped", ("shipped", "here"), label=N_("Runs")),
    "ext_size": Choice("small", ("small", "wide"), label=N_("Decoder")),
}
_LESSONS: dict[str, Setting] = {
    "follow": RoomCode(None, label=N_("Lecture"), pages=(), is_kept=True, is_private=True),
    "lesson": LessonReference(None, label=N_("Lesson"), pages=(), is_kept=True),
    "stop": Stop(0, 0, GREATEST, label=N_("Stop"), pages=(), is_kept=True),
    "present": Flag(False, pages=(), is_kept=True),
    # How much of a stop's question a slide shows: nothing, the question, its answer too.
    "asked": Whole(0, 0, 2, pages=(), is_kept=True),
}
_SCHEMES = {
    name: replace(row, pages=("", "positions", "compare", "projection")) for name, row in SCHEME_SETTINGS.items()
}
_SCHEMES["learned.weights"] = replace(
    _SCHEMES["learned.weights"], with_minilm=_for_pages("minilm", "", "word_order", "projection")
)


def _join_tables(*groups: Mapping[str, Setting]) -> dict[str, Setting]:
    settings: dict[str, Setting] = {}
    for group in groups:
        if twice := settings.keys() & group.keys():
            raise ValueError(f"two settings have the name {min(twice)}")
        settings |= group
    return settings


SETTINGS = _join_tables(
    _SHARED,
    _page_rows("projection", _PROJECTION),
    _page_rows("tokens", _TOKENS),
    _page_rows("embedding_layer", _EMBEDDING_LAYER),
    _page_rows("batches", _BATCHES),
    _page_rows("context", _CONTEXT),
    _page_rows("training", _TRAINING),
    _page_rows("extrapolation", _EXTRAPOLATION),
    _LESSONS,
    _SCHEMES,
)
