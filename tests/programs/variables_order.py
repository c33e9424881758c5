"""Reads of reference variables by what comes after an update: they see the update."""
import tensorflow as tf


def variable(value=1.0, name="v"):
    return tf.Variable([value, 2 * value], name=name)


def twice(**fetches):
    return [fetches, dict(fetches)]


def program_fetched_beside_an_update():
    v = variable()
    return twice(value=v, read=v.value(), anew=v.read_value(), same=tf.identity(v), update=v.assign_add([1.0, 1.0]))


def program_fetched_beside_training():
    v = variable()
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(v * v))
    return twice(train=train, value=v)


def program_fetched_in_another_shape():
    v = variable()
    return twice(row=tf.reshape(v, [1, 2]), wide=tf.expand_dims(v, 1), update=v.assign_add([1.0, 1.0]))


def program_arithmetic_after_assign():
    v = variable()
    assign = v.assign(v + 1.0)
    with tf.control_dependencies([assign]):
        return twice(sum=v + 0.0, same=tf.identity(v), read=v.read_value(), ref=v._ref() + 0.0)


def program_value_taken_before_assign():
    v = variable()
    same, stopped, row = tf.identity(v), tf.stop_gradient(v), tf.reshape(v, [1, 2])
    assign = v.assign(v * 2.0)
    with tf.control_dependencies([assign]):
        return twice(same=same + 0.0, stopped=stopped * 1.0, row=row - 1.0)


def program_average_after_training():
    v = variable()
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(v * v))
    average = tf.train.ExponentialMovingAverage(0.5)
    with tf.control_dependencies([train]):
        update = average.apply([v])
    with tf.control_dependencies([update]):
        return twice(average=average.average(v) + 0.0, value=v + 0.0)


def program_averages_of_several():
    a, b = variable(1.0, "a"), variable(3.0, "b")
    train = tf.group(a.assign_add([1.0, 1.0]), b.assign_sub([1.0, 1.0]))
    average = tf.train.ExponentialMovingAverage(0.9, num_updates=2)
    with tf.control_dependencies([train]):
        update = average.apply()
    with tf.control_dependencies([update]):
        return twice(a=average.average(a) + 0.0, b=average.average(b) + 0.0)


def program_behind_a_long_way():
    v = variable()
    doubled = v.assign_add([1.0, 1.0]) * 1.0
    with tf.control_dependencies([doubled]):
        five = tf.constant(5.0)
    return twice(product=v * (five + 1.0))


def program_behind_the_new_value():
    v = variable()
    return twice(product=v * v.assign_add([1.0, 1.0]))


def program_behind_rows():
    v = variable()
    scattered = tf.scatter_add(v, [0], [5.0])
    with tf.control_dependencies([scattered]):
        return twice(sum=v + 0.0, row=tf.gather(v, [0]))


def program_behind_two_updates():
    v = variable()
    first = v.assign_add([1.0, 1.0])
    with tf.control_dependencies([first]):
        second = v.assign(v * 2.0)
    with tf.control_dependencies([second]):
        return twice(sum=v + 0.0)


def program_behind_a_branch():
    v = variable()
    chosen = tf.cond(tf.placeholder_with_default(True, []), lambda: v.assign_add([1.0, 1.0]), lambda: v + 0.0)
    with tf.control_dependencies([chosen]):
        return twice(sum=v + 0.0)


def program_in_a_branch():
    v = variable()
    update = v.assign_add([1.0, 1.0])
    with tf.control_dependencies([update]):
        return twice(chosen=tf.cond(tf.placeholder_with_default(True, []), lambda: v + 0.0, lambda: v - 1.0))


def program_in_a_loop():
    v = variable()
    update = v.assign_add([1.0, 1.0])
    with tf.control_dependencies([update]):
        return twice(sum=tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + v), [0, tf.zeros([2])])[1])


def program_step_counted():
    step = tf.train.get_or_create_global_step()
    count = tf.assign_add(step, 1)
    with tf.control_dependencies([count]):
        return twice(step=tf.identity(step), even=tf.equal(step % 2, 0))


def program_resource_variables_keep_what_was_read():
    v = tf.Variable([1.0, 2.0], name="v", use_resource=True)
    read = v.read_value()
    update = v.assign_add([1.0, 1.0])
    with tf.control_dependencies([update]):
        return twice(now=v + 0.0)


def program_constraint_reference():
    w = tf.Variable([1.0, 2.0], name="w", constraint=lambda x: tf.maximum(x, 0.9))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(w * w))
    with tf.control_dependencies([train]):
        return twice(w=w + 0.0)


def program_resource_variable_after_a_write():
    v = tf.Variable([1.0, 2.0], name="v", use_resource=True)
    written = v.assign_add([1.0, 1.0])
    return twice(read=written.read_value(), value=written.value(), sum=written + 0.0, row=written.sparse_read([1]),
                 element=written.gather_nd([0]))


def program_resource_variable_after_a_late_write():
    v = tf.Variable([1.0, 2.0], name="v", use_resource=True)
    first = tf.constant([1.0, 1.0])
    with tf.control_dependencies([first]):
        written = v.assign(v + first)
        return twice(read=written.read_value(), sum=written + 0.0)
