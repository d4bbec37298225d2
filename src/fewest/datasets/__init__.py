"""Data sets: real tables that come with the package, and generators whose relevant features are known.

Sources and licences are in ``LICENSE-DATA.md`` beside the files.
"""

from fewest.lazy import lazy_names

__all__, __getattr__, __dir__ = lazy_names(__name__, __file__)
