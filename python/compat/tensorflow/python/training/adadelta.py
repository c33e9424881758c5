"""One optimizer."""

from rill.train import AdadeltaOptimizer  # noqa: F401
