"""What can be said of an edited meme without a judge: panels, captions, the rest of the picture."""

from deadpan.benchmarks.merbench.checks.agreement import Agreement, agreement, agreement_scores
from deadpan.benchmarks.merbench.checks.checked import Checks, checked
from deadpan.benchmarks.merbench.checks.scores import CheckedEdit, check_scores

__all__ = [
    "Agreement",
    "CheckedEdit",
    "Checks",
    "agreement",
    "agreement_scores",
    "check_scores",
    "checked",
]
