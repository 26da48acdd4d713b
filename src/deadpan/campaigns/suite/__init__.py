"""A campaign in one file and one command, which ends in tables, plots and a report."""
