"""Tensors that have values: what they are to Python, to NumPy and to other libraries."""
import copy
import operator
import pickle

import numpy as np
import tensorflow as tf

from program import raised

X = tf.constant([[1., 2., 3.], [4., 5., 6.]])
TYPES = [tf.float16, tf.float32, tf.float64, tf.int8, tf.uint8, tf.int16, tf.uint16, tf.int32, tf.uint32, tf.int64,
         tf.uint64, tf.bool, tf.complex64, tf.complex128]


def program_numpy_of_every_type():
    return {t.name: tf.cast(tf.constant([0, 1, 2]), t).numpy() for t in TYPES}


def program_repr_of_every_type():
    return {t.name: repr(tf.cast(tf.constant([0, 1]), t)) for t in TYPES}


def program_str_of_every_type():
    return {t.name: str(tf.cast(tf.constant(1), t)) for t in TYPES}


def program_text_of_strings():
    x = tf.constant(["a", "bc"])
    return dict(str=str(x), repr=repr(x), scalar=repr(tf.constant("a")), scalar_str=str(tf.constant(b"\xff")),
                empty=repr(tf.constant([], tf.string)))


def program_text_of_matrices():
    return dict(str=str(X), repr=repr(X), ints=repr(tf.constant([[1, 2], [3, 4]])), cube=str(tf.ones([2, 1, 2])))


def program_text_of_empty_ones():
    return dict(vector=repr(tf.zeros([0])), matrix=repr(tf.zeros([0, 3])), str=str(tf.zeros([2, 0])))


def program_text_of_large_ones():
    return dict(str=str(tf.range(2000)), repr=repr(tf.zeros([100, 100])))


def program_text_of_special_numbers():
    return dict(nan=str(tf.constant(float("nan"))), inf=repr(tf.constant([float("inf"), -1.])),
                small=repr(tf.constant(1e-20)), large=repr(tf.constant(1e20, tf.float64)))


def program_format():
    return dict(plain=f"{tf.constant(3)}", number=f"{tf.constant(2.5):.2f}", whole="%d" % tf.constant(7),
                text="{}".format(tf.constant([1, 2])))


def program_python_numbers():
    return dict(int=int(tf.constant(3.7)), float=float(tf.constant(2)), bool=bool(tf.constant(0)),
                index=[10, 20, 30][tf.constant(1)], complex=complex(tf.constant(1 + 2j)))


def program_numbers_of_one_element():
    return dict(int=int(tf.constant([3])), float=float(tf.constant([[2.5]])), bool=bool(tf.constant([True])))


def program_numbers_refused():
    return dict(int=raised(lambda: int(tf.constant([1, 2]))), bool=raised(lambda: bool(tf.constant([True, False]))),
                float=raised(lambda: float(tf.constant("a"))), index_vector=raised(lambda: [1, 2][tf.constant([1])]))


def program_len_and_iteration():
    return dict(len=len(X), rows=[row.numpy() for row in X], unpacked=[int(x) for x in tf.range(3)],
                scalar_len=raised(lambda: len(tf.constant(1))), scalar_iter=raised(lambda: list(tf.constant(1))))


def program_unpacking():
    a, (b, c, d) = X
    return dict(a=a, b=b, c=c, d=d)


def program_indexing():
    return dict(row=X[1], last=X[-1], item=X[0, 2], column=X[:, 1], step=X[:, ::2], reverse=X[::-1],
                new=X[tf.newaxis, 0], ellipsis=X[..., 0], tensor=X[tf.constant(1)])


def program_indices_refused():
    return dict(far=raised(lambda: X[5]), many=raised(lambda: X[0, 0, 0]), float=raised(lambda: X[1.5]),
                text=raised(lambda: X["a"]))


