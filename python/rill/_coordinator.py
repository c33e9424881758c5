"""tf.train.Coordinator and LooperThread: what Python adds to the coordinator of C++."""

import contextlib
import sys
import threading
import time

from rill import _rill, errors, logging


class Coordinator(_rill.Coordinator):
    """Lets several threads stop together."""

    def __init__(self, clean_stop_exception_types=None):
        if clean_stop_exception_types is None:
            clean_stop_exception_types = (errors.OutOfRangeError,)
        self._clean_stop_exception_types = tuple(clean_stop_exception_types)
        super().__init__([errors.error_code_from_exception_type(kind) for kind in self._clean_stop_exception_types
                          if issubclass(kind, errors.OpError)])

    def request_stop(self, ex=None):
        """Asks the threads to stop. `ex`, an exception or sys.exc_info(), is what join() raises."""
        error = ex[1] if isinstance(ex, tuple) else ex
        if error is None or isinstance(error, self._clean_stop_exception_types):
            return self._request_stop(None)
        if not isinstance(ex, tuple) and sys.exc_info()[1] is None:
            error = ValueError("ex must be a tuple or sys.exc_info must return the current exception: "
                               f"{sys.exc_info()}")
        if not self.should_stop():
            logging.info("Error reported to Coordinator: %s, %s", type(error), error)
        return self._request_stop(error)

    def stop_on_exception(*args, **kwds):
        """What the block raises is a request to stop."""
        return _stop_on_exception(*args, **kwds)


@contextlib.contextmanager
def _stop_on_exception(self):
    try:
        yield
    except BaseException:  # also what ends a thread: the others must not wait for it
        self.request_stop(ex=sys.exc_info())


class LooperThread(threading.Thread):
    """A thread that does something again and again until its coordinator stops."""

    def __init__(self, coord, timer_interval_secs, target=None, args=None, kwargs=None):
        if not isinstance(coord, _rill.Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        super().__init__()
        self.daemon = True
        self._coord = coord
        self._timer_interval_secs = timer_interval_secs
        if target is None and (args or kwargs):
            raise ValueError("'args' and 'kwargs' argument require that you also pass 'target'")
        self._target = target
        self._args, self._kwargs = args or (), kwargs or {}
        coord.register_thread(self)

    @staticmethod
    def loop(coord, timer_interval_secs, target, args=None, kwargs=None):
        """A started thread that calls `target` every `timer_interval_secs`."""
        looper = LooperThread(coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        looper.start()
        return looper

    def run(self):
        """The thread's work."""
        with self._coord.stop_on_exception():
            self.start_loop()
            next_time = time.time()
            while not self._stops_before(next_time):
                next_time += self._timer_interval_secs or 0
                self.run_loop()
            self.stop_loop()

    def _stops_before(self, next_time):
        if self._timer_interval_secs is None:
            return self._coord.should_stop()
        return self._coord.wait_for_stop(next_time - time.time())

    def start_loop(self):
        """Called once, when the thread starts."""

    def stop_loop(self):
        """Called once, when the coordinator stops."""

    def run_loop(self):
        """Called again and again: the target, unless a subclass does something else."""
        if self._target:
            self._target(*self._args, **self._kwargs)

    def isAlive(self):  # a name of older Pythons
        """Whether the thread runs."""
        return self.is_alive()
