"""tf.summary: tags, names, families, collections and messages."""
import numpy as np
import tensorflow as tf
from program import feeds


def names(key="summaries"):
    return ",".join(item.name for item in tf.get_collection(key))


def told(summary, **more):
    return dict(summary=summary, collected=names(), **more)


def program_scalar():
    return told(tf.summary.scalar("loss", tf.constant(1.5)))


def program_scalar_of_number():
    return told(tf.summary.scalar("loss", 2.5))


def program_scalar_twice():
    a = tf.summary.scalar("loss", tf.constant(1.5))
    b = tf.summary.scalar("loss", tf.constant(2.5))
    return told([a, b])


def program_scalar_in_scope():
    with tf.name_scope("train"):
        return told(tf.summary.scalar("loss", tf.constant(1.5)))


def program_scalar_family():
    return told(tf.summary.scalar("loss", tf.constant(1.5), family="losses"))


def program_scalar_family_in_scope():
    with tf.name_scope("train"):
        a = tf.summary.scalar("loss", tf.constant(1.5), family="losses")
        b = tf.summary.scalar("loss", tf.constant(2.5), family="losses")
    return told([a, b])


def program_scalar_illegal_name():
    return told(tf.summary.scalar("/my loss: (%)", tf.constant(1.5), family="a b"))


def program_scalar_slashes():
    return told(tf.summary.scalar("a/b/loss", tf.constant(1.5)))


def program_scalar_collections():
    a = tf.summary.scalar("a", tf.constant(1.0), collections=["mine", "yours"])
    b = tf.summary.scalar("b", tf.constant(1.0), collections=[])
    return told([a, b], mine=names("mine"), yours=names("yours"))


def program_scalar_types():
    return told([tf.summary.scalar("x", tf.constant(3, dtype)) for dtype in
                 (tf.float64, tf.float16, tf.int32, tf.int64, tf.uint8)])


def program_scalar_of_variable():
    v = tf.Variable(2.0, name="v")
    return told(tf.summary.scalar("v_now", v))


def program_histogram():
    return told(tf.summary.histogram("weights", tf.constant([-1.0, 0.0, 0.5, 0.5, 3.0])))


def program_histogram_integers():
    return told(tf.summary.histogram("weights", tf.constant([1, 2, 3, 1000]), family="w"))


def program_histogram_doubles():
    values = np.linspace(-10, 10, 50)
    return told(tf.summary.histogram("weights", tf.constant(values)))


def program_histogram_fed():
    x = tf.placeholder(tf.float32, [None])
    return [feeds({x: [1.0, 2.0]}, h=tf.summary.histogram("x", x, collections=["h"]))]


def program_image_nodes():
    image = tf.summary.image("picture", tf.zeros([5, 4, 4, 3]), max_outputs=2)
    small = tf.summary.image("small", tf.zeros([1, 2, 2, 1], tf.uint8), family="pictures")
    return dict(names=f"{image.name},{small.name}", collected=names())


def program_audio_nodes():
    rate = tf.placeholder(tf.float32, [])
    a = tf.summary.audio("sound", tf.zeros([5, 10]), 16000.0, max_outputs=1)
    b = tf.summary.audio("sound", tf.zeros([5, 10, 2]), rate, family="sounds")
    return dict(names=f"{a.name},{b.name}", collected=names())


def program_text():
    return told(tf.summary.text("note", tf.constant("hello")))


def program_text_table():
    with tf.name_scope("notes"):
        return told(tf.summary.text("table", tf.constant([["a", "b"], ["c", "d"]])))


def program_tensor_summary():
    return told(tf.summary.tensor_summary("t", tf.constant([[1, 2], [3, 4]])))


def program_tensor_summary_described():
    return told(tf.summary.tensor_summary("t", tf.constant([1.5]), summary_description="what it is",
                                          display_name="shown", family="f"))


def program_tensor_summary_metadata():
    metadata = tf.SummaryMetadata(plugin_data=tf.SummaryMetadata.PluginData(plugin_name="mine", content=b"x"))
    return told(tf.summary.tensor_summary("t", tf.constant(True), summary_metadata=metadata, collections=["c"]),
                c=names("c"))


def program_merge():
    a, b = tf.summary.scalar("a", 1.0), tf.summary.scalar("b", 2.0)
    return told(tf.summary.merge([a, b]), again=tf.summary.merge([b, a], name="ab", collections=["merged"]),
                merged=names("merged"))


def program_merge_illegal_name():
    return told(tf.summary.merge([tf.summary.scalar("a", 1.0)], name="a b"))


def program_merge_all():
    tf.summary.scalar("a", 1.0)
    tf.summary.histogram("h", tf.constant([1.0, 2.0]))
    with tf.name_scope("inner"):
        tf.summary.scalar("b", 2.0)
    return told(tf.summary.merge_all(), inner=tf.summary.merge_all(scope="inner"),
                named=tf.summary.merge_all(name="everything"))


def program_merge_all_of_key():
    tf.summary.scalar("a", 1.0, collections=["mine"])
    return told(tf.summary.merge_all("mine"), none=str(tf.summary.merge_all()))


def program_merge_all_of_nothing():
    return dict(none=str(tf.summary.merge_all()), one=tf.constant(1))


def program_description():
    node = tf.NodeDef(op="TensorSummary", name="n")
    node.attr["description"].s = b'{"typeHint": "scalar"}'
    return dict(hint=tf.summary.get_summary_description(node).type_hint, one=tf.constant(1))


def program_training():
    x = tf.Variable(3.0, name="x", use_resource=True)
    loss = tf.square(x, name="loss_value")
    tf.summary.scalar("loss", loss)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    merged = tf.summary.merge_all()
    return [dict(merged=merged), dict(train=train), dict(merged=merged)]
