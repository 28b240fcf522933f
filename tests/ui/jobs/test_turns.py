from ui.jobs import fair_order


def test_each_who_waits_gets_one_then_each_the_next() -> None:
    wishes = {"many": ["m1", "m2", "m3"], "one": ["o1"], "two": ["t1", "t2"]}
    assert fair_order(["many", "one", "two"], wishes) == [
        ("many", "m1"),
        ("one", "o1"),
        ("two", "t1"),
        ("many", "m2"),
        ("two", "t2"),
        ("many", "m3"),
    ]


def test_what_two_wait_for_comes_once_at_the_earlier_turn_and_costs_the_other_none() -> None:
    wishes = {"a": ["a1", "shared"], "b": ["shared", "b2"]}
    assert fair_order(["a", "b"], wishes) == [("a", "a1"), ("b", "shared"), ("b", "b2")]


def test_who_wishes_nothing_is_passed_over() -> None:
    assert fair_order(["a", "b"], {"b": ["b1"]}) == [("b", "b1")]
    assert fair_order([], {}) == []
