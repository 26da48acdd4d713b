"""Why models fail: wrong answers sampled, labelled by people and a model, audited and counted."""
