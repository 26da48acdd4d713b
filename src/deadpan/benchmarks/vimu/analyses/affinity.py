"""Which options a model prefers or avoids."""

from __future__ import annotations

from collections.abc import Sequence

from deadpan.benchmarks.vimu.analyses.co_selection import relation_distortion
from deadpan.benchmarks.vimu.analyses.selections import Selection


def affinity_bias(selections: Sequence[Selection], options: Sequence[str]) -> dict[str, float]:
    """Predicted minus gold prevalence of each option (ViMU, scores 9 and 12); no items raises."""
    # The diagonal of a co-occurrence matrix is prevalence.
    bias = relation_distortion(selections, options).diagonal()
    return dict(zip(options, bias.tolist(), strict=True))
