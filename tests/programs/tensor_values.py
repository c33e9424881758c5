"""Tensors and dtypes: what they say, what becomes a tensor, and what is known before a run."""
import numpy as np
import tensorflow as tf


def _tell(function):
    try:
        return repr(function())
    except Exception as error:
        return type(error).__name__ + ": " + str(error)


def _kind(function):
    """What it returns, or the class of Python's that its error is of."""
    try:
        return repr(function())
    except Exception as error:
        return next(cls.__name__ for cls in type(error).__mro__ if cls.__module__ == "builtins")


def program_text():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.placeholder(tf.int64, name="y")
    with tf.device("/device:CPU:0"):
        z = tf.constant(True, name="z")
    return {"str": [str(t) for t in (x, y, z)], "repr": [repr(t) for t in (x, y, z)], "z": z}


def program_identity_is_equality():
    x, y = tf.constant(1.0, name="x"), tf.constant(1.0, name="y")
    return {"told": [x == x, x == y, x != y, x in [y, x], x in [y], hash(x) == hash(x), {x: 1}[x],
                     len({x, y, x})]}


def program_not_python_values():
    x = tf.constant([1.0, 2.0], name="x")
    asks = [lambda: bool(x), lambda: len(x), lambda: [v for v in x], lambda: "yes" if x else "no",
            lambda: not x, lambda: float(x), lambda: np.array(x) if False else int(x)]
    return {"told": [_kind(ask) for ask in asks]}


def program_properties():
    x = tf.constant([[1.0, 2.0]], name="x")
    y = x + 1.0
    z = tf.identity(x, name="z")
    return {"told": [x.name, x.dtype.name, x.value_index, x.op.name, x.graph is tf.get_default_graph(), x.device,
                     sorted(c.name for c in x.consumers())], "y": y, "z": z}


def program_dtype_facts():
    kinds = [tf.float16, tf.float32, tf.float64, tf.bfloat16, tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16,
             tf.uint32, tf.uint64, tf.bool, tf.string, tf.complex64, tf.complex128, tf.qint8, tf.quint8, tf.qint32,
             tf.resource, tf.variant]
    return {"names": [d.name for d in kinds], "enums": [d.as_datatype_enum for d in kinds],
            "sizes": [d.size for d in kinds if d not in (tf.string, tf.resource, tf.variant)], "reals": [_tell(lambda: d.real_dtype.name) for d in kinds],
            "flags": [[d.is_bool, d.is_integer, d.is_floating, d.is_complex, d.is_quantized, d.is_unsigned,
                       d.is_numpy_compatible] for d in kinds],
            "text": [str(d) for d in kinds] + [repr(d) for d in kinds]}


def program_dtype_bounds():
    kinds = [tf.float16, tf.float32, tf.float64, tf.int8, tf.int32, tf.int64, tf.uint8, tf.uint16]
    return {"min": [float(d.min) for d in kinds], "max": [float(d.max) for d in kinds],
            "limits": [[float(v) for v in d.limits] for d in (tf.uint8, tf.int32, tf.float32)],
            "none": [_kind(lambda: d.min) for d in (tf.bool, tf.string, tf.complex64)]}


def program_as_dtype():
    asks = [lambda: tf.as_dtype("float32"), lambda: tf.as_dtype(np.float32), lambda: tf.as_dtype(np.dtype("int64")),
            lambda: tf.as_dtype(1), lambda: tf.as_dtype(float), lambda: tf.as_dtype(bool), lambda: tf.as_dtype(object),
            lambda: tf.as_dtype("half"), lambda: tf.as_dtype("double"), lambda: tf.as_dtype(tf.int8),
            lambda: tf.as_dtype("float32_ref"), lambda: tf.as_dtype(101), lambda: tf.as_dtype("string"),
            lambda: tf.as_dtype(np.array([1.5]).dtype)]
    return {"told": [_tell(ask) for ask in asks], "errors": [_kind(lambda: tf.as_dtype("nonsense")),
                                                              _kind(lambda: tf.as_dtype(-7))]}


def program_dtype_relations():
    ref = tf.as_dtype("float32_ref")
    return {"told": [tf.float32 == "float32", tf.float32 == np.float32, tf.float32 != tf.int32, tf.float32 == 1,
                     tf.float32.is_compatible_with(ref), ref.is_compatible_with(tf.float32), ref.base_dtype.name,
                     tf.float32.is_compatible_with(tf.float64), hash(tf.float32) == hash(tf.as_dtype("float32")),
                     tf.double is tf.float64, tf.half is tf.float16, tf.float32.as_numpy_dtype is np.float32,
                     tf.string.as_numpy_dtype is object, tf.bool.as_numpy_dtype is np.bool_]}


