"""GraphDefs: written, read back under a prefix with inputs replaced, and written again."""
import tensorflow as tf

with tf.Graph().as_default() as source:
    a = tf.placeholder(tf.float32, [2], name="a")
    b = tf.constant([1.0, 2.0], name="b")
    with tf.control_dependencies([b]):
        c = tf.identity(a + b, name="c")
    tf.constant(["text", "more"], name="words")
    tf.constant([[1, 1], [1, 1]], tf.int64, name="ones")
message = source.as_graph_def()

tf.import_graph_def(message, name="plain")
x = tf.constant([5.0, 5.0], name="x")
c1, op = tf.import_graph_def(message, {"a:0": x}, ["c:0", "c"], name="mapped")
(c2,) = tf.import_graph_def(message, {"a": [7.0, 7.0]}, ["c:0"], name="mapped")
words, ones = tf.import_graph_def(message, return_elements=["words:0", "ones:0"])

with tf.Session() as sess:
    OUTPUTS = {"c1": sess.run(c1), "c2": sess.run(c2), "words": sess.run(words),
               "ones": sess.run(ones), "plain": sess.run("plain/c:0", {"plain/a:0": [0.0, 1.0]}),
               "name": op.name.encode()}
