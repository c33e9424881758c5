"""Measures workloads on request, under one framework.

usage: worker.py rill|tensorflow|torch|files GROUP THREADS FOLDER WINDOW wall|cpu

Reads the name of a workload from standard input, answers with a line of JSON, until the input ends:
{"value": seconds per work, "shape": of what the step returned} or {"refused": reason}.
"""
import json
import sys
import time

from workloads import Setting, group_named

SHORTEST = 3  # steps per answer, of those that are not long


def framework_module(name, eager):
    if name == "torch":
        import torch
        return torch
    if name == "tensorflow":
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
    else:
        import tensorflow as tf
    tf.logging.set_verbosity(tf.logging.ERROR)
    if eager:
        tf.enable_eager_execution()
    return tf


class Measurer:
    def __init__(self, setting, group, window, clock):
        self.setting, self.group, self.window, self.clock = setting, group, window, clock
        self.workloads = {one.name: one for one in group.workloads()}
        self.made, self.module = {}, None

    def framework(self):
        """Imported by the first workload that wants it."""
        if self.module is None:
            self.module = framework_module(self.setting.framework, self.group.eager)
            if self.setting.framework == "torch":
                self.module.set_num_threads(self.setting.threads)
            elif self.group.eager:  # others say it to their sessions
                self.module.config.threading.set_intra_op_parallelism_threads(self.setting.threads)
                self.module.config.threading.set_inter_op_parallelism_threads(self.setting.threads)
        return self.module

    def make(self, workload):
        kind = {"rill": "graph", "tensorflow": "graph"}.get(self.setting.framework, self.setting.framework)
        work = getattr(workload, kind)
        if work is None:
            raise NotImplementedError("it has nothing that does the same")
        if kind == "files":
            return work(self.setting)
        return work(self.framework if self.group.fresh else self.framework(), self.setting)

    def prepared(self, name):
        """A warm step, and the shape of what it returns."""
        if name not in self.made:
            step = self.make(self.workloads[name])
            self.made[name] = step, None if is_special(step) else checked_shape(step())
        return self.made[name]

    def measure(self, step):
        """The best decile of the steps that fit; a long one is taken once.

        Of processors' time the mean: what threads used is counted late, so that single steps seem to take none.
        """
        times, end, first = [], time.perf_counter() + self.window, self.clock()
        while True:
            begin = self.clock()
            step()
            times.append(self.clock() - begin)
            now = time.perf_counter()
            if now >= end and (len(times) >= SHORTEST or times[0] > self.window):
                if self.clock is time.process_time:
                    return (self.clock() - first) / len(times)
                return sorted(times)[len(times) // 10]

    def answer(self, name):
        try:
            step, shape = self.prepared(name)
            value = step() if is_special(step) else self.measure(step)
            return {"value": value / self.workloads[name].per, "shape": shape}
        except Exception as error:  # whatever a framework raises for what it lacks
            return {"refused": " ".join(f"{type(error).__name__}: {error}".split())[:200]}


def is_special(step):
    return getattr(step, "times_itself", False) or getattr(step, "answers", False)


def checked_shape(value):
    """Of the result as an array, or of the first one of a list; None where there is none."""
    while isinstance(value, (list, tuple)):
        value = value[0] if value else None
    if value is None or not hasattr(value, "shape"):
        return None
    import numpy as np
    array = np.asarray(value)
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ArithmeticError("the result is not finite")
    return list(array.shape)


def main():
    framework, group, threads, folder, window, clock = sys.argv[1:]
    setting = Setting(framework, int(threads), folder)
    clocks = {"wall": time.perf_counter, "cpu": time.process_time}
    measurer = Measurer(setting, group_named(group), float(window), clocks[clock])
    answers, sys.stdout = sys.stdout, sys.stderr  # what a workload prints is no answer
    for line in sys.stdin:
        print(json.dumps(measurer.answer(line.strip())), file=answers, flush=True)


if __name__ == "__main__":
    main()
