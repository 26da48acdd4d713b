"""What a study of people is: what it shows, what it asks, who answers, and what becomes of it."""
