"""A search that is killed goes on from its checkpoint and ends with the same answer."""

import json
import signal
import subprocess
import sys
import time

from fewest.search.subsets.journal import MAGIC

PROGRAM = """
import json, sys, time
from sklearn.naive_bayes import GaussianNB
from fewest import OrderedFS, linear_threshold

class Slow(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        time.sleep({pause})
        return super().fit(X, y, sample_weight)

X, y, _ = linear_threshold(60, irrelevant=6, random_state=0)
selector = OrderedFS(Slow(), beam=3, checkpoint={checkpoint!r}, random_state=0).fit(X, y)
print(json.dumps([selector.history_, selector.n_subsets_evaluated_]))
"""


def started(checkpoint, pause):
    program = PROGRAM.format(checkpoint=checkpoint, pause=pause)
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)


def test_killed_in_the_middle(tmp_path):
    expected = started(str(tmp_path / "whole"), 0.0).communicate(timeout=120)[0]
    path = tmp_path / "killed"
    running = started(str(path), 0.02)
    header = len(MAGIC)
    for _ in range(2400):  # until something has been written down, however slow the machine is
        if path.exists() and path.stat().st_size > header + 600:
            break
        assert running.poll() is None
        time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    running.wait()
    size = path.stat().st_size
    assert 0 < size < (tmp_path / "whole").stat().st_size
    with path.open("ab") as file:
        file.write(b"\x10\x00\x00")  # as if it had died while writing
    found = started(str(path), 0.0).communicate(timeout=120)[0]
    assert json.loads(found) == json.loads(expected)
    assert path.stat().st_size == (tmp_path / "whole").stat().st_size
