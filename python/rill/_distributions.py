"""Probability distributions as classes that programs may inherit from; the work is done in C++."""

import inspect

from rill import _rill, _static
from rill.dtypes import int32


class ReparameterizationType:
    """Whether gradients flow through samples to the parameters."""

    def __init__(self, rep_type):
        self._rep_type = rep_type

    def __repr__(self):
        return f"<Reparameterization Type: {self._rep_type}>"

    def __eq__(self, other):
        return self is other

    __hash__ = object.__hash__


FULLY_REPARAMETERIZED = ReparameterizationType("FULLY_REPARAMETERIZED")
NOT_REPARAMETERIZED = ReparameterizationType("NOT_REPARAMETERIZED")

_DIVERGENCES = {}


def _registered_kl(type_a, type_b):
    """The function for the nearest two classes that `type_a` and `type_b` inherit from."""
    found = [(i + j, _DIVERGENCES[a, b])
             for i, a in enumerate(inspect.getmro(type_a)) for j, b in enumerate(inspect.getmro(type_b))
             if (a, b) in _DIVERGENCES]
    return min(found, key=lambda item: item[0])[1] if found else None


class RegisterKL:
    """A decorator of a function for the divergence of two classes of distributions."""

    def __init__(self, dist_cls_a, dist_cls_b):
        self._key = (dist_cls_a, dist_cls_b)

    def __call__(self, kl_fn):
        if not callable(kl_fn):
            raise TypeError(f"kl_fn must be callable, received: {kl_fn}")
        if self._key in _DIVERGENCES:
            a, b = self._key
            raise ValueError(f"KL({a.__name__} || {b.__name__}) has already been registered to: "
                             f"{_DIVERGENCES[self._key]}")
        _DIVERGENCES[self._key] = kl_fn
        return kl_fn


def kl_divergence(distribution_a, distribution_b, allow_nan_stats=True, name=None):
    """How far the second distribution is from the first, by Kullback and Leibler."""
    return _rill.kl_divergence(distribution_a._core, distribution_b._core, allow_nan_stats, name)


class Distribution:
    """Distributions of tensors, side by side in a batch; subclasses answer the questions `_log_prob` and the like."""

    _shaped = None  # parameters that have the shape of the batch

    def __init__(self, dtype, reparameterization_type, validate_args, allow_nan_stats, parameters=None,
                 graph_parents=None, name=None):
        parents = [] if graph_parents is None else list(graph_parents)
        for i, parent in enumerate(parents):
            if not isinstance(parent, _rill.Tensor):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {parent}.")
        self._parameters = {} if parameters is None else parameters
        self._graph_parents = parents
        self._reparameterization_type = reparameterization_type
        self._validate_args, self._allow_nan_stats = validate_args, allow_nan_stats
        self._core = _rill.DistributionCore(
            self, dtype, reparameterization_type is FULLY_REPARAMETERIZED, bool(validate_args),
            bool(allow_nan_stats), parents, name or type(self).__name__)

    def _start(self, kind, arguments):
        """Makes the distribution of C++ called `kind`; `arguments` are those of __init__."""
        self._parameters = {key: value for key, value in arguments.items()
                            if key != "self" and not key.startswith("__")}
        self._validate_args, self._allow_nan_stats = arguments["validate_args"], arguments["allow_nan_stats"]
        self._core = _rill.DistributionCore(self, kind, self._parameters)
        fully = self._core.is_fully_reparameterized
        self._reparameterization_type = FULLY_REPARAMETERIZED if fully else NOT_REPARAMETERIZED
        self._graph_parents = []

    @classmethod
    def param_shapes(cls, sample_shape, name="DistributionParamShapes"):
        """The shapes of the parameters, given that of a sample, as tensors by name."""
        if cls._param_shapes is not Distribution._param_shapes:
            from rill import name_scope
            with name_scope(name, values=[sample_shape]):
                return cls._param_shapes(sample_shape)
        if cls._shaped is None:
            raise NotImplementedError("_param_shapes not implemented")
        return dict.fromkeys(cls._shaped, _rill.distribution_param_shape(sample_shape, name))

    @classmethod
    def param_static_shapes(cls, sample_shape):
        """The same as `TensorShape`s; the shape of the sample must be known."""
        from rill import TensorShape
        if isinstance(sample_shape, TensorShape):
            if not sample_shape.is_fully_defined():
                raise ValueError("TensorShape sample_shape must be fully defined")
            sample_shape = sample_shape.as_list()
        shapes = {}
        for name, shape in cls.param_shapes(sample_shape).items():
            known = _static.constant_value(shape)
            if known is None:
                raise ValueError("sample_shape must be a fully-defined TensorShape or list/tuple")
            shapes[name] = TensorShape(known)
        return shapes

    @staticmethod
    def _param_shapes(sample_shape):
        raise NotImplementedError("_param_shapes not implemented")

    @property
    def name(self):
        """The name scope of its nodes."""
        return self._core.name

    @property
    def dtype(self):
        """The type of samples."""
        return self._core.dtype

    @property
    def parameters(self):
        """The arguments that it was made of."""
        return {key: value for key, value in self._parameters.items()
                if not key.startswith("__") and key != "self"}

    @property
    def reparameterization_type(self):
        """Whether gradients flow through samples."""
        return self._reparameterization_type

    @property
    def allow_nan_stats(self):
        """Whether what is undefined is NaN; else steps fail."""
        return self._allow_nan_stats

    @property
    def validate_args(self):
        """Whether parameters and values are checked in every step."""
        return self._validate_args

    @property
    def batch_shape(self):
        """The shape of the distributions held side by side."""
        return self._core.batch_shape()

    @property
    def event_shape(self):
        """The shape of one sample of one of them."""
        return self._core.event_shape()

    def copy(self, **override_parameters_kwargs):
        """Another one of the same class, with some arguments changed."""
        return type(self)(**{**self.parameters, **override_parameters_kwargs})

    def sample(self, sample_shape=(), seed=None, name="sample"):
        """Samples in this shape, of each distribution."""
        return self._core.sample(sample_shape, seed, name)

    def cross_entropy(self, other, name="cross_entropy"):
        """What coding samples of this distribution for `other` costs."""
        return self._core.cross_entropy(other._core, name)

    def kl_divergence(self, other, name="kl_divergence"):
        """How far `other` is from this distribution, by Kullback and Leibler."""
        return self._core.kl_divergence(other._core, name)

    def _cross_entropy(self, other):
        return self._core.own_cross_entropy(other._core)

    def _kl_divergence(self, other):
        return self._core.own_kl_divergence(other._core)

    def _batch_shape(self):
        return self._core.own_batch_shape()

    def _event_shape(self):
        return self._core.own_event_shape()

    def _sample_n(self, n, seed=None):
        return self._core.own_samples(n, seed)

    def _shapes_text(self, separator):
        shapes = [("batch_shape", self.batch_shape), ("event_shape", self.event_shape)]
        return "".join(f"{separator}{name}={shape}" for name, shape in shapes if shape.ndims is not None)

    def __str__(self):
        return (f'tfp.distributions.{type(self).__name__}("{self.name}"{self._shapes_text(", ")}, '
                f"dtype={self.dtype.name})")

    def __repr__(self):
        return (f"<tfp.distributions.{type(self).__name__} '{self.name}' batch_shape={self.batch_shape} "
                f"event_shape={self.event_shape} dtype={self.dtype.name}>")


