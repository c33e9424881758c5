"""TensorFlow Hub 0.7: a module is made, exported, loaded again and used in a graph, in an estimator's columns, and
trained further. Modules of the web are not asked for."""
import os
import tempfile

import numpy as np
import tensorflow as tf
import tensorflow_hub as hub


def half_plus_two():
    x = tf.placeholder(tf.float32, [None], name="x")
    scale = tf.get_variable("scale", initializer=0.5)
    hub.add_signature(inputs=x, outputs=x * scale + 2.0)
    hub.add_signature("both", inputs={"x": x}, outputs={"y": x * scale, "default": x})


def embedding():
    words = tf.placeholder(tf.string, [None])
    table = tf.get_variable("table", [10, 4], initializer=tf.random_normal_initializer(seed=1))
    places = tf.string_to_hash_bucket_fast(words, 10)
    hub.add_signature(inputs=words, outputs=tf.gather(table, places))


def export(module_fn, path, **options):
    spec = hub.create_module_spec(module_fn, **options)
    with tf.Graph().as_default():
        module = hub.Module(spec, trainable=True)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            module.export(path, session)


def use(path):
    with tf.Graph().as_default():
        module = hub.Module(path, name="half", trainable=True)
        assert sorted(module.get_signature_names()) == ["both", "default"]
        assert module.get_input_info_dict()["default"].get_shape().ndims == 1
        y = module(tf.constant([2.0, 4.0]))
        loss = tf.reduce_sum(tf.square(y - [4.0, 6.0]))
        train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.tables_initializer()])
            np.testing.assert_allclose(session.run(y), [3, 4])
            before = session.run(loss)
            for _ in range(20):
                session.run(train)
            assert session.run(loss) < before / 2
            both = module({"x": [8.0]}, signature="both", as_dict=True)
            assert set(both) == {"y", "default"}


def columns(path):
    column = hub.text_embedding_column("sentence", path)
    with tf.Graph().as_default():
        layer = tf.feature_column.input_layer({"sentence": tf.constant(["a", "b", "a"])}, [column])
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.tables_initializer()])
            found = session.run(layer)
    assert found.shape == (3, 4)
    np.testing.assert_array_equal(found[0], found[2])


def main():
    with tempfile.TemporaryDirectory() as folder:
        export(half_plus_two, os.path.join(folder, "half"))
        use(os.path.join(folder, "half"))
        export(embedding, os.path.join(folder, "words"))
        columns(os.path.join(folder, "words"))
    print("modules are made, exported, loaded, trained further and used as feature columns")


main()
