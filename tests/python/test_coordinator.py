import sys
import threading
import time

import numpy as np
import pytest

import rill as tf


def failing(coord, error):
    with coord.stop_on_exception():
        raise error


def test_stops_together():
    coord = tf.train.Coordinator()
    seen = []

    def work():
        while not coord.should_stop():
            seen.append(1)
            coord.wait_for_stop(0.001)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert not coord.wait_for_stop(0.01)
    coord.request_stop()
    coord.join(threads)
    assert coord.joined and seen and not any(thread.is_alive() for thread in threads)
    coord.clear_stop()
    assert not coord.joined and not coord.should_stop()


def test_join_raises_the_first_error():
    coord = tf.train.Coordinator()
    first = ValueError("first")
    threads = [threading.Thread(target=failing, args=(coord, first))]
    threads[0].start()
    coord.wait_for_stop()
    failing(coord, ValueError("second"))
    with pytest.raises(ValueError, match="first") as caught:
        coord.join(threads)
    assert caught.value is first
    with pytest.raises(ValueError, match="first"):
        coord.raise_requested_exception()
    with pytest.raises(KeyError):  # nobody joins any more
        failing(coord, KeyError("late"))


def test_request_stop_takes_exceptions_and_exc_info():
    for with_tuple in (False, True):
        coord = tf.train.Coordinator()
        try:
            raise TypeError("told")
        except TypeError as error:
            coord.request_stop(sys.exc_info() if with_tuple else error)
        with pytest.raises(TypeError, match="told"):
            coord.join()
    coord = tf.train.Coordinator()
    coord.request_stop(TypeError("of no use outside of a handler"))
    with pytest.raises(ValueError, match="must be a tuple or sys.exc_info must return"):
        coord.join()


def test_clean_stops():
    coord = tf.train.Coordinator()
    failing(coord, tf.errors.OutOfRangeError(None, None, "the end"))
    assert coord.should_stop()
    coord.join()
    coord = tf.train.Coordinator(clean_stop_exception_types=(StopIteration,))
    failing(coord, StopIteration())
    coord.join()
    coord = tf.train.Coordinator(clean_stop_exception_types=())
    failing(coord, tf.errors.OutOfRangeError(None, None, "the end"))
    with pytest.raises(tf.errors.OutOfRangeError):
        coord.join()


def test_join_names_threads_that_go_on():
    coord = tf.train.Coordinator()
    over = threading.Event()
    thread = threading.Thread(target=over.wait, name="slowpoke", daemon=True)
    thread.start()
    coord.register_thread(thread)
    coord.request_stop()
    with pytest.raises(RuntimeError, match="Coordinator stopped with threads still running: slowpoke"):
        coord.join(stop_grace_period_secs=0.02)
    coord.clear_stop()
    coord.register_thread(thread)
    coord.request_stop()
    coord.join(stop_grace_period_secs=0.02, ignore_live_threads=True)
    over.set()
    thread.join()


def test_join_waits_for_threads_without_a_request():
    coord = tf.train.Coordinator()
    thread = threading.Thread(target=time.sleep, args=(0.05,))
    thread.start()
    coord.join([thread])
    assert not thread.is_alive() and not coord.should_stop()


class Counting(tf.train.LooperThread):
    def start_loop(self):
        self.calls = ["start"]

    def run_loop(self):
        self.calls.append("run")
        if len(self.calls) == 3:
            self._coord.request_stop()

    def stop_loop(self):
        self.calls.append("stop")


@pytest.mark.parametrize("interval", [None, 0.001])
def test_looper_threads(interval):
    coord = tf.train.Coordinator()
    counting = Counting(coord, interval)
    assert counting.daemon
    counting.start()
    coord.join()
    assert counting.calls == ["start", "run", "run", "stop"]
    values = []

    def work(value, more):
        values.append((value, more))
        coord.request_stop()

    coord.clear_stop()
    tf.train.LooperThread.loop(coord, interval, work, args=(1,), kwargs={"more": 2})
    coord.join()
    assert values == [(1, 2)]


def test_looper_threads_refuse():
    with pytest.raises(ValueError, match="must be a Coordinator"):
        tf.train.LooperThread(None, 1)
    with pytest.raises(ValueError, match="require that you also pass 'target'"):
        tf.train.LooperThread(tf.train.Coordinator(), 1, args=(1,))


