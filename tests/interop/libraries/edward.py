"""Edward 1.3: random variables of a model, their samples and dependencies, and evaluation. Its inference copies a graph by
making operations without inputs first, which TensorFlow itself refuses since 1.8; so that is not asked for."""
import edward as ed
import numpy as np
import tensorflow as tf
from edward.models import (Bernoulli, Beta, Binomial, Categorical, Chi2, Dirichlet, Gamma, InverseGamma,
                           MultivariateNormalTriL, Normal, OneHotCategorical, PointMass, Poisson)

random = np.random.RandomState(0)


def linear_model():
    x = random.randn(100, 3).astype("float32")
    w = Normal(loc=tf.zeros(3), scale=tf.ones(3))
    b = Normal(loc=tf.zeros(1), scale=tf.ones(1))
    y = Normal(loc=ed.dot(tf.constant(x), w) + b, scale=tf.ones(100))
    assert set(ed.get_parents(y)) == {w, b} and ed.get_ancestors(y) and y.shape.as_list() == [100]
    assert set(ed.get_children(w)) == {y}
    drawn, mean, log_prob = ed.get_session().run([y.value(), y.mean(), y.log_prob(np.zeros(100, "float32"))])
    assert drawn.shape == mean.shape == (100,) and np.isfinite(log_prob).all()


def arithmetic():
    x, y = Normal(loc=[1.0, 2.0], scale=1e-6), PointMass(params=[3.0, 4.0])
    total, first, product = ed.get_session().run([x + y, x[0], ed.rbf(tf.ones([2, 1]))])
    np.testing.assert_allclose(total, [4, 6], rtol=1e-3)
    assert abs(first - 1) < 1e-3 and product.shape == (2, 2)


def families():
    kinds = {
        "beta-bernoulli": Bernoulli(probs=Beta(1.0, 1.0)), "gamma": Gamma(2.0, 3.0), "chi2": Chi2(4.0),
        "inverse": InverseGamma(3.0, 2.0), "poisson": Poisson(4.0), "dirichlet": Dirichlet([1.0, 2.0]),
        "one hot": OneHotCategorical(logits=[0.0, 1.0]), "classes": Categorical(logits=[0.0, 1.0]),
        "triangular": MultivariateNormalTriL([0.0, 1.0], [[1.0, 0.0], [0.5, 2.0]])}
    values = ed.get_session().run({name: variable.value() for name, variable in kinds.items()})
    assert values["one hot"].sum() == 1 and abs(values["dirichlet"].sum() - 1) < 1e-5
    binomial = Binomial(total_count=4.0, probs=0.5, value=2.0)
    np.testing.assert_allclose(ed.get_session().run(binomial.prob(2.0)), 6 / 16, rtol=1e-5)


def evaluation():
    y = Normal(loc=[1.0, 2.0], scale=[1.0, 1.0])
    error = ed.evaluate("mean_squared_error", data={y: np.array([1.0, 3.0], "float32")}, n_samples=50)
    assert np.isfinite(error)
    statistic = ed.ppc(lambda data, _: tf.reduce_mean(data[y]), data={y: np.array([1.0, 3.0], "float32")}, n_samples=3)
    assert len(statistic) == 2


def main():
    for part in (linear_model, arithmetic, families, evaluation):
        with tf.Graph().as_default(), tf.Session().as_default():
            ed.set_seed(42)
            part()
    print("random variables are sampled, related and evaluated; inference wants TensorFlow 1.7 or older")


main()
