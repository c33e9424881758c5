"""Variables, effects in order, optimizers, Keras, things that a function touches."""

import numpy as np
import tensorflow as tf

T = tf.constant


def show(*values):
    print(*[np.asarray(v).tolist() for v in values])


def program_reads():
    v = tf.Variable(2.0)

    @tf.function
    def f(x):
        return v * x
    show(f(T(3.0)))
    v.assign(5.0)
    show(f(T(3.0)))


def program_assigns():
    v = tf.Variable(1)

    @tf.function
    def f(x):
        v.assign(x)
        v.assign_add(10)
        return v + 0
    show(f(T(3)), v)


def program_order_of_reads_and_writes():
    v = tf.Variable(1)

    @tf.function
    def f():
        a = v.read_value()
        v.assign_add(1)
        b = v.read_value()
        v.assign(v * 10)
        c = v.read_value()
        return a, b, c
    show(*f())
    show(*f())


def program_unused_write():
    v = tf.Variable(0)

    @tf.function
    def f():
        v.assign_add(1)
    f()
    f()
    show(v)


def program_created_on_first_call():
    class M:
        def __init__(self):
            self.v = None

        @tf.function
        def f(self, x):
            print("traced")
            if self.v is None:
                self.v = tf.Variable(10.0)
            return self.v.assign_add(x)
    m = M()
    show(m.f(T(1.0)), m.f(T(2.0)), m.v)


def program_created_with_computed_value():
    state = {}

    @tf.function
    def f(x):
        if "v" not in state:
            state["v"] = tf.Variable(tf.ones([2]) * 3.0 + tf.range(2.0))
        return state["v"] * x
    show(f(T(2.0)), f(T(3.0)))


def program_created_by_function():
    state = []

    @tf.function
    def f():
        if not state:
            state.append(tf.Variable(lambda: tf.fill([2], 7)))
        return state[0] + 1
    show(f(), f())


def program_created_every_time():
    @tf.function
    def f():
        v = tf.Variable(1.0)
        return v
    try:
        f()
    except ValueError as error:
        print("tf.function only supports singleton tf.Variables" in str(error))


def program_created_later():
    made = []

    @tf.function
    def f(x):
        if x.shape.rank == 1 and not made:
            made.append(tf.Variable(1.0))
        return tf.reduce_sum(x)
    f(T(1.0))
    try:
        f(T([1.0]))
    except ValueError as error:
        print("variable" in str(error).lower())


def program_initializer_needs_argument():
    state = []

    @tf.function
    def f(x):
        if not state:
            state.append(tf.Variable(x))
        return state[0] + x
    try:
        show(f(T(2.0)))
    except Exception as error:
        print(type(error).__name__)


def program_two_instances():
    class M(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(1.0)

        @tf.function
        def __call__(self, x):
            return self.w.assign_add(x)
    a, b = M(), M()
    show(a(T(1.0)), a(T(1.0)), b(T(5.0)), a.w, b.w)


def program_module_variables():
    class Dense(tf.Module):
        def __init__(self, n):
            super().__init__()
            self.w = tf.Variable(tf.ones([2, n]))
            self.b = tf.Variable(tf.zeros([n]))

        @tf.function
        def __call__(self, x):
            return x @ self.w + self.b
    d = Dense(3)
    show(d(T([[1.0, 2.0]])))
    print(len(d.trainable_variables))


def program_concrete_variables():
    v, w = tf.Variable(1.0), tf.Variable(2.0, trainable=False)

    @tf.function
    def f(x):
        return v * x + w
    c = f.get_concrete_function(T(1.0))
    print(len(c.variables), len(c.trainable_variables))


def program_scatter():
    v = tf.Variable([1, 2, 3, 4])

    @tf.function
    def f(i):
        v.scatter_nd_update([[i]], [100])
        return v.read_value()
    show(f(T(1)), f(T(3)))


def program_slice_assign():
    v = tf.Variable([1, 2, 3, 4])

    @tf.function
    def f():
        v[1:3].assign([20, 30])
        return v + 0
    show(f())


def program_gather():
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])

    @tf.function
    def f(i):
        return tf.gather(v, i)
    with tf.GradientTape() as tape:
        y = f(T([0, 2, 0]))
    g = tape.gradient(y, v)
    show(y, tf.convert_to_tensor(g))
    print(type(g).__name__)


def program_gradient_tape_inside():
    w = tf.Variable([1.0, 2.0])

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(w * w * x)
        return tape.gradient(y, w)
    show(f(T(3.0)))


