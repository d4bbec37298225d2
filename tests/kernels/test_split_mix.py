import numpy as np

from fewest.kernels.split_mix import STEP, fractions, mixed, next_fraction, states

# The first numbers of the authors' generator from this state.
STATE = 1234567
PUBLISHED = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]


def test_mixed_gives_the_published_numbers():
    counters = np.uint64(STATE) + np.arange(1, 5, dtype=np.uint64) * STEP
    assert mixed(counters).tolist() == PUBLISHED
    assert [int(mixed.compiled(counter)) for counter in counters] == PUBLISHED


def test_compiled_code_goes_through_the_same_fractions():
    state, one_by_one = np.uint64(STATE), []
    for _ in range(50):
        state, fraction = next_fraction.compiled(state)
        state = np.uint64(state)
        one_by_one.append(fraction)
    assert one_by_one == fractions(np.uint64(STATE) + np.arange(50, dtype=np.uint64) * STEP).tolist()
    assert all(0 <= fraction < 1 for fraction in one_by_one)


def test_states_need_none_before_them():
    whole = states(7, np.arange(100))
    assert states(7, np.arange(40, 60)).tolist() == whole[40:60].tolist()
    assert len({*whole.tolist(), *states(8, np.arange(100)).tolist()}) == 200
