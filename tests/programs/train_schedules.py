"""Learning rates that follow the number of steps."""
import tensorflow as tf


def at_steps(make, dtype=tf.int64, steps=(0, 1, 50, 99, 100, 101, 250)):
    step = tf.placeholder(dtype, [], name="step")
    rate = make(step)
    return [dict_at(step, at, rate) for at in steps]


def dict_at(step, at, rate):
    from program import feeds
    return feeds({step: at}, rate=rate)


def program_exponential():
    return at_steps(lambda s: tf.train.exponential_decay(0.1, s, 100, 0.96))


def program_exponential_staircase():
    return at_steps(lambda s: tf.train.exponential_decay(0.1, s, 100, 0.96, staircase=True, name="lr"))


def program_exponential_float64():
    return at_steps(lambda s: tf.train.exponential_decay(tf.constant(0.1, tf.float64), s, 100, 0.96))


def program_exponential_tensors():
    steps = tf.constant(20)
    return at_steps(lambda s: tf.train.exponential_decay(tf.constant(0.1), s, steps, tf.constant(0.9)),
                    tf.int32)


def program_exponential_float_step():
    return at_steps(lambda s: tf.train.exponential_decay(0.1, s, 100.0, 0.96), tf.float32)


def program_natural_exp():
    return at_steps(lambda s: tf.train.natural_exp_decay(0.1, s, 100, 0.96))


def program_natural_exp_staircase():
    return at_steps(lambda s: tf.train.natural_exp_decay(0.1, s, 100, 0.96, staircase=True, name="n"))


def program_inverse_time():
    return at_steps(lambda s: tf.train.inverse_time_decay(0.1, s, 100, 0.5))


def program_inverse_time_staircase():
    return at_steps(lambda s: tf.train.inverse_time_decay(0.1, s, 100, 0.5, staircase=True))


def program_polynomial():
    return at_steps(lambda s: tf.train.polynomial_decay(0.1, s, 100))


def program_polynomial_power():
    return at_steps(lambda s: tf.train.polynomial_decay(0.1, s, 100, 0.01, power=0.5, name="poly"))


def program_polynomial_cycle():
    return at_steps(lambda s: tf.train.polynomial_decay(0.1, s, 100, 0.01, power=2.0, cycle=True))


def program_piecewise():
    return at_steps(lambda s: tf.train.piecewise_constant(s, [50, 100], [0.1, 0.05, 0.01]))


def program_piecewise_one():
    return at_steps(lambda s: tf.train.piecewise_constant(s, [100], [0.1, 0.01], name="pw"))


def program_piecewise_four():
    return at_steps(lambda s: tf.train.piecewise_constant_decay(s, [1, 50, 100, 200],
                                                                [5.0, 4.0, 3.0, 2.0, 1.0]))


def program_piecewise_float():
    return at_steps(lambda s: tf.train.piecewise_constant(s, [50.0, 100.0], [1, 2, 3]), tf.float32)


def program_piecewise_variable():
    step = tf.Variable(60, trainable=False, name="step")
    return dict(rate=tf.train.piecewise_constant(step, [50, 100], [0.1, 0.05, 0.01]))


def program_piecewise_global_step():
    step = tf.train.get_or_create_global_step()
    return dict(rate=tf.train.piecewise_constant(step, [50, 100], [0.1, 0.05, 0.01]))


def program_cosine():
    return at_steps(lambda s: tf.train.cosine_decay(0.1, s, 100))


def program_cosine_alpha():
    return at_steps(lambda s: tf.train.cosine_decay(0.1, s, 100, alpha=0.2, name="cos"))


def program_cosine_restarts():
    return at_steps(lambda s: tf.train.cosine_decay_restarts(0.1, s, 100))


def program_cosine_restarts_even():
    return at_steps(lambda s: tf.train.cosine_decay_restarts(0.1, s, 60, t_mul=1.0, m_mul=0.5, alpha=0.1))


def program_linear_cosine():
    return at_steps(lambda s: tf.train.linear_cosine_decay(0.1, s, 100, alpha=0.1))


def program_linear_cosine_periods():
    return at_steps(lambda s: tf.train.linear_cosine_decay(0.1, s, 100, num_periods=2.0, beta=0.01))


def program_noisy_linear_cosine():
    rate = tf.train.noisy_linear_cosine_decay(0.1, tf.constant(10), 100)  # its values are random
    return dict(name=rate.name, one=tf.constant(1))


def program_resource_step():
    step = tf.Variable(30, trainable=False, name="step", use_resource=True, dtype=tf.int64)
    return dict(a=tf.train.exponential_decay(0.1, step, 100, 0.96),
                b=tf.train.polynomial_decay(0.1, step, 100),
                c=tf.train.cosine_decay(0.1, step, 100),
                d=tf.train.piecewise_constant(step, [50], [0.1, 0.05]))
