"""How a curation is run: by shards, by Daft, into a folder where nothing is done twice."""
