"""Reply text → answer: JSON objects, labelled parts, letters, yes and no; nothing is guessed."""
