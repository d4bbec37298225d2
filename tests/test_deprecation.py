import pytest

from fewest.deprecation import deprecated, warn_of_removal


@deprecated(removed_in="0.3", instead="new")
def old(x):
    """Return twice the number."""
    return 2 * x


def test_a_deprecated_function_warns_at_the_line_of_its_caller_and_still_works():
    with pytest.warns(
        FutureWarning, match=r"^old is deprecated and will be removed in fewest 0\.3\. Use new "
    ) as found:
        assert old(4) == 8
    assert found[0].filename == __file__
    assert old.__doc__ == "Return twice the number."


def test_a_parameter_warns_at_the_line_of_who_passes_it():
    def make(n=None):
        if n is not None:
            warn_of_removal("parameter 'n'", removed_in="0.3", instead="'n_samples'")

    with pytest.warns(FutureWarning, match="Use 'n_samples' instead") as found:
        make(n=3)
    assert found[0].filename == __file__
    assert found[0].lineno == make.__code__.co_firstlineno + 5
