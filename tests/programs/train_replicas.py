"""SyncReplicasOptimizer: accumulators, tokens and what the chief runs."""
import tensorflow as tf


def model(resource=False):
    w = tf.Variable([1.0, 2.0], name="w", use_resource=resource)
    e = tf.Variable([[1.0], [2.0]], name="e", use_resource=resource)
    step = tf.train.get_or_create_global_step()
    return w, e, step, tf.reduce_sum(w * w) + tf.reduce_sum(tf.gather(e, [0]))


def told(optimizer, train, **more):
    runner = optimizer.get_chief_queue_runner()
    return dict(names=[train.name, optimizer.chief_init_op.name, optimizer.local_step_init_op.name],
                runner=str(runner.to_proto()), local=[v.name for v in tf.local_variables()], **more)


def program_one_replica_trains():
    w, e, step, loss = model()
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 1)
    train = optimizer.minimize(loss, global_step=step)
    init_tokens = optimizer.get_init_tokens_op()
    fill = optimizer.get_chief_queue_runner().enqueue_ops
    return [told(optimizer, train), dict(init=optimizer.chief_init_op), dict(tokens=init_tokens), dict(train=train),
            dict(fill=fill), dict(w=w, e=e, step=step)]


def program_two_gradients():
    w, e, step, loss = model()
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.MomentumOptimizer(0.1, 0.9), 2, 3, name="together")
    train = optimizer.minimize(loss, global_step=step)
    return [told(optimizer, train, tokens=optimizer.get_init_tokens_op(4).name, slots=optimizer.get_slot_names(),
                 slot=optimizer.get_slot(w, "momentum").name, variables=[v.name for v in optimizer.variables()])]


def program_averages():
    w, e, step, loss = model()
    average = tf.train.ExponentialMovingAverage(0.5)
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2, variable_averages=average,
                                               variables_to_average=[w])
    return told(optimizer, optimizer.minimize(loss, global_step=step))


def program_no_gradient():
    w, e, step, loss = model()
    other = tf.Variable(1.0, name="other")
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2)
    pairs = optimizer.compute_gradients(loss, var_list=[w, other])
    return told(optimizer, optimizer.apply_gradients(pairs, global_step=step), empty=pairs[1][0] is None)


def program_devices():
    with tf.device("/device:CPU:0"):
        w = tf.Variable([1.0], name="w")
    with tf.device("/cpu:0"):
        step = tf.train.get_or_create_global_step()
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2)
    return told(optimizer, optimizer.minimize(w * w, global_step=step))


def program_hook():
    w, e, step, loss = model()
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2)
    train = optimizer.minimize(loss, global_step=step)
    for chief, tokens in ((True, -1), (False, -1), (True, 0)):
        optimizer.make_session_run_hook(chief, tokens).begin()
    return told(optimizer, train)
