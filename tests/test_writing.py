import os
import signal
import subprocess
import sys
from platform import node

import pytest

from fewest.writing import written_beside

SLEEPY = """
import sys, time
from fewest.writing import written_beside
with written_beside(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    print("half", flush=True)
    time.sleep(3600)  # it is killed
"""


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a process cannot be asked for without harm")
def test_the_half_of_a_killed_process_is_removed_by_the_next_and_that_of_a_running_one_is_not(tmp_path):
    path = tmp_path / "a[1].model"
    path.write_bytes(b"before")
    sleepers = [
        subprocess.Popen([sys.executable, "-c", SLEEPY, str(path)], stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    try:
        for sleeper in sleepers:
            assert sleeper.stdout.readline() == "half\n"
        halves = [tmp_path / f".a[1].model.{node()}.{sleeper.pid}.part" for sleeper in sleepers]
        assert all(half.read_bytes() == b"half" for half in halves)
        sleepers[0].send_signal(signal.SIGKILL)
        sleepers[0].wait()
        assert path.read_bytes() == b"before"
        with written_beside(path) as file:
            file.write(b"after")
        assert path.read_bytes() == b"after"
        assert [half.exists() for half in halves] == [False, True]
    finally:
        for sleeper in sleepers:
            sleeper.kill()
            sleeper.wait()
            sleeper.stdout.close()


def test_a_folder_that_is_not_there_is_named(tmp_path):
    path = tmp_path / "nowhere" / "a.model"
    with pytest.raises(FileNotFoundError, match="There is no such folder") as found, written_beside(path):
        pass
    assert found.value.filename == str(path.parent)
