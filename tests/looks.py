"""A time limit without a clock: it is over after a number of looks at it."""

from fewest.budget import Budget, OutOfBudgetError


class Looks(Budget):
    """A budget that ends after a number of looks."""

    def __init__(self, n_looks):
        super().__init__()
        self.left = n_looks

    def check(self, status):
        assert status()
        self.left -= 1
        if self.left < 0:
            self.cut()
            raise OutOfBudgetError
