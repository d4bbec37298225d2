"""The figures, tables and theorems of the documents, each an experiment that says whether its claim holds."""
