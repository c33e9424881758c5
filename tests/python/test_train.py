import copy
import pickle

import numpy as np
import pytest

import rill as tf


@pytest.fixture(autouse=True)
def fresh_graph():
    with tf.Graph().as_default():
        yield


def total(x):
    return tf.raw_ops.Sum(input=x, axis=[0])


def run(*fetches):
    with tf.Session() as session:
        for variable in tf.get_default_graph().get_collection("variables"):
            session.run(variable.initializer)
        return [session.run(fetch) for fetch in fetches]


class HalvingOptimizer(tf.train.Optimizer):
    """Keeps a count of its steps and moves half a gradient at a time."""

    def __init__(self, name="Halving"):
        super().__init__(False, name)
        self.seen = []

    def _create_slots(self, var_list):
        self.seen.append("slots")
        for v in var_list:
            self._zeros_slot(v, "count", self._name)
        self._create_non_slot_variable(initial_value=0.0, name="steps", colocate_with=var_list[0])

    def _prepare(self):
        self._half = tf.constant(0.5, name="half")

    def _apply_dense(self, grad, var):
        self.seen.append((type(grad), var))
        count = self.get_slot(var, "count").assign_add([1.0, 1.0])
        with tf.control_dependencies([count]):
            return var.assign_sub(grad * self._half)

    def _resource_apply_dense(self, grad, var):
        return var.assign_sub(grad * self._half).op

    def _apply_sparse(self, grad, var):
        self.seen.append("sparse")
        return var.scatter_sub(tf.IndexedSlices(grad.values, grad.indices)).op

    def _finish(self, update_ops, name_scope):
        with tf.control_dependencies(update_ops):
            steps = self._get_non_slot_variable("steps").assign_add(1.0)
        return tf.group(*update_ops, steps.op, name=name_scope)


def test_subclass_of_optimizer():
    w = tf.Variable([4.0, 8.0], name="w")
    opt = HalvingOptimizer()
    train = opt.minimize(total(w * w))
    assert train.name == "Halving" and opt.seen[0] == "slots"
    assert opt.seen[1] == (tf.Tensor, w)
    _, value, count, steps = run(train, w, opt.get_slot(w, "count"), opt.variables()[0])
    np.testing.assert_array_equal(value, [0.0, 0.0])
    np.testing.assert_array_equal(count, [1.0, 1.0])
    assert steps == 1.0
    assert opt.get_slot_names() == ["count"] and opt.get_slot(w, "other") is None
    assert [v.name for v in opt.variables()] == ["steps:0", "w/Halving:0"]


def test_subclass_with_resources():
    w = tf.Variable([4.0, 8.0], name="w", use_resource=True)
    train = HalvingOptimizer().minimize(total(w * w))
    np.testing.assert_array_equal(run(train, w)[1], [0.0, 0.0])


def test_subclass_of_adam_calls_its_base():
    class Doubled(tf.train.AdamOptimizer):
        def _apply_dense(self, grad, var):
            assert self._lr == 0.1 and self._lr_t.name == "Adam/learning_rate:0"
            first, second = self._get_beta_accumulators()
            assert (first.name, second.name) == ("beta1_power:0", "beta2_power:0")
            return super()._apply_dense(grad * 2.0, var)

    w = tf.Variable([1.0], name="w")
    opt = Doubled(0.1)
    assert isinstance(opt, tf.train.Optimizer) and opt.get_name() == "Adam" and opt._lr_t is None
    np.testing.assert_allclose(run(opt.minimize(total(w * w)), w)[1], [0.9], rtol=1e-5)


def test_prepare_may_be_overridden():
    class Fixed(tf.train.GradientDescentOptimizer):
        def _prepare(self):
            self._learning_rate_tensor = tf.constant(0.25, name="fixed")

    w = tf.Variable([1.0], name="w")
    np.testing.assert_allclose(run(Fixed(0.1).minimize(total(w * w)), w)[1], [0.5])


def test_wrapping_optimizers():
    class Clipped(tf.train.GradientDescentOptimizer):
        def compute_gradients(self, *args, **kwargs):
            return [(tf.clip_by_norm(g, 1.0), v) for g, v in super().compute_gradients(*args, **kwargs)]

        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            pairs = list(grads_and_vars)
            return super().apply_gradients(pairs, global_step, name or "clipped")

    w = tf.Variable([30.0, 40.0], name="w")
    train = Clipped(1.0).minimize(total(w * w))
    assert train.name == "clipped"
    np.testing.assert_allclose(run(train, w)[1], [29.4, 39.2])


def test_an_exception_of_a_subclass_comes_out():
    class Broken(tf.train.Optimizer):
        def _apply_dense(self, grad, var):
            raise KeyError("mine")

    w = tf.Variable([1.0], name="w")
    with pytest.raises(KeyError, match="mine"):
        Broken(False, "Broken").minimize(total(w * w))


