# The public names of this package and where they live: type checkers read this file, and so does the package itself.
from fewest.cover.solver import CoverProblem as CoverProblem
from fewest.cover.solver import solve_cover as solve_cover
from fewest.cover.sufficient import conflicts as conflicts
from fewest.cover.sufficient import count_conflicts as count_conflicts
from fewest.cover.sufficient import sufficiency as sufficiency