def program_training_step():
    w = tf.Variable([1.0, 2.0])

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss
    for _ in range(3):
        print("%.5f" % step(T([[1.0, 0.0], [0.0, 1.0]]), T([0.0, 0.0])).numpy())
    show(np.round(w.numpy(), 5))


def _optimizer(make):
    w = tf.Variable([1.0, 2.0])
    opt = make()

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w ** 2)
        opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
        return loss
    for _ in range(3):
        print("%.4f" % step().numpy())
    show(np.round(w.numpy(), 4))


def program_sgd():
    _optimizer(lambda: tf.keras.optimizers.SGD(0.1))


def program_momentum():
    _optimizer(lambda: tf.keras.optimizers.SGD(0.1, momentum=0.9))


def program_adam():
    _optimizer(lambda: tf.keras.optimizers.Adam(0.1))


def program_rmsprop():
    _optimizer(lambda: tf.keras.optimizers.RMSprop(0.1))


def program_adagrad():
    _optimizer(lambda: tf.keras.optimizers.Adagrad(0.1, initial_accumulator_value=0.1))


def program_v1_optimizer():
    _optimizer(lambda: tf.compat.v1.train.GradientDescentOptimizer(0.1))


def program_v1_adam():
    _optimizer(lambda: tf.compat.v1.train.AdamOptimizer(0.1))


def program_keras_layer():
    layer = tf.keras.layers.Dense(2, kernel_initializer="ones", activation="relu")

    @tf.function
    def f(x):
        return layer(x)
    show(f(T([[1.0, 2.0, -1.0]])), f(T([[-1.0, -2.0, 0.0]])))
    print(len(layer.trainable_variables))


def program_keras_model_step():
    model = tf.keras.Sequential([tf.keras.layers.Dense(3, kernel_initializer="ones", activation="tanh"),
                                 tf.keras.layers.Dense(1, kernel_initializer="ones")])
    opt = tf.keras.optimizers.SGD(0.05)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss
    for _ in range(3):
        print("%.4f" % step(T([[1.0, 2.0], [0.5, -1.0]]), T([[1.0], [0.0]])).numpy())


def program_keras_subclass():
    class Model(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.d = tf.keras.layers.Dense(2, kernel_initializer="ones")

        def call(self, x):
            if tf.reduce_sum(x) > 0:
                return self.d(x)
            return self.d(-x)
    m = Model()
    f = tf.function(lambda x: m(x))
    show(f(T([[1.0, 2.0]])), f(T([[-1.0, -2.0]])))


def program_keras_metric():
    metric = tf.keras.metrics.Mean()

    @tf.function
    def f(x):
        metric.update_state(x)
        return metric.result()
    show(f(T(1.0)), f(T(3.0)), metric.result())


def program_keras_loss():
    loss = tf.keras.losses.MeanSquaredError()

    @tf.function
    def f(a, b):
        return loss(a, b)
    show(f(T([1.0, 2.0]), T([2.0, 4.0])))


def program_keras_dropout_training():
    layer = tf.keras.layers.Dropout(0.5)

    @tf.function
    def f(x, training):
        return layer(x, training=training)
    show(f(tf.ones([4]), False))
    print(np.isin(f(tf.ones([8]), True).numpy(), [0.0, 2.0]).all())


def program_batch_norm():
    layer = tf.keras.layers.BatchNormalization(momentum=0.5)

    @tf.function
    def f(x, training):
        return layer(x, training=training)
    x = T([[1.0], [3.0]])
    print(np.round(f(x, True).numpy(), 2).tolist())
    print(np.round(layer.moving_mean.numpy(), 3).tolist())
    print(np.round(f(x, False).numpy(), 2).tolist())


def program_print_order():
    @tf.function
    def f(x):
        tf.py_function(lambda v: print("first", int(v)), [x], [])
        tf.py_function(lambda v: print("second", int(v)), [x + 1], [])
        return x
    f(T(1))
    f(T(5))


def program_py_function_result():
    @tf.function
    def f(x):
        return tf.py_function(lambda v: v.numpy() * 2, [x], tf.int32) + 1
    show(f(T(4)))


def program_numpy_function():
    @tf.function
    def f(x):
        return tf.numpy_function(np.sinh, [x], tf.float32)
    print("%.4f" % f(T(1.0)).numpy())


def program_assert_fails():
    @tf.function
    def f(x):
        tf.debugging.assert_positive(x, message="not positive")
        return x
    show(f(T(1)))
    try:
        f(T(-1))
    except tf.errors.InvalidArgumentError as error:
        print("not positive" in str(error))


def program_assert_op():
    @tf.function
    def f(x):
        tf.Assert(x > 0, [x])
        return x + 1
    show(f(T(1)))
    try:
        f(T(-7))
    except tf.errors.InvalidArgumentError as error:
        print("-7" in str(error))


def program_error_at_run_time():
    @tf.function
    def f(x, i):
        return tf.gather(x, i)
    try:
        f(T([1, 2, 3]), T(5))
    except tf.errors.InvalidArgumentError as error:
        print("indices" in str(error))


def program_control_dependencies():
    v = tf.Variable(0)

    @tf.function
    def f():
        with tf.control_dependencies([v.assign_add(1)]):
            return tf.identity(v)
    show(f(), f())


def program_random_is_new_each_time():
    @tf.function
    def f():
        return tf.random.uniform([4])
    print(bool(np.any(f().numpy() != f().numpy())))


def program_stateless_random():
    @tf.function
    def f():
        return tf.random.stateless_uniform([2], seed=[1, 2])
    print(np.array_equal(f(), f()))


def program_queue():
    q = tf.queue.FIFOQueue(10, tf.int32)

    @tf.function
    def f(x):
        q.enqueue(x)
        q.enqueue(x + 1)
        return q.dequeue(), q.size()
    show(*f(T(1)))
    show(*f(T(5)))


def program_table():
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(T(["a", "b"]), T([1, 2])), -1)

    @tf.function
    def f(keys):
        return table.lookup(keys)
    show(f(T(["a", "z", "b"])))


