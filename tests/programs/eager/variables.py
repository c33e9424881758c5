"""Variables, and what assigns to them."""
import copy

import numpy as np
import tensorflow as tf

from program import raised


def program_initial_values():
    return dict(number=tf.Variable(1.), list=tf.Variable([1, 2]), array=tf.Variable(np.ones([2], np.float64)),
                function=tf.Variable(lambda: tf.ones([2])), tensor=tf.Variable(tf.constant([3])), text=tf.Variable("a"))


def program_text():
    v = tf.Variable([1., 2.], name="w")
    return dict(repr=repr(v), scalar=repr(tf.Variable(1, name="i")), string=repr(tf.Variable("a", name="s")))


def program_names():
    v = tf.Variable(1., name="v")
    with tf.name_scope("scope"):
        w = tf.Variable(1., name="w")
    return dict(v=v.name, w=w.name, unnamed=tf.Variable(1.).name)


def program_same_name_twice():
    a, b = tf.Variable(1., name="x"), tf.Variable(2., name="x")
    return dict(a=a, b=b, names=[a.name, b.name])


def program_assign():
    v = tf.Variable([1., 2.])
    v.assign([3., 4.])
    first = v.numpy()
    v.assign_add([1., 1.])
    second = v.numpy()
    v.assign_sub([5., 5.])
    return dict(first=first, second=second, third=v)


def program_assign_returns():
    v = tf.Variable(1.)
    return dict(value=v.assign(2.).numpy(), added=v.assign_add(1.).numpy(), chain=v.assign(5.).assign_add(1.).numpy(), v=v)


def program_assign_functions():
    v = tf.Variable([1., 2.])
    tf.assign(v, [2., 3.])
    tf.assign_add(v, [1., 1.])
    tf.assign_sub(v, [0., 1.])
    return dict(v=v, increment=tf.train.get_or_create_global_step())


def program_assign_refused():
    v = tf.Variable([1., 2.])
    return dict(shape=raised(lambda: v.assign([1., 2., 3.])), dtype=raised(lambda: v.assign(tf.constant([1, 2]))),
                text=raised(lambda: v.assign("a")), v=v)


def program_shapes_that_change():
    v = tf.Variable([1., 2.], shape=tf.TensorShape([None]))
    v.assign([1., 2., 3.])
    return dict(v=v, shape=str(v.shape))


def program_no_validation():
    v = tf.Variable([1.], validate_shape=False)
    return dict(v=v, read=v.read_value())


def program_arithmetic():
    v = tf.Variable([1., 2.])
    return dict(add=v + 1, radd=1 + v, mul=v * v, neg=-v, pow=v ** 2, div=v / 2, floor=v // 2, matmul=tf.matmul([v], [[1.], [1.]]),
                compare=v > 1.5, item=v[0], slice=v[:1], abs=abs(v))


def program_in_place_operators():
    v = w = tf.Variable([1., 2.])
    try:
        v += 1
        kind = type(v).__name__
    except Exception as error:
        kind = type(error).__name__
    return dict(w=w, kind_is_tensor=kind != "ResourceVariable")


def program_numpy():
    v = tf.Variable([1., 2.])
    return dict(numpy=v.numpy(), asarray=np.asarray(v), sum=np.sum(v), shape=np.shape(v), float=float(tf.Variable(2.)),
                int=int(tf.Variable(3)), bool=bool(tf.Variable(True)))


def program_iteration():
    v = tf.Variable([1., 2.])
    return dict(len=raised(lambda: len(v)), rows=raised(lambda: list(v)))


def program_values_do_not_change_with_the_variable():
    v = tf.Variable(1.)
    a, b = v.read_value(), tf.identity(v)
    c = v + 0
    v.assign(2.)
    return dict(a=a, b=b, c=c, v=v)


def program_properties():
    v = tf.Variable([1., 2.], name="v", trainable=False)
    return dict(shape=v.shape.as_list(), dtype=v.dtype.name, trainable=v.trainable, device=v.device, value=v.value(),
                get=v.get_shape().as_list(), base=v.dtype.base_dtype.name)


def program_graph_only():
    v = tf.Variable(1.)
    return dict(initializer=v.initializer is None, op=raised(lambda: v.op.name), graph=raised(lambda: v.graph), eval=raised(lambda: v.eval()),
                initial=raised(lambda: v.initial_value), session=raised(lambda: v.load(1.)))


def program_scatter():
    v = tf.Variable([1., 2., 3., 4.])
    tf.scatter_update(v, [0], [10.])
    tf.scatter_add(v, [1, 1], [1., 1.])
    v.scatter_sub(tf.IndexedSlices(tf.constant([1.]), tf.constant([3])))
    v.scatter_nd_update([[2]], [7.])
    return dict(v=v, sparse=v.sparse_read([0, 2]), gather=tf.gather(v, [3]), nd=tf.gather_nd(v, [[1]]))


def program_scatter_more():
    v = tf.Variable([[1., 2.], [3., 4.]])
    v.scatter_nd_add([[0, 1]], [5.])
    v.scatter_nd_sub([[1, 0]], [1.])
    v.scatter_update(tf.IndexedSlices(tf.constant([[9., 9.]]), tf.constant([1])))
    return dict(v=v)


