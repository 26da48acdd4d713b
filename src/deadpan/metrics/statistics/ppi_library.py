"""A corrected mean once more, by `ppi-python` of the method's authors: the extra [calibrate]."""

from __future__ import annotations

import numpy as np

from deadpan.base.errors import DeadpanError
from deadpan.core.metric import Array
from deadpan.metrics.statistics.corrected_estimates import Estimate
from deadpan.metrics.statistics.quantiles import LEVEL, normal_quantile


def library_estimate(people: Array, judge: Array, others: Array) -> Estimate:
    """The mean by people, corrected: what people and the judge say of labelled answers, and the
    judge of the others. Without the library raises."""
    try:
        from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
    except ImportError as error:
        fix = 'pip install "deadpan[calibrate]"'
        raise DeadpanError(f"--check needs ppi-python: {fix}") from error
    given = (people, judge, others)
    value = float(np.ravel(ppi_mean_pointestimate(*given))[0])
    low, high = (float(np.ravel(one)[0]) for one in ppi_mean_ci(*given, alpha=1 - LEVEL))
    deviation = (high - low) / (2 * normal_quantile((1 + LEVEL) / 2))
    return Estimate(value, low, high, deviation, float("nan"))
