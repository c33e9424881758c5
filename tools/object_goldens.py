#!/usr/bin/env python3
"""Lets TensorFlow write checkpoints of objects and Keras' files, with what is in them, to tests/golden/objects.

Run by the Python of an environment with TensorFlow 2.15: .oracle/bin/python tools/object_goldens.py
"""
import json
import pathlib
import shutil
import subprocess
import sys

import goldens  # sets TensorFlow's environment: first
import numpy as np
import tensorflow.compat.v1 as tf

FOLDER = goldens.ROOT / "tests" / "golden" / "objects"
X = np.linspace(-1, 1, 12).reshape(4, 3)
Y = np.array([[0], [1], [1], [0]])


def checkpoint(folder):
    """Variables, an optimizer with slots, lists, dicts, layers and a checkpoint inside."""
    tf.reset_default_graph()
    tf.set_random_seed(1)
    v = tf.Variable([1.0, 2.0], name="v")
    w = tf.get_variable("w", initializer=3.0, use_resource=True)
    dense = tf.layers.Dense(2)
    loss = tf.reduce_sum(dense(tf.ones([1, 2]))) + tf.reduce_sum(v) * w
    optimizer = tf.train.AdamOptimizer(0.1)
    step = tf.train.get_or_create_global_step()
    train = optimizer.minimize(loss, step)
    objects = tf.train.Checkpoint(v=v, opt=optimizer, parts=[w, {"a/b": dense}], inner=tf.train.Checkpoint(step=step))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(train)
        path = objects.save(str(folder / "ckpt"), session)
        names = {variable.op.name: np.asarray(session.run(variable)).tolist() for variable in tf.global_variables()}
    return {"path": pathlib.Path(path).name, "values": names,
            "keys": sorted(tf.train.load_checkpoint(path).get_variable_to_shape_map())}


def model():
    keras = tf.keras
    layers = keras.layers
    x = keras.Input((3,), name="x")
    inner = keras.Sequential([layers.Dense(4, activation="relu", input_shape=(3,)), layers.BatchNormalization()],
                             name="inner")
    made = keras.Model(x, layers.Dense(1, activation="sigmoid", kernel_regularizer=keras.regularizers.l2(0.01))(
        layers.Dropout(0.5)(layers.concatenate([inner(x), x]))), name="whole")
    made.compile(keras.optimizers.Adam(0.01, clipnorm=1.0), "binary_crossentropy", metrics=["acc"])
    return made


def keras_files(folder):
    """A trained model, whole and as weights in both formats."""
    tf.keras.backend.clear_session()
    tf.set_random_seed(1)
    made = model()
    made.fit(X, Y, epochs=2, batch_size=2, verbose=0)
    made.save(str(folder / "model.h5"))
    made.save_weights(str(folder / "weights.h5"))
    made.save_weights(str(folder / "weights"))
    return {"predict": made.predict(X).tolist(), "evaluate": [float(v) for v in made.evaluate(X, Y, verbose=0)],
            "optimizer": [np.asarray(v).tolist() for v in made.optimizer.get_weights()],
            "weights": [v.tolist() for v in made.get_weights()]}


# --- models of TensorFlow 2, which another process writes ------------------------------------------

class Words(tf.Module):
    """A table with its words in a file, variables in a list, a branch and a loop."""

    def __init__(self, vocabulary):
        super().__init__()
        initializer = tf.lookup.TextFileInitializer(vocabulary, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE,
                                                    tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER)
        self.table = tf.lookup.StaticVocabularyTable(initializer, 1)
        self.parts = [tf.Variable(np.arange(8, dtype="f").reshape(4, 2), name="rows"), {"scale": tf.Variable(2.0)}]

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="words")])
    def __call__(self, words):
        found = tf.nn.embedding_lookup(self.parts[0], self.table.lookup(words))
        for _ in tf.range(2):
            found = found * self.parts[1]["scale"]
        return {"found": found}


def write_tf2(folder):
    """A module with functions and a model of Keras; what they answer."""
    vocabulary = folder / "words.txt"
    vocabulary.write_text("a\nb\nc\n")
    words = Words(str(vocabulary))
    tf.saved_model.save(words, str(folder / "tf2_module"))
    keras = tf.keras
    made = keras.Sequential([keras.layers.Dense(3, activation="relu", input_shape=(3,), name="first"),
                             keras.layers.Dense(2, activation="softmax", name="last")])
    made.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    made.save(str(folder / "tf2_keras"))
    vocabulary.unlink()
    for model in ("tf2_module", "tf2_keras"):
        (folder / model / "fingerprint.pb").unlink()
    return {"module": words(tf.constant(["c", "a", "z"]))["found"].numpy().tolist(),
            "keras": made(X.astype("f")).numpy().tolist()}


def tf2_answers():
    found = subprocess.run([sys.executable, __file__, "--tf2"], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(found.stdout.splitlines()[-1])


def main():
    if sys.argv[1:] == ["--tf2"]:
        print(json.dumps(write_tf2(FOLDER)))
        return
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    tf.disable_v2_behavior()
    answers = {"checkpoint": checkpoint(FOLDER), "keras": keras_files(FOLDER), "tf2": tf2_answers()}
    (FOLDER / "answers.json").write_text(json.dumps(answers, indent=1) + "\n")


if __name__ == "__main__":
    main()
