"""Types of numbers."""
import tensorflow as tf

from program import feeds


def program_cast():
    x = tf.constant([1.8, -2.2])
    return dict(integers=tf.cast(x, tf.int32), same=tf.cast(x, tf.float32) is x, named=tf.dtypes.cast(x, "float64", name="wide"),
                values=tf.cast([1, 2], tf.float32), flags=tf.cast(x, tf.bool), python=tf.cast(3, float))


def program_cast_in_scope():
    with tf.name_scope("types"):
        y = tf.cast([1, 0, 2], tf.bool)
        z = tf.cast(y, tf.uint8, name="bytes")
    return dict(y=y, z=z)


def program_cast_of_same_type_makes_nothing():
    return dict(x=tf.cast([1.0, 2.0], tf.float32))


def program_to_types():
    x = tf.constant([1.5, 2.5])
    return dict(int32=tf.to_int32(x), int64=tf.to_int64(x), double=tf.to_double(x), half=tf.to_float(tf.constant([1, 2])),
                complex64=tf.to_complex64(x), complex128=tf.to_complex128(x), named=tf.to_int32(x, name="whole"),
                short=tf.to_float(tf.to_bfloat16(x)))


def program_cast_complex():
    x = tf.constant([1 + 2j, 3 - 1j])
    return dict(real=tf.cast(x, tf.float32), wide=tf.cast(x, tf.complex128))


def program_saturate_cast():
    x = tf.constant([-300.0, 12.5, 300.0])
    return dict(byte=tf.saturate_cast(x, tf.uint8), signed=tf.dtypes.saturate_cast(x, tf.int8, name="small"),
                same=tf.saturate_cast(x, tf.float64), narrow=tf.saturate_cast(tf.constant([-5, 70000]), tf.uint16))


def program_complex_parts():
    z = tf.complex([3.0, 0.0], [4.0, -1.0])
    return dict(z=z, real=tf.real(z), imag=tf.imag(z), conj=tf.conj(z), angle=tf.angle(z), abs=tf.abs(z),
                named=tf.dtypes.complex(tf.constant(1.0), 2.0, name="number"))


def program_complex_parts_double():
    z = tf.complex(tf.constant([3.0], tf.float64), tf.constant([4.0], tf.float64))
    return dict(z=z, real=tf.math.real(z, name="re"), imag=tf.math.imag(z), angle=tf.math.angle(z), conj=tf.math.conj(z))


def program_complex_parts_of_real():
    x = tf.constant([1.0, -2.0])
    return dict(real=tf.real(x), same=tf.real(x) is x, conj=tf.conj(x), conj_same=tf.conj(x) is x)


def program_angle_of_real():
    x = tf.placeholder(tf.float32, [None])
    return feeds({x: [1.0, -2.0, 0.0]}, angle=tf.angle(x), known=tf.angle(tf.constant([1.0, -2.0])), named=tf.math.angle(x, name="direction"))


def program_gradient_through_casts():
    x = tf.constant([1.5, -2.0])
    y = tf.cast(tf.square(tf.cast(x, tf.float64)), tf.float32)
    return dict(y=y, dx=tf.gradients(y, x))
