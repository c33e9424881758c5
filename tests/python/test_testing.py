"""tf.test: the assertions of TestCase, gradients by differences, and other helps."""
import os
import subprocess
import sys
import unittest

import numpy as np
import pytest

import rill as tf


class Case(tf.test.TestCase):
    def runTest(self):
        pass


@pytest.fixture
def case():
    case = Case()
    case.setUp()
    yield case
    case.tearDown()
    case.doCleanups()


def test_close_values(case):
    case.assertAllClose([1.0, 2.0], np.array([1.0, 2.0 + 1e-7]))
    case.assertAllClose({"a": [1.0], "b": (2.0, [3.0])}, {"a": [1.0], "b": (2.0, [3.0])})
    case.assertAllClose(tf.constant([1.0]) + 1.0, [2.0])
    case.assertAllClose([[1.0, 2.0], [3.0]], [[1.0, 2.0], [3.0]])
    for wrong in (([1.0], [1.1]), ([1.0], [1.0, 2.0]), ({"a": 1.0}, {"b": 1.0}), ([[1.0], 2.0], [[1.0], 2.5])):
        with pytest.raises(AssertionError):
            case.assertAllClose(*wrong)
    with pytest.raises(ValueError, match="Can't compare dict to non-dict"):
        case.assertAllClose({"a": 1.0}, [1.0])
    with pytest.raises(AssertionError, match="Not equal to tolerance rtol=0.1, atol=0.2"):
        case.assertAllClose(1.0, 2.0, rtol=0.1, atol=0.2)
    case.assertNotAllClose([1.0], [2.0])
    with pytest.raises(AssertionError, match="close at all elements"):
        case.assertNotAllClose([1.0], [1.0])


def test_tolerance_goes_by_type(case):
    half = np.array([1.0, 2.0], np.float16)
    case.assertAllCloseAccordingToType(half, half + np.float16(0.002))
    with pytest.raises(AssertionError):
        case.assertAllCloseAccordingToType(half.astype(np.float64), half.astype(np.float64) + 0.002)


def test_equal_values(case):
    case.assertAllEqual([1, 2], tf.constant([1, 2]))
    case.assertAllEqual([np.nan, 1.0], [np.nan, 1.0])
    case.assertAllClose([np.nan, 1.0], [np.nan, 1.0])
    case.assertAllClose(np.nan, np.nan)
    case.assertAllClose({"a": [np.nan]}, {"a": (np.nan,)})
    case.assertAllCloseAccordingToType(np.float16([np.nan]), np.float16([np.nan]))
    case.assertAllEqual([b"a"], tf.constant(["a"]))
    with pytest.raises(AssertionError, match="Shape mismatch"):
        case.assertAllEqual([1], [1, 2])
    with pytest.raises(AssertionError, match="not equal where"):
        case.assertAllEqual([1, 3], [1, 2])
    case.assertNotAllEqual([1], [2])
    with pytest.raises(AssertionError):
        case.assertNotAllEqual([1], [1])


def test_bounds_and_sets(case):
    case.assertAllInRange([1, 2, 3], 1, 3)
    case.assertAllInSet([1, 2, 1], {1, 2})
    case.assertAllGreater([2, 3], 1)
    case.assertAllLess([2, 3], 4)
    case.assertAllGreaterEqual([2, 3], 2)
    case.assertAllLessEqual([2, 3], 3)
    case.assertNear(1.0, 1.1, 0.2)
    case.assertArrayNear([1.0, 2.0], [1.1, 2.1], 0.2)
    case.assertNDArrayNear(np.ones(2), np.ones(2), 1e-3)
    case.assertBetween(2, 1, 3)
    for wrong in (lambda: case.assertAllInRange([1, 2, 3], 1, 3, open_upper_bound=True),
                  lambda: case.assertAllInRange([np.nan], 0, 1), lambda: case.assertAllInRange(["a"], 0, 1),
                  lambda: case.assertAllInSet([1, 5], {1}), lambda: case.assertAllGreater([1, 2], 1),
                  lambda: case.assertNear(1.0, 1.5, 0.2), lambda: case.assertBetween(5, 1, 3)):
        with pytest.raises(AssertionError):
            wrong()


