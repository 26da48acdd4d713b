"""Studies of people: a web app in which they annotate, rate, choose and agree."""
