"""Colours of images: types, channels, brightness and the like."""
import numpy as np
import tensorflow as tf

from program import feeds

RGB = (np.arange(36, dtype=np.float32).reshape(3, 4, 3) * 7 % 37) / 37
BYTES = (np.arange(36).reshape(3, 4, 3) * 53 % 256).astype(np.uint8)


def floats():
    return tf.placeholder(tf.float32, [3, 4, 3], name="x")


def bytes_():
    return tf.placeholder(tf.uint8, [3, 4, 3], name="b")


def program_types_of_floats():
    x = floats()
    return feeds({x: RGB * 1.5 - 0.2}, sat=tf.image.convert_image_dtype(x, tf.uint8, saturate=True),
                 half=tf.image.convert_image_dtype(x, tf.float16),
                 same=tf.image.convert_image_dtype(x, tf.float32),
                 named=tf.image.convert_image_dtype(x, tf.int16, saturate=True, name="short"))


def program_types_to_integers():
    x = floats()
    return feeds({x: RGB}, a=tf.image.convert_image_dtype(x, tf.uint8),
                 b=tf.image.convert_image_dtype(x, tf.uint16),
                 c=tf.image.convert_image_dtype(x, tf.int32))


def program_types_of_integers():
    b = bytes_()
    return feeds({b: BYTES}, f=tf.image.convert_image_dtype(b, tf.float32),
                 d=tf.image.convert_image_dtype(b, tf.float64),
                 wide=tf.image.convert_image_dtype(b, tf.int16), wider=tf.image.convert_image_dtype(b, tf.uint16),
                 sat=tf.image.convert_image_dtype(b, tf.int32, saturate=True))


def program_types_narrower():
    x = tf.placeholder(tf.uint16, [2, 3], name="x")
    y = tf.placeholder(tf.int32, [3], name="y")
    return feeds({x: [[0, 255, 256], [30000, 65535, 1000]], y: [0, 2 ** 31 - 1, 123456789]},
                 a=tf.image.convert_image_dtype(x, tf.uint8),
                 b=tf.image.convert_image_dtype(x, tf.uint8, saturate=True),
                 c=tf.image.convert_image_dtype(y, tf.int8))


def program_gray():
    x, b = floats(), bytes_()
    return feeds({x: RGB, b: BYTES}, f=tf.image.rgb_to_grayscale(x), u=tf.image.rgb_to_grayscale(b, name="gray"))


def program_gray_unknown():
    x = tf.placeholder(tf.float32, [None, None, 3], name="x")
    return feeds({x: RGB}, y=tf.image.rgb_to_grayscale(x))


def program_gray_any_rank():
    x = tf.placeholder(tf.float32, None, name="x")
    return feeds({x: RGB}, y=tf.image.rgb_to_grayscale(x))


def program_from_gray():
    x = tf.placeholder(tf.float32, [2, 2, 3, 1], name="x")
    b = tf.placeholder(tf.uint8, [2, 3, 1], name="b")
    gray = np.arange(12).reshape(2, 2, 3, 1)
    return feeds({x: gray, b: gray[0]}, y=tf.image.grayscale_to_rgb(x), z=tf.image.grayscale_to_rgb(b, name="three"))


def program_from_gray_unknown():
    x = tf.placeholder(tf.float32, None, name="x")
    y = tf.placeholder(tf.float32, [2, 3, None], name="y")
    gray = np.arange(6).reshape(2, 3, 1)
    return feeds({x: gray, y: gray}, a=tf.image.grayscale_to_rgb(x), b=tf.image.grayscale_to_rgb(y))


def program_television():
    x = floats()
    return feeds({x: RGB}, yuv=tf.image.rgb_to_yuv(x), yiq=tf.image.rgb_to_yiq(x),
                 back=tf.image.yuv_to_rgb(tf.image.rgb_to_yuv(x)), again=tf.image.yiq_to_rgb(tf.image.rgb_to_yiq(x)))


def program_television_of_batch():
    x = tf.placeholder(tf.float64, [None, 3, 4, 3], name="x")
    return feeds({x: [RGB]}, yuv=tf.image.rgb_to_yuv(x), yiq=tf.image.yiq_to_rgb(x))


