"""FOCUS and its kin: the fewest features that separate the classes (Almuallim and Dietterich, 1994, sections 4 to 6).

Choosing features is covering conflicts: pairs of rows of different class, each covered by the features in which its
two rows differ.

- ``estimators`` are the scikit-learn selectors, ``options`` their parameters, ``select`` what runs a method on a table.
- ``focus1``, ``focus2`` (with its queue), ``greedy``, ``weighted_greedy`` and ``min_features`` are the algorithms;
  ``tolerant`` is the exact search that leaves some pairs uncovered, ``cross_validated_tolerance`` chooses how many.
- ``min_description`` is the search for the shortest description of the classes, ``codings`` cuts its numeric features,
  ``describe`` runs it on the ``distinct_rows`` of a table.
- ``examples`` states what the algorithms ask of their examples and answer; ``sample`` and ``coverage`` reply in memory,
  ``blocks`` where the rows are in blocks; ``margins`` says when two numeric values differ.
- ``sufficient`` tests a subset, ``explain`` explains one row, ``chance`` asks what random labels would need;
  ``certificate`` keeps a proof, ``verify`` checks it without any of the above.
- ``solver`` finds minimum covers and knows nothing of rows; ``kernels`` are the loops.
- ``bounds`` is section 4, ``plots`` the drawings.
"""

from fewest.lazy import lazy_names

__all__, __getattr__, __dir__ = lazy_names(__name__, __file__)
