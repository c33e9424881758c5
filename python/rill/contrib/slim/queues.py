"""tf.contrib.slim.queues: a block in which the queues of the graph are filled."""

import contextlib
import threading

_running = threading.Lock()


class NestedQueueRunnerError(Exception):
    """QueueRunners inside of QueueRunners."""


@contextlib.contextmanager
def QueueRunners(session):
    """Runs the queue runners of the default graph in the block."""
    from rill import GraphKeys, get_collection, train
    if not _running.acquire(blocking=False):
        raise NestedQueueRunnerError("QueueRunners cannot be nested")
    coordinator, threads = train.Coordinator(), []
    try:
        for runner in get_collection(GraphKeys.QUEUE_RUNNERS):
            threads += runner.create_threads(session, coord=coordinator, daemon=True, start=True)
        yield
    finally:
        coordinator.request_stop()
        try:
            coordinator.join(threads, stop_grace_period_secs=120)
        except RuntimeError:
            session.close()
        _running.release()