def program_convert_to_tensor():
    x = tf.placeholder(tf.float32, [2], name="x")
    return {"values": [tf.convert_to_tensor(3), tf.convert_to_tensor([1.5, 2.5]), tf.convert_to_tensor("text"),
                       tf.convert_to_tensor(np.arange(3)), tf.convert_to_tensor([[1, 2]], dtype=tf.float64),
                       tf.convert_to_tensor(True, name="truth"), tf.convert_to_tensor(tf.TensorShape([2, 3])),
                       tf.convert_to_tensor(tf.Dimension(7)), tf.convert_to_tensor((1, 2, 3), tf.int64),
                       tf.convert_to_tensor(2, preferred_dtype=tf.float32),
                       tf.convert_to_tensor(2.5, preferred_dtype=tf.int32),
                       tf.convert_to_tensor(4, dtype_hint=tf.int64)],
            "same": tf.convert_to_tensor(x) is x}


def program_convert_errors():
    x = tf.constant(1.0, name="x")
    asks = [lambda: tf.convert_to_tensor(x, tf.int32), lambda: tf.convert_to_tensor(None),
            lambda: tf.convert_to_tensor("text", tf.float32), lambda: tf.convert_to_tensor([1, [2]]),
            lambda: tf.convert_to_tensor(tf.no_op(name="n")), lambda: tf.convert_to_tensor(1.5, tf.int32),
            lambda: tf.convert_to_tensor(tf.TensorShape([None, 2])), lambda: tf.convert_to_tensor(object()),
            lambda: tf.convert_to_tensor(2 ** 40, tf.int32)]
    return {"kinds": [_kind(ask) for ask in asks]}


def program_packing():
    n = tf.placeholder(tf.int32, [], name="n")
    m = tf.constant(4, name="m")
    values = tf.convert_to_tensor([n, m, 3])
    nested = tf.convert_to_tensor([[n, 1], [2, m]])
    given = tf.convert_to_tensor([m, 1], dtype=tf.int32, name="given")
    reshaped = tf.raw_ops.Reshape(tensor=list(range(8)), shape=[m, 2])
    sess = tf.Session()
    return {"values": sess.run([values, nested, given, reshaped], {n: 9})}


def program_registered_conversion():
    class Money:
        def __init__(self, amount):
            self.amount = amount

    def convert(value, dtype=None, name=None, as_ref=False):
        return tf.constant(value.amount, dtype=dtype or tf.float32, name=name or "money")

    tf.register_tensor_conversion_function(Money, convert)
    x = tf.constant([1.0, 2.0], name="x")
    y = x + Money(3.0)
    z = tf.convert_to_tensor(Money(4.0))
    w = tf.convert_to_tensor(Money(5.0), tf.float64, name="w")
    v = tf.add(Money(2.0), x)
    return {"values": [y, z, w, v]}


def program_conversion_priorities():
    class Thing:
        pass

    class Special(Thing):
        pass

    tf.register_tensor_conversion_function(Thing, lambda v, dtype=None, name=None, as_ref=False: tf.constant(1),
                                           priority=120)
    tf.register_tensor_conversion_function(Special, lambda v, dtype=None, name=None, as_ref=False: NotImplemented,
                                           priority=50)
    tf.register_tensor_conversion_function((Special,), lambda v, dtype=None, name=None, as_ref=False: tf.constant(2),
                                           priority=110)
    return {"thing": tf.convert_to_tensor(Thing()), "special": tf.convert_to_tensor(Special())}


def program_conversion_errors():
    class Bad:
        pass

    class Wrong:
        pass

    tf.register_tensor_conversion_function(Bad, lambda v, dtype=None, name=None, as_ref=False: 3)
    tf.register_tensor_conversion_function(Wrong, lambda v, dtype=None, name=None, as_ref=False: tf.constant(1))
    return {"kinds": [_kind(lambda: tf.convert_to_tensor(Bad())),
                      _kind(lambda: tf.convert_to_tensor(Wrong(), tf.float32)),
                      _kind(lambda: tf.register_tensor_conversion_function(3, lambda: None)),
                      _kind(lambda: tf.register_tensor_conversion_function(Bad, 3))]}


def program_is_tensor():
    x = tf.constant(1)
    slices = tf.IndexedSlices(x, tf.constant([0]))
    return {"told": [tf.is_tensor(v) for v in (x, slices, 1.0, "x", np.zeros(2), None, x.op)]}


