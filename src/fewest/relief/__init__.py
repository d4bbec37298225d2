"""Relief, ReliefF and RReliefF: which features separate neighbors of different class (Kira and Rendell, 1992)."""
