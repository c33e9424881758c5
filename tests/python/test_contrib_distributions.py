"""tf.contrib.distributions: by the formulas that define them."""
import math

import numpy as np
import pytest

import rill as tf

tfd = tf.contrib.distributions


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def run(*x):
    with tf.Session() as session:
        return session.run(list(x))


def test_poisson():
    d = tfd.Poisson(rate=[2.0, 3.5])
    prob, cdf, mean, variance, mode = run(d.prob(3.0), d.cdf(1.0), d.mean(), d.variance(), d.mode())
    rates = np.array([2.0, 3.5])
    np.testing.assert_allclose(prob, rates**3 * np.exp(-rates) / 6, rtol=1e-5)
    np.testing.assert_allclose(cdf, np.exp(-rates) * (1 + rates), rtol=1e-5)
    assert mean.tolist() == variance.tolist() == [2.0, 3.5] and mode.tolist() == [2.0, 3.0]
    samples, = run(d.sample(4000, seed=1))
    np.testing.assert_allclose(samples.mean(0), rates, rtol=0.05)


def test_poisson_of_whole_numbers():
    d = tfd.Poisson(log_rate=math.log(2.0), interpolate_nondiscrete=False)
    found, = run(d.prob([1.0, 1.5, -1.0]))
    np.testing.assert_allclose(found, [2 * math.exp(-2), 0, 0], rtol=1e-5)
    with pytest.raises(ValueError, match="exactly one"):
        tfd.Poisson(rate=1.0, log_rate=0.0)


def test_logistic():
    d = tfd.Logistic(loc=[0.0, 1.0], scale=2.0)
    z = (0.5 - np.array([0.0, 1.0])) / 2
    prob, cdf, survival, deviation, entropy = run(
        d.prob(0.5), d.cdf(0.5), d.survival_function(0.5), d.stddev(), d.entropy())
    np.testing.assert_allclose(prob, np.exp(-z) / 2 / (1 + np.exp(-z))**2, rtol=1e-5)
    np.testing.assert_allclose(cdf, 1 / (1 + np.exp(-z)), rtol=1e-5)
    np.testing.assert_allclose(cdf + survival, 1, rtol=1e-5)
    np.testing.assert_allclose(deviation, 2 * math.pi / math.sqrt(3), rtol=1e-5)
    np.testing.assert_allclose(entropy, 2 + math.log(2), rtol=1e-5)


def test_geometric():
    p = np.array([0.2, 0.5])
    d = tfd.Geometric(probs=p.astype(np.float32))
    prob, cdf, mean, variance, samples = run(
        d.prob(2.0), d.cdf(2.0), d.mean(), d.variance(), d.sample(4000, seed=2))
    np.testing.assert_allclose(prob, (1 - p)**2 * p, rtol=1e-5)
    np.testing.assert_allclose(cdf, 1 - (1 - p)**3, rtol=1e-5)
    np.testing.assert_allclose(mean, (1 - p) / p, rtol=1e-5)
    np.testing.assert_allclose(variance, (1 - p) / p**2, rtol=1e-5)
    np.testing.assert_allclose(samples.mean(0), (1 - p) / p, rtol=0.1)


def test_multivariate_normal():
    loc, scale = np.array([1.0, -1.0]), np.array([1.0, 2.0])
    d = tfd.MultivariateNormalDiag(loc=[1.0, -1.0], scale_diag=[1.0, 2.0])
    log_prob, mean, covariance, entropy, dense = run(
        d.log_prob([0.0, 0.0]), d.mean(), d.covariance(), d.entropy(), d.scale.to_dense())
    wanted = sum(-0.5 * (loc / scale)**2 - np.log(scale) - 0.5 * math.log(2 * math.pi))
    np.testing.assert_allclose(log_prob, wanted, rtol=1e-5)
    np.testing.assert_allclose(mean, loc)
    np.testing.assert_allclose(covariance, np.diag(scale**2))
    np.testing.assert_allclose(dense, np.diag(scale))
    np.testing.assert_allclose(entropy, math.log(2 * math.pi * math.e) + math.log(2), rtol=1e-5)
    assert d.batch_shape.as_list() == [] and d.event_shape.as_list() == [2]
    assert d.sample([3, 4], seed=1).shape.as_list() == [3, 4, 2]


def test_multivariate_normal_divergence():
    a = tfd.MultivariateNormalDiag(loc=[0.0, 0.0])
    b = tfd.MultivariateNormalDiag(loc=[1.0, 0.0], scale_identity_multiplier=2.0)
    found, = run(tfd.kl_divergence(a, b))
    np.testing.assert_allclose(found, 0.5 * (0.25 + 0.25 - 2 + 0.25) + 2 * math.log(2), rtol=1e-5)


def test_softened_parameters():
    soft = math.log(1 + math.exp(-1.0))
    normal = tfd.NormalWithSoftplusScale(0.0, -1.0)
    assert normal.name == "NormalWithSoftplusScale/" and normal.scale.op.name == "NormalWithSoftplusScale/scale"
    assert normal.parameters["scale"] == -1.0
    found = run(normal.stddev(), tfd.LaplaceWithSoftplusScale(0.0, -1.0).scale, tfd.ExponentialWithSoftplusRate(-1.0).rate,
                tfd.GammaWithSoftplusConcentrationRate(-1.0, -1.0).mean(), tfd.BetaWithSoftplusConcentration(-1.0, -1.0).mean())
    np.testing.assert_allclose(found, [soft, soft, soft, 1.0, 0.5], rtol=1e-5)
    np.testing.assert_allclose(run(tfd.kl_divergence(normal, tfd.Normal(0.0, soft)))[0], 0, atol=1e-6)


def test_the_rest_is_there():
    assert tfd.Normal is tf.distributions.Normal and tfd.kl_divergence is tf.distributions.kl_divergence
