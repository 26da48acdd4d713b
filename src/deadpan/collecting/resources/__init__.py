"""Resources brought to this machine: from wheels, the hub, or what already lies here."""
