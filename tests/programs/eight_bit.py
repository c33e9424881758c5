"""Inference in eight bits: what TensorFlow's quantizer makes of layers, written out by hand."""
import numpy as np
import tensorflow as tf

from program import feeds


def numbers(*shape, low=-1.0, high=1.0, seed=1):
    return np.random.RandomState(seed).uniform(low, high, shape).astype(np.float32)


def quantized(x):
    """x in eight bits, in the range that it takes up."""
    flat = tf.reshape(x, [-1])
    return tf.quantization.quantize(x, tf.reduce_min(flat), tf.reduce_max(flat), tf.quint8, mode="MIN_FIRST")


def narrowed(y, low, high):
    """32 bits back to eight, in the range that they take up."""
    new_low, new_high = tf.raw_ops.RequantizationRange(input=y, input_min=low, input_max=high)
    return tf.raw_ops.Requantize(input=y, input_min=low, input_max=high, requested_output_min=new_low,
                                 requested_output_max=new_high, out_type=tf.quint8)


def dense(x, weights, bias):
    w, b = quantized(weights), quantized(bias)
    y = narrowed(*tf.raw_ops.QuantizedMatMul(a=x[0], b=w[0], min_a=x[1], max_a=x[2], min_b=w[1], max_b=w[2]))
    return narrowed(*tf.raw_ops.QuantizedBiasAdd(input=y[0], bias=b[0], min_input=y[1], max_input=y[2],
                                                 min_bias=b[1], max_bias=b[2], out_type=tf.qint32))


def program_perceptron():
    x = tf.placeholder(tf.float32, [None, 20], name="x")
    h = dense(quantized(x), numbers(20, 30, seed=2), numbers(30, seed=3))
    h = tf.raw_ops.QuantizedRelu(features=h[0], min_features=h[1], max_features=h[2])
    y = dense(h, numbers(30, 10, seed=4), numbers(10, seed=5))
    return feeds({x: numbers(6, 20)}, y=tf.dequantize(y.output, y.output_min, y.output_max, mode="MIN_FIRST"),
                 levels=tf.bitcast(y.output, tf.uint8), low=y.output_min, high=y.output_max)


def program_convolution():
    x = tf.placeholder(tf.float32, [2, 8, 8, 3], name="images")
    q, f = quantized(x), quantized(numbers(3, 3, 3, 16, seed=2))
    y = tf.nn.quantized_conv2d(q[0], f[0], q[1], q[2], f[1], f[2], [1, 1, 1, 1], "SAME")
    y = tf.raw_ops.QuantizeDownAndShrinkRange(input=y[0], input_min=y[1], input_max=y[2], out_type=tf.quint8)
    y = tf.raw_ops.QuantizedRelu6(features=y[0], min_features=y[1], max_features=y[2])
    y = tf.nn.quantized_max_pool(y[0], y[1], y[2], [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    flat = tf.raw_ops.QuantizedReshape(tensor=y[0], shape=[2, -1], input_min=y[1], input_max=y[2])
    z = dense(flat, numbers(4 * 4 * 16, 5, seed=3), numbers(5, seed=4))
    return feeds({x: numbers(2, 8, 8, 3)},
                 z=tf.dequantize(z.output, z.output_min, z.output_max, mode="MIN_FIRST"))


def program_sums_and_products():
    x, y = quantized(numbers(4, 5, low=-2, high=3)), quantized(numbers(4, 5, seed=2))
    v = quantized(numbers(5, seed=3))
    z = tf.raw_ops.QuantizedAdd(x=x[0], y=y[0], min_x=x[1], max_x=x[2], min_y=y[1], max_y=y[2])
    w = tf.raw_ops.QuantizedMul(x=x[0], y=v[0], min_x=x[1], max_x=x[2], min_y=v[1], max_y=v[2])
    return {"z": tf.bitcast(z.z, tf.int32), "z_high": z.max_z, "w": tf.bitcast(w.z, tf.int32), "w_low": w.min_z,
            "narrow": tf.dequantize(*narrowed(*w), mode="MIN_FIRST")}
