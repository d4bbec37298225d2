"""Learning with few mistakes: Winnow, halving, the optimal algorithm, mistake trees, queries (Littlestone, 1988)."""
