"""Icons, style, sample notes and the model's tokenizer files, found wherever the program is installed."""

from pathlib import Path

RESOURCES = Path(__file__).resolve().parent
MODEL_FILES = RESOURCES / "model"
SAMPLE_NOTES = RESOURCES / "sample-notes"
ICONS = RESOURCES / "icons"