def _about_a_value(question):
    def method(self, value, name=question):
        return self._core.answer(question, value, name)

    def own(self, value):
        return self._core.own_answer(question, value)
    return method, own


def _about_itself(question):
    def method(self, name=question):
        return self._core.answer(question, None, name)

    def own(self):
        return self._core.own_answer(question)
    return method, own


def _about_shapes(question):
    def method(self, name=question):
        return getattr(self._core, question)(name)

    def own(self):
        return self._core.own_answer(question)
    return method, own


_QUESTIONS = {
    "log_prob": (_about_a_value, "The logarithm of the density or probability at a value."),
    "prob": (_about_a_value, "The density or probability at a value."),
    "log_cdf": (_about_a_value, "The logarithm of the probability of no more than a value."),
    "cdf": (_about_a_value, "The probability of no more than a value."),
    "log_survival_function": (_about_a_value, "The logarithm of the probability of more than a value."),
    "survival_function": (_about_a_value, "The probability of more than a value."),
    "quantile": (_about_a_value, "The value that has this probability below it."),
    "entropy": (_about_itself, "Shannon's entropy, in nats."),
    "mean": (_about_itself, "The mean."),
    "variance": (_about_itself, "The mean square of the distance from the mean."),
    "stddev": (_about_itself, "The root of the variance."),
    "covariance": (_about_itself, "How the elements of one sample vary with each other."),
    "mode": (_about_itself, "The likeliest value."),
    "batch_shape_tensor": (_about_shapes, "The shape of the batch as a tensor."),
    "event_shape_tensor": (_about_shapes, "The shape of one sample as a tensor."),
    "is_scalar_event": (_about_shapes, "Whether a sample is a number."),
    "is_scalar_batch": (_about_shapes, "Whether there is one distribution only."),
}
for _name, (_make, _doc) in _QUESTIONS.items():
    _method, _own = _make(_name)
    _method.__doc__ = _doc
    _method.__name__ = _name
    setattr(Distribution, _name, _method)
    if not _name.startswith("is_"):
        setattr(Distribution, "_" + _name, _own)


