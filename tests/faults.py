"""SIGKILL at random moments: whatever the program keeps goes on, and ends as that of a run that nobody killed.

``python tests/faults.py 200`` kills so many runs; `tests/test_faults.py` a few. A moment is a number of calls, not a
time, so that a seed means the same on every machine.
"""

import json
import math
import random
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from fewest.models.files import load_file
from warm import run_warm

SECONDS = 600  # something hangs


class Job(NamedTuple):
    """A command, the files that it keeps or writes, and how often of ten it is killed."""

    arguments: tuple[str, ...]
    files: tuple[str, ...]
    share: int
    is_whole: bool = True  # whether its files are never there in part


JOBS = {
    "stream": Job(
        ("stream", "s.csv", "-t", "y", "--theta", "20", "--every", "37", "--checkpoint", "c", "-o", "out.csv"),
        ("c", "out.csv"),
        3,
        is_whole=False,
    ),
    "wrap": Job(("wrap", "t.csv", "-t", "y", "--checkpoint", "j", "--format", "json", "--time-limit", "none"), (), 3),
    "train": Job(("train", "t.csv", "-t", "y", "-o", "m", "--time-limit", "none"), ("m",), 2),
    "reproduce": Job(
        ("reproduce", "cfp-lemma-2", "-j", "1", "-o", "r"),
        ("r/cfp-lemma-2-small/results.json", "r/cfp-lemma-2-small/results.csv"),
        1,
    ),
    "report": Job(("report", "t.csv", "-t", "y", "-o", "p.html", "--time-limit", "none"), ("p.html",), 1),
}


def write_data(folder):
    """Write what the commands read."""
    rng = random.Random(3)
    rows = [[int(rng.random() < 0.3) for _ in range(8)] for _ in range(600)]
    lines = [[*row, int(row[1] or row[5]) ^ (rng.random() < 0.1)] for row in rows]  # noise keeps the weights moving
    text = "\n".join([",".join([*(f"f{j}" for j in range(8)), "y"]), *(",".join(map(str, line)) for line in lines)])
    (folder / "s.csv").write_text(text + "\n")
    (folder / "t.csv").write_text("\n".join(text.splitlines()[:41]) + "\n")


def answer(folder, job, out):
    """Return what a run has to say, without the time that it took."""
    found = {}
    for name in job.files:
        path = folder / name
        if name == "c":
            document, arrays = load_file(path)
            found[name] = document, {key: array.tolist() for key, array in arrays.items()}
        elif name.endswith(".html"):
            found[name] = path.exists()  # the seconds that it took are all over it
        else:
            found[name] = path.read_bytes()
    if "json" in job.arguments:
        found["out"] = without_seconds(json.loads(out))
    return found


def without_seconds(value):
    """Return plain data without anything that is called seconds."""
    if isinstance(value, dict):
        return {key: without_seconds(inner) for key, inner in value.items() if "seconds" not in key}
    return [without_seconds(inner) for inner in value] if isinstance(value, list) else value


def run(folder, job, n_calls=None):
    """Run a job, killed after so many calls; return its exit code and what it wrote."""
    code, out, err = run_warm(list(job.arguments), str(folder), SECONDS, n_calls)
    assert code != 70, err
    assert "Traceback" not in err, err
    return code, out


def kill_again_and_again(name, n_kills, seed):
    """Kill a job so often, let it end, and compare; return how many kills there were."""
    job, moments, most, killed = JOBS[name], random.Random(f"{name} {seed}"), 300_000, 0
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        whole, broken = Path(one), Path(other)
        for folder in (whole, broken):
            write_data(folder)
        code, out = run(whole, job)
        expected = answer(whole, job, out)
        while killed < n_kills:
            n_calls = int(math.exp(moments.uniform(math.log(1000), math.log(most))))
            if run(broken, job, n_calls)[0] == -signal.SIGKILL:
                killed += 1
            elif n_calls > 2000:
                most = n_calls  # it had ended by then
            if job.is_whole:
                for file in job.files:
                    if (broken / file).exists() and not file.endswith(".html"):
                        assert (broken / file).read_bytes() == (whole / file).read_bytes(), f"{file} is there in part"
            if n_calls <= 2000 and killed == 0:
                break
        ended, out = run(broken, job)
        assert ended == code
        assert answer(broken, job, out) == expected, f"{name} ended otherwise after {killed} kills"
        left = [path.name for path in broken.iterdir() if path.name.startswith(".")]
        assert not left, f"{name} left {left}"
    return killed


def main(n_kills, seed=0):
    """Kill runs of all jobs, so many in all, and print what was found."""
    killed, faults = Counter(), []
    for name, job in JOBS.items():
        left = n_kills * job.share // 10
        while left > 0:
            try:
                killed[name] += kill_again_and_again(name, min(10, left), f"{seed} {left}")
            except AssertionError as error:
                faults.append(f"{name}: {error}")
                print(faults[-1][:500], flush=True)
            left -= 10
        print(f"{name}: {killed[name]} kills", flush=True)
    print(f"{sum(killed.values())} kills, {len(faults)} faults, seed {seed}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
