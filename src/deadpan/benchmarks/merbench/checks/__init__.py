"""What can be said of an edited meme without a judge: panels, captions, the rest of the picture."""

from deadpan.benchmarks.merbench.checks.agreement import Agreement, agreement, agreement_figures
from deadpan.benchmarks.merbench.checks.checked import Checks, checked
from deadpan.benchmarks.merbench.checks.figures import CheckedEdit, check_figures

__all__ = [
    "Agreement",
    "CheckedEdit",
    "Checks",
    "agreement",
    "agreement_figures",
    "check_figures",
    "checked",
]
