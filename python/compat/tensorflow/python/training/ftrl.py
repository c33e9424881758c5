"""One optimizer."""

from rill.train import FtrlOptimizer  # noqa: F401