def test_shapes_and_types(case):
    case.assertShapeEqual(np.zeros([2, 3]), tf.zeros([2, 3]) if hasattr(tf, "zeros") else tf.constant(0.0, shape=[2, 3]))
    case.assertDTypeEqual(tf.constant(1.0), np.float32)
    case.assertDeviceEqual("/device:CPU:0", "/device:cpu:0")
    case.assertStartsWith("abc", "ab")
    with pytest.raises(AssertionError):
        case.assertStartsWith("abc", "b")


def test_messages(case):
    node = tf.NodeDef(name="x", op="NoOp")
    case.assertProtoEquals('name: "x" op: "NoOp"', node)
    case.assertProtoEquals(tf.NodeDef(name="x", op="NoOp"), node)
    with pytest.raises(AssertionError):
        case.assertProtoEquals('name: "y"', node)
    with tf.Graph().as_default() as g:
        tf.no_op(name="n")
    case.assertProtoEqualsVersion('node { name: "n" op: "NoOp" }', g.as_graph_def())


def test_errors(case):
    x = tf.placeholder(tf.float32)
    y = tf.matmul(x, [[1.0]])
    with case.session() as sess:
        with case.assertRaisesOpError("(?i)in.*"):
            sess.run(y, {x: np.zeros([2, 3])})
        with pytest.raises(AssertionError):
            with case.assertRaisesOpError("nothing like this"):
                sess.run(y, {x: np.zeros([2, 3])})
    with case.assertRaisesWithPredicateMatch(ValueError, lambda e: "bad" in str(e)):
        raise ValueError("bad")
    with pytest.raises(AssertionError, match="not raised"):
        with case.assertRaisesWithPredicateMatch(ValueError, "x"):
            pass


def test_sessions(case):
    with case.session() as sess:
        x = tf.constant(1.0)
        assert tf.get_default_session() is sess and x.device == "/device:CPU:0" and x.eval() == 1.0
    with case.cached_session() as first:
        pass
    with case.cached_session() as second:
        assert second is first
    with case.test_session(use_gpu=True) as third:
        assert third is first and tf.constant(1.0).device == ""
    with pytest.raises(ValueError, match="graph used to get the cached session"):
        with case.cached_session(graph=tf.Graph()):
            pass
    assert case.evaluate({"a": [tf.constant(1), 2]}["a"][0]) == 1
    assert case.evaluate([1, 2]) == [1, 2]


def test_threads(case):
    def fail():
        raise ValueError("oh")
    thread = case.checkedThread(fail)
    thread.start()
    with pytest.raises(AssertionError, match="oh"):
        thread.join()


def test_seeds_are_set(case):
    first = np.random.rand()
    assert tf.get_default_graph().seed == 87654321
    case.setUp()
    assert np.random.rand() == first


def test_streams(case, tmp_path):
    with open(tmp_path / "out", "w") as stream:
        with case.captureWritesToStream(stream) as writes:
            print("hello", file=stream)
    assert writes.contents() == "hello\n"


def test_folders(case):
    folder = case.get_temp_dir()
    assert os.path.isdir(folder) and folder.startswith(tf.test.get_temp_dir()) and case.get_temp_dir() == folder


def test_gradients_by_differences():
    x = tf.placeholder(tf.float64, [2, 2])
    y = tf.matmul(x, tf.constant([[1.0, 2.0], [3.0, 4.0]], tf.float64))
    with tf.Session().as_default():
        ours, numeric = tf.test.compute_gradient(x, [2, 2], y, [2, 2], x_init_value=np.ones([2, 2]))
        assert ours.shape == (4, 4)
        np.testing.assert_allclose(ours, numeric, atol=1e-6)
        np.testing.assert_array_equal(ours[:2, :2], [[1.0, 2.0], [3.0, 4.0]])
        assert tf.test.compute_gradient_error(x, [2, 2], y, [2, 2]) < 1e-6
        both = tf.test.compute_gradient([x], [[2, 2]], y, [2, 2], x_init_value=[np.ones([2, 2])])
        assert len(both) == 1 and both[0][0].shape == (4, 4)
    with pytest.raises(ValueError, match="default session"):
        tf.test.compute_gradient(x, [2, 2], y, [2, 2])


def test_gradients_of_scalars_by_differences():
    x = tf.constant(2.0, tf.float64)
    with tf.Session().as_default():
        assert tf.test.compute_gradient_error(x, [], x * x, []) < 1e-5
        ours, numeric = tf.test.compute_gradient(x, [], x * [1.0, 2.0], [2], x_init_value=3.0)
        assert ours.tolist() == [[1, 2]]
        np.testing.assert_allclose(numeric, ours)


