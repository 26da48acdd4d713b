"""What can be said of an edited meme without a judge: panels, captions, the rest of the picture."""

from deadpan.benchmarks.merbench.checks.checked import Checks, checked

__all__ = ["Checks", "checked"]
