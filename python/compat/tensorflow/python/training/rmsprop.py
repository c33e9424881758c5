"""One optimizer."""

from rill.train import RMSPropOptimizer  # noqa: F401
