"""Whether printed numbers can be true together: rules over intervals, and slips that explain."""
