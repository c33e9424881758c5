"""Control dependencies, devices and colocation: what the graph records, and the order of effects."""
import tensorflow as tf

ref = tf.raw_ops.VariableV2(shape=[2], dtype=tf.float32, name="v")
init = tf.raw_ops.Assign(ref=ref, value=[1.0, 2.0], name="init")
with tf.control_dependencies([init]):
    more = tf.raw_ops.AssignAdd(ref=ref, value=[10.0, 10.0], name="more")
    with tf.control_dependencies([more]):
        after = tf.identity(ref, name="after")
        chained = tf.identity(after, name="chained")
        with tf.control_dependencies(None):
            free = tf.constant(1.0, name="free")
with tf.device("/device:CPU:0"):
    placed = tf.constant(2.0, name="placed")
    with tf.device("/job:localhost"):
        both = tf.identity(placed, name="both")
with tf.get_default_graph().colocate_with(ref):
    beside = tf.identity(placed, name="beside")
with tf.control_dependencies([chained, beside]):
    done = tf.no_op(name="done")

with tf.Session() as sess:
    first = sess.run(after)
    sess.run(done)
    OUTPUTS = {"first": first, "second": sess.run(ref), "third": sess.run(chained),
               "both": sess.run([free, both, beside])}
