"""Everything that decides a result: plain Python, no Qt, no printing, no settings."""
