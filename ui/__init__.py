"""Widgets, item models, delegates and theme; knows core's result types and nothing below them."""
