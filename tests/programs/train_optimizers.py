"""Every optimizer on references and resources, dense and sparse, for several steps."""
import tensorflow as tf


def model(use_resource, sparse):
    """A loss of a matrix, of which some rows are read several times, and of a bias."""
    w = tf.Variable([[1.0, -2.0], [0.5, 3.0], [2.0, 1.5]], name="w", use_resource=use_resource)
    b = tf.Variable([0.25, -0.75], name="b", use_resource=use_resource)
    rows = tf.gather(w, [2, 0, 2]) if sparse else w
    return w, b, tf.reduce_sum(tf.square(rows) + rows * b)


def steps(make, use_resource, sparse, count=3, name=None):
    w, b, loss = model(use_resource, sparse)
    step = tf.train.get_or_create_global_step()
    opt = make()
    train = opt.minimize(loss, global_step=step, name=name)
    slots = {f"{slot}_{v.op.name}": opt.get_slot(v, slot)
             for slot in opt.get_slot_names() for v in (w, b)}
    names = ",".join(f"{key}={slot.name}" for key, slot in sorted(slots.items()))
    own = ",".join(v.name for v in opt.variables())
    looks = [dict(train=train, names=names, own=own)]
    looks += [dict(train=train) for _ in range(count - 1)]
    return looks + [dict(w=w, b=b, step=step, **slots)]


OPTIMIZERS = {
    "descent": lambda: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "nesterov": lambda: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "adadelta": lambda: tf.train.AdadeltaOptimizer(0.5),
    "adam": lambda: tf.train.AdamOptimizer(0.1),
    "ftrl": lambda: tf.train.FtrlOptimizer(0.1),
    "ftrl_regularized": lambda: tf.train.FtrlOptimizer(
        0.1, l1_regularization_strength=0.01, l2_regularization_strength=0.02),
    "ftrl_shrinkage": lambda: tf.train.FtrlOptimizer(
        0.1, initial_accumulator_value=0.2, l2_shrinkage_regularization_strength=0.1),
    "rmsprop": lambda: tf.train.RMSPropOptimizer(0.1),
    "rmsprop_momentum": lambda: tf.train.RMSPropOptimizer(0.1, decay=0.8, momentum=0.5, epsilon=1e-4),
    "rmsprop_centered": lambda: tf.train.RMSPropOptimizer(0.1, centered=True),
    "proximal_descent": lambda: tf.train.ProximalGradientDescentOptimizer(
        0.1, l1_regularization_strength=0.01, l2_regularization_strength=0.02),
    "proximal_adagrad": lambda: tf.train.ProximalAdagradOptimizer(
        0.1, l1_regularization_strength=0.01, l2_regularization_strength=0.02),
    "adagrad_da": lambda: tf.train.AdagradDAOptimizer(0.1, tf.train.get_global_step()),
    "adagrad_da_l1": lambda: tf.train.AdagradDAOptimizer(
        0.1, tf.train.get_global_step(), l1_regularization_strength=0.01),
}

for _name, _make in OPTIMIZERS.items():
    for _kind, _resource in (("ref", False), ("resource", True)):
        for _form, _sparse in (("dense", False), ("sparse", True)):
            globals()[f"program_{_name}_{_kind}_{_form}"] = (
                lambda make=_make, resource=_resource, sparse=_sparse: steps(make, resource, sparse))


def program_renamed():
    return steps(lambda: tf.train.AdamOptimizer(0.1, name="MyAdam"), False, False, name="train_me")


def program_in_scopes():
    with tf.name_scope("outer"):
        return steps(lambda: tf.train.MomentumOptimizer(0.1, 0.9), True, True)


def program_locking():
    return steps(lambda: tf.train.AdamOptimizer(0.1, use_locking=True), False, True)


def program_two_optimizers():
    w, b, loss = model(False, False)
    one = tf.train.AdamOptimizer(0.1).minimize(loss, var_list=[w])
    two = tf.train.AdamOptimizer(0.01).minimize(loss, var_list=[b])
    return [dict(one=one), dict(two=two), dict(w=w, b=b)]


def program_tensors_as_rates():
    rate = tf.placeholder_with_default(0.1, [], name="rate")
    return steps(lambda: tf.train.MomentumOptimizer(rate, tf.constant(0.5)), False, False)


def program_variable_as_rate():
    rate = tf.Variable(0.1, trainable=False, name="rate")
    return steps(lambda: tf.train.AdamOptimizer(rate), False, True)


def program_resource_variable_as_rate():
    rate = tf.Variable(0.1, trainable=False, name="rate", use_resource=True)
    return steps(lambda: tf.train.GradientDescentOptimizer(rate), True, True)


def program_callable_rate():
    return steps(lambda: tf.train.GradientDescentOptimizer(lambda: 0.1), False, False)


