# The public names of this package and where they live: type checkers read this file, and so does the package itself.
from fewest.bounds.catalogue import bound as bound
