"""The one place that speaks to Inspect AI."""

MAX_RETRIES = 5
"""How often a failing call is tried again before its sample counts as failed."""

ATTEMPT_SECONDS = 120
"""How long one attempt at a call may take."""
