"""Fourier and cosine transforms."""
import numpy as np
import tensorflow as tf

from program import feeds

X = np.sin(np.arange(16) * 0.9).reshape(2, 8)
CUBE = np.cos(np.arange(48) * 1.3).reshape(3, 4, 4)


def real(*shape):
    return tf.placeholder(tf.float32, list(shape), name="x")


def numbers(*shape):
    return tf.placeholder(tf.complex64, list(shape), name="x")


def program_complex():
    x = numbers(2, 8)
    return feeds({x: X + 1j}, a=tf.signal.fft(x), b=tf.signal.ifft(x), c=tf.signal.fft2d(x), d=tf.spectral.ifft2d(x),
                 e=tf.fft(x, name="f"))


def program_complex_cubes():
    x = numbers(3, 4, 4)
    return feeds({x: CUBE - 2j}, a=tf.signal.fft3d(x), b=tf.ifft3d(x))


def program_real():
    x = real(2, 8)
    return feeds({x: X}, a=tf.signal.rfft(x), longer=tf.signal.rfft(x, [12], name="longer"),
                 shorter=tf.spectral.rfft(x, [6]), odd=tf.signal.rfft(x, [7]))


def program_real_unknown():
    x = real(2, None)
    return feeds({x: X}, a=tf.signal.rfft(x))


def program_real_any_rank():
    x = tf.placeholder(tf.float32, None, name="x")
    return feeds({x: X}, a=tf.signal.rfft(x, [10]))


def program_real_by_tensor():
    x, n = real(2, 8), tf.placeholder(tf.int32, [1], name="n")
    y = tf.signal.rfft(x, n)
    return [feeds({x: X, n: [8]}, y=y), feeds({x: X, n: [11]}, y=y)]


def program_real_squares():
    x = real(2, 8)
    return feeds({x: X}, a=tf.signal.rfft2d(x), b=tf.signal.rfft2d(x, [4, 6]))


def program_real_cubes():
    x = real(3, 4, 4)
    return feeds({x: CUBE}, a=tf.signal.rfft3d(x), b=tf.signal.rfft3d(x, [4, 4, 6]))


def program_real_cubes_unknown():
    x = real(None, 4, 4)
    return feeds({x: CUBE}, a=tf.signal.rfft3d(x), b=tf.signal.rfft2d(x))


def program_back():
    x = numbers(2, 5)
    spectrum = np.fft.rfft(X)
    return feeds({x: spectrum}, a=tf.signal.irfft(x), shorter=tf.signal.irfft(x, [6]), odd=tf.spectral.irfft(x, [7]),
                 longer=tf.signal.irfft(x, [12], name="longer"))


def program_back_unknown():
    x = numbers(2, None)
    return feeds({x: np.fft.rfft(X)}, a=tf.signal.irfft(x))


def program_back_squares():
    x = numbers(3, 4, 3)
    return feeds({x: np.fft.rfft2(CUBE)}, a=tf.signal.irfft2d(x), b=tf.signal.irfft2d(x, [4, 6]))


def program_back_cubes():
    x = numbers(None, 4, 3)
    return feeds({x: np.fft.rfftn(CUBE)}, a=tf.signal.irfft3d(x))


def program_shifted():
    x = real(3, 4, 4)
    return feeds({x: CUBE}, all=tf.signal.fftshift(x), one=tf.signal.fftshift(x, axes=1),
                 some=tf.signal.fftshift(x, axes=[0, -1], name="some"), pair=tf.signal.fftshift(x, axes=(0, 2)))


def program_shifted_back():
    x = real(3, None, 4)
    return feeds({x: CUBE}, all=tf.signal.ifftshift(x), one=tf.signal.ifftshift(x, axes=2),
                 some=tf.signal.ifftshift(x, axes=[0, -1]))


def program_cosines():
    x = real(2, 8)
    return feeds({x: X}, one=tf.signal.dct(x, type=1), two=tf.signal.dct(x), three=tf.signal.dct(x, type=3, name="t"))


def program_cosines_fourth():
    x = real(2, 8)
    return feeds({x: X}, y=tf.signal.dct(x, type=4), ortho=tf.signal.dct(x, type=4, norm="ortho"))


def program_cosines_ortho():
    x = real(2, 8)
    return feeds({x: X}, two=tf.spectral.dct(x, norm="ortho"), three=tf.signal.dct(x, type=3, norm="ortho"))


def program_cosines_of_length():
    x = real(2, 8)
    return feeds({x: X}, shorter=tf.signal.dct(x, n=4), longer=tf.signal.dct(x, type=3, n=12))


def program_cosines_back():
    x = real(2, 8)
    return feeds({x: X}, **{f"t{t}": tf.signal.idct(x, type=t) for t in (2, 4)},
                 ortho=tf.spectral.idct(tf.spectral.dct(x, norm="ortho"), norm="ortho", name="same"))


def program_cosines_unknown():
    """A slice up to a tensor has two constants more in TensorFlow 2."""
    values = {}
    for kind in (1, 2, 3, 4):
        with tf.Graph().as_default(), tf.Session() as session:
            x = tf.placeholder(tf.float32, [None, None])
            values[f"t{kind}"] = session.run(tf.signal.dct(x, type=kind), {x: X})
    return values


def program_gradients():
    """TensorFlow 2 differentiates sums and absolute values with fewer nodes."""
    with tf.Graph().as_default(), tf.Session() as session:
        x, z = real(2, 8), numbers(2, 8)
        y = tf.gradients(tf.reduce_sum(tf.abs(tf.signal.rfft(x))), x)[0]
        g = tf.gradients(tf.reduce_sum(tf.abs(tf.fft(z))), z)[0]
        y, g = session.run([y, g], {x: X, z: X + 1j})
        return {"y": y, "g": g}
