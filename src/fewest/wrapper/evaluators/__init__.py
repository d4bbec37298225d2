"""Evaluate subsets of features by a learner's errors: `generic` fits clones, `fast_paths` share work between fits."""