def test_looper_errors_reach_join():
    coord = tf.train.Coordinator()
    tf.train.LooperThread.loop(coord, None, lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        coord.join()


# --- queue runners ---------------------------------------------------------------------------------


def counted_queue(limit):
    """A queue that is filled with 1, 2, ... below `limit`."""
    count = tf.Variable(0, name="count", collections=[tf.GraphKeys.LOCAL_VARIABLES])
    queue = tf.FIFOQueue(3, tf.int32, shapes=[[]])
    return queue, queue.enqueue(count.count_up_to(limit))


def taken(sess, tensor):
    values = []
    try:
        while True:
            values.append(sess.run(tensor))
    except tf.errors.OutOfRangeError:
        return values


def test_a_runner_fills_and_closes_its_queue():
    queue, enqueue = counted_queue(7)
    runner = tf.train.QueueRunner(queue, [enqueue])
    value = queue.dequeue()
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        threads = runner.create_threads(sess)
        assert [t.name for t in threads] == ["QueueRunnerThread-fifo_queue-fifo_queue_enqueue"]
        for thread in threads:
            thread.start()
        assert taken(sess, value) == list(range(7))
        for thread in threads:
            thread.join()
        assert runner.exceptions_raised == []


def test_a_runner_with_a_coordinator_cancels():
    queue = tf.FIFOQueue(1, tf.float32)
    runner = tf.train.QueueRunner(queue, [queue.enqueue([1.0])] * 2)
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = runner.create_threads(sess, coord, daemon=True, start=True)
        assert len(threads) == 3 and all(thread.daemon for thread in threads)
        assert runner.create_threads(sess, coord, start=True) == []  # they run already
        sess.run(queue.dequeue())
        coord.request_stop()
        coord.join()
        assert not any(thread.is_alive() for thread in threads)
        with pytest.raises(tf.errors.CancelledError):
            sess.run(queue.enqueue([1.0]))


def test_errors_stop_the_coordinator():
    queue = tf.FIFOQueue(10, tf.float32)
    runner = tf.train.QueueRunner(queue, [queue.enqueue([tf.placeholder(tf.float32)])])
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        runner.create_threads(sess, coord, start=True)
        with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value"):
            coord.join()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_errors_without_a_coordinator_are_kept():
    queue = tf.FIFOQueue(10, tf.float32)
    runner = tf.train.QueueRunner(queue, [queue.enqueue([tf.placeholder(tf.float32)])])
    with tf.Session() as sess:
        threads = runner.create_threads(sess, start=True)
        threads[0].join()
        assert isinstance(runner.exceptions_raised[0], tf.errors.InvalidArgumentError)


def test_other_errors_may_mean_a_closed_queue():
    first, second = tf.FIFOQueue(1, tf.float32, shapes=[[]]), tf.FIFOQueue(1, tf.float32, shapes=[[]])
    runner = tf.train.QueueRunner(second, [second.enqueue(first.dequeue())],
                                  queue_closed_exception_types=(tf.errors.OutOfRangeError, tf.errors.CancelledError))
    with tf.Session() as sess:
        sess.run(first.close())
        coord = tf.train.Coordinator()
        runner.create_threads(sess, coord, start=True)
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(second.dequeue())
        coord.request_stop()
        coord.join()


def test_wrong_runners():
    queue = tf.FIFOQueue(1, tf.float32)
    for arguments in ({}, {"queue": queue}, {"queue": queue, "enqueue_ops": []}):
        with pytest.raises(ValueError, match="Must provide queue and enqueue_ops"):
            tf.train.QueueRunner(**arguments)
    enqueue = queue.enqueue([1.0])
    for types in ((), [], (ValueError,), tf.errors.OutOfRangeError):
        with pytest.raises(TypeError, match="must be a tuple of tf.error types"):
            tf.train.QueueRunner(queue, [enqueue], queue_closed_exception_types=types)
    message = tf.train.QueueRunner(queue, [enqueue]).to_proto()
    with pytest.raises(ValueError, match="mutually exclusive"):
        tf.train.QueueRunner(queue, queue_runner_def=message)
    with pytest.raises(KeyError if False else (KeyError, ValueError, tf.errors.NotFoundError)):
        tf.train.QueueRunner.from_proto(message, import_scope="nowhere")


def test_start_queue_runners():
    queue, enqueue = counted_queue(3)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [enqueue]))
    value = queue.dequeue()
    with pytest.raises(ValueError, match="No default session is registered"):
        tf.train.start_queue_runners()
    with pytest.raises(TypeError, match="sess must be a `tf.Session` object"):
        tf.train.start_queue_runners(sess="no session")
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        assert not any(t.is_alive() for t in tf.train.start_queue_runners(sess, start=False))
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        threads = tf.train.start_queue_runners()
        assert taken(sess, value) == [0, 1, 2]
        tf.train.Coordinator().join(threads)


def test_a_subclass_in_the_collection_is_asked_itself():
    class Mine(tf.train.QueueRunner):
        def create_threads(self, sess, coord=None, daemon=False, start=False):
            return ["mine"]

    queue = tf.FIFOQueue(1, tf.float32)
    runner = Mine(queue, [queue.enqueue([1.0])])
    tf.train.add_queue_runner(runner)
    assert tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS) == [runner]
    with tf.Session() as sess:
        assert tf.train.start_queue_runners(sess) == ["mine"]


def run_pipeline(tensors):
    """All that comes out of a pipeline until its end."""
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        try:
            return taken(sess, tensors)
        finally:
            coord.request_stop()
            coord.join(threads)


