"""Measures the cases of op_cases.py on request, under the framework and threads that it is told.

Reads a case's name from standard input, answers with seconds per op or "nan" and the reason why the
framework does not run it, until the input ends.
"""
import sys
import time

from op_cases import all_cases

WINDOW = 0.04  # seconds of measuring per answer
THREADS = int(sys.argv[2]) if len(sys.argv) > 2 else 2
# One thread is measured by the time it has a processor, which other programs disturb less.
clock = time.process_time if THREADS == 1 else time.perf_counter


class Graphs:
    """Rill and TensorFlow."""

    def __init__(self, framework):
        if framework == "tensorflow":
            import tensorflow.compat.v1 as tf
            tf.disable_v2_behavior()
        else:
            import tensorflow as tf
        self.tf = tf
        self.config = tf.ConfigProto(intra_op_parallelism_threads=THREADS,
                                     inter_op_parallelism_threads=THREADS)
        # The chain of equal ops is to be run as it stands.
        self.config.graph_options.rewrite_options.disable_meta_optimizer = True

    def prepare(self, case):
        with self.tf.Graph().as_default():
            last, session = self.chain(case), self.tf.Session(config=self.config)
            for op in self.before:
                session.run(op)
            return lambda: session.run(last)

    def chain(self, case):
        """The op as often as the case wants, one after the other; inputs are variables."""
        ops = self.tf.raw_ops
        inputs, self.before = {}, []
        for name, given in case.inputs.items():
            handle = ops.VarHandleOp(dtype=given.array.dtype, shape=given.array.shape,
                                     shared_name=name)
            self.before.append(ops.AssignVariableOp(resource=handle, value=given.array))
            inputs[name] = handle if given.is_state else ops.ReadVariableOp(
                resource=handle, dtype=given.array.dtype)
        if case.setup:
            self.before.append(self.operation(case.setup(ops, **inputs)))
        last = self.tf.no_op()
        for _ in range(case.repeat):
            with self.tf.control_dependencies([last]):
                last = self.operation(case.graph(ops, **inputs))
        return last

    def operation(self, made):
        while isinstance(made, (list, tuple)):
            made = made[0]
        return getattr(made, "op", made)


class Torch:
    def __init__(self):
        import torch
        torch.set_num_threads(THREADS)
        torch.set_grad_enabled(False)
        self.torch = torch

    def prepare(self, case):
        inputs = {name: self.tensor(given) for name, given in case.inputs.items()}

        def step():
            for _ in range(case.repeat):
                case.torch(self.torch, **inputs)

        return step

    def tensor(self, given):
        tensor = self.torch.from_numpy(given.array.copy())
        return given.to_torch(tensor) if given.to_torch else tensor


def measure(step, seconds):
    """The best decile of the steps that fit, at least three."""
    times, end = [], time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        begin = clock()
        step()
        times.append(clock() - begin)
    return sorted(times)[len(times) // 10]


def prepared(framework, case):
    """A warm step, or the reason why there is none."""
    if isinstance(framework, Torch) and case.torch is None:
        return "PyTorch has no op that does the same"
    try:
        step = framework.prepare(case)
        measure(step, WINDOW)
        return step
    except Exception as error:  # whatever a framework raises for what it lacks
        return f"{type(error).__name__}: {error}".splitlines()[0]


def main():
    name = sys.argv[1]
    framework = Torch() if name == "torch" else Graphs(name)
    cases, made = {case.name: case for case in all_cases()}, {}
    for line in sys.stdin:
        case = cases[line.strip()]
        if case.name not in made:
            made[case.name] = prepared(framework, case)
        step = made[case.name]
        if isinstance(step, str):
            print("nan", step, flush=True)
        else:
            print(measure(step, WINDOW) / case.repeat, flush=True)


if __name__ == "__main__":
    main()
