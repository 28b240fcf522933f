"""The pages in reading order: their addresses and groups, their titles, leads and questions."""

from typing import NamedTuple

from embedlib.i18n import N_


class PageEntry(NamedTuple):
    """A page; its script is pages/ADDRESS.py. All texts are marked for translation."""

    address: str  # last part of the URL
    group: str  # heading in the navigation; "" for none
    title: str  # in the navigation
    heading: str = ""  # at the top of the page; "" where the page draws one of its own
    lead: str = ""  # the problem that the page is about
    question: str = ""  # what its first picture answers

    @property
    def script(self) -> str:
        """Name of the script in the folder pages."""
        return f"{self.address or 'pipeline'}.py"


_TEXT, _ORDER, _MEANING = N_("Text becomes vectors"), N_("Order"), N_("Meaning")

PAGE_LIST = (
    PageEntry(
        "",
        _TEXT,
        N_("Text to input"),
        N_("Text to input embeddings"),
        N_(
            "A model cannot read letters. Watch a text become numbers: each token picks a learned row of a table, "
            "and a row for its place in the text is added."
        ),
        N_(
            "A word that stands twice in a text picks the same row twice. Does the model receive the same numbers "
            "for both?"
        ),
    ),
    PageEntry(
        "tokens",
        _TEXT,
        N_("Tokens"),
        N_("One text, many tokenizers"),
        N_(
            "Before anything else a text is cut into tokens: pieces from a fixed list, the vocabulary. Single "
            "characters are a short list, but cut a text into many pieces; a list of whole words makes few, but needs "
            "a large table, with a row for each."
        ),
        N_("Which of your words are cut into pieces, and where?"),
    ),
    PageEntry(
        "embedding_layer",
        _TEXT,
        N_("Embedding layer"),
        N_("Embedding layer"),
        N_(
            "An embedding layer is a table with one row of numbers for each token of the vocabulary. A token’s row "
            "can be looked up. Multiplying the table by a vector that is 1 at the token’s place and 0 everywhere else "
            "(a one-hot vector) gives the same numbers, with far more work."
        ),
        N_("How much of that multiplication is work for nothing?"),
    ),
    PageEntry(
        "batches",
        _TEXT,
        N_("Batches"),
        N_("Batches"),
        N_(
            "A language model learns by predicting the next token. Its text is cut into windows; the target of a "
            "window is the same stretch of text, one token further on. Several windows are read together: they are the "
            "sequences of one batch."
        ),
        N_("How many predictions does one window give the model to practise on?"),
    ),
    PageEntry(
        "word_order",
        _ORDER,
        N_("Word order"),
        N_("Word order"),
        N_(
            "Attention is a weighted sum, and a sum has no order. Without positions a model makes the same of "
            "“dog saw man” and “man saw dog”."
        ),
        N_("Put the same words in another order: what does the model make of it, without positions and with them?"),
    ),
    PageEntry(
        "positions",
        _ORDER,
        N_("Positions"),
        "",
        N_(
            "Attention alone cannot tell where a token stands, so the position has to be written into the "
            "numbers. Each positional scheme does this in its own way; this page takes one apart."
        ),
        N_("How can numbers say where a token stands, or how far apart two tokens are?"),
    ),
    PageEntry(
        "compare",
        _ORDER,
        N_("Compare"),
        N_("Positional schemes compared"),
        N_(
            "There are three places to put a position: it can be added to the token’s row, it can rotate query "
            "and key, or it can change the attention score. The colours show which scheme does which."
        ),
        N_("For which schemes does only the distance between two tokens count?"),
    ),
    PageEntry(
        "extrapolation",
        _ORDER,
        N_("Extrapolation"),
        N_("Length extrapolation"),
        N_(
            "A model is trained on texts up to some length. What becomes of it on longer ones depends on its "
            "positional scheme, the way in which it is given the places of the tokens: some schemes break, some fade "
            "and some hold."
        ),
        N_("Which scheme breaks first, and what was new to it?"),
    ),
    PageEntry(
        "projection",
        _MEANING,
        N_("Projection"),
        N_("Projection of the whole table"),
        N_(
            "Each point is one token; those with blue names stand in your text. A token’s row in the table has many "
            "numbers, its dimensions, and a flat picture shows only their shadow. Tokens that are used alike have rows "
            "near each other."
        ),
        N_("Which tokens are nearest to the one you choose: in the list, and in the picture?"),
    ),
    PageEntry(
        "training",
        _MEANING,
        N_("Training"),
        N_("Training of word vectors"),
        N_(
            "Rows begin at random. A step of training moves a word’s row so that it predicts the words around it "
            "better. Words with the same neighbours gather; nothing else makes them a kind."
        ),
        N_("By which step are the kinds of words sorted out?"),
    ),
    PageEntry(
        "models",
        _MEANING,
        N_("Models"),
        N_("Tables of a trained model"),
        N_(
            "These are the tables inside a trained model: a row of numbers for each token of its vocabulary and, in "
            "many models, one for each position."
        ),
        N_("How much of the whole model is nothing but the table of token rows?"),
    ),
    PageEntry(
        "context",
        _MEANING,
        N_("Context"),
        N_("A word in context"),
        N_(
            "A model has one row of numbers for a word, whatever it means in a sentence. From there it computes a "
            "vector, layer by layer: in each layer attention mixes in something of the words around it, until the "
            "vector stands for the word of this very sentence."
        ),
        N_("From which layer on do two meanings of one word lie apart?"),
    ),
    PageEntry(
        "lessons",
        "",
        N_("Lessons"),
        N_("Lessons"),
        N_(
            "A lesson leads you through the pages, stop by stop: a picture, a few sentences, something to try and a "
            "question. You can leave at any stop and are back where you were."
        ),
        N_("Where do you want to start?"),
    ),
)
BY_ADDRESS = {entry.address: entry for entry in PAGE_LIST}
