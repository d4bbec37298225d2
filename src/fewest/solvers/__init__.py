"""Minimum covers: conflicts in, a proven subset out. Nothing here knows of rows, classes or files."""

from fewest.solvers.budget import Budget
from fewest.solvers.highs import solve_cover_with_highs
from fewest.solvers.minimum import MinimumCover, solve_cover
from fewest.solvers.problem import Cover, CoverProblem

__all__ = ["Budget", "Cover", "CoverProblem", "MinimumCover", "solve_cover", "solve_cover_with_highs"]
