import pytest

from fewest import reading
from fewest.exceptions import UnreadableFileError
from fewest.reading import parsed_json, read_whole


def test_a_file_is_read_whole(tmp_path):
    (tmp_path / "a").write_bytes(b"x" * 3_000_000)
    assert read_whole(tmp_path / "a") == b"x" * 3_000_000


def test_what_never_ends_is_refused(monkeypatch):
    monkeypatch.setattr(reading, "MOST_OF_STREAM", 1 << 16)
    with pytest.raises(UnreadableFileError, match="goes on after 65,536 bytes"):
        read_whole("/dev/zero")


def test_a_file_that_is_too_large_is_refused_before_it_is_read(tmp_path):
    with (tmp_path / "hole").open("wb") as file:
        file.truncate(5 << 30)  # takes no room on the disk

    class Unread:
        def __init__(self, file):
            self.fileno = file.fileno

        def read(self, n_bytes):
            raise AssertionError("nothing of it should be read")

    with (
        (tmp_path / "hole").open("rb") as file,
        pytest.raises(UnreadableFileError, match="goes on after 2,147"),
    ):
        reading.read_rest(Unread(file), tmp_path / "hole")


def test_a_file_that_grows_faster_than_it_is_read_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MOST_OF_STREAM", 1 << 16)
    path = tmp_path / "log"
    path.write_bytes(b"x" * 100)

    with path.open("rb") as file, path.open("ab") as growing:

        class Growing:
            fileno = file.fileno

            def read(self, n_bytes):
                growing.write(b"x" * 10_000)
                growing.flush()
                return file.read(min(n_bytes, 10_000))

        with pytest.raises(UnreadableFileError, match="goes on after"):
            reading.read_rest(Growing(), path)
        assert growing.tell() < 200_000


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "9" * 5_000, b"\xff", "", "[1,", "nul"])
def test_what_is_no_json_is_a_value_error(text):
    with pytest.raises(ValueError):  # noqa: PT011 (the words are Python's)
        parsed_json(text)
