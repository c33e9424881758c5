"""Convolution, pooling and activations of quantised images."""
import numpy as np
import tensorflow as tf

from program import feeds


def quantized(*shape, low=-1.0, high=3.0):
    values = np.linspace(low, high, int(np.prod(shape))).reshape(shape).astype(np.float32)
    return tf.quantization.quantize(values[..., ::-1], low, high, tf.quint8)


def program_quantized_conv2d():
    x, low, high = quantized(1, 4, 5, 2)
    f, f_low, f_high = quantized(2, 2, 2, 3, low=-0.5, high=1.5)
    y = tf.nn.quantized_conv2d(x, f, low, high, f_low, f_high, [1, 1, 1, 1], "SAME")
    z = tf.nn.quantized_conv2d(x, f, low, high, f_low, f_high, strides=[1, 2, 2, 1], padding="VALID", name="named")
    return {"y": tf.dequantize(y.output, y.min_output, y.max_output), "low": y.min_output, "high": y.max_output,
            "z": tf.dequantize(*z)}


def program_quantized_pools():
    x, low, high = quantized(1, 4, 5, 2)
    y = tf.nn.quantized_max_pool(x, low, high, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    z = tf.nn.quantized_avg_pool(x, low, high, [1, 3, 3, 1], [1, 1, 1, 1], "SAME", name="named")
    return {"y": tf.dequantize(*y), "z": tf.dequantize(z.output, z.min_output, z.max_output)}


def program_quantized_relu_x():
    x, low, high = quantized(1, 4, 5, 2)
    y = tf.nn.quantized_relu_x(x, 2.0, low, high)
    return {"shape": y.activations.shape.as_list(), "type": y.activations.dtype.name}


def program_quantized_concat():
    x, low, high = quantized(2, 3)
    y, y_low, y_high = quantized(2, 2, low=-2.0, high=2.0)
    z = tf.quantization.quantized_concat(1, [x, y], [low, y_low], [high, y_high])
    return {"z": tf.dequantize(z.output, z.output_min, z.output_max),
            "w": tf.dequantize(*tf.quantized_concat(0, [x, x], [low, low], [high, high], name="named"))}
