"""Moving averages of variables and tensors."""

from rill import _rill
from rill.train import ExponentialMovingAverage  # noqa: F401

assign_moving_average = _rill.functions.__internal__.train.assign_moving_average
weighted_moving_average = _rill.functions.__internal__.train.weighted_moving_average
