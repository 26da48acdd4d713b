"""Results in the forms of others: Every Eval Ever, Weights & Biases, model cards."""
