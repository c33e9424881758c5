"""Optimizers and what belongs to them, under the names that programs import them by."""
