# The public names of this package and where they live: type checkers read this file, and so does the package itself.
from fewest.datasets.bundled import load_votes as load_votes
from fewest.datasets.generators import Domain as Domain
from fewest.datasets.generators import make_led as make_led
from fewest.datasets.generators import make_linear_threshold as make_linear_threshold
from fewest.datasets.generators import make_parity as make_parity
from fewest.datasets.known_truth import known_truths as known_truths
from fewest.datasets.known_truth import make_known_truth as make_known_truth
