"""Optimizers with losses that are functions, and with gradients of tapes."""
import numpy as np
import tensorflow as tf

from program import raised

train = tf.train


def minimized(optimizer, steps=3, **options):
    """A vector after steps down a parabola."""
    v = tf.Variable([1., -2.])
    for _ in range(steps):
        optimizer.minimize(lambda: tf.reduce_sum(v * v), **options)
    return v


def applied(optimizer, steps=3):
    """The same by a tape, with a variable of two dimensions."""
    v = tf.Variable([[1., -2.], [.5, 3.]])
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(v ** 2) + tf.reduce_sum(tf.sin(v))
        optimizer.apply_gradients([(tape.gradient(loss, v), v)])
    return v


def both(make):
    return dict(minimized=minimized(make()), applied=applied(make()))


def program_gradient_descent():
    return both(lambda: train.GradientDescentOptimizer(.1))


def program_momentum():
    return both(lambda: train.MomentumOptimizer(.1, .9))


def program_nesterov():
    return both(lambda: train.MomentumOptimizer(.1, .9, use_nesterov=True))


def program_adam():
    return both(lambda: train.AdamOptimizer(.1))


def program_adagrad():
    return both(lambda: train.AdagradOptimizer(.1))


def program_adadelta():
    return both(lambda: train.AdadeltaOptimizer(.5))


def program_rmsprop():
    return both(lambda: train.RMSPropOptimizer(.1))


def program_rmsprop_centered():
    return both(lambda: train.RMSPropOptimizer(.1, momentum=.5, centered=True))


def program_ftrl():
    return both(lambda: train.FtrlOptimizer(.1, l1_regularization_strength=.01))


def program_proximal():
    return dict(descent=minimized(train.ProximalGradientDescentOptimizer(.1, .01)), adagrad=minimized(train.ProximalAdagradOptimizer(.1)))


def program_adagrad_da():
    step = train.get_or_create_global_step()
    return dict(v=minimized(train.AdagradDAOptimizer(.1, step), global_step=step), step=step)


def program_keras_optimizers():
    kinds = dict(sgd=tf.keras.optimizers.SGD(.1, momentum=.9), adam=tf.keras.optimizers.Adam(.1), rms=tf.keras.optimizers.RMSprop(.1),
                 adagrad=tf.keras.optimizers.Adagrad(.1), adamax=tf.keras.optimizers.Adamax(.1), nadam=tf.keras.optimizers.Nadam(.1),
                 adadelta=tf.keras.optimizers.Adadelta(1.), ftrl=tf.keras.optimizers.Ftrl(.1))
    return {name: applied(optimizer) for name, optimizer in kinds.items()}


def program_keras_minimize():
    v, optimizer = tf.Variable([1., 2.]), tf.keras.optimizers.SGD(.1)
    for _ in range(3):
        optimizer.minimize(lambda: tf.reduce_sum(v * v), [v])
    return dict(v=v, steps=optimizer.iterations)


def program_rates_that_are_functions():
    rates = iter([.1, .2, .3])
    return dict(v=minimized(train.GradientDescentOptimizer(lambda: next(rates))))


def program_rates_that_are_variables():
    v, rate = tf.Variable(1.), tf.Variable(.5)
    optimizer = train.GradientDescentOptimizer(rate)
    optimizer.minimize(lambda: v * v)
    return dict(v=v)


def program_schedules():
    step = train.get_or_create_global_step()
    rates = dict(exponential=train.exponential_decay(1., step, 2, .5), stairs=train.piecewise_constant(step, [1, 2], [3., 2., 1.]),
                 polynomial=train.polynomial_decay(1., step, 4), cosine=train.cosine_decay(1., step, 4), inverse=train.inverse_time_decay(1., step, 1, .5))
    found = []
    for _ in range(3):
        found.append([rates[name]() for name in sorted(rates)])
        step.assign_add(1)
    return {f"at{i}": values for i, values in enumerate(found)}


