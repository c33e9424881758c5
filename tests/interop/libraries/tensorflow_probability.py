"""TensorFlow Probability 0.8 in a graph: distributions, bijectors, Hamiltonian Monte Carlo, and variational inference with
probabilistic layers, as its overview shows them."""
import numpy as np
import tensorflow.compat.v1 as tf
import tensorflow_probability as tfp

tfd, tfb = tfp.distributions, tfp.bijectors


def run(*tensors):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(tensors)


def distributions():
    features = tfd.Normal(loc=0., scale=1.).sample(100, seed=1)
    labels = tfd.Bernoulli(logits=1.618 * features).sample(seed=2)
    model = tfd.MultivariateNormalDiag(loc=[0., 1.], scale_diag=[1., 2.])
    mixture = tfd.MixtureSameFamily(tfd.Categorical(probs=[0.3, 0.7]), tfd.Normal([-1., 1.], [0.1, 0.5]))
    drawn, probabilities, mixed, divergence, gamma = run(
        labels, model.log_prob([[0., 1.]]), mixture.prob([1.]),
        tfd.kl_divergence(tfd.Normal(0., 1.), tfd.Normal(1., 1.)), tfd.Gamma(2., 3.).mean())
    assert set(drawn) <= {0, 1}
    np.testing.assert_allclose(probabilities, [-np.log(2 * np.pi) - np.log(2)], rtol=1e-5)
    np.testing.assert_allclose(mixed, [0.7 / (0.5 * np.sqrt(2 * np.pi))], rtol=1e-4)
    np.testing.assert_allclose([divergence, gamma], [0.5, 2 / 3], rtol=1e-5)


def bijectors():
    log_normal = tfd.TransformedDistribution(tfd.Normal(0., 1.), tfb.Exp())
    chain = tfb.Chain([tfb.AffineScalar(shift=1., scale=2.), tfb.Softplus()])
    x = tf.constant([-1., 0.5])
    log_prob, forward, back, log_det = run(
        log_normal.log_prob(2.), chain.forward(x), chain.inverse(chain.forward(x)),
        chain.forward_log_det_jacobian(x, event_ndims=0))
    np.testing.assert_allclose(log_prob, -0.5 * np.log(2.) ** 2 - np.log(2 * np.sqrt(2 * np.pi)), rtol=1e-5)
    np.testing.assert_allclose(forward, 1 + 2 * np.log1p(np.exp([-1, 0.5])), rtol=1e-5)
    np.testing.assert_allclose(back, [-1, 0.5], rtol=1e-4)
    np.testing.assert_allclose(log_det, np.log(2 / (1 + np.exp([1, -0.5]))), rtol=1e-4)


def monte_carlo():
    kernel = tfp.mcmc.HamiltonianMonteCarlo(
        target_log_prob_fn=tfd.Normal(3., 1.).log_prob, step_size=0.5, num_leapfrog_steps=3, seed=3)
    samples, accepted = tfp.mcmc.sample_chain(
        num_results=400, num_burnin_steps=100, current_state=0., kernel=kernel, parallel_iterations=1,
        trace_fn=lambda _, results: results.is_accepted)
    samples, accepted = run(samples, accepted)
    assert abs(samples.mean() - 3) < 0.5 and accepted.mean() > 0.5, (samples.mean(), accepted.mean())


def layers():
    x = np.linspace(-1, 1, 64, dtype="float32")[:, None]
    y = 2 * x + 1
    features = tf.constant(x)
    net = tfp.layers.DenseFlipout(1)
    predicted = tfd.Normal(net(features), 0.1)
    loss = -tf.reduce_mean(predicted.log_prob(y)) + tf.add_n(net.losses) / 64
    train = tf.train.AdamOptimizer(0.1).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = session.run(loss)
        for _ in range(100):
            session.run(train)
        after = session.run(loss)
    assert after < before / 3, (before, after)


def optimizer():
    found = tfp.optimizer.bfgs_minimize(
        lambda x: tfp.math.value_and_gradient(lambda z: tf.reduce_sum((z - [1., 2.]) ** 2), x),
        initial_position=tf.constant([5., 5.]))
    np.testing.assert_allclose(run(found.position)[0], [1, 2], atol=1e-3)


def main():
    for part in (distributions, bijectors, monte_carlo, layers, optimizer):
        with tf.Graph().as_default():
            tf.set_random_seed(5)
            part()
    print("distributions, bijectors, HMC, probabilistic layers and BFGS work in graphs")


main()
