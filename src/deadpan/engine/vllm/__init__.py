"""`--engine vllm`: models of this machine run by vLLM in this process, by its offline API."""

OLDEST = "0.24"
"""The first release whose offline API takes questions while others are being answered."""
