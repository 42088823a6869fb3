"""Fusion formulas: pure functions with version strings, one file a family."""
