"""A small grammar whose words have known kinds, and the sentences it makes."""

from embedlib.grammar.generate import grammar_text
from embedlib.grammar.kinds import GROUPS, KINDS, RELATIONS, analogy_answer, pairs, word_kinds
