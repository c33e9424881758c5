"""tf.test.Benchmark: the time that steps take."""

import numbers
import os
import sys
import time

import numpy as np

from rill import _rill


class _Registrar(type):
    """Remembers benchmark classes."""

    classes = []

    def __new__(mcs, name, bases, members):
        cls = super().__new__(mcs, name, bases, members)
        if not cls.is_abstract():
            mcs.classes.append(cls)
        return cls


class Benchmark(metaclass=_Registrar):
    """Subclasses have methods benchmark_...; `python program.py --benchmarks=REGEX` runs them."""

    @classmethod
    def is_abstract(cls):
        return len(cls.__mro__) <= 2

    def _get_name(self, overwrite_name=None):
        if overwrite_name is not None:
            return f"{type(self).__name__}.{overwrite_name}"
        frame = sys._getframe(1)
        while frame is not None:
            name = frame.f_code.co_name
            if name.startswith("benchmark") and frame.f_locals.get("self") is self:
                return f"{type(self).__name__}.{name}"
            frame = frame.f_back
        raise ValueError("Unable to determine calling Benchmark class.")

    def report_benchmark(self, iters=None, cpu_time=None, wall_time=None, throughput=None, extras=None,
                         name=None, metrics=None):
        """Prints an entry of results."""
        entry = {"name": self._get_name(name), "iters": iters, "cpu_time": cpu_time, "wall_time": wall_time,
                 "throughput": throughput, **(extras or {})}
        for key, value in (extras or {}).items():
            if not isinstance(value, (numbers.Number, str)):
                raise ValueError(f"Extra {key} is neither a number nor a string: {value!r}")
        if metrics:
            entry["metrics"] = metrics
        print({key: value for key, value in entry.items() if value is not None})

    def run_op_benchmark(self, sess, op_or_tensor, feed_dict=None, burn_iters=2, min_iters=10,
                         store_trace=False, store_memory_usage=True, name=None, extras=None, mbs=0):
        """The median time of a step; reported, and returned with the number of steps."""
        from rill import _messages
        for _ in range(burn_iters):
            sess.run(op_or_tensor, feed_dict=feed_dict)
        times = np.zeros(min_iters)
        for i in range(min_iters):
            begin = time.time()
            sess.run(op_or_tensor, feed_dict=feed_dict)
            times[i] = time.time() - begin
        extras = dict(extras or {})
        if store_trace or store_memory_usage:
            metadata = _messages.find("RunMetadata")()
            options = _messages.find("RunOptions")(trace_level=3)
            sess.run(op_or_tensor, feed_dict=feed_dict, options=options, run_metadata=metadata)
            if store_trace:
                extras["full_trace_chrome_format"] = str(metadata.step_stats)
        wall = float(np.median(times))
        extras["wall_time_mean"], extras["wall_time_stdev"] = float(times.mean()), float(times.std())
        throughput = mbs / wall if wall else 0.0
        self.report_benchmark(iters=min_iters, wall_time=wall, throughput=throughput, extras=extras, name=name)
        return {"iters": min_iters, "wall_time": wall, "throughput": throughput, "extras": extras,
                "name": self._get_name(name)}

    def evaluate(self, tensors):
        """The values of a structure of tensors, in the default session."""
        sess = _rill.get_default_session() or _rill.Session()
        return sess.run(tensors)


def benchmark_config():
    """A configuration whose steps are comparable: nothing of the graph is left out."""
    from rill import _messages
    return _messages.find("ConfigProto")()


class StubOutForTesting:
    """Replaces attributes of modules and classes until it is told to put them back."""

    def __init__(self):
        self._set, self._smart = [], []

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.CleanUp()

    def CleanUp(self):
        self.SmartUnsetAll()
        self.UnsetAll()

    def SmartSet(self, obj, attr_name, new_attr):
        """Set where the attribute is one of `obj` itself or of a class above it."""
        if not hasattr(obj, attr_name):
            raise AttributeError(attr_name)
        own = vars(obj)
        self._smart.append((obj, attr_name, own[attr_name] if attr_name in own else getattr(obj, attr_name)))
        setattr(obj, attr_name, new_attr)

    def SmartUnsetAll(self):
        while self._smart:
            setattr(*self._smart.pop())

    def Set(self, parent, child_name, new_child):
        old = vars(parent).get(child_name, getattr(parent, child_name))
        self._set.append((parent, child_name, old))
        setattr(parent, child_name, new_child)

    def UnsetAll(self):
        while self._set:
            setattr(*self._set.pop())


def test_src_dir_path(relative_path):
    """The path of a file of TensorFlow's own sources, below TEST_SRCDIR."""
    return os.path.join(os.environ.get("TEST_SRCDIR", ""), "org_tensorflow", "tensorflow", relative_path)
