"""The nouns: question, reply, outcome, metric, score, signature, task, benchmark, judge."""
