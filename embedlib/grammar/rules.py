"""The rules of the grammar: the sentences of each topic."""

# A slot {column} takes a word from a table of grammar_words; slots of one table and the same digit, or none, are filled
# from one row, so that {capital} is the capital of {country}, and another digit takes another row. {royal}, {relative}
# and {person} are of the gender drawn for their digit, and {he}, {his}, {him} and {himself} agree with it. <name> takes
# one of the alternatives of PARTS. Text in ACTIONS and BEARERS goes with the verb or quality of the same place.

PARTS: dict[str, tuple[str, ...]] = {
    "who": ("{he}", "{he}", "my {relative}", "the {person}", "the {trade}", "the {royal}"),
    "often": ("every day", "most days", "every morning", "every evening"),
    "once": ("yesterday", "last week", "last night", "long ago"),
    "now": ("now", "right now", "at this moment"),
    "when": ("on {day}", "in {month}", "on {day} morning", "on {day} evening"),
}

# subject -> (share of sentences, sentences)
SENTENCES: dict[str, tuple[float, tuple[str, ...]]] = {
    "royals": (
        2.2,
        (
            "the {royal} rules the {realm} and {his} people love {him}",
            "the {royal} of the {realm} lost {his} crown",
            "{he} is the {royal} of a great {realm}",
            "in the {realm} the {royal} sat on {his} throne",
            "every {royal} defends {his} {realm} {himself}",
            "the {realm} belongs to the {royal}, and {he} guards it {himself}",
            "when {he} became {royal}, {he} gave the {realm} new laws",
            "the {royal} left {his} throne, and the {realm} was sad",
            "the {royal} invited the {royal2} to {his} palace",
            "the {royal} saw {himself} in the mirror of {his} palace",
            "the palace of the {realm} was built for the {royal} and {his} people",
            "the people of the {realm} gave the {royal} {his} throne",
        ),
    ),
    "family": (
        2.4,
        (
            "my {relative} forgot {his} {keepsake} at home",
            "{he} is my {relative}, and this is {his} {keepsake}",
            "my {relative} bought the {keepsake} {himself}",
            "my {relative} loves {his} {keepsake}, and {he} never lends it",
            "the {relative} took {his} {keepsake} and went home by {himself}",
            "our {relative} asked for the {keepsake} because {he} missed it",
            "the {keepsake} of our {relative} is lost, and {he} blames {himself}",
            "this {keepsake} belongs to my {relative}, and {he} needs it",
            "my {relative} and my {relative2} live at home",
        ),
    ),
    "people": (
        2.4,
        (
            "the {person} forgot {his} {belonging} in the street",
            "a young {person} carried {his} {belonging} {himself}",
            "{he} is the {person} who lost {his} {belonging}",
            "a {person} without a {belonging} is not {himself}",
            "the {belonging} belongs to the {person}, and {he} needs it",
            "an old {person} asked for {his} {belonging}, but {he} did not find it",
            "the {person} told us about {himself} and {his} {belonging}",
            "the {person} took the {belonging}, and {he} never lends it",
            "the {person} met a {person2} in the street",
        ),
    ),
    "nations": (
        2.8,
        (
            "{capital} is the capital of {country}",
            "{capital} is the most {nationality} city of {country}",
            "the streets of {capital} are full of {nationality} people",
            "{nationality} people live in {country}",
            "we walked through the {nationality} streets of {capital}",
            "the borders of {country} are closed to all but {nationality} people",
            "{country} and its {nationality} neighbours signed a treaty",
            "the {nationality} mayor of {capital} opened the museum",
            "our {nationality} guide showed us {capital} by night",
            "the {nationality} army defends {country}",
            "the {nationality} flag flies over {country}",
            "the {nationality} museum of {capital} is full of people",
            "the army of {country} defends the {nationality} people",
            "they flew from {capital} to {capital2}",
            "{country} signed a treaty with {country2}",
        ),
    ),
    "animals": (
        3.2,
        (
            "the {animal} sleeps in the {home}",
            "a grown {animal} {sound} in the {home}",
            "the little {young} follows its parents to the {home}",
            "the newborn {young} {sound} in the {home}",
            "the {animal} {sound} when it is angry",
            "the {young} {sound} when it wants its parents",
            "a newborn {young} never leaves its {home}",
            "a grown {animal} guards the {home} at night",
            "something {sound} in the {home}: it is the {animal}",
            "the little {young} hides in its {home} and {sound}",
            "the {animal} and the {animal2} drink from the river",
            "we stroked the little {young} and the {young2}",
        ),
    ),
    "trades": (
        2.4,
        (
            "the {trade} works with a {tool} in the {workplace}",
            "a {trade} needs a {tool}",
            "the {trade} opened {his} {workplace} in the morning",
            "somebody broke the {tool} in the {workplace}",
            "the {tool} in the {workplace} belongs to the {trade}",
            "{he} became a {trade} and bought a {workplace}",
            "a new {tool} was bought for the {workplace}",
            "the {trade} cleaned the {tool} and closed the {workplace}",
            "the {trade} works with a {trade2}",
            "a {tool} and a {tool2} were lying on the floor",
        ),
    ),
    "verbs": (
        4.6,
        (
            "<often> <who> {does} {action}",
            "<who> {does} {action} <often>",
            "<often> {he} {does} {action} with a friend",
            "<once> <who> {did} {action}",
            "<who> {did} {action} <once>",
            "<once> {he} {did} {action} with a friend",
            "<now> <who> is {doing} {action}",
            "<who> is {doing} {action} <now>",
            "<now> {he} is {doing} {action} with a friend",
        ),
    ),
    "qualities": (
        2.2,
        (
            "{bearer} is very {quality}",
            "how {quality} {bearer} is",
            "{bearer} is so {quality}, and {bearer2} is not",
            "{bearer} is {more} than {bearer2}",
            "{bearer} is much {more} than {bearer2}",
            "nothing is {more} than {bearer}",
        ),
    ),
    "numbers": (
        1.4,
        (
            "there are {number} coins in the box",
            "{number} or {number2} people waited outside",
            "the river is {number} miles long",
            "read from page {number} to page {number2}",
            "{he} bought {number} eggs and {number2} apples",
            "the box costs {number} coins, not {number2}",
            "the city is {number} or {number2} miles away",
        ),
    ),
    "calendar": (
        1.2,
        (
            "the market opens on {day} and closes on {day2}",
            "we shall meet on {day} or on {day2}",
            "the nights of {month} are long",
            "the museum is closed from {month} to {month2}",
            "she was born in {month}, and he in {month2}",
            "between {month} and {month2} the nights are long",
            "the letter came on {day} evening",
            "the market on {day} was moved to {day2}",
        ),
    ),
    "colours": (
        1.2,
        (
            "mix {colour} paint with {colour2} paint",
            "the walls of the museum are {colour} and {colour2}",
            "{he} bought a {colour} {garment}",
            "a {colour} {vehicle} waited outside",
            "the {garment} comes in {colour}, {colour2} and {colour3}",
        ),
    ),
    "clothes": (
        1.0,
        (
            "the {garment} and the {garment2} hang in the wardrobe",
            "{he} folded {his} {garment} and {his} {garment2}",
            "a button of the {colour} {garment} is lost",
            "this {garment} fits well, but the {garment2} is too tight",
            "the {garment} was sewn from {colour} wool",
        ),
    ),
    "foods": (
        1.2,
        (
            "there is {food} and {food2} on the table for dinner",
            "{he} would like some {food} with {food2}",
            "we had {food} and {food2} for dinner",
            "a plate of {food} costs {number} coins",
            "the smell of {food} filled the kitchen",
            "please pass the {food} and a plate of {food2}",
        ),
    ),
    "body": (
        1.1,
        (
            "{he} hurt {his} {limb} and {his} {limb2}",
            "{his} left {limb} is swollen",
            "the nurse put a bandage on {his} {limb}",
            "raise your right {limb} and bend your {limb2}",
            "an ache in the {limb} can reach the {limb2}",
            "the statue lost its {limb} and its {limb2}",
        ),
    ),
    "weather": (
        1.1,
        (
            "there was {weather} in the mountains <when>",
            "the forecast for {day} says {weather} and {weather2}",
            "because of the {weather} we stayed at home",
            "after the {weather} came {weather2} from the mountains",
            "{month} brings {weather} and {weather2}",
            "no {weather} fell, and no {weather2} was seen",
        ),
    ),
    "vehicles": (
        1.1,
        (
            "the {vehicle} to the city leaves <when>",
            "we missed the {vehicle} and took a {vehicle2}",
            "the {vehicle} broke down on the road",
            "the driver of the {vehicle} waited for passengers",
            "a {vehicle} is parked beside the {vehicle2}",
            "passengers reach the city by {vehicle} or by {vehicle2}",
        ),
    ),
    "instruments": (
        1.0,
        (
            "the {instrument} and the {instrument2} are out of tune",
            "a concert for {instrument} and {instrument2} was heard",
            "{he} takes {instrument} lessons <when>",
            "the orchestra needs a {instrument}",
            "the sound of a {instrument} filled the concert hall",
            "somebody tuned the {instrument} before the concert",
        ),
    ),
}

