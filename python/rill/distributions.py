"""tf.distributions: distributions of random tensors."""

from rill import _surface
from rill._distributions import (  # noqa: F401
    FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, Bernoulli, Beta, Categorical, Dirichlet, DirichletMultinomial,
    Distribution, Exponential, Gamma, Laplace, Multinomial, Normal, RegisterKL, ReparameterizationType, StudentT,
    Uniform, kl_divergence)

__getattr__, __dir__ = _surface.members_of(__name__)
