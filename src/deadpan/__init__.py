"""Deadpan: whether a multimodal model gets it."""

from importlib.metadata import version

__version__ = version("deadpan")