def test_what_is_not_there():
    w = tf.Variable([1.0], name="w")
    with pytest.raises(NotImplementedError):
        tf.train.Optimizer(False, "Plain").minimize(total(w * w))
    with pytest.raises(ValueError, match="Must specify the optimizer name"):
        tf.train.AdamOptimizer(name=None)
    with pytest.raises(ValueError, match="No gradients provided for any variable, check your graph"):
        tf.train.AdamOptimizer().minimize(tf.constant(1.0))
    with pytest.raises(ValueError, match="gate_gradients must be one of"):
        tf.train.AdamOptimizer().minimize(total(w), gate_gradients=7)
    with pytest.raises(ValueError, match="No variables provided"):
        tf.train.AdamOptimizer().apply_gradients([])
    with pytest.raises(ValueError, match="No gradients provided for any variable"):
        tf.train.AdamOptimizer().apply_gradients([(None, w)])
    with pytest.raises(TypeError, match="Gradient must be"):
        tf.train.AdamOptimizer().apply_gradients([(object(), w)])
    with pytest.raises(ValueError, match="Invalid type"):
        tf.train.AdamOptimizer().minimize(tf.constant(1))
    with pytest.raises(ValueError, match="initial_accumulator_value must be positive"):
        tf.train.AdagradOptimizer(0.1, initial_accumulator_value=0.0)
    with pytest.raises(ValueError, match="needs to be negative or zero"):
        tf.train.FtrlOptimizer(0.1, learning_rate_power=1.0)
    with pytest.raises(ValueError, match="No variables to optimize"):
        tf.train.AdamOptimizer().minimize(total(w), var_list=[])


def test_a_constraint_needs_dense_gradients():
    w = tf.Variable([[1.0], [2.0]], name="w", constraint=lambda x: x)
    rows = tf.raw_ops.GatherV2(params=w.value(), indices=[0], axis=0)
    with pytest.raises(RuntimeError, match="Cannot use a constraint function on a sparse variable"):
        tf.train.GradientDescentOptimizer(0.1).minimize(tf.raw_ops.Sum(input=rows, axis=[0, 1]))


def test_one_optimizer_in_two_graphs():
    opt = tf.train.MomentumOptimizer(0.1, 0.9)
    for _ in range(2):
        with tf.Graph().as_default():
            w = tf.Variable([1.0], name="w")
            train = opt.minimize(total(w * w))
            assert [v.graph for v in opt.variables()] == [w.graph]
            np.testing.assert_allclose(run(train, w)[1], [0.8])


def test_schedules_need_a_step():
    with pytest.raises(ValueError, match="global_step is required for exponential_decay."):
        tf.train.exponential_decay(0.1, None, 1, 0.5)
    with pytest.raises(ValueError, match="Boundaries"):
        tf.train.piecewise_constant(tf.constant(1), [0.5], [1.0, 2.0])
    with pytest.raises(ValueError, match="same dtype"):
        tf.train.piecewise_constant(tf.constant(1), [5], [1.0, 2])


def test_clipping_wants_lists():
    with pytest.raises(TypeError, match="t_list should be a sequence"):
        tf.clip_by_global_norm(tf.constant(1.0), 1.0)
    with pytest.raises(TypeError, match="t_list should be a sequence"):
        tf.global_norm("abc")


def test_averages_say_what_they_refuse():
    w = tf.Variable([1.0], name="w")
    ema = tf.train.ExponentialMovingAverage(0.9)
    assert ema.average(w) is None and ema.average_name(w) == "w/ExponentialMovingAverage"
    ema.apply([w])
    with pytest.raises(TypeError, match="must be half, float, or double"):
        ema.apply([tf.constant(1)])


def test_averages_of_a_variable_that_is_named_again():
    w = tf.Variable([1.0], name="w")
    ema = tf.train.ExponentialMovingAverage(0.5)
    both, once = ema.apply([w, w]), ema.apply([w])
    assert len(tf.moving_average_variables()) == 1 and ema._decay == 0.5
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(w.assign([9.0]))
        session.run(once)
        assert session.run(ema.average(w)) == [5.0]
        session.run(both)
        assert session.run(ema.average(w)) in ([8.0], [9.0])  # both may read the average at first


def test_global_step():
    assert tf.train.get_global_step() is None
    step = tf.train.create_global_step()
    with pytest.raises(ValueError, match="already exists"):
        tf.train.create_global_step()
    with pytest.raises(TypeError, match="not have integer type"):
        tf.train.assert_global_step(tf.constant(1.0))
    with pytest.raises(TypeError, match="is not scalar"):
        tf.train.assert_global_step(tf.constant([1]))
    other = tf.Graph()
    assert tf.train.get_or_create_global_step(other).graph is other
    with tf.Session() as session:
        session.run(step.initializer)
        assert tf.train.global_step(session, step) == 0


