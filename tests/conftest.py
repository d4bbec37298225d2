from hypothesis import settings

# Examples are derived from each test's code alone, so that a run says the same on every machine.
settings.register_profile("fewest", derandomize=True, deadline=None, max_examples=200, print_blob=True)
settings.load_profile("fewest")
