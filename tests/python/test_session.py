import collections
import gc
import threading
import weakref

import numpy as np
import pytest

import rill as tf


@pytest.fixture
def session(graph):
    with tf.Session() as s:
        yield s


def test_handles_of_scalars_are_fed(session):
    x, words = tf.placeholder(tf.float32), tf.placeholder(tf.string)
    number, text = session.run([tf.get_session_handle(tf.constant(3.0)), tf.get_session_handle(tf.constant("a"))])
    for _ in range(2):
        assert session.run([x + 1.0, tf.identity(words)], {x: number, words: text}) == [4.0, b"a"]


def test_fetch_structures(session):
    x, op = tf.constant([1.0, 2.0], name="x"), tf.no_op(name="op")
    Pair = collections.namedtuple("Pair", "a b")
    assert session.run(op) is None
    assert session.run("op") is None
    assert session.run([]) == []
    result = session.run({"l": [x, (x, op)], "p": Pair("x:0", x),
                          "o": collections.OrderedDict(z=x)})
    assert isinstance(result["p"], Pair) and isinstance(result["o"], collections.OrderedDict)
    assert result["l"][1][1] is None
    assert result["l"][0] is result["l"][1][0] is result["p"].a
    np.testing.assert_array_equal(result["o"]["z"], [1.0, 2.0])


def test_scalars_and_strings(session):
    assert type(session.run(tf.constant(1.5))) is np.float32
    assert type(session.run(tf.constant(3))) is np.int32
    assert type(session.run(tf.constant(True))) is np.bool_
    assert session.run(tf.constant("é")) == "é".encode()
    words = session.run(tf.constant(["a", b"b\0c"]))
    assert words.dtype == object and words.tolist() == [b"a", b"b\0c"]


@pytest.mark.parametrize("dtype", [tf.float16, tf.float32, tf.float64, tf.int8, tf.int16, tf.int32,
                                   tf.int64, tf.uint8, tf.uint16, tf.uint32, tf.uint64, tf.bool,
                                   tf.complex64, tf.complex128])
def test_every_type_goes_in_and_out(session, dtype):
    x = tf.placeholder(dtype)
    value = np.arange(6).reshape(2, 3).astype(dtype.as_numpy_dtype)
    result = session.run(tf.identity(x), {x: value})
    assert result.dtype == value.dtype
    np.testing.assert_array_equal(result, value)


def test_quantized_and_bfloat16_types(session):
    for dtype in (tf.qint8, tf.quint8, tf.qint16, tf.quint16, tf.qint32):
        value = np.array([(1,), (2,)], dtype=dtype.as_numpy_dtype)
        x = tf.placeholder(dtype)
        for given in value, value[dtype.name], [1, 2]:
            result = session.run(tf.identity(x), {x: given})
            assert result.dtype == value.dtype[0]
            assert result.tolist() == [1, 2]
        scalar = session.run(tf.identity(x), {x: value[1]})
        assert scalar == 2 and scalar.dtype == value.dtype[0]
    x = tf.placeholder(tf.bfloat16)
    once = session.run(tf.identity(x), {x: [1.5, 2.0]})
    assert once.tobytes() == b"\xc0\x3f\x00\x40"
    assert session.run(tf.identity(x), {x: once}).tobytes() == once.tobytes()


def test_fed_arrays_may_be_strided_read_only_or_misaligned(session):
    x = tf.placeholder(tf.float64)
    y = tf.identity(x)
    base = np.arange(1000.0)
    odd = np.frombuffer(bytearray(b"\0" + base.tobytes()), np.float64, offset=1)
    read_only = base.copy()
    read_only.flags.writeable = False
    for value in (base[::-2], odd, read_only, np.asfortranarray(base.reshape(10, 100)),
                  base.astype(">f8"), np.empty((0, 3))):
        np.testing.assert_array_equal(session.run(y, {x: value}), value)


def test_fetched_arrays_are_writable_and_alone(session):
    x = tf.placeholder(tf.float32)
    constant = tf.constant(np.ones(1000, np.float32))
    fed = np.zeros(1000, np.float32)
    for fetch, feeds in ((constant, None), (tf.identity(x), {x: fed}), (constant + 1, None)):
        first = session.run(fetch, feeds)
        first[:] = 7
        assert (session.run(fetch, feeds) != 7).all()
    assert (fed == 0).all()


def test_fed_arrays_are_let_go(session):
    class Watched(np.ndarray):
        pass

    x = tf.placeholder(tf.float32)
    value = np.zeros(10000, np.float32).view(Watched)
    watch = weakref.ref(value)
    result = session.run(tf.identity(x), {x: value})
    del value
    gc.collect()
    assert watch() is None and result.shape == (10000,)


def test_large_results_are_not_copied(session):
    result = session.run(tf.constant(np.ones(10000, np.float32)) + 1)
    assert result.base is not None and result.flags.writeable


def test_fed_tensors_can_be_fetched_and_fed_inside(session):
    x = tf.constant(1.0)
    y = x + 1
    assert session.run(y, {x: 5}) == 6
    assert session.run(y, {y: 9}) == 9
    assert session.run([x, y], {x: 5.0}) == [5.0, 6.0]
    assert session.run(y, {(x,): (4,)}) == 5


@pytest.mark.parametrize("value, error, text", [
    ([1, 2, 3], ValueError,
     "Cannot feed value of shape (3,) for Tensor 'x:0', which has shape '(2,)'"),
    ("a", ValueError, "could not convert string to float"),
    ([1, [2]], ValueError, "inhomogeneous shape"),
])
def test_wrong_feeds(session, value, error, text):
    x = tf.placeholder(tf.float32, [2], name="x")
    with pytest.raises(error) as caught:
        session.run(x, {x: value})
    assert text in str(caught.value)


