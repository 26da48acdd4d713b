"""LoRA: a model on this machine learns a benchmark's worded answers from its training split."""
