"""tf.contrib.distributions: tf.distributions, and distributions that TensorFlow kept outside of it."""

from rill import _distributions, _rill
from rill._distributions import _LocationScale, _native_kl, _tensor
from rill.distributions import (  # noqa: F401
    FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, Bernoulli, Beta, Categorical, Dirichlet, DirichletMultinomial,
    Distribution, Exponential, Gamma, Laplace, Multinomial, Normal, RegisterKL, ReparameterizationType, StudentT,
    Uniform, kl_divergence)


class Binomial(Distribution):
    """How many of some trials succeed."""

    def __init__(self, total_count, logits=None, probs=None, validate_args=False, allow_nan_stats=True,
                 name="Binomial"):
        self._start("Binomial", locals())

    total_count = _tensor("total_count", "The number of trials.")
    logits = _tensor("logits", "The logarithm of the odds of success.")
    probs = _tensor("probs", "The probability of success.")


class Chi2(Gamma):
    """The sum of squares of standard normal numbers."""

    _shaped = ("df",)

    def __init__(self, df, validate_args=False, allow_nan_stats=True, name="Chi2"):
        self._start("Chi2", locals())

    df = _tensor("df", "How many numbers are added.")


class InverseGamma(Distribution):
    """1 / x of a Gamma-distributed x."""

    _shaped = ("concentration", "rate")

    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True, name="InverseGamma"):
        self._start("InverseGamma", locals())

    concentration = _tensor("concentration", "The shape parameter.")
    rate = _tensor("rate", "The inverse scale parameter.")


class TransformedDistribution(Distribution):
    """A distribution of values that a bijector makes of another's: Rill has no bijectors."""

    def __init__(self, distribution, bijector=None, batch_shape=None, event_shape=None, validate_args=False, name=None):
        raise NotImplementedError("tf.contrib.distributions.TransformedDistribution needs bijectors, which Rill does not "
                                  "have")


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


class MultivariateNormalTriL(Distribution):
    """Normal vectors whose covariance is the square of a triangular matrix."""

    def __init__(self, loc=None, scale_tril=None, validate_args=False, allow_nan_stats=True,
                 name="MultivariateNormalTriL"):
        self._start("MultivariateNormalTriL", locals())

    loc = _tensor("loc", "The middle.")

    @property
    def scale(self):
        """The triangular matrix, as a linear operator."""
        from rill.linalg import LinearOperatorLowerTriangular
        return LinearOperatorLowerTriangular(self._core.parameter("scale_tril"), is_non_singular=True)


class OneHotCategorical(Distribution):
    """Classes, as vectors with a 1 in their place."""

    def __init__(self, logits=None, probs=None, dtype=_rill.int32, validate_args=False, allow_nan_stats=True,
                 name="OneHotCategorical"):
        self._start("OneHotCategorical", locals())

    logits = _tensor("logits", "The logarithms of the odds of classes.")
    probs = _tensor("probs", "The probabilities of classes.")

    @property
    def event_size(self):
        """How many classes there are."""
        return self.event_shape_tensor()[0]


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
