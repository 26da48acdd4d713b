"""Models and their answers: the asker, the answer store, and the only importer of Inspect AI."""

MAX_RETRIES = 5
"""How often a failing call is tried again before its question counts as failed."""

ATTEMPT_SECONDS = 120
"""How long one attempt at a call may take."""

GIVE_UP_SECONDS = 120
"""How long nothing may succeed before a run stops."""
