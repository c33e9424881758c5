"""Distributions over classes and counts: categorical, Dirichlet's, multinomial."""
import numpy as np
import tensorflow as tf

from distributions_normal import about
from program import feeds

tfd = tf.distributions


def asked(d, questions, x=None):
    return {q: getattr(d, q)(x) if q in ("log_prob", "prob", "cdf", "log_cdf", "survival_function") else getattr(d, q)()
            for q in questions}


SHAPES = ["batch_shape_tensor", "event_shape_tensor", "is_scalar_batch", "is_scalar_event"]


def program_categorical_logits():
    d = tfd.Categorical(logits=[[0.1, 1.0, -1.0], [2.0, 0.0, 0.5]])
    return {**asked(d, ["log_prob", "prob", "cdf", "entropy", "mode", *SHAPES], [0, 2]), **about(d),
            "size": d.event_size, "logits": d.logits, "probs": d.probs, "s": d.sample(4, seed=1)}


def program_categorical_probs():
    d = tfd.Categorical(probs=[0.2, 0.3, 0.5], name="c", dtype=tf.int64)
    return {**asked(d, ["log_prob", "cdf", "log_cdf", "survival_function", "entropy", "mode", *SHAPES], 1), **about(d),
            "s": d.sample([2, 3], seed=1), "many": d.log_prob([0, 1, 2])}


def program_categorical_batch():
    d = tfd.Categorical(logits=np.arange(12, dtype=np.float32).reshape(2, 2, 3) % 5)
    return {**asked(d, ["log_prob", "cdf", "entropy", "mode"], [[0, 1], [2, 1]]), "s": d.sample(3, seed=4),
            "float": d.log_prob([1.0, 2.0]), "one": d.prob(2)}


def program_categorical_unknown():
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.placeholder(tf.float32, name="y")
    d, e = tfd.Categorical(logits=x), tfd.Categorical(probs=y, name="e")
    return feeds({x: [[0.1, 0.2, 0.3]], y: [[0.5, 0.5], [0.2, 0.8]]}, a=d.log_prob([1]), b=e.log_prob([0, 1]),
                 c=e.cdf(1), s=d.sample(2, seed=1), t=e.sample(3, seed=2), m=e.mode(), **asked(e, SHAPES), **about(e))


def program_categorical_checked():
    d = tfd.Categorical(probs=[[0.2, 0.8], [0.5, 0.5]], validate_args=True)
    return {"p": d.log_prob([0, 1]), "cdf": d.cdf([1, 1])}


def program_categorical_checked_unknown():
    x = tf.placeholder(tf.float32, [None, None], name="x")
    d = tfd.Categorical(logits=x, validate_args=True)
    return feeds({x: [[0.2, 0.8], [0.5, 0.5]]}, p=d.log_prob([0, 1]))


def program_categorical_kl():
    a, b = tfd.Categorical(logits=[0.1, 1.0, -1.0], name="a"), tfd.Categorical(probs=[[0.2, 0.3, 0.5]], name="b")
    return {"kl": tfd.kl_divergence(a, b), "cross": a.cross_entropy(b)}


def program_dirichlet():
    d = tfd.Dirichlet([[1.5, 2.0, 3.0], [0.5, 4.0, 1.0]])
    x = [0.2, 0.3, 0.5]
    return {**asked(d, ["log_prob", "prob", "entropy", "mean", "variance", "stddev", "covariance", *SHAPES], x),
            **about(d), "s": d.sample(3, seed=1), "c": d.concentration, "t": d.total_concentration}


def program_dirichlet_checked():
    d = tfd.Dirichlet([1.5, 2.0, 3.0], validate_args=True, allow_nan_stats=False, name="d")
    return {"p": d.log_prob([0.2, 0.3, 0.5]), "mode": d.mode(), "s": d.sample(seed=1)}


def program_dirichlet_unknown():
    c = tf.placeholder(tf.float64, name="c")
    d = tfd.Dirichlet(c)
    return feeds({c: [[1.0, 2.0], [3.0, 4.0]]}, **asked(d, ["log_prob", "entropy", "mean", "covariance", *SHAPES],
                                                      np.array([0.4, 0.6])), **about(d), s=d.sample(2, seed=2))


def program_dirichlet_kl():
    a, b = tfd.Dirichlet([1.5, 2.0], name="a"), tfd.Dirichlet([[3.0, 1.0], [1.0, 1.0]], name="b")
    return {"kl": tfd.kl_divergence(a, b)}


def program_dirichlet_multinomial():
    d = tfd.DirichletMultinomial(4.0, [[1.5, 2.0, 3.0], [0.5, 4.0, 1.0]])
    x = [1.0, 1.0, 2.0]
    return {**asked(d, ["log_prob", "prob", "mean", "variance", "stddev", "covariance", *SHAPES], x), **about(d),
            "s": d.sample(3, seed=1), "n": d.total_count, "c": d.concentration, "t": d.total_concentration}


def program_dirichlet_multinomial_checked():
    d = tfd.DirichletMultinomial(4.0, [1.5, 2.0, 3.0], validate_args=True)
    return {"p": d.prob([1.0, 1.0, 2.0]), "s": d.sample(seed=6)}


def program_multinomial():
    d = tfd.Multinomial(4.0, logits=[[0.1, 1.0, -1.0], [2.0, 0.0, 0.5]])
    x = [1.0, 1.0, 2.0]
    return {**asked(d, ["log_prob", "prob", "mean", "variance", "stddev", "covariance", *SHAPES], x), **about(d),
            "n": d.total_count, "logits": d.logits, "probs": d.probs}


def program_multinomial_samples():
    d = tfd.Multinomial(4.0, probs=[0.2, 0.3, 0.5])
    return {"s": d.sample(3, seed=1), "t": d.sample(seed=2)}


def program_multinomial_checked():
    d = tfd.Multinomial(4.0, probs=[0.2, 0.3, 0.5], validate_args=True, name="m")
    return {"p": d.log_prob([1.0, 1.0, 2.0])}


def program_multinomial_unknown():
    n, p = tf.placeholder(tf.float32, [None], name="n"), tf.placeholder(tf.float32, [None, 3], name="p")
    d = tfd.Multinomial(n, probs=p)
    return feeds({n: [4.0], p: [[0.2, 0.3, 0.5]]}, p=d.log_prob([[1.0, 1.0, 2.0]]), m=d.mean(), s=d.sample(2, seed=1),
                 **asked(d, SHAPES), **about(d))
