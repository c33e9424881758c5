"""tf.contrib.distributions: tf.distributions, and distributions that TensorFlow kept outside of it."""

from rill import _distributions
from rill._distributions import _LocationScale, _native_kl, _tensor
from rill.distributions import (  # noqa: F401
    FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, Bernoulli, Beta, Categorical, Dirichlet, DirichletMultinomial,
    Distribution, Exponential, Gamma, Laplace, Multinomial, Normal, RegisterKL, ReparameterizationType, StudentT,
    Uniform, kl_divergence)


class Geometric(Distribution):
    """How many failures come before the first success."""

    _shaped = ("logits",)

    def __init__(self, logits=None, probs=None, validate_args=False, allow_nan_stats=True, name="Geometric"):
        self._start("Geometric", locals())

    logits = _tensor("logits", "The logarithm of the odds of success.")
    probs = _tensor("probs", "The probability of success.")


class Logistic(_LocationScale):
    """The distribution whose probability below a number is a sigmoid of it."""

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Logistic"):
        self._start("Logistic", locals())


class MultivariateNormalDiag(Distribution):
    """Vectors of independent normal numbers."""

    def __init__(self, loc=None, scale_diag=None, scale_identity_multiplier=None, validate_args=False,
                 allow_nan_stats=True, name="MultivariateNormalDiag"):
        self._start("MultivariateNormalDiag", locals())

    loc = _tensor("loc", "The middle.")

    @property
    def scale(self):
        """The widths, as a linear operator."""
        from rill.linalg import LinearOperatorDiag
        return LinearOperatorDiag(self._core.parameter("scale_diag"), is_non_singular=True)


class Poisson(Distribution):
    """How many events happen in a unit of time."""

    _shaped = ("rate",)

    def __init__(self, rate=None, log_rate=None, interpolate_nondiscrete=True, validate_args=False,
                 allow_nan_stats=True, name="Poisson"):
        self._start("Poisson", locals())

    rate = _tensor("rate", "How many are expected.")
    log_rate = _tensor("log_rate", "The logarithm of that.")

    @property
    def interpolate_nondiscrete(self):
        """Whether numbers between whole ones have probabilities, too."""
        return self._parameters["interpolate_nondiscrete"]


class NormalWithSoftplusScale(Normal):
    """A normal distribution of the width softplus(scale)."""

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="NormalWithSoftplusScale"):
        self._start("NormalWithSoftplusScale", locals())


class LaplaceWithSoftplusScale(Laplace):
    """Laplace's distribution of the width softplus(scale)."""

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="LaplaceWithSoftplusScale"):
        self._start("LaplaceWithSoftplusScale", locals())


class GammaWithSoftplusConcentrationRate(Gamma):
    """A gamma distribution of softplus(concentration) and softplus(rate)."""

    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True,
                 name="GammaWithSoftplusConcentrationRate"):
        self._start("GammaWithSoftplusConcentrationRate", locals())


class ExponentialWithSoftplusRate(Exponential):
    """An exponential distribution of softplus(rate)."""

    def __init__(self, rate, validate_args=False, allow_nan_stats=True, name="ExponentialWithSoftplusRate"):
        self._start("ExponentialWithSoftplusRate", locals())


class BetaWithSoftplusConcentration(Beta):
    """A beta distribution of softplus of both concentrations."""

    def __init__(self, concentration1, concentration0, validate_args=False, allow_nan_stats=True,
                 name="BetaWithSoftplusConcentration"):
        self._start("BetaWithSoftplusConcentration", locals())


_distributions._DIVERGENCES[MultivariateNormalDiag, MultivariateNormalDiag] = _native_kl
