"""Builds on a trained network: keeps all of it but the last layer, and trains a new one for one's own pictures.

Pictures lie in one folder per class: --image_dir has roses/a.jpg, tulips/b.jpg, ... The trunk is a SavedModel or a
frozen graph that makes a vector of a picture. Each vector is worked out once and kept in --bottleneck_dir, so that the
new layer trains in seconds. What comes out is one graph with all weights inside, and the names of the classes:
label_image.py asks it. trunk.py draws some pictures and trains a trunk to try this with. The C++ twin is retrain.cc.
"""
import os
import random

import numpy as np
import tensorflow as tf

flags = tf.flags
flags.DEFINE_string("image_dir", "", "folders of JPEG files, one for each class")
flags.DEFINE_string("trunk", "", "a SavedModel, or a frozen graph (.pb)")
flags.DEFINE_string("architecture", "", "a well-known trunk instead: inception_v3, or mobilenet_1.0_224 and its like")
flags.DEFINE_string("model_dir", "", "where the graph of --architecture lies")
flags.DEFINE_string("input_layer", "", "the trunk's tensor for pictures; else its only placeholder")
flags.DEFINE_string("bottleneck_layer", "", "the trunk's tensor to build on; else its last one")
flags.DEFINE_float("input_mean", 127.5, "taken from each pixel")
flags.DEFINE_float("input_std", 127.5, "what each pixel is divided by then")
flags.DEFINE_string("bottleneck_dir", "/tmp/bottleneck", "keeps what the trunk makes of each picture")
flags.DEFINE_string("output_graph", "/tmp/output_graph.pb", "the trained graph")
flags.DEFINE_string("output_labels", "/tmp/output_labels.txt", "the names of its classes")
flags.DEFINE_string("saved_model_dir", "", "the same as a SavedModel, where it is wanted")
flags.DEFINE_string("summaries_dir", "/tmp/retrain_logs", "for TensorBoard")
flags.DEFINE_string("final_tensor_name", "final_result", "what the graph answers with")
flags.DEFINE_integer("how_many_training_steps", 4000, "how long to train")
flags.DEFINE_float("learning_rate", 0.01, "how far each step goes")
flags.DEFINE_integer("train_batch_size", 100, "pictures of a step")
flags.DEFINE_integer("eval_step_interval", 100, "steps between two looks at the validation pictures")
flags.DEFINE_integer("testing_percentage", 10, "pictures that are kept for the end")
flags.DEFINE_integer("validation_percentage", 10, "pictures that are watched while training")
FLAGS = flags.FLAGS
SETS = ["testing", "validation", "training"]


def share(name):
    """A number from 0 to 99 that depends on the file's name alone: more pictures do not move those that are there."""
    hashed = 2166136261
    for byte in name.encode():
        hashed = (hashed ^ byte) * 16777619 % 2**32
    return hashed % 100


def list_pictures():
    """The classes, and for each set its pictures as (class, path)."""
    folders = sorted(f.path for f in os.scandir(FLAGS.image_dir) if f.is_dir())
    labels, pictures = [], {which: [] for which in SETS}
    for folder in folders:
        files = sorted(f for f in os.listdir(folder) if f.lower().endswith((".jpg", ".jpeg")))
        if not files:
            print("no pictures in", folder)
            continue
        for file in files:
            number = share(file)
            which = ("testing" if number < FLAGS.testing_percentage else "validation"
                     if number < FLAGS.testing_percentage + FLAGS.validation_percentage else "training")
            pictures[which].append((len(labels), os.path.join(folder, file)))
        labels.append(os.path.basename(folder).lower())
    if len(labels) < 2:
        raise SystemExit(f"--image_dir={FLAGS.image_dir} must have pictures of two classes or more")
    if not pictures["training"]:
        raise SystemExit("no picture is left to train with")
    return labels, pictures


