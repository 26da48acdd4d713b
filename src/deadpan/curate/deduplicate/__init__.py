"""When two posts are one: hashes propose, picture and words decide."""
