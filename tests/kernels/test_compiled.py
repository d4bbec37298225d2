import subprocess
import sys
import textwrap


def test_kernels_work_where_nothing_can_be_cached(tmp_path):
    # What numba does on a read-only install with a read-only home; a test that runs as root cannot make either.
    program = textwrap.dedent("""
        from numba.core.dispatcher import Dispatcher

        def refuse(*args):
            raise RuntimeError("cannot cache function: no locator available")

        Dispatcher.enable_caching = refuse
        import numpy as np
        from fewest.kernels.subsets import scan_subsets
        print(scan_subsets(np.array([[0, 1]], dtype=np.int8), np.array([0, 1]), np.arange(1), 9))
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "(1, True, False)\n", done.stderr
