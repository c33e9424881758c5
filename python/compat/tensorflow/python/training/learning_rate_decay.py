"""Learning rates that follow the number of steps."""

from rill.train import (cosine_decay, cosine_decay_restarts, exponential_decay,  # noqa: F401
                        inverse_time_decay, linear_cosine_decay, natural_exp_decay,
                        noisy_linear_cosine_decay, piecewise_constant, polynomial_decay)
