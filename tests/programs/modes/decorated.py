"""Tests for both modes, written with TensorFlow's own decorators."""
import numpy as np
try:
    import tensorflow.compat.v1 as tf
except ImportError:
    import tensorflow as tf
from tensorflow.python.framework import test_util
from tensorflow.python.framework import ops, constant_op, dtypes, errors
from tensorflow.python.ops import array_ops, math_ops, variables, resource_variable_ops
from tensorflow.python.eager import context, backprop
from tensorflow.python.platform import test

MODES = []

class A(test_util.TensorFlowTestCase):
    @test_util.run_in_graph_and_eager_modes
    def testAdd(self):
        MODES.append(context.executing_eagerly())
        x = constant_op.constant([1., 2.])
        self.assertAllClose(self.evaluate(x + 1), [2., 3.])

    @test_util.run_in_graph_and_eager_modes()
    def testVariable(self):
        v = resource_variable_ops.ResourceVariable([1., 2.], name="v")
        self.evaluate(variables.global_variables_initializer())
        self.evaluate(v.assign_add([1., 1.]))
        self.assertAllEqual([2., 3.], self.evaluate(v))
        self.assertEqual(v.name, "v:0")

    @test_util.run_in_graph_and_eager_modes(use_gpu=True)
    def testErrors(self):
        with self.assertRaises((ValueError, errors.InvalidArgumentError)):
            self.evaluate(math_ops.matmul(array_ops.ones([2, 3]), array_ops.ones([2, 3])))
        with self.assertRaisesRegex(errors.InvalidArgumentError, "boom"):
            with ops.control_dependencies([tf.Assert(tf.constant(False), ["boom"])]):
                self.evaluate(array_ops.identity(1))

    @test_util.run_deprecated_v1
    def testGraph(self):
        with self.cached_session() as sess:
            p = array_ops.placeholder(dtypes.float32)
            self.assertEqual(sess.run(p * 2, {p: 2}), 4)

    @test_util.run_in_graph_and_eager_modes
    def testTape(self):
        x = constant_op.constant(3.)
        with backprop.GradientTape() as t:
            t.watch(x)
            y = x * x
        self.assertAllClose(6., self.evaluate(t.gradient(y, x)))

    @test_util.run_in_graph_and_eager_modes
    def testLayers(self):
        layer = tf.layers.Dense(2, kernel_initializer=tf.ones_initializer())
        y = layer(tf.ones([1, 3]))
        self.evaluate(tf.global_variables_initializer())
        self.assertAllEqual([[3., 3.]], self.evaluate(y))
        self.assertEqual(2, len(layer.variables))

    @test_util.assert_no_new_tensors
    def testNoNew(self):
        with context.graph_mode():
            pass
    @test_util.run_in_graph_and_eager_modes
    def testData(self):
        ds = tf.data.Dataset.range(3)
        it = tf.data.make_one_shot_iterator(ds)
        if context.executing_eagerly():
            self.assertEqual([0, 1, 2], [int(x) for x in ds])
        else:
            n = it.get_next()
            self.assertEqual([0, 1, 2], [self.evaluate(n) for _ in range(3)])
            with self.assertRaises(errors.OutOfRangeError):
                self.evaluate(n)

    def setUp(self):
        super(A, self).setUp()
        self.x = 1

    @test_util.run_in_graph_and_eager_modes
    def testSetUp(self):
        self.assertEqual(self.x, 1)
        self.x += 1

    @test_util.run_in_graph_and_eager_modes
    def testTempDir(self):
        import os
        p = os.path.join(self.get_temp_dir(), "f")
        tf.gfile.GFile(p, "w").write("x")
        self.assertTrue(tf.gfile.Exists(p))

    @test_util.run_in_graph_and_eager_modes
    def testOptimizer(self):
        v = resource_variable_ops.ResourceVariable([1., 2.])
        opt = tf.train.GradientDescentOptimizer(.5)
        def loss(): return math_ops.reduce_sum(v * v)
        if context.executing_eagerly():
            opt.minimize(loss)
        else:
            op = opt.minimize(loss)
            self.evaluate(variables.global_variables_initializer())
            self.evaluate(op)
        self.assertAllClose([0., 0.], self.evaluate(v))

@test_util.run_all_in_graph_and_eager_modes
class B(test.TestCase):
    def testOne(self):
        MODES.append(context.executing_eagerly())
        self.assertAllEqual(self.evaluate(tf.range(3)), [0, 1, 2])
    def testTwo(self):
        self.assertAllCloseAccordingToType(self.evaluate(tf.exp([0., 1.])), np.exp([0., 1.]))
    @test_util.run_v1_only("reason")
    def testThree(self):
        self.assertTrue(True)
    @test_util.deprecated_graph_mode_only
    def testFour(self):
        self.assertFalse(context.executing_eagerly())
    def testEval(self):
        a, b = self.evaluate([tf.constant(1), {"k": tf.constant(2)}])
        self.assertEqual((a, b["k"]), (1, 2))
    def testSkip(self):
        if context.executing_eagerly():
            self.skipTest("no")
    def testSession(self):
        with self.cached_session():
            self.assertAllEqual(self.evaluate(tf.constant(3)), 3)
        with self.session(use_gpu=False):
            self.assertAllEqual(3, self.evaluate(tf.constant(3)))
    def testGradientHelpers(self):
        self.assertAllGreater(self.evaluate(tf.constant([1, 2])), 0)
        self.assertShapeEqual(np.zeros([2]), tf.zeros([2]))
        self.assertAllInRange(self.evaluate(tf.constant([.1])), 0, 1)
        self.assertNear(1., 1.0001, 1e-3)
        self.assertNotAllClose([1.], [2.])
        self.assertAllInSet(self.evaluate(tf.constant([1, 2])), (1, 2))

class C(test.TestCase):
    @test_util.assert_no_new_pyobjects_executing_eagerly
    def testNothingIsLeft(self):
        x = tf.constant([1., 2.])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        self.assertAllEqual([2., 4.], tape.gradient(y, x))

    @test_util.assert_no_garbage_created
    def testNoGarbage(self):
        with context.eager_mode():
            self.assertEqual(3, int(tf.constant(1) + 2))

    @test_util.run_v2_only
    def testV2(self): self.fail("not here")
    @test_util.run_v1_only("b/1")
    def testV1(self): pass
    def testForce(self):
        with context.eager_mode(), ops.device("cpu:0"):
            self.assertEqual(3, int(tf.constant(1) + 2))
    @test_util.disable_xla("x")
    def testXla(self): pass
    def tearDown(self):
        super(C, self).tearDown()
    @classmethod
    def tearDownClass(cls):
        print("modes", sorted(MODES), flush=True)

if __name__ == "__main__":
    test.main()
