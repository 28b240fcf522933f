"""Words with two meanings, each in three sentences and in many; and sentences to compare with each other."""

from dataclasses import dataclass

from ui.settings import state

_PARTS = ("word", "first", "second", "third", "uses")


@dataclass(frozen=True)
class Homonym:
    """A word with two meanings.

    Attributes:
        word: in lower case.
        first: a sentence.
        second: one in which the word means something else.
        third: one in which it means what it does in the first.
        uses: more sentences, a line each; a line that ends in a colon names the meaning of those after it.
    """

    word: str
    first: str
    second: str
    third: str
    uses: str


HOMONYMS: dict[str, Homonym] = {
    "bank": Homonym(*(state.SETTINGS[f"context_{part}"].default for part in _PARTS)),  # with which the page opens
    "spring": Homonym(
        "spring",
        "The birds return in spring.",
        "The bed has a broken spring.",
        "We plant tomatoes each spring.",
        """season:
The garden is full of flowers in spring.
Last spring it rained for weeks.
The snow melts in early spring.
Lambs are born in the spring.
They were married in the spring of that year.
After a long winter spring came at last.
We clean the house every spring.
The trees are green again in spring.
Farmers sow their fields in spring.
I like spring better than autumn.
metal:
The clock stopped because its spring broke.
He pressed the steel spring together.
A spring pulls the door shut.
Each wheel hangs on a spring.
The toy jumps when the spring is released.
The weight stretches the spring by an inch.
A spring sticks out of the mattress.
The pen does not click without its spring.
Oil the spring and the lock works again.
The force of a spring grows with its length.
""",
    ),
    "bat": Homonym(
        "bat",
        "A bat flew out of the cave.",
        "He hit the ball with his bat.",
        "At dusk the bat hunts moths.",
        """animal:
A bat hangs upside down when it sleeps.
The bat finds its way by echoes.
We saw a bat fly over the barn.
A bat eats thousands of insects in one night.
The bat spread its wings.
A young bat clings to its mother.
The owl caught a bat in the air.
In winter the bat sleeps in the cellar.
A fruit bat can live for thirty years.
The bat squeaked in the attic.
sport:
She swung the bat and missed.
The bat is made of ash.
He broke his bat on the first pitch.
The batter dropped the bat and ran.
Hold the bat with both hands.
Her bat is too heavy for her.
The crack of the bat was heard in every seat.
He signed the bat for a young fan.
The boy got a glove and a bat for his birthday.
The umpire looked at the bat.
""",
    ),
}