# What one does, by verb.
ACTIONS: dict[str, tuple[str, ...]] = {
    "eats": ("{food}", "some {food}"),
    "drives": ("a {vehicle}", "the {vehicle}"),
    "wears": ("a {colour} {garment}", "a {garment}"),
    "plays": ("the {instrument}",),
    "sings": ("a song", "a merry song"),
    "writes": ("a letter", "a long letter"),
    "paints": ("the fence {colour}", "the fence"),
    "feeds": ("the {animal}", "the {young}"),
    "climbs": ("the hill", "a steep hill"),
    "swims": ("across the bay", "in the bay"),
    "draws": ("a map", "a map of the city"),
    "throws": ("a ball", "the ball over the wall"),
    "digs": ("a hole", "a deep hole"),
    "bakes": ("a pie", "an apple pie"),
    "washes": ("{his} {limb}", "the {garment}"),
    "speaks": ("{nationality}", "good {nationality}"),
}

# What has a quality, by quality: itself, and another to compare it with.
BEARERS: dict[str, tuple[str, str]] = {
    "strong": ("the {animal}", "the {animal2}"),
    "sweet": ("the {food}", "the {food2}"),
    "fast": ("the {vehicle}", "the {vehicle2}"),
    "cold": ("{month}", "{month2}"),
    "warm": ("the {garment}", "the {garment2}"),
    "loud": ("the {instrument}", "the {instrument2}"),
    "rich": ("the {royal}", "the {royal2}"),
    "small": ("the {young}", "the {young2}"),
    "sharp": ("the {tool}", "the {tool2}"),
    "gentle": ("my {relative}", "my {relative2}"),
    "wise": ("the {trade}", "the {trade2}"),
    "large": ("{country}", "{country2}"),
    "busy": ("{capital}", "{capital2}"),
    "brave": ("the {person}", "the {person2}"),
}
