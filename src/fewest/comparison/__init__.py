"""Which method to trust on given data: selectors side by side, judged on rows that they have not seen."""