def test_integers_must_fit(session):
    x = tf.placeholder(tf.int32)
    assert session.run(x, {x: 1.5}) == 1
    with pytest.raises(TypeError, match="is not compatible with Tensor type"):
        session.run(x, {x: 2**40})
    b = tf.placeholder(tf.uint8)
    assert session.run(tf.identity(b), {b: 255}) == 255
    with pytest.raises(TypeError, match="is not compatible with Tensor type"):
        session.run(b, {b: 256})


def test_wrong_keys(session):
    x = tf.placeholder(tf.float32, name="x")
    for key in ("q:0", 3, tf.Graph()):
        with pytest.raises(TypeError, match="Cannot interpret feed_dict key as Tensor"):
            session.run(x, {key: 1})
    with pytest.raises(TypeError, match="must be a dictionary"):
        session.run(x, 5)
    with pytest.raises(TypeError, match="The value of a feed cannot be a tf.Tensor object"):
        session.run(x, {x: x})


def test_wrong_fetches(session):
    tf.constant(1.0, name="x")
    with tf.Graph().as_default():
        foreign = tf.constant(1.0)
    for fetch, error in ((None, TypeError), ([None], TypeError), (3.0, TypeError),
                         ("zz", ValueError), ("x:5", ValueError), (foreign, ValueError)):
        with pytest.raises(error, match="Fetch argument"):
            session.run(fetch)


def test_missing_feed_names_the_line(session):
    x = tf.placeholder(tf.float32, [2], name="x")  # made here
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(tf.identity(x))
    error = caught.value
    assert "You must feed a value for placeholder tensor 'x' with dtype float" in error.message
    assert "test_session.py" in error.message
    assert error.op is x.op and error.node_def.name == "x"
    assert error.error_code == tf.errors.INVALID_ARGUMENT
    assert isinstance(error, tf.errors.OpError) and str(error) == error.message


def test_messages_quote_strings_of_any_bytes(session):
    for build in (lambda: tf.raw_ops.StringToNumber(string_tensor=b"one\xff"),
                  lambda: tf.raw_ops.Substr(input=b"\xff", pos=3, len=1)):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"\\xff"):
            session.run(build())


def test_make_callable(session):
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    f = session.make_callable({"sum": x + y, "x": x}, [x, y])
    assert f(1, 2) == {"sum": 3.0, "x": 1.0}
    assert f(2, 2)["sum"] == 4.0
    with pytest.raises(tf.errors.InvalidArgumentError):
        f(1)
    with pytest.raises(TypeError):
        session.make_callable(x, 3)


def test_closed_sessions_and_wrong_arguments(graph):
    op = tf.no_op()
    session = tf.Session()
    session.close()
    with pytest.raises(RuntimeError, match="Attempted to use a closed Session."):
        session.run(op)
    for arguments in ({"target": 3}, {"graph": 3}, {"config": 3}):
        with pytest.raises(TypeError, match="Argument `"):
            tf.Session(**arguments)
    with pytest.raises(RuntimeError, match="The Session graph is empty"):
        tf.Session(graph=tf.Graph()).run("x")


def test_default_sessions(graph):
    x = tf.constant(2.0)
    with pytest.raises(ValueError, match="No default session is registered"):
        x.eval()
    with tf.Session() as session:
        assert tf.get_default_session() is session
        assert x.eval() == 2.0
        assert tf.no_op().run() is None
    assert tf.get_default_session() is None
    interactive = tf.InteractiveSession()
    assert x.eval() == 2.0
    interactive.close()
    assert tf.get_default_session() is None


def test_config_options_and_metadata(graph):
    x = tf.placeholder(tf.float32)
    config = tf.ConfigProto(intra_op_parallelism_threads=1, device_count={"CPU": 2})
    with tf.Session(config=config) as session:
        assert [d.device_type for d in session.list_devices()] == ["CPU", "CPU"]
        metadata = tf.RunMetadata()
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        assert session.run(x + 1, {x: 1}, options=options, run_metadata=metadata) == 2.0
        assert len(metadata.step_stats.dev_stats) > 0


def test_two_threads_run_one_session(session):
    x = tf.placeholder(tf.float32)
    y = x * 2
    wrong = []

    def work(value):
        for _ in range(300):
            if session.run(y, {x: value}) != 2 * value:
                wrong.append(value)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_dlpack(session):
    array = np.arange(1000, dtype=np.float32)
    assert np.shares_memory(tf.from_dlpack(array), array)
    assert np.shares_memory(tf.from_dlpack(tf.to_dlpack(array)), array)
    capsule = tf.to_dlpack([1.0, 2.0])
    assert tf.from_dlpack(capsule).tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="unused DLPack capsule"):
        tf.from_dlpack(capsule)


def test_errors_are_pickled_without_their_graph():
    import pickle
    error = tf.errors.NotFoundError(None, None, "gone")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is tf.errors.NotFoundError and again.message == "gone"


def test_a_deleted_handle_says_so(session):
    handle = session.run(tf.get_session_handle(tf.constant(3.0)))
    assert handle.eval() == 3.0
    handle.delete()
    for use in (handle.eval, handle.delete):
        with pytest.raises(TypeError, match="may have already been deleted"):
            use()


def test_a_default_session_need_not_be_left_in_order(graph):
    first, second = tf.Session(), tf.Session()
    outer, inner = first.as_default(), second.as_default()
    outer.enforce_nesting = inner.enforce_nesting = False
    outer.__enter__()
    inner.__enter__()
    outer.__exit__(None, None, None)
    assert tf.get_default_session() is second
    inner.__exit__(None, None, None)
    assert tf.get_default_session() is None
