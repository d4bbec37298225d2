"""All experiments, by name, in the order of the documents; each is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Experiment


class _Catalogue(Mapping[str, Experiment]):
    """Names are known at once; what measures needs scikit-learn and a compiler, which take seconds to load."""

    def __getitem__(self, name: str) -> Experiment:
        module, _, attribute = CLAIMS[name].home.partition(":")
        experiment: Experiment = getattr(import_module(module), attribute)
        return experiment

    def __iter__(self) -> Iterator[str]:
        return iter(CLAIMS)

    def __len__(self) -> int:
        return len(CLAIMS)


EXPERIMENTS: Mapping[str, Experiment] = _Catalogue()
