"""From a file in the folder to a `Note` and its passages."""
