"""Normal, Laplace and Student's distributions: densities, moments, samples."""
import numpy as np
import tensorflow as tf

from program import feeds

tfd = tf.distributions
X = [-12.0, -1.5, 0.0, 0.3, 2.0, 7.0]


def everything(d, x, skip=()):
    questions = ["log_prob", "prob", "log_cdf", "cdf", "log_survival_function", "survival_function"]
    found = {q: getattr(d, q)(x) for q in questions if q not in skip}
    moments = ["entropy", "mean", "variance", "stddev", "mode"]
    found.update({q: getattr(d, q)() for q in moments if q not in skip})
    found.update(batch=d.batch_shape_tensor(), event=d.event_shape_tensor(), scalar_batch=d.is_scalar_batch(),
                 scalar_event=d.is_scalar_event())
    return found


def about(d):
    return {"batch_shape": str(d.batch_shape), "event_shape": str(d.event_shape), "dtype": d.dtype.name,
            "name": d.name, "nan": d.allow_nan_stats, "validate": d.validate_args,
            "parameters": sorted(d.parameters), "type": str(d.reparameterization_type)}


def program_normal():
    d = tfd.Normal(1.0, 2.0)
    return {**everything(d, tf.constant(X)), **about(d), "loc": d.loc, "scale": d.scale}


def program_normal_batch():
    d = tfd.Normal(loc=[1.0, 2.0], scale=[[0.5], [3.0]], name="n")
    return {**everything(d, 1.0), **about(d)}


def program_normal_double():
    d = tfd.Normal(tf.constant(0.5, tf.float64), 2.0 * np.ones(3))
    return everything(d, np.array([[-25.0], [0.1], [9.5]]))


def program_normal_quantile():
    d = tfd.Normal(loc=0.0, scale=[1.0, 2.0])
    p = tf.constant([[0.0], [1e-20], [0.01], [0.3], [0.5], [0.9], [0.999], [1.0]])
    return {"q": d.quantile(p), "one": d.quantile(0.25, name="one")}


def program_normal_quantile_double():
    d = tfd.Normal(loc=tf.constant(0.0, tf.float64), scale=tf.constant(1.0, tf.float64))
    return {"q": d.quantile(tf.constant([1e-30, 1e-5, 0.2, 0.7, 1 - 1e-9], tf.float64))}


def program_normal_samples():
    d = tfd.Normal([1.0, 2.0], 2.0)
    return {"none": d.sample(seed=1), "n": d.sample(3, seed=2), "vector": d.sample([2, 3], seed=3, name="v"),
            "tuple": d.sample((4,), seed=4), "empty": d.sample([], seed=5), "tensor": d.sample(tf.constant([2]), seed=6)}


def program_normal_graph_seed():
    tf.set_random_seed(17)
    d = tfd.Normal(0.0, [1.0, 2.0, 3.0])
    return {"a": d.sample(2, seed=7), "b": d.sample(2, seed=7), "c": d.sample(2, seed=8)}


def program_normal_sample_shapes():
    d = tfd.Normal([1.0, 2.0], 2.0)
    n, v, u = (tf.placeholder(tf.int32, shape, name=name)
               for shape, name in (([], "n"), ([None], "v"), (None, "u")))
    samples = [d.sample(n, seed=1), d.sample(v, seed=2), d.sample(u, seed=3)]
    return feeds({n: 3, v: [2, 2], u: [4]}, samples=samples, shapes=[str(s.shape) for s in samples],
                 static=str(d.sample([5, 1], seed=4).shape))


def program_normal_unknown():
    loc, scale = tf.placeholder(tf.float32, [None], name="loc"), tf.placeholder(tf.float32, name="scale")
    d = tfd.Normal(loc, scale)
    return feeds({loc: [1.0, 2.0], scale: [[1.0], [2.0]]}, **everything(d, 0.7), **about(d), s=d.sample(2, seed=1))


