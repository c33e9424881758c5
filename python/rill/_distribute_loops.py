"""Loops over the elements of distributed input, and reductions along an axis."""

from rill._distribute_values import local_results, regroup


def reduce_along(strategy, number, value, axis):
    """Sums, or means of all rows, along `axis` of every replica and over the replicas."""
    import rill
    sums, counts = [], []
    for one in local_results(value):
        one = rill.convert_to_tensor(one)
        with rill.device(one.device):
            sums.append(rill.reduce_sum(one, axis=axis))
            if number == 1:
                counts.append(rill.shape(one, out_type=rill.int64)[axis])
    devices = strategy.extended.worker_devices[:len(sums)]
    total = strategy._reduce_to_host(0, regroup(sums, devices))
    if number == 0:
        return total
    return total / rill.cast(strategy._reduce_to_host(0, regroup(counts, devices)), total.dtype)


class MultiStepContext:
    """What the function of experimental_run_steps_on_iterator leaves for the end of the loop."""

    def __init__(self):
        self._last_step_outputs, self._reduce_ops, self._non_tensor_outputs = {}, {}, {}

    @property
    def last_step_outputs(self):
        """The outputs of the last step, by name."""
        return self._last_step_outputs

    @property
    def non_tensor_outputs(self):
        """What is no tensor, by name."""
        return self._non_tensor_outputs

    def set_last_step_output(self, name, output, reduce_op=None):
        """Keeps the output of this step; with `reduce_op`, those of the replicas as one."""
        from rill import _distribute
        self._reduce_ops[name] = reduce_op
        if reduce_op is None or not _distribute.has_strategy():
            self._last_step_outputs[name] = output
            return
        strategy = _distribute.get_strategy()
        context = _distribute.get_replica_context()
        if context is not None and _distribute.has_strategy():
            def together(all_of_them, given):
                self._last_step_outputs[name] = all_of_them.reduce(reduce_op, given)
            context.merge_call(together, args=(output,))
        else:
            self._last_step_outputs[name] = strategy.reduce(reduce_op, output)

    def set_non_tensor_output(self, name, output):
        """Keeps something that is no tensor."""
        self._non_tensor_outputs[name] = output


def run_steps(extended, fn, iterator, iterations, initial_loop_values):
    """Builds `iterations` steps one after the other; each waits for the one before it."""
    import rill
    context, before = MultiStepContext(), []
    context._last_step_outputs.update(initial_loop_values or {})
    for _ in range(int(iterations)):
        with rill.control_dependencies(before):
            result = fn(context, iterator.get_next())
        before = [item for item in rill.nest.flatten(result) if item is not None]
        before = [one for item in before for one in local_results(item)]
    context.run_op = rill.group(*before)
    return context
