"""Kernels that learn."""
