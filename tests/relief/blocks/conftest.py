import pytest


@pytest.fixture(autouse=True)
def _compiled(monkeypatch):
    """Let compiled code do the work: what NumPy would do sooner is read into memory, and never seen in blocks."""
    monkeypatch.setenv("FEWEST_COMPILE", "always")
