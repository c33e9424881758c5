"""One optimizer."""

from rill.train import ProximalAdagradOptimizer  # noqa: F401
