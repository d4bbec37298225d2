"""The figures, tables and theorems of the papers, each an experiment that can fail: ``fewest reproduce``.

One folder a paper, one file a figure, table or theorem. `claims` lists them; `experiment` is what they are made of,
`runner` measures them and keeps a `journal`, `verdict` judges, and `results` writes what came out.
"""
