"""Training: nets that learn to value positions by playing against themselves."""
