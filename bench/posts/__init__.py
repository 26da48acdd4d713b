"""Drawn posts whose truth is known: jokes on shared templates, copies of them, and what spoils."""

from .making import PlantedPost, make_posts, planned_posts, rendered

__all__ = ["PlantedPost", "make_posts", "planned_posts", "rendered"]
