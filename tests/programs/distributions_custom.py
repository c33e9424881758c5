"""Distributions that programs define, and divergences that they register."""
import tensorflow as tf

from distributions_normal import about
from program import feeds

tfd = tf.distributions


class Triangular(tfd.Distribution):
    """Between 0 and `width`, rising."""

    def __init__(self, width, validate_args=False, allow_nan_stats=True, name="Triangular"):
        parameters = dict(locals())
        with tf.name_scope(name, values=[width]) as name:
            self._width = tf.convert_to_tensor(width, name="width")
        super().__init__(dtype=self._width.dtype, reparameterization_type=tfd.FULLY_REPARAMETERIZED,
                         validate_args=validate_args, allow_nan_stats=allow_nan_stats, parameters=parameters,
                         graph_parents=[self._width], name=name)

    @property
    def width(self):
        return self._width

    def _batch_shape(self):
        return self._width.shape

    def _batch_shape_tensor(self):
        return tf.shape(self._width)

    def _event_shape(self):
        return tf.TensorShape([])

    def _sample_n(self, n, seed=None):
        shape = tf.concat([[n], self.batch_shape_tensor()], 0)
        return self._width * tf.sqrt(tf.random_uniform(shape, minval=0.1, maxval=0.9, seed=seed, dtype=self.dtype))

    def _prob(self, x):
        return 2 * x / tf.square(self._width)

    def _log_cdf(self, x):
        return 2 * tf.log(x / self._width)

    def _mean(self):
        return self._width * 2 / 3

    def _stddev(self):
        return self._width / 3


class Shifted(tfd.Normal):
    """A normal distribution that says something else about its mean."""

    def __init__(self, loc, scale, name="Shifted"):
        super().__init__(loc, scale, name=name)

    def _mean(self):
        return super()._mean() + 1.0

    def _log_prob(self, x):
        return super()._log_prob(x - 1.0)


class Shy(tfd.Normal):
    """A normal distribution that keeps its distance."""

    def _kl_divergence(self, other):
        return super()._kl_divergence(other) + 1.0

    def _cross_entropy(self, other):
        return self.entropy() * 2.0


class Empty(tfd.Distribution):
    def __init__(self):
        super().__init__(tf.float32, tfd.NOT_REPARAMETERIZED, False, True)


def program_triangular():
    d = Triangular([1.0, 2.0])
    return {"prob": d.prob(0.5), "log_prob": d.log_prob(0.5), "cdf": d.cdf(0.5), "log_cdf": d.log_cdf([0.5, 1.0]),
            "survival": d.survival_function(0.5), "log_survival": d.log_survival_function(0.5), "mean": d.mean(),
            "stddev": d.stddev(), "variance": d.variance(), "sample": d.sample(3, seed=1), "shape": d.batch_shape_tensor(),
            "event": d.event_shape_tensor(), "scalar": d.is_scalar_batch(), **about(d)}


def program_triangular_unknown():
    w = tf.placeholder(tf.float32, name="w")
    d = Triangular(w)
    return feeds({w: [1.0, 2.0]}, shape=d.batch_shape_tensor(), sample=d.sample([2], seed=2),
                 scalar=d.is_scalar_batch(), static=str(d.sample(3, seed=3).shape), p=d.prob(1))


def program_copied():
    d = Triangular(2.0, name="t").copy(width=[3.0])
    return {"mean": d.mean(), **about(d)}


def program_inherited():
    d = Shifted([0.0, 1.0], 2.0)
    return {"mean": d.mean(), "log_prob": d.log_prob(0.5), "prob": d.prob(0.5), "mode": d.mode(),
            "sample": d.sample(seed=3), **about(d)}


def program_unanswered():
    said = []
    for question in ("log_prob", "prob", "cdf", "log_cdf", "survival_function", "log_survival_function", "quantile"):
        try:
            getattr(Empty(), question)(1.0)
        except NotImplementedError as error:
            said.append(str(error))
    for question in ("entropy", "mean", "variance", "stddev", "covariance", "mode", "sample", "batch_shape_tensor"):
        try:
            getattr(Empty(), question)()
        except NotImplementedError as error:
            said.append(str(error))
    return {"said": said}


def program_registered():
    class First(Triangular):
        pass

    class Second(First):
        pass

    @tfd.RegisterKL(First, Triangular)
    def _first(a, b, name=None):
        with tf.name_scope(name, "kl_first"):
            return a.width - b.width

    @tfd.RegisterKL(Second, First)
    def _second(a, b, name=None):
        return a.width * b.width

    plain, first, second = Triangular(1.0), First(3.0), Second([2.0])
    return {"a": tfd.kl_divergence(first, plain), "b": second.kl_divergence(first), "c": tfd.kl_divergence(second, plain),
            "d": tfd.kl_divergence(first, second, name="n")}


def program_inherited_kl():
    return {"kl": tfd.kl_divergence(Shifted(0.0, 1.0), tfd.Normal(1.0, 2.0))}


def program_own_divergence():
    a, b = Shy(0.0, 1.0, name="a"), tfd.Normal(1.0, 2.0, name="b")
    return {"kl": a.kl_divergence(b), "cross": a.cross_entropy(b), "plain": tfd.kl_divergence(a, b)}
