"""The index of one folder: what is stored, who writes it, who reads it."""