def program_hue_saturation_value():
    x = floats()
    hsv = tf.image.rgb_to_hsv(x)
    return feeds({x: RGB}, hsv=hsv, back=tf.image.hsv_to_rgb(hsv, name="back"))


def program_brightness():
    x, b = floats(), bytes_()
    return feeds({x: RGB, b: BYTES}, f=tf.image.adjust_brightness(x, 0.2), u=tf.image.adjust_brightness(b, -0.3))


def program_brightness_by_tensor():
    x, delta = tf.placeholder(tf.float64, [2, 2, 3], name="x"), tf.placeholder(tf.float32, [], name="delta")
    return feeds({x: RGB[:2, :2], delta: 0.1}, y=tf.image.adjust_brightness(x, delta))


def program_contrast():
    x, b = floats(), bytes_()
    return feeds({x: RGB, b: BYTES}, f=tf.image.adjust_contrast(x, 2.0), u=tf.image.adjust_contrast(b, 0.5))


def program_contrast_of_doubles():
    x, factor = tf.placeholder(tf.float64, [2, 2, 3], name="x"), tf.placeholder(tf.float32, [], name="factor")
    return feeds({x: RGB[:2, :2], factor: 1.5}, y=tf.image.adjust_contrast(x, factor))


def program_hue():
    x, b = floats(), bytes_()
    return feeds({x: RGB, b: BYTES}, f=tf.image.adjust_hue(x, 0.1), u=tf.image.adjust_hue(b, -0.4, name="other"))


def program_saturation():
    x, b = floats(), bytes_()
    return feeds({x: RGB, b: BYTES}, f=tf.image.adjust_saturation(x, 0.5), u=tf.image.adjust_saturation(b, 2.0))


def program_gamma():
    x, b = floats(), bytes_()
    return feeds({x: RGB, b: BYTES}, f=tf.image.adjust_gamma(x, 2), u=tf.image.adjust_gamma(b, 0.5, 0.9))


def program_gamma_by_tensor():
    x = floats()
    gamma, gain = tf.placeholder(tf.float32, [], name="gamma"), tf.placeholder(tf.float32, [], name="gain")
    return feeds({x: RGB, gamma: 1.5, gain: 0.5}, y=tf.image.adjust_gamma(x, gamma, gain))


def program_random_brightness():
    x = floats()
    y = tf.image.random_brightness(x, 0.3, seed=3)
    return [feeds({x: RGB}, y=y) for _ in range(2)]


def program_random_contrast():
    tf.set_random_seed(5)
    b = bytes_()
    y = tf.image.random_contrast(b, 0.2, 1.8, seed=3)
    return [feeds({b: BYTES}, y=y) for _ in range(2)]


def program_random_hue():
    x = floats()
    return feeds({x: RGB}, y=tf.image.random_hue(x, 0.2, seed=8), z=tf.image.random_hue(x, 0.2, seed=9))


def program_random_saturation():
    x = floats()
    return feeds({x: RGB}, y=tf.image.random_saturation(x, 0.5, 1.5, seed=8))


def program_random_chain():
    tf.set_random_seed(42)
    x = floats()
    y = tf.image.random_brightness(x, max_delta=32. / 255., seed=1)
    y = tf.image.random_saturation(y, lower=0.5, upper=1.5, seed=2)
    y = tf.image.random_hue(y, max_delta=0.2, seed=3)
    y = tf.image.random_contrast(y, lower=0.5, upper=1.5, seed=4)
    return feeds({x: RGB}, y=tf.clip_by_value(y, 0.0, 1.0))


def program_standardized():
    x = floats()
    return feeds({x: RGB}, y=tf.image.per_image_standardization(x))


def program_standardized_batch():
    b = tf.placeholder(tf.uint8, [None, 3, 4, 3], name="b")
    return feeds({b: [BYTES, BYTES * 0]}, y=tf.image.per_image_standardization(b))


def program_standardized_any_rank():
    x = tf.placeholder(tf.float32, None, name="x")
    return feeds({x: RGB}, y=tf.image.per_image_standardization(x))
