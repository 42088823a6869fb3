"""From a query to hits with their evidence."""
