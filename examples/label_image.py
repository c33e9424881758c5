"""Says what a picture shows: asks a graph such as retrain leaves behind. The C++ twin is label_image.cc."""
import numpy as np
import tensorflow as tf

flags = tf.flags
flags.DEFINE_string("graph", "/tmp/output_graph.pb", "a frozen graph")
flags.DEFINE_string("labels", "/tmp/output_labels.txt", "the names of its classes, one on a line")
flags.DEFINE_string("image", "", "a JPEG, PNG, GIF or BMP file")
flags.DEFINE_string("input_layer", "", "the tensor for pictures; else the graph's first placeholder")
flags.DEFINE_string("output_layer", "final_result", "the operation that answers")
flags.DEFINE_float("input_mean", 127.5, "taken from each pixel")
flags.DEFINE_float("input_std", 127.5, "what each pixel is divided by then")
FLAGS = flags.FLAGS


def load_graph():
    definition = tf.GraphDef()
    with open(FLAGS.graph, "rb") as file:
        definition.ParseFromString(file.read())
    source = FLAGS.input_layer or next(n.name for n in definition.node if n.op == "Placeholder") + ":0"
    return tf.import_graph_def(definition, name="", return_elements=[source, FLAGS.output_layer + ":0"])


def read_picture(source):
    with open(FLAGS.image, "rb") as file:
        picture = tf.image.decode_image(file.read(), channels=source.shape[3].value, expand_animations=False)
    size = [source.shape[1].value, source.shape[2].value]
    resized = tf.image.resize_bilinear(tf.expand_dims(tf.cast(picture, tf.float32), 0), size)
    return (resized - FLAGS.input_mean) / FLAGS.input_std


def main(_):
    source, answer = load_graph()
    with open(FLAGS.labels) as file:
        labels = file.read().splitlines()
    with tf.Session() as sess:
        scores = sess.run(answer, {source: sess.run(read_picture(source))})[0]
    for i in np.argsort(-scores, kind="stable")[:5]:
        print(f"{labels[i]} {scores[i]:.5f}")


if __name__ == "__main__":
    tf.app.run()
