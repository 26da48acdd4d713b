"""Several models over several benchmarks: what each of them can be asked, and all of it asked."""
