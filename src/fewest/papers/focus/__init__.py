"""Almuallim and Dietterich (1994), *Learning Boolean Concepts in the Presence of Many Irrelevant Features*."""

PAPER = "Almuallim and Dietterich (1994)"
LEARNERS = {
    "focus": "FOCUS+ID3",
    "wg": "WG+ID3",
    "fringe": "FRINGE",
    "sg": "SG+ID3",
    "mig": "MIG+ID3",
    "id3": "ID3",
}
