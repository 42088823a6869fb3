"""One reader a format: bytes or text in, a `Note` out. `core.notes.reading` chooses."""
