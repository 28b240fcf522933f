"""Texts that tokenizers must not stumble over, for hypothesis."""

from hypothesis import strategies as st

# Emoji and their joiners, right-to-left letters and controls, control characters, white space, marks, what looks like a
# special token, like markup or like a tokenizer's own signs, and plain words.
SIGNS = (
    "👩‍👩‍👧|🏽|\u200d|\ufe0f|שלום|\u202e|\ufeff|\x00|\x1b|\r\n|\n|\n\n|\t|  | |\u3000|\x85|\x1c|\u0301|\ufffd|日本語"
    "|日|本|हिन्दी|<b>|*x*|[UNK]|<unk>|▁|##|Ġ|don't|cat|mat|the |ing |a|aaaa|é|e\u0301|ß|\U0010ffff"
).split("|")
AWKWARD = st.lists(st.sampled_from([*SIGNS, "<|endoftext|>"]), max_size=25).map("".join)
TEXTS = st.one_of(st.text(st.characters(exclude_categories=["Cs"]), max_size=60), AWKWARD)
