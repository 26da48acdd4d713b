"""Tests of deadpan.collecting.fetch, all of them against servers on the loopback interface."""
