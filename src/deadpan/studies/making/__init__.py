"""Studies made: from a benchmark's template, or from YAML, with their items and files."""
