import os
import signal
import subprocess
import sys
from platform import node

import pytest

from fewest.exceptions import BusyFileError
from fewest.writing import held_beside, hold, written_beside

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
        files = list(tmp_path.iterdir())
        starts = [f".a[1].model.{node()}.{sleeper.pid}." for sleeper in sleepers]
        halves = [next(file for file in files if file.name.startswith(start)) for start in starts]
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


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666])
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "secret"
    path.write_bytes(b"before")
    path.chmod(mode)
    with written_beside(path) as file:
        (half,) = [each for each in tmp_path.iterdir() if each != path]
        assert half.stat().st_mode & 0o777 == 0o600  # nobody reads a private file while it is made
        file.write(b"after")
    assert path.read_bytes() == b"after"
    assert path.stat().st_mode & 0o777 == mode


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_a_new_file_has_the_mode_that_the_user_s_mask_leaves_and_a_read_only_one_is_not_replaced(tmp_path):
    before = os.umask(0o027)
    try:
        with written_beside(tmp_path / "new") as file:
            file.write(b"x")
    finally:
        os.umask(before)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640
    (tmp_path / "new").chmod(0o444)
    with pytest.raises(PermissionError, match="read-only"), written_beside(tmp_path / "new"):
        pass
    assert (tmp_path / "new").read_bytes() == b"x"


def test_the_name_beside_is_never_the_same_and_a_link_there_is_not_followed(tmp_path, monkeypatch):
    names = []
    for _ in range(2):
        with written_beside(tmp_path / "a") as file:
            names.append(file.name if isinstance(file.name, str) else os.listdir(tmp_path))
    monkeypatch.setattr("secrets.token_hex", lambda _: "known")
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    (tmp_path / f".b.{node()}.{os.getpid()}.known.part").symlink_to(victim)
    with pytest.raises(FileExistsError), written_beside(tmp_path / "b") as file:
        file.write(b"x")
    assert victim.read_bytes() == b"precious"
    assert names[0] != names[1]


HOLDING = """
import sys, time
from fewest.writing import held_beside
with held_beside(sys.argv[1]):
    print("held", flush=True)
    time.sleep(3600)  # it is killed
"""


@pytest.mark.skipif(os.name != "posix", reason="there are no such locks elsewhere")
def test_a_second_run_is_refused_while_the_first_lives_and_a_killed_one_leaves_nothing(tmp_path):
    path = tmp_path / "run.ckpt"
    first = subprocess.Popen([sys.executable, "-c", HOLDING, str(path)], stdout=subprocess.PIPE, text=True)
    try:
        assert first.stdout.readline() == "held\n"
        with pytest.raises(BusyFileError, match=r"Another run is at work on .*run\.ckpt"), held_beside(path):
            pass
    finally:
        first.kill()
        first.wait()
        first.stdout.close()
    with held_beside(path):
        pass
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="there are no such locks elsewhere")
def test_an_open_file_is_held_until_it_is_closed(tmp_path):
    path = tmp_path / "journal"
    path.write_bytes(b"")
    with path.open("r+b") as first, path.open("r+b") as second:
        hold(first, path)
        with pytest.raises(BusyFileError, match="name another file"):
            hold(second, path)
        first.close()
        hold(second, path)
