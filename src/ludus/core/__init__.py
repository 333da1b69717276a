"""What knows no game: positions and moves, errors, seeded randomness, records, the registry, the conformance kit."""
