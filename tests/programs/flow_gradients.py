"""Functions with gradients of their own: the nodes that stand for them."""
import tensorflow as tf
from program import feeds


def program_custom_gradient():
    @tf.custom_gradient
    def f(a, b):
        def grad(dy):
            return dy * 2.0, dy * b
        return a * b, grad

    x, w = tf.placeholder(tf.float32, [2]), tf.constant([3.0, 4.0])
    return feeds({x: [1, 2]}, y=f(x, w))


def program_custom_gradient_structures():
    @tf.custom_gradient
    def f(a):
        def grad(first, second):
            return first + second * 5.0
        return (a * 2.0, a * 3.0), grad

    return {"y": list(f(tf.constant([1.0, 2.0])))}


def program_custom_gradient_in_scope():
    @tf.custom_gradient
    def clipped(a):
        return tf.identity(a), lambda dy: tf.minimum(dy, 1.0)

    with tf.name_scope("outer"):
        return {"y": clipped(tf.constant(3.0)) * 5.0}


def program_recompute_grad():
    @tf.recompute_grad
    def f(a):
        return tf.square(a) * a

    return {"y": f(tf.constant([1.0, 2.0]))}
