"""One optimizer."""

from rill.train import AdagradOptimizer  # noqa: F401
