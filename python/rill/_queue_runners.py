"""The threads of queue runners: Python's, since they run whatever Python takes for a session."""

import atexit
import os
import threading

from rill import _rill, logging
from rill._rill import QueueRunner

_RUNNERS = "queue_runners"
_running = {}  # threads of queue runners, with their sessions and coordinators


def _ignoring_errors(sess, op):
    try:
        sess.run(op)
    except Exception as error:  # the queue may be closed, or the session
        logging.vlog(1, "Ignored exception: %s", error)


def _enqueuing(runner, sess, number):
    """What runs an enqueuing operation of the runner once."""
    op = runner.enqueue_ops[number]
    if isinstance(runner, _rill.FeedingQueueRunner):
        return lambda: sess.run(op, feed_dict=runner._next_feeds(number))
    return sess.make_callable(op)


def _enqueue_until_closed(runner, sess, number, coord):
    """Runs an operation until the queue is closed, or the coordinator stops."""
    counted = True
    _running[threading.current_thread()] = sess, coord
    try:
        enqueue = _enqueuing(runner, sess, number)
        while not (coord and coord.should_stop()):
            try:
                enqueue()
            except runner.queue_closed_exception_types:
                counted = False
                if runner._end(sess):
                    _ignoring_errors(sess, runner.close_op)
                return
    except Exception as error:
        if coord:
            coord.request_stop(error)
        elif threading.current_thread() in _running:
            logging.error("Exception in QueueRunner: %s", error)
            runner._failed(error)
            raise
    finally:
        _running.pop(threading.current_thread(), None)
        if counted:
            runner._end(sess)


os.register_at_fork(after_in_child=_running.clear)  # a child has none of its parent's threads


@atexit.register
def _end_all():
    """Ends the threads that wait in a step: the interpreter must not go while they would come back to it."""
    waiting = dict(_running)
    _running.clear()
    for sess, coord in waiting.values():
        if coord:
            coord.request_stop()
        sess.close()
    for thread in waiting:
        thread.join(5)


def _cancel_on_stop(runner, sess, coord):
    _running[threading.current_thread()] = sess, coord
    coord.wait_for_stop()
    _ignoring_errors(sess, runner.cancel_op)
    _running.pop(threading.current_thread(), None)


def create_threads(runner, sess, coord, daemon, start):
    """QueueRunner.create_threads."""
    if not runner._begin(sess):
        return []
    works = [(op.name, _enqueue_until_closed, (runner, sess, number, coord))
             for number, op in enumerate(runner.enqueue_ops)]
    if coord:
        works.append(("close_on_stop", _cancel_on_stop, (runner, sess, coord)))
    threads = [threading.Thread(target=target, args=args, name=f"QueueRunnerThread-{runner.name}-{name}")
               for name, target, args in works]
    for thread in threads:
        if coord:
            coord.register_thread(thread)
        if daemon:
            thread.daemon = True
        if start:
            thread.start()
    return threads


def add_queue_runner(qr, collection=_RUNNERS):
    """Adds a queue runner to a collection of the graph."""
    _rill.get_default_graph().add_to_collection(collection, qr)


def _session_of(sess):
    if sess is None:
        sess = _rill.get_default_session()
        if not sess:
            raise ValueError("Cannot start queue runners: No default session is registered. Use "
                             "`with sess.as_default()` or pass an explicit session to "
                             "tf.start_queue_runners(sess=sess)")
        return sess
    if not isinstance(sess, _rill.Session) and not _is_monitored(sess):
        raise TypeError(f"sess must be a `tf.Session` object. Given class: {sess.__class__}")
    return sess


def _is_monitored(sess):
    return any(kind.__name__ in ("_MonitoredSession", "MonitoredSession", "SingularMonitoredSession")
               for kind in type(sess).__mro__)


def start_queue_runners(sess=None, coord=None, daemon=True, start=True, collection=_RUNNERS):
    """Starts the threads of all queue runners of the graph."""
    if _rill.executing_eagerly():
        raise RuntimeError("Queues are not compatible with eager execution.")
    sess = _session_of(sess)
    if _is_monitored(sess):
        return []  # it has started them itself
    runners = sess.graph.get_collection(collection)
    if not runners:
        logging.warning("`tf.train.start_queue_runners()` was called when no queue runners were "
                        "defined. You can safely remove the call to this deprecated function.")
    return [thread for runner in runners
            for thread in runner.create_threads(sess, coord=coord, daemon=daemon, start=start)]


__all__ = ["QueueRunner", "add_queue_runner", "start_queue_runners"]
