"""Moving averages, slots and the global step."""
import tensorflow as tf
from tensorflow.python.training import moving_averages, slot_creator


def variable(name="w", use_resource=False, value=(1.0, 2.0)):
    return tf.Variable(list(value), name=name, use_resource=use_resource)


def averaged(use_resource, **options):
    w = variable(use_resource=use_resource)
    change = w.assign_add([1.0, -1.0])
    ema = tf.train.ExponentialMovingAverage(0.9, **options)
    with tf.control_dependencies([change]):
        update = ema.apply([w])
    return [dict(update=update, name=ema.average(w).name, other=ema.average_name(w))] + [
        dict(update=update)] * 2 + [dict(w=w, average=ema.average(w))]


def program_ref():
    return averaged(False)


def program_resource():
    return averaged(True)


def program_named():
    return averaged(False, name="avg")


def program_num_updates():
    return averaged(False, num_updates=tf.constant(3))


def program_num_updates_variable():
    step = tf.Variable(2, trainable=False, name="step", use_resource=True)
    return averaged(True, num_updates=step)


def program_num_updates_number():
    return averaged(False, num_updates=5)


def program_of_tensor():
    x = tf.constant([1.0, 2.0], name="x") * 3.0
    ema = tf.train.ExponentialMovingAverage(0.5)
    update = ema.apply([x])
    return [dict(update=update), dict(update=update), dict(average=ema.average(x))]


def program_of_tensor_unbiased():
    x = tf.constant([1.0, 2.0], name="x") * 3.0
    ema = tf.train.ExponentialMovingAverage(0.5, zero_debias=True)
    update = ema.apply([x])
    return [dict(update=update), dict(update=update), dict(average=ema.average(x))]


def program_of_all():
    a, b = variable("a"), variable("b")
    tf.Variable(1.0, trainable=False, name="c")
    ema = tf.train.ExponentialMovingAverage(0.9)
    update = ema.apply()
    found = ",".join(v.name for v in tf.moving_average_variables())
    return [dict(update=update, found=found), dict(a=ema.average(a), b=ema.average(b))]


def program_variables_to_restore():
    a = variable("a")
    tf.Variable(1.0, trainable=False, name="c")
    ema = tf.train.ExponentialMovingAverage(0.9)
    ema.apply([a])
    names = ema.variables_to_restore()
    return dict(names=",".join(f"{key}:{v.name}" for key, v in sorted(names.items())))


def program_after_training():
    w = variable(use_resource=True)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(w * w))
    ema = tf.train.ExponentialMovingAverage(0.99)
    with tf.control_dependencies([train]):
        both = ema.apply(tf.trainable_variables())
    return [dict(both=both), dict(both=both), dict(w=w, average=ema.average(w))]


def program_in_variable_scope():
    with tf.variable_scope("net"):
        w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
        ema = tf.train.ExponentialMovingAverage(0.9)
        update = ema.apply([w])
    return [dict(update=update, name=ema.average(w).name), dict(average=ema.average(w))]


def program_assign_unbiased():
    w = tf.Variable([0.0, 0.0], name="w")
    y = moving_averages.assign_moving_average(w, tf.constant([3.0, 4.0]), 0.9)
    return [dict(y=y), dict(y=y), dict(w=w)]


def program_assign_unbiased_resource():
    w = tf.Variable([0.0, 0.0], name="w", use_resource=True)
    y = moving_averages.assign_moving_average(w, tf.constant([3.0, 4.0]), 0.9)
    return [dict(y=y.op), dict(y=y.op), dict(w=w)]


def program_assign_plainly():
    w = tf.Variable([0.0, 0.0], name="w")
    y = moving_averages.assign_moving_average(w, tf.constant([3.0, 4.0]), 0.9, zero_debias=False, name="q")
    return [dict(y=y), dict(y=y), dict(w=w)]


def program_assign_plainly_resource():
    w = tf.Variable([0.0, 0.0], name="w", use_resource=True)
    y = moving_averages.assign_moving_average(w, tf.constant([3.0, 4.0]), tf.constant(0.9),
                                              zero_debias=False)
    return [dict(y=y.op), dict(w=w)]


def program_weighted():
    y = moving_averages.weighted_moving_average(tf.constant([3.0, 4.0]), 0.9, tf.constant(2.0))
    return [dict(y=y), dict(y=y)]


def program_slots():
    w = variable()
    a = slot_creator.create_slot(w, tf.constant([5.0, 6.0]), name="a")
    b = slot_creator.create_zeros_slot(w, name="b")
    c = slot_creator.create_zeros_slot(w, name="b", dtype=tf.float64)
    return dict(a=a, b=b, c=c, names=",".join(v.name for v in (a, b, c)))


def program_slots_of_resource():
    w = variable(use_resource=True)
    a = slot_creator.create_slot(w, tf.constant([5.0, 6.0]), name="a")
    b = slot_creator.create_zeros_slot(w, name="b", colocate_with_primary=False)
    return dict(a=a, b=b)


def program_slot_of_unknown_shape():
    w = tf.Variable([1.0, 2.0], name="w", validate_shape=False)
    return dict(s=slot_creator.create_zeros_slot(w, name="s"))


def program_global_step():
    with tf.name_scope("inside"), tf.variable_scope("scope"):
        step = tf.train.create_global_step()
    same = tf.train.get_global_step() is step and tf.train.get_or_create_global_step() is step
    tf.train.assert_global_step(step)
    return [dict(same=str(same), add=tf.assign_add(step, 5)), dict(step=step)]


def program_no_global_step():
    return dict(none=str(tf.train.get_global_step()), one=tf.constant(1))


def program_global_step_by_name():
    step = tf.Variable(7, name="global_step", trainable=False)
    return dict(name=tf.train.get_global_step().name, step=step)
