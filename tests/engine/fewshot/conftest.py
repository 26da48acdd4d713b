"""The toy benchmark of the tests of learning, with its pictures drawn."""

from tests.learning.fewshot.conftest import moods, one_thread

__all__ = ["moods", "one_thread"]
