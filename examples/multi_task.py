"""One net, two objectives: which digit is drawn, and whether it is odd. The C++ twin is multi_task.cc."""
import tempfile

import drawn_digits as digits
import tensorflow as tf


def model_fn(features, labels, mode):
    shared = tf.layers.dense(features["pixels"], 64, activation=tf.nn.relu, name="shared")
    heads = tf.contrib.estimator.multi_head(
        [tf.contrib.estimator.multi_class_head(digits.CLASSES, name="digit"),
         tf.contrib.estimator.binary_classification_head(name="odd")], head_weights=[1.0, 0.5])
    logits = {"digit": tf.layers.dense(shared, digits.CLASSES, name="digit_logits"),
              "odd": tf.layers.dense(shared, 1, name="odd_logits")}
    return heads.create_estimator_spec(
        features, mode, logits, labels,
        train_op_fn=lambda loss: tf.train.AdamOptimizer(0.003).minimize(loss, tf.train.get_global_step()))


def drawn(count, seed):
    pictures, numbers = digits.draw(count, seed=seed)
    return tf.estimator.inputs.numpy_input_fn({"pixels": pictures}, {"digit": numbers, "odd": numbers % 2},
                                              batch_size=64, num_epochs=4 if seed == 1 else 1, shuffle=False)


model = tf.estimator.Estimator(model_fn, tempfile.mkdtemp())
model.train(drawn(4000, seed=1))
found = model.evaluate(drawn(1000, seed=2))
print("digits {:.3f}, odd {:.3f}".format(found["accuracy/digit"], found["accuracy/odd"]))