def well_known_trunk():
    """Sets the flags for the trunk that --architecture names and whose graph lies in --model_dir."""
    if FLAGS.architecture == "inception_v3":
        file, layers, size, mean = "classify_image_graph_def.pb", ("Mul:0", "pool_3/_reshape:0"), 299, 128.0
    elif FLAGS.architecture.startswith("mobilenet_"):
        file, layers, mean = "frozen_graph.pb", ("input:0", "MobilenetV1/Predictions/Reshape:0"), 127.5
        size = int(FLAGS.architecture.split("_")[-1])
    else:
        raise SystemExit(f"--architecture={FLAGS.architecture} is not known; --trunk takes any SavedModel or graph")
    FLAGS.trunk = os.path.join(FLAGS.model_dir, file)
    if not os.path.exists(FLAGS.trunk):
        raise SystemExit(f"--architecture={FLAGS.architecture} needs {file} in --model_dir={FLAGS.model_dir}")
    FLAGS.input_layer = FLAGS.input_layer or layers[0]
    FLAGS.bottleneck_layer = FLAGS.bottleneck_layer or layers[1]
    FLAGS.input_mean = FLAGS.input_std = mean
    return size


def import_trunk():
    """The trunk in the default graph, its variables turned to constants: its input and its vector."""
    if os.path.isdir(FLAGS.trunk):
        with tf.Session(graph=tf.Graph()) as sess:
            model = tf.saved_model.load(sess, ["serve"], FLAGS.trunk)
            signature = model.signature_def["serving_default"]
            source = FLAGS.input_layer or next(iter(signature.inputs.values())).name
            vector = FLAGS.bottleneck_layer or next(iter(signature.outputs.values())).name
            definition = tf.graph_util.convert_variables_to_constants(
                sess, sess.graph.as_graph_def(), [vector.split(":")[0]])
    else:
        definition = tf.GraphDef()
        with open(FLAGS.trunk, "rb") as file:
            definition.ParseFromString(file.read())
        placeholders = [node.name for node in definition.node if node.op == "Placeholder"]
        source = FLAGS.input_layer or placeholders[0] + ":0"
        vector = FLAGS.bottleneck_layer or definition.node[-1].name + ":0"
    return tf.import_graph_def(definition, name="", return_elements=[source, vector])


def add_decoding(source, size):
    """Bytes of a JPEG file, and the picture as the trunk takes it; `size` where the trunk does not say it."""
    _, height, width, channels = source.shape.as_list() if source.shape.ndims == 4 else (None, None, None, 3)
    height, width = height or size, width or size
    jpeg = tf.placeholder(tf.string, name="DecodeJPGInput")
    decoded = tf.image.decode_jpeg(jpeg, channels=channels)
    resized = tf.image.resize_bilinear(tf.expand_dims(tf.cast(decoded, tf.float32), 0), [height, width])
    return jpeg, (resized - FLAGS.input_mean) / FLAGS.input_std


def add_head(vector, classes):
    """A new last layer. Vectors that are known already are fed; else they are those of the trunk."""
    size = vector.shape[-1].value
    fed = tf.placeholder_with_default(tf.reshape(vector, [-1, size]), [None, size], name="BottleneckInput")
    labels = tf.placeholder(tf.int64, [None], name="GroundTruthInput")
    logits = tf.layers.dense(fed, classes, name="final_training_ops",
                             kernel_initializer=tf.truncated_normal_initializer(stddev=0.001))
    result = tf.nn.softmax(logits, name=FLAGS.final_tensor_name)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(result, 1), labels), tf.float32))
    tf.summary.scalar("cross_entropy", loss)
    tf.summary.scalar("accuracy", accuracy)
    return fed, labels, result, loss, accuracy


