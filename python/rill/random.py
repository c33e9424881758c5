"""tf.random: random tensors and the seeds that decide them."""

from rill import _surface
from rill._rill import (categorical, get_seed, multinomial, random_gamma as gamma,
                        random_normal as normal, random_poisson as poisson,
                        random_shuffle as shuffle, random_uniform as uniform, set_random_seed,
                        stateless_categorical, stateless_multinomial,
                        stateless_random_normal as stateless_normal,
                        stateless_random_uniform as stateless_uniform, stateless_truncated_normal,
                        truncated_normal)

__all__ = ["categorical", "gamma", "get_seed", "multinomial", "normal", "poisson",
           "set_random_seed", "shuffle", "stateless_categorical", "stateless_multinomial",
           "stateless_normal", "stateless_truncated_normal", "stateless_uniform",
           "truncated_normal", "uniform"]

__getattr__, __dir__ = _surface.members_of(__name__)
