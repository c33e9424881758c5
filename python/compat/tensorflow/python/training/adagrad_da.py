"""One optimizer."""

from rill.train import AdagradDAOptimizer  # noqa: F401
