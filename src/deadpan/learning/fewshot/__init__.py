"""A policy learns which worked examples help: rewards, training, trials and comparisons."""