def test_a_wrong_gradient_is_found():
    @tf.RegisterGradient("WrongIdentityOfTest")
    def wrong(op, grad):
        return grad * 2.0
    x = tf.placeholder(tf.float64, [3])
    with tf.get_default_graph().gradient_override_map({"Identity": "WrongIdentityOfTest"}):
        y = tf.identity(x)
    with tf.Session().as_default():
        assert abs(tf.test.compute_gradient_error(x, [3], y, [3]) - 1.0) < 1e-5


def test_graphs_are_compared_node_by_node():
    def graph(value, name="x"):
        with tf.Graph().as_default() as g:
            tf.identity(tf.constant(value, name=name), name="y")
        return g.as_graph_def()
    tf.test.assert_equal_graph_def(graph(1.0), graph(1.0))
    with pytest.raises(AssertionError, match="'x' has attribute 'value'"):
        tf.test.assert_equal_graph_def(graph(1.0), graph(2.0))
    with pytest.raises(AssertionError, match="Did not find expected node 'z'"):
        tf.test.assert_equal_graph_def(graph(1.0), graph(1.0, "z"))
    one, other = graph("a_temp_" + "0" * 32 + "/part"), graph("a_temp_" + "1" * 32 + "/part")
    tf.test.assert_equal_graph_def(one, other, checkpoint_v2=True)
    with pytest.raises(AssertionError):
        tf.test.assert_equal_graph_def(one, other)
    with pytest.raises(TypeError, match="Expected tf.GraphDef for actual"):
        tf.test.assert_equal_graph_def("x", graph(1.0))


def test_stubs_and_mocks():
    class Thing:
        value = 1
    stubs = tf.test.StubOutForTesting()
    stubs.Set(Thing, "value", 2)
    stubs.SmartSet(Thing, "value", 3)
    assert Thing.value == 3
    stubs.CleanUp()
    assert Thing.value == 1
    assert tf.test.mock.patch is unittest.mock.patch


def test_benchmarks(capsys):
    class Some(tf.test.Benchmark):
        def benchmark_add(self):
            with tf.Session() as sess:
                return self.run_op_benchmark(sess, tf.constant(1.0) + 1.0, min_iters=3, store_memory_usage=False)
    result = Some().benchmark_add()
    assert result["iters"] == 3 and result["name"] == "Some.benchmark_add" and "wall_time" in capsys.readouterr().out
    assert tf.test.Benchmark.is_abstract() and not Some.is_abstract()


def test_devices():
    assert tf.test.is_gpu_available() == bool(tf.test.gpu_device_name())
    assert tf.test.is_built_with_cuda() == tf.test.is_built_with_gpu_support() and not tf.test.is_built_with_rocm()


def test_main_runs_the_tests(tmp_path):
    path = tmp_path / "some_test.py"
    path.write_text("import tensorflow as tf\n\n\nclass SomeTest(tf.test.TestCase):\n"
                    "    def test_good(self):\n        with self.test_session():\n"
                    "            self.assertAllEqual(tf.constant([1]).eval(), [1])\n\n"
                    "    def test_bad(self):\n        self.assertAllEqual([1], [2])\n\n\n"
                    "if __name__ == '__main__':\n    tf.test.main()\n")
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True)
    assert done.returncode == 1 and "FAILED (failures=1, skipped=1)" in done.stderr and "Ran 3 tests" in done.stderr


