"""Names: what ops, operators and scopes are called."""
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2], name="x")
with tf.name_scope("layer"):
    y = x * 2 + 1
    with tf.name_scope("inner"):
        z = 1 - y
        w = tf.identity(z, name="out")
with tf.name_scope("layer"):
    v = w / 3
with tf.name_scope("layer/"):
    u = -abs(v)
n = tf.placeholder_with_default(3, [], name="n") if hasattr(tf, "placeholder_with_default") else \
    tf.raw_ops.PlaceholderWithDefault(input=3, shape=[], name="n")
packed = tf.convert_to_tensor([n, 1])
shaped = tf.raw_ops.Reshape(tensor=u, shape=[-1, n - 1])
quotient, floor, remainder = n / 2, n // 2, n % 2
both = (n > 1) & (n <= 3)
either = (n < 1) ^ (n >= 3)
product = tf.matmul(x, [[1.0, 2.0], [3.0, 4.0]], transpose_b=True)
powers = x ** 2 @ [[1.0], [1.0]]

with tf.Session() as sess:
    feed = {x: [[1.0, 2.0], [3.0, 4.0]]}
    OUTPUTS = {
        "u": sess.run(u, feed),
        "shaped": sess.run(shaped, feed),
        "packed": sess.run(packed),
        "numbers": sess.run([quotient, floor, remainder]),
        "logic": sess.run([both, either]),
        "product": sess.run(product, feed),
        "powers": sess.run(powers, feed),
    }
