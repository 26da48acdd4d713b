"""What models learn from: worked examples in the prompt, and adapters."""