# Methods with arguments that they accept, then with those that they refuse.
PLAIN_ASSERTIONS = [
    ("assertStartsWith", ("abc", "ab"), ("abc", "b")),
    ("assertNotStartsWith", ("abc", "b"), ("abc", "a")),
    ("assertEndsWith", ("abc", "bc"), ("abc", "b")),
    ("assertNotEndsWith", ("abc", "b"), ("abc", "c")),
    ("assertRegexMatch", ("abc", ["x", "b."]), ("abc", ["x"])),
    ("assertContainsInOrder", (["a", "c"], "abc"), (["c", "a"], "abc")),
    ("assertUrlEqual", ("http://a/b?x=1&y=2", "http://a/b?y=2&x=1"), ("http://a/b?x=1", "http://a/b?x=2")),
    ("assertJsonEqual", ('{"a": [1]}', '{"a":[1]}'), ('{"a": 1}', '{"a": 2}')),
    ("assertLen", ([1, 2], 2), ([1], 2)),
    ("assertEmpty", ([],), ([1],)),
    ("assertNotEmpty", ([1],), ([],)),
    ("assertBetween", (2, 1, 3), (4, 1, 3)),
    ("assertContainsSubset", ([1], [1, 2]), ([3], [1, 2])),
    ("assertNoCommonElements", ([1], [2]), ([1], [1, 2])),
    ("assertSameElements", ([1, 1, 2], [2, 1]), ([1], [2])),
    ("assertItemsEqual", ([1, 2], [2, 1]), ([1, 1], [1])),
    ("assertSequenceStartsWith", ([1, 2], [1, 2, 3]), ([2], [1, 2, 3])),
    ("assertContainsSubsequence", ([1, 2, 3], [1, 3]), ([1, 2, 3], [3, 1])),
    ("assertContainsExactSubsequence", ([1, 2, 3], [2, 3]), ([1, 2, 3], [1, 3])),
    ("assertTotallyOrdered", ([1, 1], [2]), ([2], [1])),
    ("assertSequenceAlmostEqual", ([1.0], [1.0 + 1e-9]), ([1.0], [1.1])),
    ("assertDictAlmostEqual", ({"a": 1.0}, {"a": 1.0 + 1e-9}), ({"a": 1.0}, {"a": 2.0})),
    ("assertSameStructure", ({"a": [1, 2]}, {"a": [1, 2]}), ({"a": [1, 2]}, {"a": [1]})),
    ("assertMappingEqual", ({"a": 1}, {"a": 1}), ({"a": 1}, {"b": 1})),
    ("assertIsSubclass", (bool, int), (int, bool)),
    ("assertNotIsSubclass", (int, bool), (bool, int)),
    ("assertMultiLineEqual", ("a\nb", "a\nb"), ("a\nb", "a\nc")),
    ("assertCommandSucceeds", (["echo", "yes"], [b"yes"]), (["false"],)),
    ("assertCommandFails", (["sh", "-c", "echo no; exit 1"], ["no"]), (["true"], [""])),
    ("assertAllClose", ([np.nan, 1.0], [np.nan, 1.0]), ([np.nan], [1.0])),
]


@pytest.mark.parametrize("name, right, wrong", PLAIN_ASSERTIONS)
def test_plain_assertions(case, name, right, wrong):
    getattr(case, name)(*right)
    with pytest.raises(AssertionError):
        getattr(case, name)(*wrong)


def test_errors_by_their_text(case):
    with case.assertRaisesWithLiteralMatch(ValueError, "just this") as caught:
        raise ValueError("just this")
    assert isinstance(caught.exception, ValueError)
    case.assertRaisesWithLiteralMatch(ValueError, "x", lambda: (_ for _ in ()).throw(ValueError("x")).__next__())
    with pytest.raises(AssertionError, match="Exception message does not match"):
        with case.assertRaisesWithLiteralMatch(ValueError, "just"):
            raise ValueError("just this")
    with pytest.raises(AssertionError, match="ValueError not raised"):
        with case.assertRaisesWithLiteralMatch(ValueError, "just"):
            pass
    with pytest.raises(KeyError):
        with case.assertRaisesWithPredicateMatch(ValueError, "x"):
            raise KeyError("x")
    with case.assertRaisesWithPredicateMatch(tf.errors.InvalidArgumentError, "bad"):
        raise tf.errors.InvalidArgumentError(None, None, "bad luck")


def test_files_of_a_test(case):
    file = case.create_tempfile("folder/a.txt", content="one")
    file.write_text("two", mode="a")
    assert file.read_text() == "onetwo" and os.fspath(file).startswith(case.get_temp_dir())
    assert case.create_tempfile(content=b"\x00\x01").read_bytes() == b"\x00\x01"
    folder = case.create_tempdir("inner")
    assert folder.create_file("b").full_path == os.path.join(folder.full_path, "b")
    assert os.path.isdir(folder.mkdir("c").full_path)
    entered = case.enter_context(open(file.full_path))
    case.doCleanups()
    assert entered.closed


def test_what_a_test_notes(case):
    case.record_property("seed", 7)
    assert case.get_recorded_properties() == {"seed": 7}
