"""What both sides write into files of every format: the twin of rill/io/sample_values.h."""
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.core.framework import types_pb2

TYPES = ("float double half bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 "
         "complex128 qint8 quint8 qint16 quint16 qint32").split()
STORAGE = {tf.qint8: tf.int8, tf.quint8: tf.uint8, tf.qint16: tf.int16, tf.quint16: tf.uint16,
           tf.qint32: tf.int32}


def records():
    return [b"hello", b"", bytes(range(256)), b"x" * 1000]


def counted(rows, columns):
    return np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)


def dtype_of(name):
    return tf.as_dtype(types_pb2.DataType.Value(f"DT_{name.upper()}"))


def value(name):
    """An array of the type's own values, or of its storage when it is quantized."""
    dtype = dtype_of(name)
    dtype = STORAGE.get(dtype, dtype)
    numbers = np.arange(6).reshape(2, 3)
    if dtype == tf.bool:
        return numbers % 2 == 1
    if dtype.is_complex:
        return (numbers - 1j * numbers).astype(dtype.as_numpy_dtype)
    return (numbers + 0.5 if dtype.is_floating else numbers).astype(dtype.as_numpy_dtype)


def other_values():
    strings = np.array([[b"ab", b""], [b"xyz", b"q" * 300]], dtype=object)
    return {"step": np.int64(7), "empty": np.zeros([0, 3], np.float32), "strings": strings,
            "text": b"one text"}


def tensor(name):
    """value(name) as a tensor of that very type."""
    dtype = dtype_of(name)
    plain = tf.constant(value(name))
    return tf.bitcast(plain, dtype) if dtype in STORAGE else plain


def plain(tensor):
    """The tensor in a type that NumPy knows."""
    return tf.bitcast(tensor, STORAGE[tensor.dtype]) if tensor.dtype in STORAGE else tensor
