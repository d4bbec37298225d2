"""Beyond the papers: what their authors left open, each claim written before it was run."""

PAPER = "Ours (2026)"
