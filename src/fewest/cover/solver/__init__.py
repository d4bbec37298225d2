"""Minimum covers: conflicts in, a proven subset out. Nothing here knows of rows, classes or files."""

from fewest.budget import Budget
from fewest.cover.solver.minimum import MinimumCover
from fewest.cover.solver.problem import Cover, CoverProblem
from fewest.cover.solver.solve import solve_cover, solve_cover_with_highs

__all__ = ["Budget", "Cover", "CoverProblem", "MinimumCover", "solve_cover", "solve_cover_with_highs"]
