"""Quantiles of the normal distribution and of Student's t, and what follows from them alone."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

LEVEL = 0.95
"""How often an interval should hold the truth."""
_NORMAL = NormalDist()


def normal_quantile(share: float) -> float:
    """The value below which that share of a standard normal variable lies."""
    return _NORMAL.inv_cdf(share)


def normal_share(value: float) -> float:
    """The share of a standard normal variable that lies below a value."""
    return _NORMAL.cdf(value)


def student_quantile(share: float, degrees: int) -> float:
    """The same of Student's t, by the expansion of Cornish and Fisher: to 0.2 % from five degrees
    of freedom on. Fewer than three raise."""
    if degrees < 3:
        raise ValueError(f"{degrees} degrees of freedom; expected three or more")
    z, v = normal_quantile(share), float(degrees)
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * v**4)
    )


def wilson(successes: float, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's interval of a share (Wilson 1927, equation 7); no trials raise."""
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n} trials")
    z = normal_quantile((1 + level) / 2)
    share = successes / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == n else min(1.0, middle + half)
    return low, high


def unseen_share(n: int, level: float = LEVEL) -> float:
    """How large a share of all items may be unlike every one of n that were seen, at most: the
    exact bound (Clopper and Pearson 1934) of none among n. No items raise."""
    if n < 1:
        raise ValueError("no items")
    return 1.0 - float(((1 - level) / 2) ** (1 / n))
