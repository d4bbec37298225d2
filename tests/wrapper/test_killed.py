"""A search that is killed goes on from its checkpoint and ends with the same answer."""

import json
import signal
import subprocess
import sys

from fewest.wrapper.search.checkpoint import MAGIC

PROGRAM = """
import json, sys, time
from sklearn.naive_bayes import GaussianNB
from fewest import OrderedFS
from fewest.datasets import make_linear_threshold

class Stopping(GaussianNB):
    n_fits = 0

    def fit(self, X, y, sample_weight=None):
        Stopping.n_fits += 1
        if Stopping.n_fits > {most_fits}:
            print("waiting", flush=True)
            time.sleep(3600)
        return super().fit(X, y, sample_weight)

X, y, _ = make_linear_threshold(60, irrelevant=6, random_state=0)
selector = OrderedFS(Stopping(), beam_width=3, checkpoint={checkpoint!r}, random_state=0).fit(X, y)
print(json.dumps([selector.history_, selector.n_subsets_evaluated_]))
"""


def started(checkpoint, most_fits=10**9):
    program = PROGRAM.format(checkpoint=checkpoint, most_fits=most_fits)
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)


def test_killed_in_the_middle(tmp_path):
    expected = started(str(tmp_path / "whole")).communicate(timeout=300)[0]
    path = tmp_path / "killed"
    running = started(str(path), most_fits=40)
    assert running.stdout.readline() == "waiting\n"  # what was fitted before is in the checkpoint, the rest is not
    running.send_signal(signal.SIGKILL)
    running.communicate()
    assert len(MAGIC) + 600 < path.stat().st_size < (tmp_path / "whole").stat().st_size
    with path.open("ab") as file:
        file.write(b"\x10\x00\x00")  # as if it had died while writing
    found = started(str(path)).communicate(timeout=300)[0]
    assert json.loads(found) == json.loads(expected)
    assert path.stat().st_size == (tmp_path / "whole").stat().st_size