def program_schedules_in_optimizers():
    step, v = train.get_or_create_global_step(), tf.Variable(1.)
    optimizer = train.GradientDescentOptimizer(train.exponential_decay(.5, step, 1, .5))
    for _ in range(3):
        optimizer.minimize(lambda: v * v, global_step=step)
    return dict(v=v, step=step)


def program_global_steps():
    step = train.get_or_create_global_step()
    minimized(train.AdamOptimizer(.1), global_step=step)
    return dict(step=step)


def program_compute_gradients():
    v, w = tf.Variable(2.), tf.Variable(3.)
    optimizer = train.GradientDescentOptimizer(.1)
    pairs = optimizer.compute_gradients(lambda: v * v * w)
    optimizer.apply_gradients([(g * 2, x) for g, x in pairs])
    return dict(grads=[g for g, _ in pairs], v=v, w=w)


def program_var_list():
    v, w = tf.Variable(2.), tf.Variable(3.)
    train.GradientDescentOptimizer(.1).minimize(lambda: v * w, var_list=[w])
    return dict(v=v, w=w)


def program_slots():
    optimizer, v = train.AdamOptimizer(.1), tf.Variable([1., 2.])
    optimizer.minimize(lambda: tf.reduce_sum(v * v))
    return dict(names=optimizer.get_slot_names(), m=optimizer.get_slot(v, "m"), v=optimizer.get_slot(v, "v"), count=len(optimizer.variables()))


def program_sparse_gradients():
    found = {}
    for name, optimizer in dict(sgd=train.GradientDescentOptimizer(.1), adam=train.AdamOptimizer(.1), adagrad=train.AdagradOptimizer(.1),
                                momentum=train.MomentumOptimizer(.1, .9), rms=train.RMSPropOptimizer(.1), ftrl=train.FtrlOptimizer(.1)).items():
        table = tf.Variable(np.arange(6, dtype=np.float32).reshape(3, 2))
        for _ in range(2):
            optimizer.minimize(lambda: tf.reduce_sum(tf.gather(table, [0, 2, 0]) ** 2))
        found[name] = table
    return found


def program_refused():
    optimizer, v = train.GradientDescentOptimizer(.1), tf.Variable(1.)
    return dict(tensor=raised(lambda: optimizer.minimize(v * v)), compute=raised(lambda: optimizer.compute_gradients(v * v)),
                empty=raised(lambda: optimizer.apply_gradients([])), none=raised(lambda: optimizer.apply_gradients([(None, v)])),
                nothing=raised(lambda: optimizer.minimize(lambda: tf.constant(1.))))


def program_losses_with_arguments():
    v = tf.Variable(2.)
    optimizer = train.GradientDescentOptimizer(.1)
    for x in (1., 2.):
        optimizer.minimize(lambda x=x: (v * x) ** 2)
    return dict(v=v)


def program_grad_loss():
    v = tf.Variable([1., 2.])
    train.GradientDescentOptimizer(.1).minimize(lambda: v * v, grad_loss=tf.constant([1., 10.]))
    return dict(v=v)


def program_moving_averages_by_hand():
    v, kept = tf.Variable(1.), tf.Variable(0.)
    for i in range(3):
        v.assign(float(i))
        kept.assign(kept * .9 + v * .1)
    return dict(kept=kept)


def program_linear_regression():
    x = np.linspace(-1, 1, 20).astype(np.float32)
    y, w, b = 3 * x + 1, tf.Variable(0.), tf.Variable(0.)
    optimizer = train.GradientDescentOptimizer(.2)
    for _ in range(50):
        with tf.GradientTape() as tape:
            loss = tf.losses.mean_squared_error(y, w * x + b)
        optimizer.apply_gradients(zip(tape.gradient(loss, [w, b]), [w, b]))
    return dict(w=w, b=b, loss=loss)