def program_normal_checked():
    d = tfd.Normal([1.0, 2.0], [2.0, 3.0], validate_args=True, allow_nan_stats=False)
    return {"p": d.log_prob(2.0), "s": d.sample(seed=3), **about(d)}


def program_normal_scope():
    with tf.name_scope("outer"):
        d = tfd.Normal(0.0, 1.0)
        first = d.log_prob(0.0)
    e = tfd.Normal(0.0, 1.0)
    return {"d": d.log_prob(1.0, name="late"), "e": e.prob(1), "first": first, "name": d.name, "second": e.name}


def program_normal_variables():
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    d = tfd.Normal(v, tf.nn.softplus(v))
    return {"p": d.prob([0.0, 1.0]), "g": tf.gradients(d.log_prob(0.5), v)[0]}


def program_normal_sample_gradient():
    loc, scale = tf.constant([1.0, 2.0]), tf.constant(2.0)
    s = tfd.Normal(loc, scale).sample(3, seed=5)
    return {"s": s, "g": tf.gradients(s, [loc, scale])}


def program_normal_kl():
    a, b = tfd.Normal([0.0, 1.0], 1.0, name="a"), tfd.Normal(1.0, [2.0, 0.5], name="b")
    return {"kl": tfd.kl_divergence(a, b), "method": a.kl_divergence(b), "cross": a.cross_entropy(b),
            "checked": tfd.kl_divergence(a, b, allow_nan_stats=False, name="k")}


def program_normal_kl_not_nan():
    a, b = tfd.Normal(0.0, 1.0, allow_nan_stats=False), tfd.Normal(1.0, 2.0)
    return {"kl": a.kl_divergence(b), "cross": a.cross_entropy(b, name="c")}


def program_normal_copy():
    a = tfd.Normal([0.0, 1.0], 1.0)
    b = a.copy(scale=3.0, name="wide")
    return {"p": b.log_prob(0.5), **about(b)}


def program_normal_param_shapes():
    shapes = tfd.Normal.param_shapes([2, 3])
    named = tfd.Normal.param_shapes(tf.constant([4]), name="shapes")
    static = tfd.Normal.param_static_shapes([2, 3])
    return {"loc": shapes["loc"], "scale": shapes["scale"], "named": named["loc"],
            "static": str([(k, str(v)) for k, v in sorted(static.items())])}


def program_laplace():
    d = tfd.Laplace([0.5, 1.0, -1.0], 2.0)
    return {**everything(d, [-1.0, 0.5, 2.0]), **about(d), "s": d.sample([2], seed=4)}


def program_laplace_double():
    d = tfd.Laplace(tf.constant(0.5, tf.float64), tf.constant([2.0, 1.0], tf.float64), validate_args=True)
    return {**everything(d, np.array([[-1.0], [3.0]])), "s": d.sample(seed=4)}


def program_student():
    d = tfd.StudentT([0.5, 1.5, 2.5, 4.0], 1.0, 2.0)
    return {**everything(d, 0.5), **about(d), "df": d.df, "loc": d.loc, "scale": d.scale}


def program_student_samples():
    d = tfd.StudentT(df=[3.0, 4.0], loc=[[1.0], [2.0]], scale=2.0, name="t")
    return {"s": d.sample(3, seed=4), "u": d.sample(seed=5)}


def program_student_checked():
    d = tfd.StudentT(df=[3.0, 4.0], loc=0.0, scale=1.0, validate_args=True, allow_nan_stats=False)
    return {"mean": d.mean(), "variance": d.variance(), "stddev": d.stddev(), "p": d.prob([0.1, 0.2])}


def program_student_unknown():
    df = tf.placeholder(tf.float32, name="df")
    d = tfd.StudentT(df=df, loc=0.0, scale=[1.0, 2.0])
    return feeds({df: [3.0, 5.0]}, **everything(d, 0.3), s=d.sample(2, seed=1))
