"""What every kernel promises, and what is written once over all of them: entries, playouts, batches."""