def program_indexed_slices():
    values, indices = tf.constant([[1.0, 2.0]], name="v"), tf.constant([3], name="i")
    s = tf.IndexedSlices(values, indices, tf.constant([5, 2], name="d"))
    t = tf.IndexedSlices(values, indices)
    return {"told": [str(s), str(t), s.name, s.dtype.name, s.op.name, s.device, s.graph is values.graph,
                     t.dense_shape is None, sorted(c.name for c in s.consumers())],
            "s": s, "negative": (-s).values, "kept": tf.convert_to_tensor_or_indexed_slices(s) is s,
            "made": tf.convert_to_tensor_or_indexed_slices([1.0])}


def program_static_values():
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    y = tf.placeholder(tf.float32, [None, 3], name="y")
    raw = tf.raw_ops
    tensors = [tf.constant([1, 2]), raw.Shape(input=x), raw.Shape(input=y), raw.Size(input=x), raw.Rank(input=y),
               raw.Range(start=0, limit=3, delta=1), raw.Cast(x=[1.5, 2.5], DstT=tf.int32),
               raw.Pack(values=[1, 2]), raw.Pack(values=[raw.Shape(input=y)[0], 2]), raw.Fill(dims=[2], value=7),
               raw.ConcatV2(values=[[1], [2]], axis=0), tf.constant("s"), x, raw.Equal(x=1, y=1), tf.add(1, 2)]
    return {"told": [repr(None if v is None else v.tolist())
                     for v in (tf.get_static_value(t) for t in tensors)]}


def program_tensor_protos():
    protos = [tf.make_tensor_proto([1.0, 2.0]), tf.make_tensor_proto(3, dtype=tf.int64),
              tf.make_tensor_proto([1, 2, 3, 4], shape=[2, 2]), tf.make_tensor_proto(7, shape=[3]),
              tf.make_tensor_proto(["a", b"bc"]), tf.make_tensor_proto([True, False]),
              tf.make_tensor_proto(np.arange(3, dtype=np.uint8)), tf.make_tensor_proto(1 + 2j),
              tf.make_tensor_proto(np.float16(1.5))]
    return {"bytes": [p.SerializeToString(deterministic=True) for p in protos],
            "values": [tf.make_ndarray(p) for p in protos if p.dtype not in (7,)],
            "errors": [_kind(lambda: tf.make_tensor_proto(None)),
                       _kind(lambda: tf.make_tensor_proto([1, 2], shape=[3], verify_shape=True)),
                       _kind(lambda: tf.make_tensor_proto([1, 2, 3], shape=[2])),
                       _kind(lambda: tf.make_tensor_proto([1, [2]]))]}


def program_tensor_specs():
    a = tf.TensorSpec([None, 2], tf.float32, name="a")
    b = tf.TensorSpec([3, 2])
    x = tf.placeholder(tf.float32, [3, 2], name="x")
    return {"told": [repr(a), repr(b), a.name, a.dtype.name, repr(a.shape), a.is_compatible_with(b),
                     a.is_compatible_with(x), b.is_compatible_with(tf.placeholder(tf.int32, [3, 2])),
                     repr(tf.TensorSpec.from_tensor(x)), repr(tf.TensorSpec.from_spec(b, "c")),
                     a == tf.TensorSpec([None, 2], tf.float32, name="a"), a == b, a.value_type is tf.Tensor,
                     repr(a.most_specific_compatible_type(tf.TensorSpec([3, 2], name="a"))),
                     _kind(lambda: a.most_specific_compatible_type(tf.TensorSpec([1], tf.int32)))]}


def program_indexing():
    x = tf.constant(np.arange(24).reshape([2, 3, 4]))
    i = tf.constant(1)
    return {"values": [x[0], x[1, 2], x[:, 1:3], x[..., 0], x[tf.newaxis, 0], x[0, ::2], x[:, ::-1, 1], x[-1, -2:, :2],
                       x[i], x[..., i, tf.newaxis], x[0, 0, i], x[i, ..., i]]}


def program_indexing_errors():
    with tf.Graph().as_default():
        return {"kinds": _wrong_indices()}


def _wrong_indices():
    x = tf.constant([[1, 2], [3, 4]])
    asks = [lambda: x[0, 0, 0], lambda: x["a"], lambda: x[1.5], lambda: x[..., ..., 0], lambda: x[5],
            lambda: x[tf.constant(1.5)], lambda: x[0:1:0]]
    return [_kind(ask) for ask in asks]
