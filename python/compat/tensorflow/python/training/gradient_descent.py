"""One optimizer."""

from rill.train import GradientDescentOptimizer  # noqa: F401
