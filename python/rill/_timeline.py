"""The statistics of a step as a page of Chrome's trace viewer."""

import collections
import json

from rill import _rill

AllocationMaximum = collections.namedtuple("AllocationMaximum", ("timestamp", "num_bytes", "tensors"))
AllocationMaximum.__doc__ = "When the tensors of an allocator took the most memory, how much, and which they were."
StepStatsAnalysis = collections.namedtuple("StepStatsAnalysis", ("chrome_trace", "allocator_maximums"))
StepStatsAnalysis.__doc__ = "A trace, and the AllocationMaximum of every allocator by its name."


class _ChromeTrace:
    """A page of the trace viewer."""

    def __init__(self, text):
        self._text = text

    def format_to_string(self, pretty=False):
        """The page as JSON: on one line, or indented."""
        how = {"indent": 4} if pretty else {"separators": (",", ":")}
        return json.dumps(json.loads(self._text), **how)


class Timeline:
    """What ran when and where in one step: Timeline(run_metadata.step_stats)."""

    def __init__(self, step_stats, graph=None):
        self._step_stats = step_stats
        self._graph = graph

    def generate_chrome_trace_format(self, show_dataflow=True, show_memory=False, op_time="schedule"):
        """JSON for chrome://tracing; `show_dataflow` draws arrows from who makes a tensor to who reads it."""
        if op_time not in ("schedule", "all"):
            raise NotImplementedError(f"Timeline with op_time={op_time!r}")
        return _rill.chrome_trace(self._step_stats, bool(show_dataflow), bool(show_memory))

    def analyze_step_stats(self, show_dataflow=True, show_memory=True, op_time="schedule"):
        """The trace and, where `show_memory` asks for them, the largest amounts of memory in use."""
        trace = _ChromeTrace(self.generate_chrome_trace_format(show_dataflow, show_memory, op_time))
        largest = _rill.allocator_maximums(self._step_stats) if show_memory else {}
        return StepStatsAnalysis(trace, {
            name: AllocationMaximum(time, size, set(tensors)) for name, (time, size, tensors) in largest.items()})
