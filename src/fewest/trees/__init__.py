"""ID3 and FRINGE: decision trees over nominal columns (Almuallim and Dietterich, 1994, section 7)."""
