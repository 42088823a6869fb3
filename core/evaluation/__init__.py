"""How well notes are found: labelled data sets, what is measured on them, comparisons, the gate and the report."""
