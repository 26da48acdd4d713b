"""Data brought to this machine: media fetched, resources got, contributions made anonymous."""
