"""Tests for both modes, as tf.contrib.eager has them."""
import tensorflow as tf
tfe = tf.contrib.eager
class MyTest(tf.test.TestCase):
    @tfe.run_test_in_graph_and_eager_modes
    def test_a(self):
        self.assertAllEqual([2, 4], self.evaluate(tf.constant([1, 2]) * 2))
    @tfe.run_test_in_graph_and_eager_modes()
    def test_b(self):
        v = tfe.Variable(3.0)
        self.evaluate(v.initializer) if not tf.executing_eagerly() else None
        self.assertEqual(3.0, self.evaluate(v))
    @tfe.run_test_in_graph_and_eager_modes(assert_no_eager_garbage=True)
    def test_c(self):
        self.assertEqual(1, self.evaluate(tf.constant(1)))
@tfe.run_all_tests_in_graph_and_eager_modes
class Whole(tf.test.TestCase):
    def test_x(self):
        d = tf.layers.Dense(3)
        y = d(tf.ones([2, 2]))
        self.evaluate(tf.global_variables_initializer())
        self.assertEqual((2, 3), self.evaluate(y).shape)
    def test_fails(self):
        with self.assertRaises(tf.errors.OpError):
            self.evaluate(tf.check_numerics(tf.constant(float("nan")), "x"))
if __name__ == "__main__":
    tf.test.main()