def program_callable_adam():
    return steps(lambda: tf.train.AdamOptimizer(lambda: 0.1, beta1=lambda: 0.8, beta2=lambda: 0.9,
                                                epsilon=lambda: 1e-3), True, False)


def program_schedule_as_rate():
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.1, step, 1, 0.5)
    return steps(lambda: tf.train.GradientDescentOptimizer(rate), False, False)


def program_float64():
    w = tf.Variable([1.0, 2.0], dtype=tf.float64, name="w")
    train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(w * w))
    return [dict(train=train), dict(w=w)]


def program_float64_sparse():
    w = tf.Variable([[1.0], [2.0]], dtype=tf.float64, name="w")
    train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(tf.gather(w, [1])))
    return [dict(train=train), dict(w=w)]


def program_half():
    w = tf.Variable([1.0, 2.0], dtype=tf.float16, name="w", use_resource=True)
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(w * w))
    return [dict(train=train), dict(w=w)]


def program_gate_none():
    w, b, loss = model(False, False)
    opt = tf.train.GradientDescentOptimizer(0.1)
    train = opt.minimize(loss, gate_gradients=opt.GATE_NONE)  # its values depend on luck
    return dict(train=train)


def program_gate_graph():
    w, b, loss = model(False, True)
    opt = tf.train.GradientDescentOptimizer(0.1)
    train = opt.minimize(loss, gate_gradients=tf.train.Optimizer.GATE_GRAPH)
    return [dict(train=train), dict(w=w, b=b)]


def program_colocated_gradients():
    w, b, loss = model(False, False)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, colocate_gradients_with_ops=True)
    return [dict(train=train), dict(w=w, b=b)]


def program_grad_loss():
    w, b, loss = model(False, False)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, grad_loss=tf.constant(2.0))
    return [dict(train=train), dict(w=w, b=b)]


def program_aggregation_method():
    w, b, loss = model(False, False)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(
        loss, aggregation_method=tf.AggregationMethod.EXPERIMENTAL_TREE)
    return [dict(train=train), dict(w=w, b=b)]


def program_clipped():
    w, b, loss = model(False, True)
    opt = tf.train.AdamOptimizer(0.1)
    grads, variables = zip(*opt.compute_gradients(loss))
    clipped, norm = tf.clip_by_global_norm(grads, 1.0)
    train = opt.apply_gradients(zip(clipped, variables))
    return [dict(train=train, norm=norm), dict(w=w, b=b)]


def program_without_gradient():
    w, b, loss = model(False, False)
    unused = tf.Variable(1.0, name="unused")
    opt = tf.train.MomentumOptimizer(0.1, 0.9)
    pairs = opt.compute_gradients(loss)
    missing = str([g is None for g, _ in pairs])
    train = opt.apply_gradients(pairs)
    return [dict(train=train, missing=missing), dict(w=w, b=b, unused=unused)]


def program_constraint_resource():
    w = tf.Variable([1.0, 2.0], name="w", use_resource=True, constraint=lambda x: tf.maximum(x, 0.9))
    train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(w * w))
    return [dict(train=train), dict(w=w)]


def program_resource_global_step():
    w, b, loss = model(True, False)
    step = tf.Variable(0, trainable=False, name="step", use_resource=True)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    return [dict(train=train), dict(w=w, step=step)]


def program_int64_global_step():
    w, b, loss = model(False, False)
    step = tf.Variable(5, trainable=False, name="step", dtype=tf.int64)
    train = tf.train.RMSPropOptimizer(0.1).minimize(loss, global_step=step, name="go")
    return [dict(train=train), dict(w=w, step=step)]


def program_large_slots():
    w = tf.Variable(tf.ones([40, 40]), name="w")
    opt = tf.train.AdamOptimizer(0.1)
    train = opt.minimize(tf.reduce_sum(w * w))
    return [dict(train=train), dict(m=opt.get_slot(w, "m"))]


def program_large_accumulator():
    w = tf.Variable(tf.ones([40, 40]), name="w", use_resource=True)
    opt = tf.train.AdagradOptimizer(0.1)
    train = opt.minimize(tf.reduce_sum(w * w))
    return [dict(train=train), dict(a=opt.get_slot(w, "accumulator"))]


def program_ftrl_slot_names():
    return steps(lambda: tf.train.FtrlOptimizer(0.1, accum_name="acc", linear_name="lin"), False, True)


def program_train_op_collection():
    w, b, loss = model(False, False)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    found = tf.get_collection(tf.GraphKeys.TRAIN_OP)
    return [dict(train=train, names=",".join(op.name for op in found), same=str(found[0] is train))]


def program_unused_slot():
    w, b, loss = model(False, False)
    opt = tf.train.AdamOptimizer(0.1)
    opt.minimize(loss, var_list=[w])
    return dict(none=str(opt.get_slot(b, "m")), names=",".join(opt.get_slot_names()))
