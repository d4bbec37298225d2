"""Beyond memory: what selecting from Parquet files costs, in units of reading and decoding them.

    python benchmarks/scale.py --rows 20000000 --folder /tmp

writes Boolean data with five relevant of a hundred features, reads and
decodes it once with pyarrow on the same number of threads (the floor), and
then selects from it in a process of its own for each method, so that the
largest resident memory is that method's. Ratios to the floor are of seconds on
the clock and of seconds of the processors; the latter hold on a busy machine.
"""

from __future__ import annotations

import argparse
import json
import pickle
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

N_FEATURES, RELEVANT, ROWS_OF_A_GROUP = 100, (3, 21, 42, 77, 95), 1 << 20
METHODS = {
    "SimpleGreedy": "SimpleGreedy()",
    "MinFeatures": "MinFeatures()",
    "Relief, m = 1,000": "Relief(max_samples=1000, n_features_to_select=5, random_state=0)",
}


def write(path: Path, n_rows: int) -> None:
    """Write random Boolean features, and a class that five of them decide."""
    names = [f"f{j}" for j in range(N_FEATURES)]
    schema = pa.schema([*((name, pa.bool_()) for name in names), ("label", pa.bool_())])
    rng = np.random.default_rng(0)
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, n_rows, ROWS_OF_A_GROUP):
            n = min(ROWS_OF_A_GROUP, n_rows - start)
            columns = [_booleans(rng.bytes(-(-n // 8)), n) for _ in names]
            a, b, c, d, e = (columns[j].to_numpy(zero_copy_only=False) for j in RELEVANT)
            label = (a & b) | (c & d) | (e & ~a)
            writer.write_table(pa.table([*columns, pa.array(label)], schema=schema), row_group_size=ROWS_OF_A_GROUP)


def _booleans(packed: bytes, n: int) -> pa.Array:
    return pa.Array.from_buffers(pa.bool_(), n, [None, pa.py_buffer(packed)])


def floor(path: Path, n_threads: int) -> tuple[float, float]:
    """Return the seconds, on the clock and of the processors, that pyarrow takes to read and decode all row groups."""
    n_groups = pyarrow.parquet.read_metadata(path).num_row_groups

    def decode(group: int) -> int:
        with pyarrow.parquet.ParquetFile(path, pre_buffer=False) as file:
            return file.read_row_group(group, use_threads=False).num_rows

    started, busy = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(decode, range(n_groups)))
    return time.perf_counter() - started, time.process_time() - busy


def measured(path: Path, name: str, n_threads: int) -> dict:
    """Select in a process of its own."""
    command = [sys.executable, __file__, "--run", name, "--file", str(path), "--threads", str(n_threads)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def run(path: Path, name: str, n_threads: int) -> None:
    """Select, and print what was found and what it took."""
    import fewest
    from fewest import MinFeatures, Relief, SimpleGreedy  # noqa: F401 (what is imported is not measured)

    started, busy = time.perf_counter(), time.process_time()
    scanned = fewest.scan(path, target="label", n_jobs=n_threads)
    _ = scanned.numeric_store if name.startswith("Relief") else scanned.store  # reads, encodes and keeps the rows
    read = time.perf_counter() - started
    selector = eval(METHODS[name], vars(fewest) | {n: getattr(fewest, n) for n in fewest.__all__})
    found = sorted(selector.fit(scanned).get_support(indices=True).tolist())
    seconds, busy = time.perf_counter() - started, time.process_time() - busy
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(json.dumps({"features": found, "read": read, "seconds": seconds, "busy": busy, "gigabytes": resident}))


def count(folder: Path, sizes: list[int]) -> None:
    """Print how many passes each method makes, over how many blocks and bytes, and what the blocks send back."""
    import fewest
    from fewest.blocks.engine import Threads

    class Counting(Threads):
        """Counts what would be sent if every block were on a machine of its own."""

        n_passes = n_sent = 0

        def each(self, work, stacks, *arguments):
            self.n_passes += 1
            for result in super().each(work, stacks, *arguments):
                self.n_sent += len(pickle.dumps(result))
                yield result

    print(f"{'method':<20}{'rows':>12}{'blocks':>8}{'blocks MB':>11}{'passes':>8}{'sent MB':>9}{'CPU s':>8}")
    for n_rows in sizes:
        path = folder / "booleans.parquet"
        write(path, n_rows)
        for name, made in METHODS.items():
            scanned = fewest.scan(path, target="label")
            scanned.engine = Counting()
            blocks = (scanned.numeric_store if name.startswith("Relief") else scanned.store).stacks
            n_bytes = sum(block.n_bytes for stack in blocks for block in stack)
            scanned.engine.n_passes = scanned.engine.n_sent = 0
            busy = time.process_time()
            eval(made, {n: getattr(fewest, n) for n in fewest.__all__}).fit(scanned)
            busy = time.process_time() - busy
            counts = f"{scanned.engine.n_passes:>8}{scanned.engine.n_sent / 1e6:>9.2f}{busy:>8.2f}"
            print(f"{name:<20}{n_rows:>12,}{len(blocks):>8}{n_bytes / 1e6:>11.2f}{counts}", flush=True)


def compare(path: Path, n_threads: int) -> None:
    """Print what each method takes beside reading and decoding."""
    n_rows = pyarrow.parquet.read_metadata(path).num_rows
    heading = f"{'floor s':>9}{'read s':>9}{'total s':>9}{'ratio':>7}{'CPU':>7}{'GB':>7}"
    print(f"{'method':<20}{'rows':>12}{heading}  features")
    floors = [floor(path, n_threads)]  # once to bring the file into memory
    for name in METHODS:
        floors.append(floor(path, n_threads))  # right before, since other programs run here too
        found = measured(path, name, n_threads)
        least, busy = (min(seconds) for seconds in zip(*floors, strict=True))
        numbers = f"{least:>9.1f}{found['read']:>9.1f}{found['seconds']:>9.1f}"
        ratios = f"{found['seconds'] / least:>7.2f}{found['busy'] / busy:>7.2f}{found['gigabytes']:>7.2f}"
        print(f"{name:<20}{n_rows:>12,}{numbers}{ratios}  {found['features']}", flush=True)


def main() -> None:
    """Print a line a method."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--folder", type=Path, default=None, help="where to put the file, which is removed again")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--count", action="store_true", help="count passes and bytes at three sizes instead")
    parser.add_argument("--run", choices=METHODS, help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help="a file that was written before, instead of a new one")
    options = parser.parse_args()
    if options.run:
        run(options.file, options.run, options.threads)
        return
    n_rows = 50_000 if options.quick else options.rows
    if options.file:
        compare(options.file, options.threads)
        return
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        if options.count:
            count(Path(folder), [1_000, 10_000, 20_000] if options.quick else [50_000, 500_000, 2_000_000])
            return
        path = Path(folder, "booleans.parquet")
        write(path, n_rows)
        compare(path, options.threads)


if __name__ == "__main__":
    main()
