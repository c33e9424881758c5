"""Distributions of numbers with bounds: uniform, gamma, exponential, beta, Bernoulli's."""
import numpy as np
import tensorflow as tf

from distributions_normal import about, everything
from program import feeds

tfd = tf.distributions


def program_uniform():
    d = tfd.Uniform(1.0, 3.0)
    return {**everything(d, [0.0, 1.0, 2.5, 3.0, np.nan], ("mode",)), **about(d), "low": d.low, "high": d.high,
            "range": d.range(), "named": d.range(name="r")}


def program_uniform_default():
    d = tfd.Uniform()
    return {"p": d.prob(0.5), **about(d)}


def program_uniform_batch():
    d = tfd.Uniform(low=[0.0, 1.0], high=[[2.0], [3.0]], validate_args=True, name="u")
    return {**everything(d, 1.5, ("mode",))}


def program_uniform_unknown():
    low = tf.placeholder(tf.float64, name="low")
    d = tfd.Uniform(low, tf.constant([5.0, 6.0], tf.float64))
    return feeds({low: [1.0, 2.0]}, **everything(d, np.float64(1.5), ("mode",)), **about(d))


def program_gamma():
    d = tfd.Gamma([0.5, 1.0, 3.0], [1.0, 2.0, 0.5])
    return {**everything(d, 1.5), **about(d), "c": d.concentration, "r": d.rate, "s": d.sample(4, seed=7)}


def program_gamma_double():
    d = tfd.Gamma(tf.constant([2.0, 3.0], tf.float64), tf.constant(1.5, tf.float64), name="g")
    return {**everything(d, np.array([[0.5], [4.0]])), "s": d.sample([2, 2], seed=7)}


def program_gamma_checked():
    d = tfd.Gamma(2.0, [1.0, 2.0], validate_args=True, allow_nan_stats=False)
    return {"p": d.log_prob(1.0), "cdf": d.cdf(1.0), "mode": d.mode()}


def program_gamma_kl():
    a, b = tfd.Gamma([1.0, 2.0], 2.0, name="a"), tfd.Gamma(3.0, 1.0, name="b")
    return {"kl": tfd.kl_divergence(a, b), "cross": a.cross_entropy(b)}


def program_exponential():
    d = tfd.Exponential([0.5, 2.0])
    return {**everything(d, 1.5), **about(d), "r": d.rate, "c": d.concentration, "s": d.sample(3, seed=7)}


def program_exponential_kl():
    a, b = tfd.Exponential(0.5), tfd.Exponential([2.0, 3.0], name="e")
    g = tfd.Gamma(1.5, 2.0)
    return {"kl": tfd.kl_divergence(a, b), "mixed": tfd.kl_divergence(a, g)}


def program_exponential_checked():
    d = tfd.Exponential(tf.constant(0.5, tf.float64), validate_args=True)
    shapes = tfd.Exponential.param_shapes([3])
    return {"p": d.prob(np.float64(2.0)), "s": d.sample(2, seed=1), "shape": shapes["rate"]}


def program_beta():
    d = tfd.Beta([0.5, 2.0, 3.0], [1.0, 2.0, 5.0])
    return {**everything(d, [0.1, 0.5, 0.9]), **about(d), "s": d.sample(3, seed=7), "t": d.total_concentration,
            "c1": d.concentration1, "c0": d.concentration0}


def program_beta_checked():
    d = tfd.Beta(2.0, [3.0, 4.0], validate_args=True, allow_nan_stats=False, name="b")
    return {"p": d.prob(0.3), "mode": d.mode(), "s": d.sample(seed=2)}


def program_beta_kl():
    a, b = tfd.Beta(2.0, [3.0, 4.0], name="a"), tfd.Beta([1.0, 2.0], 2.0, name="b")
    return {"kl": a.kl_divergence(b)}


def program_beta_unseeded_shape():
    c = tf.placeholder(tf.float32, name="c")
    d = tfd.Beta(c, 2.0)
    return feeds({c: [1.5, 2.5]}, **everything(d, 0.25), **about(d))


NO_CDF = ("log_cdf", "cdf", "log_survival_function", "survival_function")


def program_bernoulli_logits():
    d = tfd.Bernoulli(logits=[-1.0, 0.0, 2.0])
    return {**everything(d, [0, 1, 1], NO_CDF), **about(d), "l": d.logits, "p": d.probs}


def program_bernoulli_probs():
    d = tfd.Bernoulli(probs=[[0.1], [0.7]], dtype=tf.float32, name="b")
    return {**everything(d, [0.0, 1.0], NO_CDF), **about(d), "l": d.logits}


def program_bernoulli_checked():
    d = tfd.Bernoulli(probs=[0.1, 0.7], validate_args=True)
    return {"p": d.log_prob([0, 1]), "float": d.prob([0.0, 1.0])}


def program_bernoulli_kl():
    a, b = tfd.Bernoulli(probs=0.3, name="a"), tfd.Bernoulli(logits=[0.1, 2.0], name="b")
    return {"kl": tfd.kl_divergence(a, b, name="named"), "cross": b.cross_entropy(a)}


def program_bernoulli_unknown():
    p = tf.placeholder(tf.float32, name="p")
    d = tfd.Bernoulli(probs=p)
    return feeds({p: [0.2, 0.4]}, **everything(d, 1, NO_CDF), **about(d))


def program_bernoulli_param_shapes():
    return {"s": tfd.Bernoulli.param_shapes([3, 2])["logits"],
            "t": str(tfd.Uniform.param_static_shapes([3])["low"]), "n": len(tfd.StudentT.param_shapes([1]))}
