"""Models that draft answers, or are asked for theirs."""