def test_a_pipeline_of_files(tmp_path):
    for name in "ab":
        (tmp_path / name).write_text("".join(f"{name}{i}\n" for i in range(3)))
    names = tf.train.string_input_producer([str(tmp_path / "a"), str(tmp_path / "b")], num_epochs=1, shuffle=False)
    _, line = tf.TextLineReader().read(names)
    batches = run_pipeline(tf.train.batch([line], 4, allow_smaller_final_batch=True))
    assert [list(batch) for batch in batches] == [[b"a0", b"a1", b"a2", b"b0"], [b"b1", b"b2"]]


def test_shuffled_batches_keep_all():
    rows = tf.train.slice_input_producer([np.arange(20), np.arange(20) * 2], num_epochs=2, seed=1)
    batches = run_pipeline(tf.train.shuffle_batch(rows, 5, 30, 10, num_threads=2))
    values = np.concatenate([batch[0] for batch in batches])
    assert sorted(values) == sorted(list(range(20)) * 2)
    assert all((batch[1] == batch[0] * 2).all() for batch in batches)


def test_only_what_is_to_be_kept():
    number = tf.train.range_input_producer(10, num_epochs=1, shuffle=False).dequeue()
    batches = run_pipeline(tf.train.maybe_batch([number], tf.equal(number % 2, 0), 5))
    assert [list(batch) for batch in batches] == [[0, 2, 4, 6, 8]]


def test_sparse_batches():
    number = tf.train.range_input_producer(4, num_epochs=1, shuffle=False).dequeue()
    sparse = tf.SparseTensor(tf.cast(tf.reshape(number, [1, 1]), tf.int64), tf.reshape(number * 10, [1]), [4])
    batches = run_pipeline(tf.train.batch([sparse, number], 2))
    assert batches[1][0].indices.tolist() == [[0, 2], [1, 3]] and batches[1][0].values.tolist() == [20, 30]
    assert batches[1][1].tolist() == [2, 3]


def test_wrong_batches():
    x, y = tf.constant(1.0), tf.constant([1.0, 2.0])
    with pytest.raises(ValueError, match="Expected at least one tensor"):
        tf.train.batch([], 2)
    with pytest.raises(ValueError, match="Expected at least one set of tensors"):
        tf.train.batch_join([], 2)
    with pytest.raises(ValueError, match="Cannot infer Tensor's rank"):
        tf.train.batch([tf.placeholder(tf.float32)], 2)
    with pytest.raises(ValueError, match="fully defined"):
        tf.train.batch([tf.placeholder(tf.float32, [None])], 2)
    with pytest.raises(ValueError, match="capacity 5 must be bigger than min_after_dequeue 5"):
        tf.train.shuffle_batch([x], 2, 5, 5)
    with pytest.raises(TypeError, match="Expected types to be consistent: float32 vs. int32"):
        tf.train.batch_join([[x], [tf.constant(1)]], 2)
    with pytest.raises(ValueError, match="are incompatible"):
        tf.train.batch_join([[x], [y]], 2)
    with pytest.raises(ValueError, match="same keys"):
        tf.train.batch_join([{"a": x}, {"b": x}], 2)
    with pytest.raises(ValueError, match="cannot be a vector when `enqueue_many=False`"):
        tf.train.maybe_batch([x], [True, False], 2)
    with pytest.raises(ValueError, match="must be 0 or 1 dimensions"):
        tf.train.maybe_batch([y], [[True, False]], 2, enqueue_many=True)
    with pytest.raises(ValueError, match="dimensions must be known"):
        tf.train.maybe_batch([y], tf.placeholder(tf.bool), 2, enqueue_many=True)


def test_wrong_producers():
    with pytest.raises(ValueError, match="requires a non-null input tensor"):
        tf.train.string_input_producer([])
    with pytest.raises(ValueError, match="num_epochs must be > 0 not 0."):
        tf.train.range_input_producer(3, num_epochs=0)
    with pytest.raises(ValueError, match="must have a fully defined shape"):
        tf.train.input_producer(tf.placeholder(tf.float32, [None, None]))
    with pytest.raises(ValueError, match="Expected at least one tensor in slice_input_producer"):
        tf.train.slice_input_producer([])


def test_join_waits_for_threads_that_are_being_started():
    coord, go_on, done = tf.train.Coordinator(), threading.Event(), []
    workers = [threading.Thread(target=lambda: (go_on.wait(), done.append(1))) for _ in range(3)]
    joiner = threading.Thread(target=coord.join, args=(workers,))
    joiner.start()
    time.sleep(0.05)
    assert joiner.is_alive() and not coord.joined
    for worker in workers:
        worker.start()
    go_on.set()
    joiner.join()
    assert len(done) == 3 and coord.joined


def test_join_gives_up_on_threads_that_nobody_starts():
    coord = tf.train.Coordinator()
    coord.join([threading.Thread(target=print)])
    assert coord.joined
