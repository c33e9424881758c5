"""The base class of optimizers."""

from rill.train import Optimizer  # noqa: F401
