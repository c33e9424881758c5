"""What +, -, *, / and their relatives make of tensors."""
import tensorflow as tf

from program import feeds


def program_arithmetic():
    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 5.0])
    return dict(add=x + y, sub=x - y, mul=x * y, div=x / y, floordiv=y // x, mod=y % x, pow=x ** y, neg=-x, abs=abs(x))


def program_with_numbers():
    x = tf.constant([1.0, 2.0])
    return dict(add=x + 1, sub=x - 2.5, mul=x * [2, 3], div=x / 4, floordiv=x // 2, mod=x % 2, pow=x ** 2)


def program_reflected():
    x = tf.constant([1.0, 2.0])
    return dict(add=1 + x, sub=2.5 - x, mul=[2, 3] * x, div=4 / x, floordiv=2 // x, mod=2 % x, pow=2 ** x)


def program_integers():
    x, y = tf.constant([7, -7]), tf.constant([2, 2])
    return dict(div=x / y, floordiv=x // y, mod=x % 3, pow=x ** 2, reflected=1 / y, short=tf.constant([3], tf.int8) / tf.constant([2], tf.int8))


def program_comparisons():
    x = tf.constant([1, 2, 3])
    return dict(lt=x < 2, le=x <= [1, 1, 5], gt=x > x, ge=3 >= x)


def program_logic():
    x, y = tf.constant([True, True, False]), tf.constant([True, False, False])
    return dict(both=x & y, either=x | y, different=x ^ y, no=~x, value=x & True, reflected=False | y, flipped=True ^ y)


def program_bits():
    x, y = tf.constant([12, 10]), tf.constant([10, 7])
    return dict(both=x & y, either=x | 1, different=x ^ y, no=~x, reflected=3 & x)


def program_matmul():
    a, b = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[0.5], [1.0]])
    return dict(product=a @ b, value=a @ [[1.0], [2.0]], reflected=[[1.0, 2.0]] @ a)


def program_matmul_batches():
    a = tf.constant([[[1.0, 2.0], [3.0, 4.0]]])
    return dict(product=a @ a)


def program_strings():
    x = tf.constant(["a", "b"])
    return dict(joined=x + "!", reflected="<" + x)


def program_complex():
    x = tf.constant([3 + 4j, 1j])
    return dict(abs=abs(x), div=x / 2, mul=x * 1j, neg=-x)


def program_scopes():
    with tf.name_scope("a"):
        x = tf.constant(2.0)
        y = x * 3.0 + 1.0
        with tf.name_scope("b"):
            z = y / 2.0 - x
    return dict(z=z, w=z * z * 2.0)


def program_identity_comparison():
    x = tf.constant([1, 2])
    y = tf.constant([1, 2])
    return dict(same=x == x, other=x == y, different=x != y, nothing=x == None)  # noqa: E711


def program_gradient():
    x = tf.constant([1.0, 2.0])
    y = (x * x + 3.0 * x) / (x + 1.0) - x ** 3.0
    return dict(y=y, dx=tf.gradients(y, x))


def program_unknown_shapes():
    x = tf.placeholder(tf.float32)
    y = 1.0 - x * [1.0, 2.0]
    return feeds({x: [[1.0], [2.0]]}, y=y, dx=tf.gradients(y, x))