def program_arithmetic():
    x, y = tf.constant([7, -7]), tf.constant([2, 2])
    return dict(add=x + y, sub=x - y, mul=x * y, div=x / y, floor=x // y, mod=x % y, pow=x ** y, neg=-x, abs=abs(x))


def program_arithmetic_with_python():
    x = tf.constant([1., 2.])
    return dict(radd=1 + x, rsub=1 - x, rmul=2 * x, rdiv=1 / x, rpow=2. ** x, rfloor=7 // x, rmod=7 % x)


def program_arithmetic_with_numpy():
    x, a = tf.constant([1., 2.]), np.array([3., 4.], np.float32)
    return dict(right=x + a, left=a + x, left_type=type(a + x).__name__, right_type=type(x + a).__name__ == type(x).__name__,
                product=x * a, power=x ** a, less=x < a, scalar=np.float32(2) * x)


def program_bits():
    x, y = tf.constant([True, False]), tf.constant([True, True])
    a, b = tf.constant([6, 3]), tf.constant([3, 5])
    return dict(and_=x & y, or_=x | y, xor=x ^ y, invert=~x, bits=tf.bitwise.bitwise_and(a, b), ints_and=a & b,
                ints_or=a | b, ints_xor=a ^ b, ints_invert=~a)


def program_comparisons():
    x, y = tf.constant([1, 2, 3]), tf.constant([3, 2, 1])
    return dict(lt=x < y, le=x <= y, gt=x > y, ge=x >= y, number=x > 1, equal=tf.equal(x, y))


def program_equality_is_identity():
    x, y = tf.constant(1), tf.constant(1)
    return dict(same=x == x, other=x == y, unequal=x != y, in_list=x in [y], number=x == 1)


def program_matrix_products():
    return dict(operator=X @ tf.transpose(X), numpy=X @ np.ones([3, 1], np.float32), left=np.ones([1, 2], np.float32) @ X)


def program_in_place_operators():
    x = y = tf.constant([1, 2])
    x += 1
    x *= y
    return dict(x=x, y=y)


def program_numpy_functions():
    return dict(sum=np.sum(X), mean=np.mean(X, axis=0), dot=np.dot(X, X.numpy().T), max=np.max(X), array=np.array(X),
                asarray=np.asarray(X, np.float64), stack=np.stack([X, X]).shape, where=np.where(X.numpy() > 2, X, 0))


def program_array_protocol():
    return dict(type=np.asarray(X).dtype.name, of_list=np.array([tf.constant(1), tf.constant(2)]),
                of_nested=np.array([[tf.constant(1.)], [tf.constant(2.)]]), ints=np.asarray(tf.constant(3)))


def program_numpy_is_a_copy():
    x = tf.constant([1., 2.])
    x.numpy()[0] = 5
    a = np.array([1., 2.])
    y = tf.constant(a)
    a[0] = 9
    return dict(x=x, y=y, z=tf.convert_to_tensor(y))


def program_buffer():
    view = memoryview(X)
    return dict(shape=list(view.shape), format=view.format, item=view.itemsize, bytes=bytes(view), values=np.frombuffer(X, "f"))


def program_pickling():
    return dict(x=pickle.loads(pickle.dumps(X)), ints=pickle.loads(pickle.dumps(tf.constant([1, 2], tf.int64))),
                kept=pickle.loads(pickle.dumps({"a": [X, 1]}))["a"][0])


def program_copying():
    shallow, deep = copy.copy(X), copy.deepcopy([X])[0]
    return dict(shallow=shallow, deep=deep, identity=tf.identity(X), other=tf.identity(X) is X)


def program_shapes():
    return dict(shape=X.shape.as_list(), ndims=X.shape.ndims, get=X.get_shape().as_list(), tuple=tuple(X.shape)[0] == 2,
                scalar=tf.constant(1).shape.as_list(), ndim=X.ndim, dynamic=tf.shape(X), size=tf.size(X), rank=tf.rank(X))


def program_set_shape():
    X.set_shape([2, None])
    X.set_shape([2, 3])
    return dict(wrong=raised(lambda: X.set_shape([3, 3])))


def program_properties():
    return dict(dtype=X.dtype.name, device=X.device, is_tensor=tf.is_tensor(X), contrib=isinstance(X, tf.Tensor),
                backing=X.backing_device)


def program_cpu():
    return dict(cpu=X.cpu(), gpu=raised(lambda: X.gpu()), device=X.cpu().device)


def program_graph_properties():
    return {name: raised(lambda name=name: getattr(X, name)) for name in ("op", "graph", "name", "value_index")} | dict(
        consumers=raised(lambda: X.consumers()), eval=raised(lambda: X.eval()))


def program_conversion():
    return dict(list=tf.convert_to_tensor([1, 2.5]), nested=tf.convert_to_tensor([[X[0], X[1]]]), mixed=tf.constant([1, 2], tf.float64),
                none=raised(lambda: tf.convert_to_tensor(None)), ragged=raised(lambda: tf.constant([[1], [2, 3]])),
                wrong=raised(lambda: tf.convert_to_tensor(X, tf.int32)), text=raised(lambda: tf.constant("a", tf.int32)))


def program_python_types():
    return dict(int=tf.constant(1).dtype.name, float=tf.constant(1.).dtype.name, long=raised(lambda: tf.constant(2 ** 40)),
                bool=tf.constant(True).dtype.name, complex=tf.constant(1j).dtype.name, bytes=tf.constant(b"a").dtype.name,
                numpy_long=tf.constant(np.arange(2)).dtype.name, numpy_double=tf.constant(np.ones(2)).dtype.name)


def program_constant_with_shape():
    return dict(filled=tf.constant(3, shape=[2, 2]), shaped=tf.constant([1, 2, 3, 4], shape=[2, 2]),
                few=raised(lambda: tf.constant([1, 2], shape=[3])))


def program_types_do_not_mix():
    return dict(add=raised(lambda: tf.constant(1) + tf.constant(1.)), matmul=raised(lambda: X @ tf.constant([[1]])),
                python=raised(lambda: tf.constant(1) + 1.5), fits=tf.constant(1.5) + 1)


def program_shapes_do_not_fit():
    return dict(add=raised(lambda: X + tf.ones([2])), matmul=raised(lambda: X @ X), reshape=raised(lambda: tf.reshape(X, [4])),
                concat=raised(lambda: tf.concat([X, tf.ones([1, 2])], 0)), stack=raised(lambda: tf.stack([X, X[0]])))


def program_messages():
    def said(function, phrase):
        try:
            function()
        except Exception as error:
            return phrase in str(error)
    return dict(add=said(lambda: X + tf.ones([2]), "Incompatible shapes: [2,3] vs. [2] [Op:AddV2]"),
                gather=said(lambda: tf.gather([1, 2], 5), "indices = 5 is not in [0, 2) [Op:GatherV2]"),
                type=said(lambda: tf.sqrt(tf.constant(1)), "Value for attr 'T' of int32 is not in the list of allowed values: bfloat16, half"),
                mixed=said(lambda: tf.constant(1) + tf.constant(1.), "expected to be a int32 tensor but is a float tensor [Op:AddV2]"),
                rank=said(lambda: len(tf.constant(1)), "Scalar tensor has no `len()`"))


def program_operator_module():
    return dict(add=operator.add(X, X), getitem=operator.getitem(X, 0), matmul=operator.matmul(X, tf.transpose(X)), neg=operator.neg(X))


def program_sorted_and_max():
    items = [tf.constant(3), tf.constant(1), tf.constant(2)]
    return dict(sorted=[int(x) for x in sorted(items)], max=max(items), sum=sum(items))


def program_constant_value():
    return dict(value=tf.contrib.util.constant_value(X) if hasattr(tf, "contrib") else tf.get_static_value(X))


def program_dtypes_of_results():
    x = tf.constant([1, 2])
    return dict(mean=tf.reduce_mean(x), div=x / 2, sqrt=raised(lambda: tf.sqrt(x)), argmax=tf.argmax(x), cast=tf.cast(x, tf.float32),
                bool=tf.cast([0, 2], tf.bool), where=tf.where([True, False]))


def program_strings():
    s = tf.constant(["hello world", "a b c"])
    return dict(length=tf.strings.length(s), upper=tf.strings.upper(s), joined=tf.strings.join(["x", s]),
                split=tf.strings.split(s).values if hasattr(tf.strings.split(s), "values") else s, substr=tf.strings.substr(s, 0, 2),
                number=tf.strings.to_number(["1.5", "2"]), text=tf.strings.as_string([1, 2]), add=s + "!")


def program_sparse():
    s = tf.SparseTensor([[0, 0], [1, 2]], [1., 2.], [2, 3])
    return dict(dense=tf.sparse.to_dense(s), sum=tf.sparse.reduce_sum(s, 1), product=tf.sparse.sparse_dense_matmul(s, tf.ones([3, 1])),
                scaled=s * tf.constant([[2.], [3.]]), text=repr(s.shape), transposed=tf.sparse.transpose(s))


def program_text_of_sparse():
    return dict(text=str(tf.SparseTensor([[0]], [1], [2])).split("(")[0])


def program_ragged():
    r = tf.ragged.constant([[1, 2], [], [3]])
    return dict(list=r.to_list(), row=r[0], sum=tf.reduce_sum(r, 1), tensor=r.to_tensor(), text=str(r), lengths=r.row_lengths(),
                added=(r + 1).to_list(), nested=[x.numpy().tolist() for x in r])


def program_slices_with_tensors():
    i = tf.constant(1)
    return dict(begin=X[i:], end=X[:, :i], both=X[i - 1:i + 1, i], strided=X[:, ::i + 1])


def program_reductions():
    return dict(sum=tf.reduce_sum(X), keep=tf.reduce_sum(X, 1, keepdims=True), all=tf.reduce_all(X > 0), max=tf.reduce_max(X, [0, 1]),
                prod=tf.reduce_prod(X, -1), logsumexp=tf.reduce_logsumexp(X), any=tf.reduce_any(X > 5, 0))