def program_strided_assign():
    v = tf.Variable([1., 2., 3., 4.])
    v[1:3].assign([7., 8.])
    return dict(v=v)


def program_copying():
    v = tf.Variable([1., 2.])
    w = copy.deepcopy(v)
    v.assign([5., 5.])
    return dict(v=v, w=w)


def program_get_variable():
    a = tf.get_variable("a", [2], initializer=tf.ones_initializer())
    b = tf.get_variable("a", [3], initializer=tf.zeros_initializer())
    return dict(a=a, b=b, name=a.name)


def program_get_variable_initializers():
    makers = dict(zeros=tf.zeros_initializer(), ones=tf.ones_initializer(), constant=tf.constant_initializer(3.),
                  identity=tf.initializers.identity(), value=tf.constant_initializer([[1., 2.], [3., 4.]]))
    return {name: tf.get_variable(name, [2, 2], initializer=maker) for name, maker in makers.items()}


def program_variable_scope():
    with tf.variable_scope("outer"):
        with tf.variable_scope("inner"):
            v = tf.get_variable("v", initializer=1.)
        w = tf.Variable(1., name="w")
    return dict(v=v.name, w=w.name)


def program_variable_scope_initializer():
    with tf.variable_scope("s", initializer=tf.constant_initializer(4.)):
        return dict(v=tf.get_variable("v", [2]))


def program_reuse_makes_anew():
    with tf.variable_scope("r"):
        a = tf.get_variable("v", initializer=1.)
    with tf.variable_scope("r", reuse=tf.AUTO_REUSE):
        b = tf.get_variable("v", initializer=2.)
    return dict(a=a, b=b, same=a is b)


def program_store():
    from tensorflow.python.ops.variable_scope import EagerVariableStore
    store, found = EagerVariableStore(), []
    for value in (1., 2.):
        with store.as_default():
            found.append(tf.get_variable("v", initializer=value))
    return dict(same=found[0] is found[1], v=found[1], names=[v.name for v in store.variables()],
                trainable=len(store.trainable_variables()), others=len(store.non_trainable_variables()))


def program_store_of_layers():
    from tensorflow.python.ops.variable_scope import EagerVariableStore
    store = EagerVariableStore()
    for _ in range(2):
        with store.as_default():
            y = tf.layers.dense(tf.ones([1, 2]), 2, kernel_initializer=tf.ones_initializer(), name="d")
    return dict(y=y, names=sorted(v.name for v in store.variables()))


def program_collections():
    tf.Variable(1., name="kept")
    return dict(variables=raised(tf.global_variables), trainable=raised(tf.trainable_variables),
                initializer=raised(tf.global_variables_initializer))


def program_global_step():
    step = tf.train.get_or_create_global_step()
    step.assign(3)
    tf.assign_add(step, 1)
    return dict(step=step, same=tf.train.get_or_create_global_step() is step, dtype=step.dtype.name)


def program_stateful_uses_in_python():
    v = tf.Variable(0)
    for i in range(5):
        v.assign_add(i)
    return dict(v=v)


def program_counters_in_loops():
    v = tf.Variable(0.)
    tf.while_loop(lambda i: i < 4, lambda i: (v.assign_add(2.), i + 1)[1:], [tf.constant(0)])
    return dict(v=v)


def program_constraints():
    v = tf.Variable([1., -1.], constraint=tf.nn.relu)
    return dict(constrained=v.constraint(v), v=v)


def program_lists_of_variables():
    vs = [tf.Variable(float(i)) for i in range(3)]
    return dict(stack=tf.stack(vs), sum=tf.add_n([v.read_value() for v in vs]), concat=tf.concat([[v] for v in vs], 0))


def program_types_of_variables():
    return {t.name: tf.Variable(tf.cast([0, 1], t)).dtype.name for t in (tf.float16, tf.int8, tf.bool, tf.complex64, tf.int64)}


def program_initialized():
    v = tf.Variable(1.)
    return dict(known=tf.is_variable_initialized(v), own=v.is_initialized())


def program_moving_averages():
    v, average = tf.Variable(1.), tf.train.ExponentialMovingAverage(.5)
    return dict(apply=raised(lambda: average.apply([v])) in ("", "NotImplementedError"))


def program_equality():
    v, w = tf.Variable(1.), tf.Variable(1.)
    return dict(same=v == v, other=v == w)


def program_batch_of_assignments():
    v = tf.Variable(tf.zeros([3, 2]))
    for i in range(3):
        v[i].assign([float(i), float(-i)])
    return dict(v=v)


def program_variables_as_arguments():
    v = tf.Variable([3., 1., 2.])
    return dict(sorted=tf.sort(v), top=tf.nn.top_k(v, 2), reduce=tf.reduce_max(v), cast=tf.cast(v, tf.int32), shape=tf.shape(v),
                like=tf.zeros_like(v), where=tf.where(v > 1., v, v * 2))
