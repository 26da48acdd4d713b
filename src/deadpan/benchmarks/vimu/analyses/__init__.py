"""Pure functions from choices to what they tell about models, one file per question."""
