"""Pure functions from answers to what they tell about models, one file per question."""
