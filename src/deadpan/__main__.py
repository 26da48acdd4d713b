"""`python -m deadpan`: the same as `deadpan`."""

from deadpan.cli import main

if __name__ == "__main__":
    main()