def program_mutable_table():
    table = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, -2, -3)

    @tf.function
    def f(k, v):
        table.insert(k, v)
        return table.lookup(T([1, 2], tf.int64))
    show(f(T([1], tf.int64), T([10], tf.int64)), f(T([2], tf.int64), T([20], tf.int64)))


def program_gradient_of_variables_from_outside():
    v, w = tf.Variable(2.0), tf.Variable(3.0)

    @tf.function
    def f(x):
        return v * v * x + w
    with tf.GradientTape() as tape:
        y = f(T(5.0))
    show(*tape.gradient(y, [v, w]))
    print(len(tape.watched_variables()))


def program_not_trainable():
    v = tf.Variable(2.0, trainable=False)

    @tf.function
    def f(x):
        return v * x
    with tf.GradientTape() as tape:
        y = f(T(5.0))
    print(tape.gradient(y, v))


def program_loop_of_steps():
    v = tf.Variable(0.0)

    @tf.function
    def train(ds):
        for x in ds:
            v.assign_add(x)
        return v.read_value()
    show(train(tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0])))
    show(train(tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0])))


def program_devices():
    @tf.function
    def f(x):
        with tf.device("/CPU:0"):
            return x + 1
    show(f(T(1)))


def program_name_scopes():
    @tf.function
    def f(x):
        with tf.name_scope("outer"):
            y = tf.add(x, 1, name="sum")
        print(y.name, y.op.type)
        return y
    show(f(T(1)))


def program_checkpoint_of_module():
    import tempfile

    class M(tf.Module):
        def __init__(self):
            super().__init__()
            self.v = tf.Variable(1.0)

        @tf.function
        def step(self):
            return self.v.assign_add(1.0)
    m = M()
    m.step()
    m.step()
    with tempfile.TemporaryDirectory() as folder:
        path = tf.train.Checkpoint(model=m).save(folder + "/ck")
        m2 = M()
        tf.train.Checkpoint(model=m2).restore(path)
        show(m2.step())


def program_embedding_step():
    table = tf.Variable(tf.ones([5, 2]))
    opt = tf.keras.optimizers.SGD(1.0)

    @tf.function
    def step(ids):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.nn.embedding_lookup(table, ids) ** 2)
        opt.apply_gradients([(tape.gradient(loss, table), table)])
        return loss
    show(step(T([1, 1, 3])), table)


def program_moving_average():
    v = tf.Variable(1.0)
    ema = tf.train.ExponentialMovingAverage(0.5)

    @tf.function
    def f(x):
        v.assign(x)
        ema.apply([v])
        return ema.average(v)
    show(f(T(3.0)), f(T(5.0)))


def program_clip_and_norm():
    w = tf.Variable([3.0, 4.0])

    @tf.function
    def f():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w)
        g, norm = tf.clip_by_global_norm(tape.gradient(loss, [w]), 1.0)
        return g[0], norm
    a, b = f()
    print(np.round(a.numpy(), 3).tolist(), "%.2f" % b.numpy())
