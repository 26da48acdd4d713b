"""Tests of deadpan.fetch, all of them against servers on the loopback interface."""
