"""Characters, things and lettering in the house style, for comics, memes and films."""
