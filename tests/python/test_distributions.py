"""tf.distributions: errors, and what differs from TensorFlow 2 in the nodes but not in the values."""
import numpy as np
import pytest

import rill as tf

tfd = tf.distributions


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def run(x):
    with tf.Session() as session:
        return session.run(x)


@pytest.mark.parametrize("make, error, text", [
    (lambda: tfd.Normal(1, 2), ValueError, "Expected floating point type"),
    (lambda: tfd.Normal(tf.constant(1.0), tf.constant(2.0, tf.float64)), ValueError, "must be of the same type"),
    (lambda: tfd.Bernoulli(), ValueError, "Must pass probs or logits, but not both."),
    (lambda: tfd.Bernoulli(logits=1.0, probs=0.5), ValueError, "Must pass probs or logits, but not both."),
    (lambda: tfd.Categorical(probs=[1, 0]), TypeError, "probs must having floating type"),
    (lambda: tfd.Categorical(logits=[1.0], validate_args=True), ValueError, "at least 2 events"),
    (lambda: tfd.Beta(None, 1.0), ValueError, "None values not supported"),
    (lambda: tfd.Normal(0.0, 1.0).log_prob(tf.constant(1)), (TypeError, ValueError), "type"),
    (lambda: tfd.Normal(0.0, 1.0).sample([[1, 2]]), ValueError, "neither scalar nor vector"),
    (lambda: tfd.Dirichlet.param_shapes([1]), NotImplementedError, "_param_shapes not implemented"),
    (lambda: tfd.Normal.param_static_shapes(tf.TensorShape([None])), ValueError, "must be fully defined"),
    (lambda: tfd.Normal.param_static_shapes(tf.placeholder(tf.int32)), ValueError, "fully-defined TensorShape"),
    (lambda: tfd.kl_divergence(tfd.Normal(0.0, 1.0), tfd.Laplace(0.0, 1.0)), NotImplementedError,
     "No KL.distribution_a || distribution_b. registered for distribution_a type Normal and distribution_b type Laplace"),
    (lambda: tfd.Categorical(logits=[1.0, 2.0]).mean(), NotImplementedError, "mean is not implemented: Categorical"),
    (lambda: tfd.Uniform(0.0, 1.0).quantile(0.5), NotImplementedError, "quantile is not implemented: Uniform"),
    (lambda: tfd.RegisterKL(tfd.Normal, tfd.Normal)(len), ValueError, "has already been registered"),
    (lambda: tfd.RegisterKL(tfd.Normal, tfd.Beta)(3), TypeError, "kl_fn must be callable"),
    (lambda: tfd.Distribution(tf.float32, tfd.NOT_REPARAMETERIZED, False, True, graph_parents=[1.0]), ValueError,
     "Graph parent item 0 is not a Tensor"),
])
def test_refused(make, error, text):
    with pytest.raises(error, match=text):
        make()


@pytest.mark.parametrize("make", [
    lambda x: tfd.Normal(0.0, x, validate_args=True).mean(),
    lambda x: tfd.Gamma(x, 1.0, validate_args=True).mean(),
    lambda x: tfd.Uniform(1.0, x, validate_args=True).mean(),
    lambda x: tfd.Gamma(1.0, 1.0, validate_args=True).log_prob(x),
    lambda x: tfd.StudentT(x, 0.0, 1.0, allow_nan_stats=False).mean(),
    lambda x: tfd.Bernoulli(probs=x, validate_args=True).mean(),
])
def test_checked_in_the_step(make):
    x = tf.placeholder(tf.float32, [])
    y = make(x)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError):
        session.run(y, {x: -1.0})


def test_uniform_samples():
    np.testing.assert_allclose(run(tfd.Uniform(1.0, 3.0).sample(3, seed=1)), [1.4780748, 2.840799, 1.1010249], rtol=1e-6)


def test_bernoulli_samples():
    d = tfd.Bernoulli(probs=[[0.1], [0.7]])
    np.testing.assert_array_equal(run(d.sample([4], seed=3))[..., 0], [[0, 1]] * 4)


def test_modes_of_a_batch():
    modes = run(tfd.Dirichlet([[2.0, 3.0], [0.5, 4.0]]).mode())
    np.testing.assert_allclose(modes, [[1 / 3, 2 / 3], [np.nan, np.nan]])


def test_shown():
    d = tfd.Normal([1.0, 2.0], 1.0)
    assert str(d) == 'tfp.distributions.Normal("Normal/", batch_shape=(2,), event_shape=(), dtype=float32)'
    assert repr(d) == "<tfp.distributions.Normal 'Normal/' batch_shape=(2,) event_shape=() dtype=float32>"
    assert repr(d.reparameterization_type) == "<Reparameterization Type: FULLY_REPARAMETERIZED>"


def test_copies_live_on():
    import copy
    import gc
    d = tfd.Normal(1.0, 2.0)
    twin = copy.copy(d)
    del d
    gc.collect()
    assert run(twin.mean()) == 1.0
    assert run(twin.kl_divergence(tfd.Normal(1.0, 2.0))) == 0.0
