"""tf.print and tf.Print: the operations that they make."""
import collections
import sys

import tensorflow as tf
from program import feeds

Pair = collections.namedtuple("Pair", ["a", "b"])


def program_print_through():
    x = tf.placeholder(tf.int32, [])
    return feeds({x: 3}, y=[tf.Print(x, [x, "a"], message="m", first_n=1, summarize=7),
                           tf.Print(x, [x], name="g")])


def program_print():
    x = tf.placeholder(tf.float32, [3])
    return feeds({x: [1, 2, 3]}, y=[tf.print("a", x), tf.print("a", x, [x, 3], {"k": x}, summarize=-1, end="",
                                                              name="pp")])


def program_print_stdout():
    x = tf.placeholder(tf.string)
    return feeds({x: "text"}, y=tf.print(x, output_stream=sys.stdout))


def program_print_scalar_text():
    return {"y": [tf.print(tf.constant("hello")), tf.print(tf.constant("hello"), 3)]}


def program_print_no_tensors():
    return {"y": [tf.print(), tf.print("only text", 3, None, True, 1.5, name="texts")]}


def program_print_structures():
    x = tf.constant([1, 2])
    return {"y": [tf.print(Pair(x, 2), [Pair(1, x)]), tf.print((x,), [[x, "s"], ()], end="|"),
                  tf.print([x] * 12, {"long": ["structures"] * 6})]}


def program_print_sep():
    x = tf.constant([1, 2])
    return {"y": tf.print("a", x, "b", sep=",")}


def program_print_file():
    return {"y": tf.print(tf.constant(3), output_stream="file:///tmp/rill_program_print.txt")}


def program_print_in_order():
    x = tf.constant(3.0)
    with tf.control_dependencies([tf.print("x:", x, output_stream=sys.stderr)]):
        return {"y": tf.identity(x)}


def program_timestamp():
    tf.timestamp()
    tf.timestamp(name="ts")
    return {}
