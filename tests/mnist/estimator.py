"""A convolutional network as an estimator: trained, evaluated and exported; prints the exported model's accuracy."""
import sys
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

digits = input_data.read_data_sets(sys.argv[1])


def model_fn(features, labels, mode):
    training = mode == tf.estimator.ModeKeys.TRAIN
    net = tf.reshape(features["x"], [-1, 28, 28, 1])
    for filters in (16, 32):
        net = tf.layers.conv2d(net, filters, 5, padding="same", activation=tf.nn.relu)
        net = tf.layers.max_pooling2d(net, 2, 2)
    net = tf.layers.dense(tf.layers.flatten(net), 128, activation=tf.nn.relu)
    logits = tf.layers.dense(tf.layers.dropout(net, 0.4, training=training), 10)
    predictions = {"classes": tf.argmax(logits, 1), "probabilities": tf.nn.softmax(logits)}
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions, export_outputs={
            "classify": tf.estimator.export.PredictOutput(predictions)})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    train_op = tf.train.AdamOptimizer(1e-3).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, predictions, loss, train_op,
                                      {"accuracy": tf.metrics.accuracy(labels, predictions["classes"])})


def receiver():
    x = tf.placeholder(tf.float32, [None, 784], name="pixels")
    return tf.estimator.export.ServingInputReceiver({"x": x}, {"pixels": x})


def train_input():
    data = tf.data.Dataset.from_tensor_slices(({"x": digits.train.images}, digits.train.labels.astype(np.int32)))
    return data.shuffle(5000, seed=1).repeat().batch(100).prefetch(1)


test_input = tf.estimator.inputs.numpy_input_fn({"x": digits.test.images}, digits.test.labels.astype(np.int32),
                                                batch_size=500, shuffle=False)
config = tf.estimator.RunConfig(tempfile.mkdtemp(), tf_random_seed=1, save_checkpoints_steps=600)
model = tf.estimator.Estimator(model_fn, config=config)
metrics, exports = tf.estimator.train_and_evaluate(
    model, tf.estimator.TrainSpec(train_input, max_steps=1200),
    tf.estimator.EvalSpec(test_input, steps=None, throttle_secs=0,
                          exporters=[tf.estimator.FinalExporter("final", receiver)]))
print("evaluated", metrics)

with tf.Graph().as_default() as graph, tf.Session() as session:
    signature = tf.saved_model.loader.load(session, ["serve"], exports[0].decode()).signature_def["serving_default"]
    found = np.concatenate([session.run(signature.outputs["classes"].name, {signature.inputs["pixels"].name: images})
                            for images in np.split(digits.test.images, 20)])
print("accuracy", (found == digits.test.labels).mean())
