"""The statistics of a step as a page of Chrome's trace viewer."""

from rill import _rill


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