def _tensor(name, doc):
    return property(lambda self: self._core.parameter(name), doc=doc)


class Bernoulli(Distribution):
    """Yes or no, as 1 or 0."""

    _shaped = ("logits",)

    def __init__(self, logits=None, probs=None, dtype=int32, validate_args=False, allow_nan_stats=True,
                 name="Bernoulli"):
        self._start("Bernoulli", locals())

    logits = _tensor("logits", "The logarithm of the odds of a 1.")
    probs = _tensor("probs", "The probability of a 1.")


class Beta(Distribution):
    """Numbers between 0 and 1, as shares of two sorts."""

    _shaped = ("concentration1", "concentration0")

    def __init__(self, concentration1=None, concentration0=None, validate_args=False, allow_nan_stats=True,
                 name="Beta"):
        self._start("Beta", locals())

    concentration1 = _tensor("concentration1", "The weight of 1.")
    concentration0 = _tensor("concentration0", "The weight of 0.")
    total_concentration = _tensor("total_concentration", "Both weights together.")


class Categorical(Distribution):
    """One of several classes, by its number."""

    def __init__(self, logits=None, probs=None, dtype=int32, validate_args=False, allow_nan_stats=True,
                 name="Categorical"):
        self._start("Categorical", locals())

    event_size = _tensor("event_size", "How many classes there are.")
    logits = _tensor("logits", "Logarithms of probabilities, up to a common term.")
    probs = _tensor("probs", "The probabilities of the classes.")


class Dirichlet(Distribution):
    """Probabilities of several classes, which sum to 1."""

    def __init__(self, concentration, validate_args=False, allow_nan_stats=True, name="Dirichlet"):
        self._start("Dirichlet", locals())

    concentration = _tensor("concentration", "The weights of the classes.")
    total_concentration = _tensor("total_concentration", "All weights together.")


class DirichletMultinomial(Distribution):
    """How often classes come up whose probabilities are Dirichlet's."""

    def __init__(self, total_count, concentration, validate_args=False, allow_nan_stats=True,
                 name="DirichletMultinomial"):
        self._start("DirichletMultinomial", locals())

    total_count = _tensor("total_count", "The number of draws.")
    concentration = _tensor("concentration", "The weights of the classes.")
    total_concentration = _tensor("total_concentration", "All weights together.")


class Gamma(Distribution):
    """Positive numbers: waiting times for several events."""

    _shaped = ("concentration", "rate")

    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True, name="Gamma"):
        self._start("Gamma", locals())

    concentration = _tensor("concentration", "How many events are waited for.")
    rate = _tensor("rate", "How many come in a unit of time.")


class Exponential(Gamma):
    """Waiting times for the next event."""

    _shaped = ("rate",)

    def __init__(self, rate, validate_args=False, allow_nan_stats=True, name="Exponential"):
        self._start("Exponential", locals())


class _LocationScale(Distribution):
    _shaped = ("loc", "scale")

    loc = _tensor("loc", "The middle.")
    scale = _tensor("scale", "The width.")


class Laplace(_LocationScale):
    """Numbers that are exponentially rarer the further they are from the middle."""

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Laplace"):
        self._start("Laplace", locals())


class Multinomial(Distribution):
    """How often classes come up in a number of draws."""

    def __init__(self, total_count, logits=None, probs=None, validate_args=False, allow_nan_stats=True,
                 name="Multinomial"):
        self._start("Multinomial", locals())

    total_count = _tensor("total_count", "The number of draws.")
    logits = _tensor("logits", "Logarithms of probabilities, up to a common term.")
    probs = _tensor("probs", "The probabilities of the classes.")


class Normal(_LocationScale):
    """Gauss's distribution."""

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Normal"):
        self._start("Normal", locals())


class StudentT(_LocationScale):
    """Student's distribution of means over estimated deviations."""

    _shaped = ("df", "loc", "scale")

    def __init__(self, df, loc, scale, validate_args=False, allow_nan_stats=True, name="StudentT"):
        self._start("StudentT", locals())

    df = _tensor("df", "The degrees of freedom.")


class Uniform(Distribution):
    """All numbers between two bounds alike."""

    _shaped = ("low", "high")

    def __init__(self, low=0.0, high=1.0, validate_args=False, allow_nan_stats=True, name="Uniform"):
        self._start("Uniform", locals())

    low = _tensor("low", "The least number.")
    high = _tensor("high", "The bound above all numbers.")

    def range(self, name="range"):
        """How far the bounds are apart."""
        return self._core.range(name)


def _native_kl(a, b, name=None):
    """The divergence that C++ knows for the two."""
    return _rill.native_kl(a._core, b._core, name)


for _class in (Bernoulli, Beta, Categorical, Dirichlet, Gamma, Normal):
    _DIVERGENCES[_class, _class] = _native_kl
