"""How a sum of two float32 is written so that the digits shown add up: the twin of exact_sum.ts."""

from decimal import ROUND_HALF_UP, Decimal

import torch

MIN_DECIMALS, MAX_DECIMALS = 3, 7


def sum_text(token_value: float, position_value: float) -> str:
    """Write a sum of two float32 as the screen does, such that the digits shown add up.

    Both terms and their float32 sum are rounded to 3 decimals; where the rounded terms do not add up to the rounded sum
    (one time in four), to 4, and so on up to 7. Where even those do not, because the float32 sum itself was rounded,
    7 decimals and "≈" say so. exact_sum.ts is the same rule, and a test compares the two.

    Args:
        token_value: a float32.
        position_value: a float32.

    Returns:
        Such as "0.337 + 0.841 = 1.178"; minus signs are U+2212, a negative second term stands in brackets.
    """
    total = float(torch.tensor(token_value) + torch.tensor(position_value))
    exact = [Decimal(number) for number in (token_value, position_value, total)]
    for decimals in range(MIN_DECIMALS, MAX_DECIMALS + 1):
        first, second, result = (x.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP) for x in exact)
        if first + second == result:
            break
    sign = "=" if first + second == result else "≈"
    bracketed = f"({_number(second)})" if second < 0 else _number(second)
    return f"{_number(first)} + {bracketed} {sign} {_number(result)}"


def _number(rounded: Decimal) -> str:
    return f"{abs(rounded)}" if rounded >= 0 else f"−{abs(rounded)}"
