"""A text file that is read in parts holds the rows that it holds as a whole."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewest import read_table, scan
from fewest.blocks import pieces
from fewest.blocks.pieces import spans_of
from fewest.exceptions import RaggedRowError
from fewest.table import discrete_codes, split_target
from fewest.table.formats import Source

FIELD = st.sampled_from(["0", "1", "2.5", "x", "", "größe", '"a,b"', '"one\ntwo"', "it's", 'b"c'])
LINE_END = st.sampled_from(["\n", "\r\n", "\n\n"])


@st.composite
def texts(draw):
    rows = draw(st.lists(st.tuples(FIELD, FIELD, st.sampled_from("pq")), min_size=1, max_size=15))
    ends = draw(st.lists(LINE_END, min_size=len(rows) + 1, max_size=len(rows) + 1))
    lines = [("a", "b", "y"), *rows]
    text = "".join(f"{','.join(line)}{end}" for line, end in zip(lines, ends, strict=True))
    return draw(st.sampled_from(["", "\ufeff", "\n\n"])) + (text if draw(st.booleans()) else text.rstrip())


@given(text=texts(), n_bytes=st.integers(1, 40), chunk=st.integers(1, 30), n_jobs=st.sampled_from([1, 2]))
def test_any_cut_gives_the_same_rows(text, n_bytes, chunk, n_jobs, tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "data.csv"
    path.write_bytes(text.encode())
    features, target = split_target(read_table(path), "y")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "SPAN_BYTES", n_bytes)
        patch.setattr(pieces, "_CHUNK", chunk)
        spans = spans_of(Source(path, str(path)), "utf-8")
        store = scan(path, target="y", n_jobs=n_jobs).store
    assert (spans is None) == ('"' in text or path.stat().st_size < 2 * n_bytes)
    if spans is not None:
        assert b"".join(path.read_bytes()[start:stop] for start, stop in spans) == path.read_bytes()
    codes, classes = store.rows(np.arange(store.n_rows))
    assert codes.tolist() == discrete_codes(features).tolist()
    assert (classes.tolist(), store.labels) == (target.values.tolist(), target.labels)


def test_long_files_are_cut_and_faults_keep_their_lines(tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "SPAN_BYTES", 1_000)
    path = tmp_path / "long.csv"
    lines = [f"{k % 7},{k % 3},{'p' if k % 2 else 'q'}" for k in range(2_000)]
    path.write_text("\n".join(["a,b,y", *lines]))
    assert len(spans_of(Source(path, str(path)), "utf-8")) > 5
    assert spans_of(Source(path, str(path)), "utf-16") is None
    assert scan(path, target="y").store.n_rows == 2_000
    lines[1_500] = "1,2"
    path.write_text("\n".join(["a,b,y", *lines]))
    with pytest.raises(RaggedRowError, match=r"line 1,?502"):
        _ = scan(path, target="y").store


@pytest.mark.parametrize("values", [["-0.0", "0.0", "1.5"], ["0", "-0", "2"], ["1.5", "-0e5", "-0.0"]])
def test_minus_zero_is_zero_in_memory_and_in_blocks(tmp_path, values):
    (tmp_path / "t.csv").write_text("a,y\n" + "".join(f"{value},p\n{value},q\n" for value in values))
    in_memory = read_table(tmp_path / "t.csv")["a"].values
    store = scan(tmp_path / "t.csv", target="y", batch_bytes=8).numeric_store
    in_blocks = store.values(np.arange(store.n_rows))[0].ravel()
    assert in_memory.tobytes() == in_blocks.tobytes()
    assert not np.signbit(in_memory).any()
