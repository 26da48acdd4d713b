"""People's ratings of answers: files read, agreement, means, and correlation with IRC."""
