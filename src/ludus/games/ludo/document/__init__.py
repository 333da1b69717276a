"""Rule-set documents: the options, reading them, and what can't hold together."""
