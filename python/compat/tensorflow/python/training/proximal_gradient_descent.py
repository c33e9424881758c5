"""One optimizer."""

from rill.train import ProximalGradientDescentOptimizer  # noqa: F401
