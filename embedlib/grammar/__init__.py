"""A small grammar whose words have known kinds, and the sentences it makes."""

from embedlib.grammar.generate import grammar_text
from embedlib.grammar.kinds import GROUPS, KINDS, RELATIONS, answer_of, kinds_of, pairs

__all__ = ["GROUPS", "KINDS", "RELATIONS", "answer_of", "grammar_text", "kinds_of", "pairs"]