def test_decoupled_weight_decay():
    from rill.contrib import opt
    for use_resource in (False, True):
        w = tf.Variable([1.0, 2.0], name="w", use_resource=use_resource)
        b = tf.Variable([1.0, 2.0], name="b", use_resource=use_resource)
        decaying = opt.MomentumWOptimizer(0.5, 0.0, 0.9)
        train = decaying.minimize(total(w * w + b * b), var_list=[w, b], decay_var_list=[w])
        _, first, second = run(train, w, b)
        np.testing.assert_allclose(first, [0.5, 1.0])
        np.testing.assert_allclose(second, [1.0, 2.0])
        rows = w.sparse_read([0])
        sparse = opt.AdamWOptimizer(0.5, 0.0).minimize(tf.raw_ops.Sum(input=rows, axis=[0]), var_list=[w])
        np.testing.assert_allclose(run(sparse, w)[1], [0.5, 2.0])
    made = opt.extend_with_decoupled_weight_decay(tf.train.GradientDescentOptimizer)(0.25, 0.0)
    assert isinstance(made, tf.train.GradientDescentOptimizer)
    np.testing.assert_allclose(run(made.minimize(total(w * w), var_list=[w]), w)[1], [0.75, 1.5])


def test_contrib_is_found_by_its_path():
    import tensorflow
    from rill.contrib import opt
    from tensorflow.contrib.opt import AdamWOptimizer, extend_with_decoupled_weight_decay
    assert AdamWOptimizer is opt.AdamWOptimizer is tensorflow.contrib.opt.AdamWOptimizer
    assert extend_with_decoupled_weight_decay is opt.extend_with_decoupled_weight_decay


def test_lazy_adam_leaves_other_rows_alone():
    from rill.contrib import opt
    for use_resource in (False, True):
        results = []
        for kind in (tf.train.AdamOptimizer, opt.LazyAdamOptimizer, opt.NadamOptimizer):
            w = tf.Variable([[1.0], [2.0], [3.0]], name="w", use_resource=use_resource)
            first = tf.raw_ops.Sum(input=w.sparse_read([0, 2, 0]), axis=[0, 1])
            optimizer = kind(0.1)
            train = optimizer.minimize(first, var_list=[w])
            other = optimizer.minimize(tf.raw_ops.Sum(input=w.sparse_read([1]), axis=[0, 1]),
                                       var_list=[w])
            _, _, value = run(train, other, w)
            results.append(value)
        adam, lazy, nadam = results
        # The second step moves what is not in its gradient only where Adam is not lazy.
        assert np.all(lazy[[0, 2]] > adam[[0, 2]])
        np.testing.assert_allclose(lazy[[0, 2]], [[0.9], [2.9]], rtol=1e-3)
        assert np.all(nadam < [[1.0], [2.0], [3.0]])


def test_nadam_looks_ahead():
    from rill.contrib import opt
    w = tf.Variable([1.0], name="w")
    train = opt.NadamOptimizer(0.1).minimize(total(w * w))
    # m = 0.2, v = 0.004: the step is lr * (0.9 m + 0.1 g) / sqrt(v), with the rate unbiased.
    np.testing.assert_allclose(run(train, w)[1], [1.0 - 0.1 * 1.9], rtol=1e-4)


def test_moving_average_optimizer():
    from rill.contrib import opt
    w = tf.Variable([1.0], name="w", use_resource=True)
    optimizer = opt.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(0.25), average_decay=0.5)
    train = optimizer.minimize(total(w * w))
    assert train.name == "train_with_avg"
    _, value, average = run(train, w, optimizer._ema.average(w))
    np.testing.assert_allclose([value, average], [[0.5], [0.75]])


def test_constraints_see_the_changed_value():
    with tf.Graph().as_default(), tf.Session() as sess:
        w = tf.Variable([1.0, 2.0], constraint=lambda x: tf.maximum(x, 0.9))
        train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(w * w))
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        np.testing.assert_allclose(sess.run(w), [0.9, 1.6], rtol=1e-6)


@pytest.mark.parametrize("make", [
    lambda: tf.train.GradientDescentOptimizer(0.1), lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    lambda: tf.train.AdamOptimizer(0.1), lambda: tf.train.AdagradOptimizer(0.1), lambda: tf.train.FtrlOptimizer(0.1)])
def test_optimizers_can_be_copied_until_they_have_variables(make):
    steps = []
    for change in (lambda o: o, copy.copy, copy.deepcopy, lambda o: pickle.loads(pickle.dumps(o))):
        with tf.Graph().as_default(), tf.Session() as session:
            optimizer = change(make())
            assert optimizer.get_name() == make().get_name()
            variable = tf.get_variable("v", initializer=1.0)
            step = optimizer.minimize(variable * variable)
            session.run(tf.global_variables_initializer())
            session.run(step)
            steps.append(session.run(variable))
            if optimizer.get_slot_names():
                with pytest.raises(TypeError, match="has made variables"):
                    copy.deepcopy(optimizer)
    assert len(set(steps)) == 1 and steps[0] < 1


@pytest.mark.parametrize("make", [tf.train.AdamOptimizer, tf.keras.optimizers.Adam])
def test_adam_of_halves_stays_finite(make):
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(np.array([[1], [2]], np.float16), use_resource=True)
        slices = tf.IndexedSlices(tf.constant([[0.1], [0.1]], tf.float16), tf.constant([1, 1]), tf.constant([2, 1]))
        step = make().apply_gradients([(slices, v)])
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(step)
        np.testing.assert_allclose(session.run(v)[1], [1.997], rtol=1e-3)
