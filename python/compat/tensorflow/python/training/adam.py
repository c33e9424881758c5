"""One optimizer."""

from rill.train import AdamOptimizer  # noqa: F401
