"""What tests of studies stand on."""

from tests.studies.postgres import postgres_cluster, postgres_url

__all__ = ["postgres_cluster", "postgres_url"]
