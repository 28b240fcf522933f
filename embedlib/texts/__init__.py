"""Texts as training data: files, corpora, windows of tokens, and the tokens that two texts share."""

from embedlib.texts.bags import matched_tokens, shared_rows
from embedlib.texts.corpus import reference_manual, words
from embedlib.texts.leakage import repeated_share
from embedlib.texts.text_files import TEXT_ERRORS, check_text_size, read_text
from embedlib.texts.windows import WindowPlan, WindowUse, sliding_windows, window_use
