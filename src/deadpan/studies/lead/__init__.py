"""What a lead sees and decides."""
