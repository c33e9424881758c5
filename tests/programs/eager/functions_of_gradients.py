"""tf.contrib.eager's functions of gradients, as newer TensorFlows still have them elsewhere."""
import tensorflow as tf

from program import raised

if hasattr(tf, "contrib"):
    tfe = tf.contrib.eager
    gradients_function, value_and_gradients_function = tfe.gradients_function, tfe.value_and_gradients_function
    implicit_gradients, implicit_value_and_gradients = tfe.implicit_gradients, tfe.implicit_value_and_gradients
else:
    from tensorflow.python.eager import backprop
    gradients_function, value_and_gradients_function = backprop.gradients_function, backprop.val_and_grad_function
    implicit_gradients, implicit_value_and_gradients = backprop.implicit_grad, backprop.implicit_val_and_grad


def program_gradients_function():
    return dict(one=gradients_function(lambda x: x * x)(3.)[0], two=gradients_function(lambda x, y: x * y)(3., 4.),
                vector=gradients_function(lambda x: x ** 3)(tf.constant([1., 2.]))[0])


def program_params():
    def f(a, b, c):
        return a * b * c
    return dict(names=gradients_function(f, ["b"])(2., 3., 5.), numbers=gradients_function(f, [0, 2])(2., 3., 5.),
                mixed=raised(lambda: gradients_function(f, [0, "b"])(2., 3., 5.)))


def program_second_order():
    first = gradients_function(lambda x: x ** 4)
    second = gradients_function(lambda x: first(x)[0])
    third = gradients_function(lambda x: second(x)[0])
    return dict(first=first(2.)[0], second=second(2.)[0], third=third(2.)[0])


def program_dy():
    return dict(dx=gradients_function(lambda x: x * x)(tf.constant([1., 2.]), dy=tf.constant([1., 10.]))[0])


def program_values_and_gradients():
    value, grads = value_and_gradients_function(lambda x, y: x * y)(3., 4.)
    return dict(value=value, grads=grads)


def program_values_and_gradients_by_params():
    value, grads = value_and_gradients_function(lambda x, y: x * y, params=[1])(3., 4.)
    return dict(value=value, grads=grads)


def program_keywords_refused():
    return dict(error=raised(lambda: gradients_function(lambda x: x)(x=1.)))


def program_functions_that_return_nothing():
    return dict(error=raised(lambda: gradients_function(lambda x: None)(1.)), implicit=raised(lambda: implicit_gradients(lambda: None)()))


def program_implicit_gradients():
    v, w = tf.Variable(2.), tf.Variable(3.)
    pairs = implicit_gradients(lambda x: v * v * w * x)(5.)
    return dict(grads=[g for g, _ in pairs], same=[pairs[0][1] is v, pairs[1][1] is w])


def program_implicit_values():
    v = tf.Variable([1., 2.])
    value, pairs = implicit_value_and_gradients(lambda: tf.reduce_sum(v * v))()
    return dict(value=value, grad=pairs[0][0])


def program_no_variables():
    return dict(error=raised(lambda: implicit_gradients(lambda x: x)(1.)))


def program_training_with_implicit_gradients():
    w, optimizer = tf.Variable(0.), tf.train.GradientDescentOptimizer(.1)
    loss = implicit_value_and_gradients(lambda x, y: (w * x - y) ** 2)
    losses = []
    for _ in range(5):
        value, pairs = loss(2., 6.)
        optimizer.apply_gradients(pairs)
        losses.append(value.numpy())
    return dict(w=w, losses=losses)


def program_unconnected():
    return dict(found=[g is None for g in gradients_function(lambda x, y: x * 2)(1., 2.)])


def program_structures():
    return dict(grads=gradients_function(lambda x: tf.reduce_sum(x[0] * x[1]))([tf.constant([1.]), tf.constant([2.])]))


def program_of_layers():
    layer = tf.keras.layers.Dense(2, kernel_initializer="ones")
    pairs = implicit_gradients(lambda x: tf.reduce_sum(layer(x) ** 2))(tf.ones([1, 3]))
    return dict(grads=[g for g, _ in pairs])
