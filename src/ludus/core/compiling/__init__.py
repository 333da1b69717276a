"""The kernel language: what it is, how its names are bound, folded, lowered to machine code, cached and called."""
