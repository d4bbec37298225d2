"""Decision trees over codes: grown, applied and shown without scikit-learn, so that commands start fast."""
