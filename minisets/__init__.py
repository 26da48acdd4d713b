"""The mini-sets: the code that draws and writes them. The package ships what it made."""
