"""One optimizer."""

from rill.train import MomentumOptimizer  # noqa: F401