class Bottlenecks:
    """What the trunk makes of each picture: from a file where there is one."""

    def __init__(self, sess, jpeg, decoded, source, vector):
        self.sess, self.jpeg, self.decoded, self.source, self.vector = sess, jpeg, decoded, source, vector
        self.size = vector.shape[-1].value

    def of(self, path):
        trunk = os.path.basename(os.path.normpath(FLAGS.trunk))
        kept = os.path.join(FLAGS.bottleneck_dir, os.path.relpath(path, FLAGS.image_dir) + f"_{trunk}.txt")
        try:
            with open(kept) as file:
                values = [float(word) for word in file.read().split(",")]
            if len(values) == self.size:
                return values
            print(kept, "is damaged and made anew")
        except FileNotFoundError:
            pass
        except ValueError:
            print(kept, "is damaged and made anew")
        with open(path, "rb") as file:
            picture = self.sess.run(self.decoded, {self.jpeg: file.read()})
        values = self.sess.run(self.vector, {self.source: picture}).ravel()
        os.makedirs(os.path.dirname(kept), exist_ok=True)
        with open(kept, "w") as file:
            file.write(",".join(f"{value:.9g}" for value in values))
        return values

    def all_of(self, pictures):
        return (np.array([self.of(path) for _, path in pictures], np.float32).reshape(-1, self.size),
                np.array([label for label, _ in pictures], np.int64))


def train(sess, step, head, vectors):
    """Trains on batches drawn from the training set; tells how it goes on the others."""
    fed, labels, _, loss, accuracy = head
    merged = tf.summary.merge_all()
    writers = {which: tf.summary.FileWriter(os.path.join(FLAGS.summaries_dir, which), sess.graph)
               for which in ("training", "validation")}
    chance = random.Random(1)
    count = len(vectors["training"][1])
    for i in range(1, FLAGS.how_many_training_steps + 1):
        rows = [chance.randrange(count) for _ in range(FLAGS.train_batch_size)]
        sess.run(step, {fed: vectors["training"][0][rows], labels: vectors["training"][1][rows]})
        if i % FLAGS.eval_step_interval and i != FLAGS.how_many_training_steps:
            continue
        for which, writer in writers.items():
            if not len(vectors[which][1]):
                continue
            feeds = {fed: vectors[which][0], labels: vectors[which][1]}
            summary, lost, right = sess.run([merged, loss, accuracy], feeds)
            writer.add_summary(summary, i)
            print(f"step {i}: {which} accuracy {right:.1%}, cross entropy {lost:.4f}")
    if len(vectors["testing"][1]):
        right = sess.run(accuracy, {fed: vectors["testing"][0], labels: vectors["testing"][1]})
        print(f"final test accuracy = {right:.1%} (N={len(vectors['testing'][1])})")


def export(sess, source, result, labels):
    frozen = tf.graph_util.convert_variables_to_constants(sess, sess.graph.as_graph_def(), [result.op.name])
    with open(FLAGS.output_graph, "wb") as file:
        file.write(frozen.SerializeToString())
    with open(FLAGS.output_labels, "w") as file:
        file.write("\n".join(labels) + "\n")
    if FLAGS.saved_model_dir:
        tf.saved_model.simple_save(sess, FLAGS.saved_model_dir, {"image": source}, {"prediction": result})


def main(_):
    if not FLAGS.image_dir or not os.path.isdir(FLAGS.image_dir):
        raise SystemExit("--image_dir must name a folder with one folder of pictures for each class")
    size = well_known_trunk() if FLAGS.architecture and not FLAGS.trunk else None
    if not os.path.exists(FLAGS.trunk):
        raise SystemExit(f"--trunk={FLAGS.trunk} is not there: a SavedModel or a frozen graph to build on")
    labels, pictures = list_pictures()
    source, vector = import_trunk()
    jpeg, decoded = add_decoding(source, size)
    head = add_head(vector, len(labels))
    step = tf.train.GradientDescentOptimizer(FLAGS.learning_rate).minimize(head[3])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        bottlenecks = Bottlenecks(sess, jpeg, decoded, source, vector)
        train(sess, step, head, {which: bottlenecks.all_of(pictures[which]) for which in SETS})
        export(sess, source, head[2], labels)


if __name__ == "__main__":
    tf.app.run()
